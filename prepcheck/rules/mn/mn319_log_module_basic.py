"""ModuleBasic.out: the outputs against the folder's reference.

What it checks
    `For NAME, max = A, diffmax = B, diff rate = C`.

Why it matters
    It clears or incriminates the network on the folder's input. The rate is taken of the largest SIGNED value: for outputs
    that are all negative, or whose largest value is small, it is meaningless.

How it is computed
    C = B / A; more than 1 % fails.

Example
    max = 0.912, diffmax = 0.031: 3.4 %.

Fix
    Look at B against the size of the values in output/*.txt; compare with a run on the CPU.

Limits
    The tool runs twice and writes output/<run>_<i>.txt.

References
    MNN tools/cpp/ModuleBasic.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN319",
    "log-module-basic",
    over="logbook",
    category="model_conversion",
    rank=Rank.VALUES,
    sources=("mnn:K4",),
    scope="cannot_tell",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("mb_row"):
        top, diff, rate = (event.fields.get(k) for k in ("max", "diff", "rate"))
        if not all(isinstance(v, (int, float)) for v in (top, diff, rate)):
            continue
        assert isinstance(top, (int, float))
        assert isinstance(diff, (int, float))
        assert isinstance(rate, (int, float))
        values: dict[str, Value] = {
            "output": event.word("op"),
            "max": float(top),
            "diff": float(diff),
            "percent": 100 * float(rate),
        }
        if top > 1e-3 and -0.01 <= rate <= 0.01:
            continue
        if top <= 1e-3:
            yield Finding(
                "{output}: the rate {percent:.3g} % is of a largest value of {max:.4g} and says nothing.",
                "ModuleBasic.out divides by the largest signed value; for outputs that are all negative or near zero every difference fails. "
                "The difference itself is {diff:.4g}.",
                "Compare {diff:.4g} with the size of the values in output/*.txt.",
                values,
                severity="warning",
                where=event.where,
                about=f"log:modulebasic:{event.word('op')}",
            )
            continue
        yield Finding(
            "{output} differs from the folder's reference by {diff:.4g}: {percent:.3g} % of {max:.4g}, allowed is 1 %.",
            "The tool feeds the numbers of the folder as they are: the program's preprocessing has no part in it.",
            "Check that the folder's <input>.txt has as many numbers as the input and in N, C, H, W order; then it is the conversion or the "
            "backend.",
            values,
            where=event.where,
            about=f"log:modulebasic:{event.word('op')}",
        )
