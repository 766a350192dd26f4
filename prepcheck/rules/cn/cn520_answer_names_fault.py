"""One fault of the input explains the answers, and nothing else does.

What it checks
    Whether the answers of the device (--answer) are those that the model gives after one fault of the input, and no other.

Why it matters
    A log with scores is what most people have; a dump of the input memory they do not. The scores alone can tell.

How it is computed
    The picture is taken through the plan to the bytes that should be handed over. Each fault of the vocabulary, with a
    few usual values of its parameters, is done to it; the model is run here on what the device would then read (an .mnn by
    MNN, an .rknn through the network given with --onnx), and the answers are compared with the ones seen: probabilities as
    log-odds, other outputs as they are, rounded as they were printed. A hypothesis is excluded where its likelihood is below
    0.01 of the best one's, or where an answer is more than 4 standard deviations away. The standard deviation: 0.01 of a
    value for float models, 0.05 to 0.3 for an int8 device judged by a float network, and what a second legal resizer changes.

Example
    Seen 0.9671,0.0329; as planned the model gives 0.0213,0.9787; with rows and columns exchanged 0.9671,0.0329.

Fix
    Confirm it with a dump (--buffer), or mend the step that the fault names; `prepcheck rules` has a page on each.

Limits
    One fault at a time, with usual parameters; two faults at once are not tried. A fault is named only where all that is
    left has that name. With a quantised model the answers are judged by the float network: a warning, not an error.

References
    Computed. How often it is right is measured by tests/forensics/bench_answers.py (docs/quality.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.answers import AnswerWeighing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN520",
    "answer-names-fault",
    over="answers:named",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("computed: the model run on every hypothesis",),
    confidence="M",
)
def check(weighing: AnswerWeighing) -> Iterator[Finding]:
    best, values = weighing.ranked[0], weighing.numbers()
    values = {**values, "fault": best.label, "page": weighing.page or "CN520", "name": best.name}
    evidence = {**dict(best.evidence), **values}
    if not weighing.settled and best.name in _VALUES:
        yield Finding(
            "The answers fit values that are {fault} against the assumed ones, which the plan does not state.",
            "For {image} the device answered {seen}; with pixels as decoded the model gives {planned}, with this {expected}. "
            "{excluded} of {count} hypotheses are excluded.",
            "State in a plan how values are normalised (`training`, or a normalize step); then ask again.",
            values,
            severity="info",
            evidence=evidence,
            confidence=best.posterior,
        )
        return
    yield Finding(
        "The answers are those of an input with {fault}; {excluded} of {count} hypotheses are excluded by {answers} answers.",
        "For {image} the device answered {seen}. As planned the model gives {planned} ({planned_distance} standard deviations "
        "away, likelihood {planned_ratio:.2g} of the best one's); with {fault} it gives {expected} ({distance} away). Computed with "
        "{runner}.",
        "Confirm it: dump the input memory just before the run and give it with --buffer. What to change: "
        "`prepcheck rules {page}`.",
        values,
        evidence=evidence,
        severity="warning" if weighing.quantized else None,
        category=weighing.category,
        fault=best.name,
        confidence=round(min(best.posterior, MOST), 4),
    )


MOST = 0.95
"""Names are right in 97 of 100 with eight answers (measured: tests/forensics/bench_answers.py), whatever the arithmetic says."""
_VALUES = ("scaled_0_1", "normalized_on_host", "normalized_twice", "not_normalized", "mean_std_swapped")
