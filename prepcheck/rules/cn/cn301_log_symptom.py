"""A symptom in the user's words: its causes, in the order in which they are met.

What it checks
    Whether what the user describes is one of the known symptoms ("the same answer for every image", "first run differs").

Why it matters
    Most people come with a symptom, not with a log. The causes behind each symptom are few, and one test separates them.

How it is computed
    The words, English or Chinese, are matched against the symptom index; causes and tests are data.

Example
    "same answer for every image" → memory that is never written, values in the wrong range, a refused layout, …

Fix
    Do the first of the next tests; it leaves one or two causes.

Limits
    A symptom proves nothing: several causes stay possible until a test is made. It is information, not a finding.

References
    Public bug reports about wrong inputs, 180 of them, counted by kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.symptom import NamedSymptom
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN301",
    "symptom",
    over="symptom",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    sources=("public bug reports about wrong inputs, by kind",),
    confidence="M",
    scope="cannot_tell",
)
def check(symptom: NamedSymptom) -> Iterator[Finding]:
    yield Finding(
        "Symptom: {title} ({zh}).",
        "Causes, the most common first: {causes}.",
        "Do the next test below; it separates them.",
        {"title": symptom.en, "zh": symptom.zh, "causes": "; ".join(symptom.told)},
        evidence={"id": symptom.id, "causes": [what for what, _, _ in symptom.causes]},
    )
