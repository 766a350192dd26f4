"""The answers leave more than one hypothesis.

What it checks
    What the answers of the device (--answer) exclude, where they do not leave a single fault.

Why it matters
    A short list is worth a lot: what is excluded need not be looked at. A name would be a guess.

How it is computed
    The picture is taken through the plan to the bytes that should be handed over. Each fault of the vocabulary, with a
    few usual values of its parameters, is done to it; the model is run here on what the device would then read (an .mnn by
    MNN, an .rknn through the network given with --onnx), and the answers are compared with the ones seen: probabilities as
    log-odds, other outputs as they are, rounded as they were printed. A hypothesis is excluded where its likelihood is below
    0.01 of the best one's, or where an answer is more than 4 standard deviations away. The standard deviation: 0.01 of a
    value for float models, 0.05 to 0.3 for an int8 device judged by a float network, and what a second legal resizer changes.

Example
    One answer of a two-class model leaves 12 of 90 hypotheses.

Fix
    Give more answers: other pictures, the test card (`prepcheck init MODEL --test-card W H`).

Limits
    As planned among what is left: then nothing says that the input is wrong. A saturated answer (1.0000) excludes little.

References
    Computed.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.facts.answers import AnswerWeighing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN522",
    "answer-leaves-several",
    over="answers:left",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    sources=("computed: the model run on every hypothesis",),
    confidence="M",
    scope="cannot_tell",
)
def check(weighing: AnswerWeighing) -> Iterator[Finding]:
    left: list[Value] = list(dict.fromkeys(r.label for r in weighing.left))
    values: dict[str, Value] = {
        **weighing.numbers(),
        "left": left if len(left) <= 9 else [*left[:8], "…"],
        "remaining": len(left),
    }
    if weighing.planned.excluded and len({r.name for r in weighing.left}) == 1:
        yield Finding(
            "The answers are not those of the planned input; {left} fits, but so few numbers may fit by chance.",
            "For {image} the device answered {seen}. As planned the model gives {planned} ({planned_distance} standard deviations "
            "away); with {best} it gives {expected} ({distance} away). The probability that it is something else is {chance:.2g} "
            "(0.05 is the bound for a name). Computed with {runner}.",
            "Give more answers (--answer for each further image, in their order), or a dump of the input with --buffer.",
            values,
            severity="warning" if weighing.settled and not weighing.quantized else "info",
            scope="input",
        )
        return
    if weighing.planned.excluded:
        yield Finding(
            "The answers are not those of the planned input; {remaining} of {count} hypotheses explain them: {left}.",
            "For {image} the device answered {seen}. As planned the model gives {planned} ({planned_distance} standard deviations "
            "away, likelihood {planned_ratio:.2g} of the best one's). What is left cannot be told apart by these answers, so no "
            "fault is named. Computed with {runner}.",
            "Give more answers (--answer for each further image, in their order), or a dump of the input with --buffer.",
            values,
            severity="warning" if weighing.settled and not weighing.quantized else "info",
            scope="input",
        )
        return
    yield Finding(
        "The answers fit the planned input and {remaining} of {count} hypotheses in all: {left}.",
        "For {image} the device answered {seen}; as planned the model gives {planned}. These answers cannot tell what is left "
        "apart, so no fault is named. Computed with {runner}.",
        "Give more answers (--answer for each further image, in their order), or a dump of the input with --buffer.",
        values,
    )
