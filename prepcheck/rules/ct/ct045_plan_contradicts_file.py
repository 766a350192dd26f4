"""The plan says of the model what its file does not.

What it checks
    Shapes, types, quantisation and normalisation that the plan (or a record of the program) states, against the file that is
    given beside it.

Why it matters
    One of the two is not the model that runs: an older export, a copy for another chip, a plan that was kept from before. All
    that follows from the plan is about another model.

How it is computed
    Key by key; numbers are the same within 0.1 %.

Example
    build.mean [[0, 0, 0]] in the plan, mean [123.675, 116.28, 103.53] in the file.

Fix
    Take the contradicting key out of the plan (the file states it), or give the file that is meant.

Limits
    Another toolkit version alone is a warning. Names are not compared.

References
    The plan against the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.contradictions import Contradiction
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT045",
    "plan-contradicts-file",
    over="model",
    category="model_conversion",
    rank=Rank.CONTRACT,
    sources=("the plan against the file",),
)
def check(contradictions: list[Contradiction], from_record: bool) -> Iterator[Finding]:
    if not contradictions:
        return
    worst = next((c for c in contradictions if c.certain), contradictions[0])
    yield Finding(
        "The program that was recorded worked with {key} = {said} ({where}); the file has {file}."
        if from_record
        else "The plan says {key} = {said} ({where}); the file has {file}.",
        "{count} statement(s) differ: {all}. What follows from the one does not hold for the other: another model was loaded."
        if from_record
        else "{count} statement(s) differ: {all}. The file's values are used.",
        "Give the model file that the program loads."
        if from_record
        else "Take {key} out of the plan, or give the file that is meant.",
        {
            "key": worst.key, "said": worst.said, "file": worst.file, "where": worst.where, "count": len(contradictions),
            "all": [f"{c.where} {c.key}" for c in contradictions],
        },
        severity=None if worst.certain else "warning",
        about="model:contradiction",
    )  # fmt: skip
