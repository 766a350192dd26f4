"""The answers are those of the planned input.

What it checks
    Whether the answers of the device (--answer) are those that the model gives for the input as planned, and no fault's.

Why it matters
    Then the input is cleared without a dump: what is wrong, if anything, is the plan itself, the model, or what is made of
    the answer.

How it is computed
    The picture is taken through the plan to the bytes that should be handed over. Each fault of the vocabulary, with a
    few usual values of its parameters, is done to it; the model is run here on what the device would then read (an .mnn by
    MNN, an .rknn through the network given with --onnx), and the answers are compared with the ones seen: probabilities as
    log-odds, other outputs as they are, rounded as they were printed. A hypothesis is excluded where its likelihood is below
    0.01 of the best one's, or where an answer is more than 4 standard deviations away. The standard deviation: 0.01 of a
    value for float models, 0.05 to 0.3 for an int8 device judged by a float network, and what a second legal resizer changes.

Example
    Seen 0.9994,0.0006; as planned 0.9994,0.0006; 82 of 90 hypotheses are excluded.

Fix
    Nothing at the input. Look at how the answer is read, at the training's own preprocessing, at the model.

Limits
    Faults that change nothing for these pictures (a flip of a symmetric one) are the same input, and count as it.

References
    Computed.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.answers import AnswerWeighing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN521",
    "answer-as-planned",
    over="answers:as_planned",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    sources=("computed: the model run on every hypothesis",),
    confidence="M",
)
def check(weighing: AnswerWeighing) -> Iterator[Finding]:
    yield Finding(
        "The answers are those of the input as planned; {excluded} of {count} hypotheses are excluded.",
        "For {image} the device answered {seen}; as planned the model gives {planned} ({distance} standard deviations away). "
        "Every fault that was tried gives other answers. Computed with {runner}.",
        "The input is cleared. If the answers are wrong all the same, compare the plan with the training, or look at the "
        "model and at how the answer is read.",
        weighing.numbers(),
        confidence=round(weighing.ranked[0].posterior, 4),
    )
