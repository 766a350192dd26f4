"""Pictures of a set whose channels are in another order than those of the rest.

What it checks
    Whether a picture stands in the set a second time with R and B exchanged, or lies far outside of a set that is
    alike and inside once R and B are exchanged.

Why it matters
    Half of a set written with OpenCV (BGR) and half with Pillow (RGB): calibration does not notice, the channels'
    ranges mix, and what is trained or tested with it learns both.

How it is computed
    Twins: mean difference at 12 x 12 points at most 6 with the channels exchanged, and clearly more without.
    Outliers: at least 20 pictures, channel means beyond 6 robust deviations as they are and within 2.5 exchanged,
    where R and B of the set differ clearly.

Example
    30 frames of a camera with means 140, 110, 80, and one with 80, 110, 140.

Fix
    Find what wrote these files, and convert them (cv2.cvtColor before Pillow saves, or the reverse).

Limits
    A mixed set of photos proves nothing and is not judged; grey pictures have no order. Outliers are a warning.

References
    Measured: rknn-toolkit2 2.5.0 reads images as RGB and says nothing of their order; thresholds measured on photos
    of scikit-image and scikit-learn.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CL401",
    "samples-colour-order",
    over="set_input",
    category="channel_order",
    severity="warning",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0, a red picture with mean [200, 0, 0]", "measured: photos in two encodings"),
    scope="input",
    confidence="L",
)
def check(given: InputSet, label: str) -> Iterator[Finding]:
    twins = [o for o in given.odd_colour if o.twin is not None]
    alone = [o for o in given.odd_colour if o.twin is None]
    if twins:
        first = twins[0]
        yield Finding(
            "{count} samples for {label} are other samples with R and B exchanged: {name} is {twin} in the other order.",
            "Channel means of {name}: {red:.1f}, {green:.1f}, {blue:.1f}; of the other the same in reverse. One of the two is wrong.",
            "Find out which of the two was written in BGR order, and convert or remove it.",
            {
                "count": len(twins), "label": label, "name": first.name, "twin": first.twin or "", "red": first.red,
                "green": first.green, "blue": first.blue,
            },
            confidence=0.9,
        )  # fmt: skip
    if alone and given.typical is not None:
        first = alone[0]
        r, g, b = given.typical
        yield Finding(
            "{count} samples for {label} seem to have R and B exchanged against the rest; the first is {name}.",
            "Its channel means are {red:.1f}, {green:.1f}, {blue:.1f}; those of the set are about {r:.1f}, {g:.1f}, {b:.1f}: "
            "exchanged it fits, as it is it does not.",
            "Look at it beside another one; if it is blue where the others are red, convert it.",
            {
                "count": len(alone), "label": label, "name": first.name, "red": first.red, "green": first.green,
                "blue": first.blue, "r": r, "g": g, "b": b,
            },
        )  # fmt: skip
