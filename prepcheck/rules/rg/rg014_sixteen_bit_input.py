"""RGBA 4444 or 5551 as a source.

What it checks
    Whether a source is RGBA/BGRA 4444 or 5551.

Why it matters
    Current librga (from 1.10.1) has taken these formats out of the inputs: status -1, "unsupported … format".

How it is computed
    The group of formats with two bytes a pixel and alpha last.

Example
    RGBA_5551 as a source with librga 1.10.1.

Fix
    Use RGB_565 or RGBA_8888 for the source.

Limits
    Older editions of the guide list them as inputs: a warning where the library's version is not stated
    (`version:` of a plan for RGA).

References
    librga 1.10.5 im2d_hardware.h; its change log.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG014",
    "sixteen-bit-input",
    over="rga",
    category="other",
    severity="warning",
    rank=Rank.CALL,
    sources=("rga:R-C03", "librga 1.10.5 im2d_hardware.h"),
    confidence="M",
)
def check(src: Surface, operation: str, librga_or_none: tuple[int, ...] | None) -> Iterator[Finding]:
    if src.format.group != "rgba16" or (librga_or_none is not None and librga_or_none < (1, 10, 1)):
        return
    yield Finding(
        "{operation}'s source is {format}, which librga takes as an input no more since 1.10.1.",
        "Its table of inputs has the formats with alpha first (ARGB) only; RGBA and BGRA with 4444 or 5551 are "
        "outputs.",
        "Use RGB_565 or RGBA_8888 for the source.",
        {"operation": operation, "format": src.format.name},
        severity="error" if librga_or_none is not None else "warning",
    )
