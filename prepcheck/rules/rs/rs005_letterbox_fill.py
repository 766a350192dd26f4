"""The bars of the letterbox have another colour than in training.

What it checks
    `fill` of the letterbox or pad step against `training.fill`.

Why it matters
    The network learnt to ignore bars of one value. Others cost a little accuracy, at the borders of the picture most.

How it is computed
    Value by value; one number stands for all channels.

Example
    0 (black) where training had 114.

Fix
    Use training's value, in the unit of the values at that step.

Limits
    Only where bars are really added. A fill that was not stated is not judged.

References
    wang-xinyu/tensorrtx#702 (128 against none), ultralytics (114).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS005",
    "letterbox-fill",
    over="path",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("wang-xinyu/tensorrtx#702",),
    confidence="M",
)
def check(final: State, fitting: str, training_fill: tuple[int, ...]) -> Iterator[Finding]:
    if fitting != "letterbox" or final.fill is None:
        return
    n = max(len(final.fill), len(training_fill))
    got = final.fill * n if len(final.fill) == 1 else final.fill
    want = training_fill * n if len(training_fill) == 1 else training_fill
    if got != want:
        yield Finding(
            "The bars of the letterbox are filled with {got}; training had {want}.",
            "The network learnt to ignore bars of {want}.",
            "Fill with {want}.",
            {
                "got": final.fill[0] if len(final.fill) == 1 else final.fill,
                "want": training_fill[0] if len(training_fill) == 1 else training_fill,
            },
            fault="letterbox_fill",
        )
