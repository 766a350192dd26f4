"""Arrays that are normalised already stand among raw pictures.

What it checks
    The values of .npy samples against those of the pictures (0..255) of the same set and input.

Why it matters
    The toolkit applies mean and std to arrays as to pictures. An array in 0..1 or around 0 is normalised twice, sits
    in a few codes next to pictures of 0..255, and the build says nothing.

How it is computed
    Floats that are no whole numbers, within −16..16, where the pictures (or the other arrays) reach 64 or more.
    Negative values or none above 1: certain, an error; else a warning.

Example
    a.npy holds −2.1..2.6, the pictures 0..255: about 5 of 256 codes.

Fix
    Save arrays as pixels 0..255, before mean and std.

Limits
    A set of arrays alone is not judged here: the network may take such values.

References
    Measured: rknn-toolkit2 2.5.0: an array of 100 with mean 50 and std 2 gave a range up to 25; a mixed list builds
    without a word.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import ArrayFact, InputSet
from prepcheck.registry import Finding, Rank, rule

SMALL = 16.0
"""Values of normalised pictures lie within; (255 − 0)/16 would be a std below 16. A choice."""
BRIGHT = 64.0
"""What raw samples reach at least; darker sets are not judged. A choice."""


@rule(
    "NM401",
    "samples-normalised-array",
    over="set_input",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    runtimes=("rknn", "rknn1", "mnn"),
    sources=("measured: rknn-toolkit2 2.5.0, arrays and pictures in one dataset file", "RKNN User Guide 1.7.5 config"),
    scope="conversion",
)
def check(given: InputSet, label: str) -> Iterator[Finding]:
    raw = [float(v) for row in given.histogram for v, n in enumerate(row) if n]
    raw += [a.high for a in given.arrays if a.whole]
    top = max(raw, default=0.0)
    odd = [a for a in given.arrays if _normalised(a)]
    if not odd or top < BRIGHT:
        return
    first = odd[0]
    certain = any(a.low < 0 or a.high <= 1.0 for a in odd)
    yield Finding(
        "{count} arrays for {label} are normalised already, the rest of the set is raw: {name} holds {low}..{high}, the rest reaches {top}.",
        "mean and std are applied to both; ({high} − {low}) / {top} · 256 = {codes:.1f} of 256 codes are left to the arrays.",
        "Save the arrays as pixels 0..255, before mean and std.",
        {
            "count": len(odd), "label": label, "name": first.name, "low": first.low, "high": first.high, "top": top,
            "codes": (first.high - first.low) / top * 256,
        },
        severity="error" if certain else "warning",
    )  # fmt: skip


def _normalised(a: ArrayFact) -> bool:
    return (
        not a.whole
        and a.finite
        and a.dtype.startswith("float")
        and a.low >= -SMALL
        and a.high <= SMALL
        and a.low < a.high
    )
