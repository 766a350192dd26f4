"""A view reaches beyond the memory that it is a part of.

What it checks
    offset and strides of a buffer against the bytes of its file (or size of its memory).

Why it matters
    The end of the view is foreign memory.

How it is computed
    offset + 1 element + sum over the axes of |stride| · (size − 1), against the bytes there are.

Example
    offset 102, 8 rows of 48 bytes, 24 wide: 102 + 7·48 + 24 = 462 bytes of 576.

Fix
    Correct offset, strides or shape.

Limits
    Needs the parent's size: the file, or the capacity of the memory.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST007",
    "view-beyond-file",
    over="buffer",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("arithmetic",),
)
def check(view_end: int, parent_nbytes: int) -> Iterator[Finding]:
    if view_end > parent_nbytes:
        yield Finding(
            "The view ends at byte {end}; the memory it is a part of has {held}.",
            "offset and strides lead {beyond} bytes beyond the end.",
            "Correct `offset`, `strides` or `shape`.",
            {"end": view_end, "held": parent_nbytes, "beyond": view_end - parent_nbytes},
        )
