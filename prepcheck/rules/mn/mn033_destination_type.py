"""The destination has an element type, or more channels, than convert can write.

What it checks
    Element types other than float32 and uint8, and more than 4 channels.

Why it matters
    Integers get nothing or single bytes, halves are overrun by floats, channels from 4 on stay uninitialised. The code is 0.

How it is computed
    The arguments; 4 bytes for every value that is written, 2 in a half.

Example
    int32 1x224x224x3.

Fix
    Convert into float32 (or uint8) and copy from there.

Limits
    Measured on one version.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.pixels.image_process import Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN033",
    "destination-type",
    over="convert",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I12", "measured: MNN 3.6.1"),
    versions=("3.6.1",),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    if verdict.by_rule("mnn:I12") is None:
        return
    dest = planned.dest
    if dest.dtype in ("float32", "uint8"):
        yield Finding(
            "{label}: the destination has {channels} channels, convert writes at most 4.",
            "Channels 4 to {last} hold what the memory held before; {written} of {all} values are written.",
            "Convert into tensors of up to 4 channels and put them together in a host tensor.",
            {
                "label": label, "channels": dest.dims.c, "last": dest.dims.c - 1, "written": 4 * dest.dims.h * dest.dims.w,
                "all": dest.dims.c * dest.dims.h * dest.dims.w,
            },
            category="size",
        )  # fmt: skip
        return
    yield Finding(
        "{label}: convert into {dtype} writes no picture, and returns 0.",
        "It makes float32 and uint8 only. The destination has {room} bytes; {floats} bytes would be the picture in float32, {bytes} in "
        "uint8.",
        "Convert into a float32 host tensor, change the type, and copy that.",
        {
            "label": label, "dtype": dest.dtype, "room": nbytes(dest.dtype, dest.dims.elements), "floats": 4 * dest.dims.elements,
            "bytes": dest.dims.elements,
        },
    )  # fmt: skip
