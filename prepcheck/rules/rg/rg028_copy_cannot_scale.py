"""A copy between different sizes.

What it checks
    Whether imcopy gets the same size on both sides.

Why it matters
    librga refuses (status -3, "imcopy cannot support scale").

How it is computed
    Width and height of the two rectangles.

Example
    imcopy from 1920x1080 to 640x640.

Fix
    Use imresize.

Limits
    None.

References
    librga im2d.cpp (imcopy).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG028",
    "copy-cannot-scale",
    over="rga",
    category="resize",
    rank=Rank.CALL,
    sources=("rga:R-A07", "librga 1.10.5 im2d.cpp"),
)
def check(name: str, src: Surface, dst: Surface) -> Iterator[Finding]:
    if name != "imcopy" or src.work == dst.work:
        return
    (sw, sh), (dw, dh) = src.work, dst.work
    yield Finding(
        "imcopy gets {sw}x{sh} and {dw}x{dh}: it cannot scale.",
        'librga answers with status -3 ("imcopy cannot support scale") and nothing is written.',
        "Use imresize, or give both sides one size.",
        {"sw": sw, "sh": sh, "dw": dw, "dh": dh},
    )
