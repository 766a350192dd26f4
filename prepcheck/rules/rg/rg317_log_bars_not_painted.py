"""The letterbox's bars were not painted, or the picture was not converted.

What it checks
    `Warning: Can not fill color on target image` and `no support format N` of the model zoo's image helpers.

Why it matters
    The bars keep what the memory held (older frames); a format that the CPU path does not know is not converted at
    all, and success is reported.

How it is computed
    Read off the line.

Example
    After a failed RGA fill into memory that the CPU has no pointer to.

Fix
    Fill the memory once after making it (and sync it), or give the destination a virt_addr.

Limits
    None known.

References
    rknn_model_zoo utils/image_utils.c; airockchip/rknn_model_zoo#117; rga:Z-06, rga:Z-09
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG317",
    "log-bars-not-painted",
    over="logbook",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=(
        "rknn_model_zoo utils/image_utils.c",
        "airockchip/rknn_model_zoo#117",
        "rga:Z-06",
        "rga:Z-09",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("zoo_fill_failed")[:1]:
        yield Finding(
            "The letterbox's bars were not painted: they keep what the memory held.",
            "RGA refused the fill, and the destination has no pointer for the CPU. The network sees parts of older frames beside the picture.",
            "Give the destination's virt_addr besides its fd, or fill the memory with the pad byte once after making it, and sync it to the device.",
            {},
            where=event.where,
            about="log:bars",
        )
    for event in book.firsts("zoo_noformat")[:1]:
        yield Finding(
            "The CPU path does not know image format {f}: it converted nothing and reports success.",
            "The destination keeps its old content.",
            "Convert to RGB888 first, or use RGA for this format.",
            {"f": event.number("f")},
            where=event.where,
            about="log:bars",
            category="color_space",
            severity="error",
        )
