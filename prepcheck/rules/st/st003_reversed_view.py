"""The array is a mirrored view: one axis runs backwards in memory.

What it checks
    Negative strides.

Why it matters
    img[..., ::-1] (BGR to RGB) and img[::-1] (flip) in numpy are views. Code that takes the pointer reads foreign memory
    behind the array, or the order that was to be changed.

How it is computed
    The sign of each stride.

Example
    strides [1920, 3, -1] for 640 pixels of RGB.

Fix
    numpy.ascontiguousarray(x), or cv2.cvtColor / cv2.flip, which write a new array.

Limits
    inference() of the toolkits takes numpy arrays: a warning there.

References
    numpy documentation (ndarray.strides); measured: rknn-toolkit2 2.5.0 simulator handles `[..., ::-1]`.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.strides import View
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST003",
    "reversed-view",
    over="handover",
    category="stride",
    severity="error",
    rank=Rank.STRIDE,
    sources=("runtime:P-09", "mnn:T18"),
)
def check(view: View, label: str, api: str, got_bytes: int) -> Iterator[Finding]:
    if view.kind != "reversed":
        return
    yield Finding(
        "{api}: axis {axis} of the array for {label} runs backwards: it steps {got} bytes, a packed one {want}.",
        "The {bytes} bytes that the pointer leads to are not those of the array: a mirrored view moves nothing.",
        "Make it contiguous before the call: numpy.ascontiguousarray(x), or write it with cv2.cvtColor or cv2.flip.",
        {"api": api, "label": label, "axis": view.axis, "got": view.got, "want": view.want, "bytes": got_bytes},
        severity="warning" if api == "inference" else "error",
    )
