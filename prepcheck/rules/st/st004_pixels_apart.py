"""The pixels lie apart: some channels of wider pixels.

What it checks
    A pixel step larger than the pixel, as of the first three channels of an RGBA picture.

Why it matters
    A call that takes a pointer reads the fourth byte as the next pixel's first: the picture is sheared by one byte a pixel.

How it is computed
    Byte step of the pixel axis against channels · element width.

Example
    rgba[..., :3]: pixels step 4 bytes, 3 are read.

Fix
    Copy: numpy.ascontiguousarray(rgba[..., :3]), cv2.cvtColor with COLOR_RGBA2RGB.

Limits
    inference() of the toolkits takes numpy arrays: a warning there.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.strides import View
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST004",
    "pixels-apart",
    over="handover",
    category="stride",
    severity="error",
    rank=Rank.STRIDE,
    sources=("arithmetic",),
)
def check(view: View, label: str, api: str, got_bytes: int) -> Iterator[Finding]:
    if view.kind != "pixels":
        return
    yield Finding(
        "{api}: the pixels of the array for {label} step {got} bytes; packed ones step {want}.",
        "The array is part of wider pixels (three channels of RGBA, say). Read as {bytes} packed bytes, every pixel is displaced by "
        "{shift} byte(s) more.",
        "Copy it first: numpy.ascontiguousarray(x), or convert with cv2.cvtColor.",
        {
            "api": api,
            "label": label,
            "got": view.got,
            "want": view.want,
            "shift": view.got - view.want,
            "bytes": got_bytes,
        },
        severity="warning" if api == "inference" else "error",
        fault="alpha_channel",
    )
