"""A printed tensor contradicts itself.

What it checks
    dims, n_elems, size, type and row pitch of an attribute line.

Why it matters
    Such a line was edited, retyped, or printed from a struct that was never filled; what follows from it may be
    wrong.

How it is computed
    product(dims) = n_elems; n_elems · bytes of the type = size.

Example
    dims [1, 640, 640, 3] and n_elems 1228000.

Fix
    Paste the line as it was printed.

Limits
    Only four dims are printed where there are five: those are recovered. An info.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from prepcheck.core.dtypes import BITS, nbytes
from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT302",
    "log-dump-at-odds",
    over="log:tensor",
    category="other",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("arithmetic",),
    confidence="M",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    dims, elements = first_event.numbers("dims"), first_event.number("n_elems")
    size, kind = first_event.number("size"), first_event.word("type")
    kept = [d for d in dims if d > 0]
    if not kept or not elements or (first_event.number("n_dims") or 4) > 4:
        return
    if prod(kept) != elements:
        yield Finding(
            "{name}: the dims {dims} make {product} elements, the line says {elements}.",
            "An attribute line whose numbers do not belong together was retyped, or is of two prints.",
            "Paste the line as the program printed it.",
            {"name": first_event.word("name"), "dims": dims, "product": prod(kept), "elements": elements},
        )
    elif size is not None and kind in BITS and size != nbytes(kind, elements):
        yield Finding(
            "{name}: {elements} elements of {kind} take {need} bytes, the line says {size}.",
            "The application changed attr.type before printing, or the line was retyped.",
            "Print the attributes as rknn_query returns them.",
            {
                "name": first_event.word("name"),
                "elements": elements,
                "kind": kind,
                "need": nbytes(kind, elements),
                "size": size,
            },
        )
