"""The inputs have different layouts.

What it checks
    Whether the inputs of one model differ in layout.

Why it matters
    With --keepInputFormat=0 only inputs of image operators become NC4HW4; code that treats all alike writes one of
    them wrong.

How it is computed
    The layout fields.

Example
    NC4HW4 beside NCHW.

Fix
    Go through a host tensor for every input.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT038",
    "mixed-layouts",
    over="note:mixed_layouts",
    category="layout",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The inputs {names} have the layouts {layouts}.",
        "With --keepInputFormat=0 only inputs that feed image operators become NC4HW4.",
        "Copy each input through a host tensor (copyFromHostTensor), never through host().",
        values,
    )
