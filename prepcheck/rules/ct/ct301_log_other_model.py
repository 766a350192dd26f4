"""The log is about another model than the one given.

What it checks
    The input tensors that the log prints against the model of --model.

Why it matters
    Every size and scale explained from the wrong file misleads.

How it is computed
    Shape, element type, zero point and scale (six decimals) of each input are compared.

Example
    The log says [1, 320, 320, 3], the file [1, 640, 640, 3].

Fix
    Give the very file that ran (compare sha256 on both sides).

Limits
    Applications that overwrite attr.type or attr.fmt before printing are allowed for: only shape and scale count.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT301",
    "log-other-model",
    over="logbook",
    category="other",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("arithmetic",),
    confidence="M",
    scope="input",
)
def check(book: LogBook, model_contract: Contract) -> Iterator[Finding]:
    if book.contract is None:
        return
    for given, printed in zip(model_contract.inputs, book.contract.inputs, strict=False):
        shape = given.shape and printed.shape and sorted(given.shape) != sorted(printed.shape)
        scale = (
            given.scale is not None
            and printed.scale is not None
            and abs(given.scale - printed.scale) > 1e-6 + 1e-4 * given.scale
        )
        if not shape and not scale:
            continue
        yield Finding(
            "The log prints input {name} as {printed} with scale {pscale}, the model file has {given} with scale {gscale}: another model ran.",
            "What the log says is judged by the log's own tensors where they differ.",
            "Give the file that was on the device (compare `sha256sum` on both sides), or copy the new one there.",
            {
                "name": printed.name or given.name or given.index,
                "printed": tuple(printed.shape or ()),
                "given": tuple(given.shape or ()),
                "pscale": printed.scale,
                "gscale": given.scale,
            },
            about="log:model",
        )
