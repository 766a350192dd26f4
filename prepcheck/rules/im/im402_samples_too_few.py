"""Too few different samples to calibrate with.

What it checks
    The number of different samples of a set to calibrate with.

Why it matters
    The range of every layer is that of the samples: what none of them shows saturates on the device. The layers
    behind the input suffer more than the input, which a black and a white picture already cover.

How it is computed
    Different samples against 20: the vendor recommends 20 to 100 for `normal`, 20 to 50 for `mmse`.

Example
    A dataset.txt of one picture, as in the vendor's own examples.

Fix
    Give 20 to 100 pictures like the real ones: day and night, near and far, full and empty scenes.

Limits
    A warning below 20. Whether they are like the real ones cannot be counted. A part drawn with --sample or --limit
    is not judged.

References
    RKNN SDK User Guide 1.6.0, quantisation algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet, SampleSet
from prepcheck.registry import Finding, Rank, rule

ENOUGH = 20
"""Source: RKNN SDK User Guide 1.6.0, quantisation algorithms (`normal`: 20 to 100 pictures)."""


@rule(
    "IM402",
    "samples-too-few",
    over="set_input",
    category="quantization",
    severity="warning",
    rank=Rank.CONTENT,
    runtimes=("rknn",),
    sources=("RKNN SDK User Guide 1.6.0, quantisation algorithms",),
    scope="conversion",
    confidence="M",
)
def check(calibrating: SampleSet, given: InputSet, label: str) -> Iterator[Finding]:
    if not calibrating.complete or given.distinct >= ENOUGH or given.pictures + len(given.arrays) == 0:
        return
    yield Finding(
        "{distinct} different samples for {label} are few to calibrate with; {enough} to 100 are recommended.",
        "{samples} samples, {distinct} of them different, {distinct} < {enough}: what none of them shows saturates on the device.",
        "Give {enough} to 100 pictures like the real ones: day and night, near and far, full and empty scenes.",
        {
            "distinct": given.distinct, "label": label, "enough": ENOUGH, "samples": given.pictures + len(given.arrays),
        },
        about=f"samples.{label}.count",
    )  # fmt: skip
