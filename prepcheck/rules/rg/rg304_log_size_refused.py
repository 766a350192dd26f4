"""A width or height that RGA does not take.

What it checks
    `resolution more than`, `smaller than 2 pixels`, `cannot be negative or 0`, `width or height cannot be 0`,
    `imcopy cannot support scale`.

Why it matters
    imcheck fails, nothing is converted.

How it is computed
    Read off the line.

Example
    A box of 1 pixel, an output of 5000 where 4096 is the most.

Fix
    Stay between 2 pixels and the limit that the line names.

Limits
    A strange size (1088x1) is a struct read at other offsets: see the rule about that.

References
    strings of librga 1.10; rga:R-C01
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG304",
    "log-size-refused",
    over="logbook",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "strings of librga 1.10",
        "rga:R-C01",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("rga_res"):
        yield Finding(
            "The {side} picture is larger than RGA takes: more than {mx}" + ("x{my}." if event.number("my") else "."),
            "Nothing was written.",
            "Use a smaller size, split the picture, or convert it with the CPU.",
            {"side": event.word("side"), "mx": event.number("mx"), "my": event.number("my")},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_two"):
        w, h = event.number("w"), event.number("h")
        if w is not None and h is not None and min(w, h) <= 1 and max(w, h) >= 64:
            continue  # a struct read at other offsets
        yield Finding(
            "The {side} picture is below 2 pixels" + (" ({w}x{h})." if w is not None else "."),
            "RGA takes 2 pixels at least in every dimension; nothing was written.",
            "Leave boxes of such a size out before calling RGA.",
            {"side": event.word("side"), "w": w, "h": h},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_negative", "rga_rect0"):
        yield Finding(
            "The {side} picture or rectangle has a width, height or stride of 0 or below.",
            "RGA refuses it; nothing was written. A rga_buffer_t that was never wrapped, or an empty box.",
            "Check that wrapbuffer_… got width, height and format, and that boxes are not empty.",
            {"side": event.word("side")},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_copy_size"):
        yield Finding(
            "imcopy was called for two sizes" + (": {sw}x{sh} and {dw}x{dh}." if event.number("sw") else "."),
            "It copies only; nothing was written.",
            "Use imresize, or make both of one size.",
            {k: event.number(k) for k in ("sw", "sh", "dw", "dh")},
            where=event.where,
            about="log:rga",
            category="resize",
        )
