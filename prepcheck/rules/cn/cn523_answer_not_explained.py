"""No fault of the input explains the answers.

What it checks
    Whether any hypothesis, the planned input among them, gives the answers seen.

Why it matters
    Then it is something else: two faults at once, parameters that were not tried, another model or picture than was given,
    or a fault after the input.

How it is computed
    The picture is taken through the plan to the bytes that should be handed over. Each fault of the vocabulary, with a
    few usual values of its parameters, is done to it; the model is run here on what the device would then read (an .mnn by
    MNN, an .rknn through the network given with --onnx), and the answers are compared with the ones seen: probabilities as
    log-odds, other outputs as they are, rounded as they were printed. A hypothesis is excluded where its likelihood is below
    0.01 of the best one's, or where an answer is more than 4 standard deviations away. The standard deviation: 0.01 of a
    value for float models, 0.05 to 0.3 for an int8 device judged by a float network, and what a second legal resizer changes.

Example
    Seen 0.51,0.49 for a picture for which every input that was tried gives 0.9 or more for one class.

Fix
    Make sure that model, network and picture are those of the device; then compare the bytes (--buffer).

Limits
    One fault at a time, with usual parameters.

References
    Computed.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.answers import AnswerWeighing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN523",
    "answer-not-explained",
    over="answers:not_explained",
    category="other",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("computed: the model run on every hypothesis",),
    confidence="M",
    scope="cannot_tell",
)
def check(weighing: AnswerWeighing) -> Iterator[Finding]:
    yield Finding(
        "No input fault explains this answer: {count} hypotheses were tried, the planned input among them, and none gives it.",
        "For {image} the device answered {seen}; as planned the model gives {planned} ({planned_distance} standard deviations "
        "away). The closest is {best} with {expected} ({distance} away; 4 is the bound). Computed with {runner}.",
        "Check that model, network and picture are those of the device. Two faults at once are not tried here: a dump with "
        "--buffer tells them. Otherwise look after the input: conversion, driver, how the answer is read.",
        weighing.numbers(),
    )
