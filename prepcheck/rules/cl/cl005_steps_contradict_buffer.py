"""The steps end in one channel order, the buffer says another.

What it checks
    Colour after the host's last step against `color` of the buffer that is submitted.

Why it matters
    One of the two is wrong; every check on colour rests on them.

How it is computed
    Compared as stated; RGB and BGR only.

Example
    decode to BGR, no conversion, buffer `color: RGB`.

Fix
    Correct the plan, or add the conversion that is missing.

Limits
    A warning: the program itself may be right.

References
    The plan against itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CL005",
    "steps-contradict-buffer",
    over="path",
    category="channel_order",
    severity="warning",
    rank=Rank.VALUES,
    sources=("the plan against itself",),
    confidence="M",
)
def check(final: State, said_color: str, label: str) -> Iterator[Finding]:
    if final.geometry != "matrix" and {final.color, said_color} == {"RGB", "BGR"}:
        yield Finding(
            "{label}: the steps end in {end}, the buffer that is submitted says {said}.",
            "One of the two statements is wrong, or a conversion between them is missing.",
            "Add the conversion to the steps, or correct `color` of the buffer.",
            {"label": label, "end": final.color, "said": said_color},
        )
