"""A rectangle or a picture larger than its buffer's strides.

What it checks
    `the sum of width and height of rect needs to be less than wstride or hstride`, `Virtual width or height is less
    than actual width and height`.

Why it matters
    imcheck fails, nothing is converted.

How it is computed
    x + w against wstride, y + h against hstride.

Example
    rect [600, 0, 100, 50] in rows of 640: 600 + 100 = 700 > 640.

Fix
    Clip the rectangle; strides are in pixels, not bytes.

Limits
    None known.

References
    strings of librga 1.10; rga:R-A05
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG303",
    "log-outside-image",
    over="logbook",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "strings of librga 1.10",
        "rga:R-A05",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("rga_rect"):
        x, y, w, h, ws, hs = (event.number(k) or 0 for k in ("x", "y", "w", "h", "ws", "hs"))
        wide = x + w > ws
        yield Finding(
            "The {side} rectangle [{x}, {y}, {w}, {h}] reaches beyond the image: "
            + ("{x} + {w} = {across} > {ws}." if wide else "{y} + {h} = {down} > {hs}."),
            "RGA refuses it; nothing was written.",
            "Clip the rectangle to the image. Strides are pixels (wstride) and rows (hstride), not bytes.",
            {
                "side": event.word("side"),
                "x": x,
                "y": y,
                "w": w,
                "h": h,
                "ws": ws,
                "hs": hs,
                "across": x + w,
                "down": y + h,
            },
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_virtual"):
        w, h, ws, hs = (event.number(k) or 0 for k in ("w", "h", "ws", "hs"))
        yield Finding(
            "The {side} buffer has strides {ws} x {hs}, less than its size {w} x {h}.",
            "RGA refuses it; nothing was written. wstride is the distance of rows in pixels, hstride the number of rows of the plane.",
            "Set wstride ≥ {w} and hstride ≥ {h} (0 stands for the size itself); do not pass bytes or values of another frame.",
            {"side": event.word("side"), "w": w, "h": h, "ws": ws, "hs": hs},
            where=event.where,
            about="log:rga",
            category="stride",
        )
