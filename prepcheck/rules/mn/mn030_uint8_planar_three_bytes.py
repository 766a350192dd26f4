"""Three-byte pixels are converted into a planar or packed uint8 tensor: they come out scrambled.

What it checks
    RGB or BGR as the destination format with a uint8 destination in NCHW or NC4HW4.

Why it matters
    MNN writes three bytes a pixel into a store that takes four, and then brings that into the tensor's order: channels slide
    from pixel to pixel.

How it is computed
    The arguments.

Example
    BGR → RGB, uint8 NCHW 1x3x224x224.

Fix
    RGBA or BGRA as the destination format (right with three channels too), a float destination, or an NHWC one.

Limits
    Measured on one version.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN030",
    "uint8-planar-three-bytes",
    over="convert",
    category="layout",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I9", "measured: MNN 3.6.1"),
    versions=("3.6.1",),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    if verdict.by_rule("mnn:I9") is None:
        return
    yield Finding(
        "{label}: {format} (3 bytes a pixel) into a uint8 {layout} destination comes out scrambled, and the code is 0.",
        "The picture is first put into a store of 4 bytes a pixel; 3-byte pixels slide in it by one byte each.",
        "Use {wide} as the destination format (also for 3 channels), or a float32 or NHWC destination.",
        {
            "label": label, "format": planned.config.dest_format, "layout": planned.dest.layout,
            "wide": "BGRA" if planned.config.dest_format == "BGR" else "RGBA",
        },
    )  # fmt: skip
