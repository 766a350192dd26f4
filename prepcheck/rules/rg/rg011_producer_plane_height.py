"""A plane height that is not the producer's.

What it checks
    Whether hstride of an image with several planes is the number of rows after which the producer's next plane
    begins.

Why it matters
    The chroma is looked for at wstride x hstride. If the decoder padded the luma plane to more rows, colours come
    from rows too early: a green or pink, displaced tint. Nobody reports it.

How it is computed
    hstride = ver_stride of the producer, for formats with more than one plane.

Example
    A 1920x1080 frame of MPP has planes of 1088 rows; hstride 1080 reads the chroma 8 rows early.

Fix
    Pass the frame's ver_stride as hstride.

Limits
    Formats with one plane do not depend on it, only their size does.

References
    RGA developer guide; airockchip/librga#75, #89; rockchip-linux/mpp#948.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG011",
    "producer-plane-height",
    over="rgachannel",
    category="stride",
    rank=Rank.STRIDE,
    sources=("rga:R-A10", "airockchip/librga#89"),
)
def check(surface: Surface, ver_stride: int, producer_name: str, operation: str) -> Iterator[Finding]:
    if surface.format.planes < 2 or ver_stride == surface.hstride:
        return
    yield Finding(
        "The {producer}'s planes have {got} rows, {operation} is told {hstride}: the colour plane is read {rows} "
        "rows {way}.",
        "Chroma begins at {wstride} x {got} = {real} bytes and is looked for at {wstride} x {hstride} = {taken}.",
        "Pass hstride {got}, the producer's ver_stride (height stays {height}).",
        {
            "producer": producer_name, "operation": operation, "got": ver_stride, "hstride": surface.hstride,
            "rows": abs(ver_stride - surface.hstride),
            "way": "too early" if ver_stride > surface.hstride else "too late",
            "wstride": surface.wstride, "real": surface.wstride * ver_stride,
            "taken": surface.wstride * surface.hstride,
            "height": surface.height,
        },
    )  # fmt: skip
