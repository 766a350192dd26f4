"""An odd number where YUV shares chroma between two pixels.

What it checks
    `Error yuv not align to 2, rect[x,y,w,h] = […]`

Why it matters
    imcheck fails, nothing is converted.

How it is computed
    The odd ones among x, y, w, h and the strides are named.

Example
    rect [0, 0, 641, 480]: 641 is odd.

Fix
    Round the box to even numbers.

Limits
    None known.

References
    strings of librga 1.10; rga:R-A02
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG306",
    "log-odd-yuv",
    over="log:rga_even",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "strings of librga 1.10",
        "rga:R-A02",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    names = {"x": "x", "y": "y", "w": "width", "h": "height", "ws": "wstride", "hs": "hstride"}
    odd = tuple(f"{label} {v}" for k, label in names.items() if (v := first_event.number(k)) is not None and v % 2)
    yield Finding(
        "RGA wants even numbers for YUV" + ("; odd are: {odd}." if odd else "."),
        "Two pixels (4:2:2) or four (4:2:0) share their chroma. Nothing was written.",
        "Round boxes and sizes of YUV pictures to even numbers (down for x and y, up or down for width and height).",
        {"odd": odd, "side": first_event.word("side")},
        about="log:rga",
    )
