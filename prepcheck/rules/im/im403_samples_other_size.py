"""A few pictures of a set have another size than all the others.

What it checks
    The stored sizes of the pictures of an input, where at least nine tenths share the input's own size.

Why it matters
    The rest of the set was brought to size beforehand, with letterbox or crop as training had it. These few were not:
    the toolkit stretches them without a word.

How it is computed
    Count of the most frequent size, which is the input's, against the others; at least 10 pictures.

Example
    98 pictures of 640x640 and 2 of 1920x1080 for an input of 640x640.

Fix
    Prepare them as the others were, or take them out.

Limits
    Sets of mixed sizes are not judged: there the resize is meant. An info where the aspect ratio is the same.

References
    Measured: rknn-toolkit2 2.5.0 reads pictures of other sizes without a message.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet
from prepcheck.registry import Finding, Rank, rule

FEWEST = 10
"""Pictures from which `most` means something. A choice."""
MOST = 0.9
"""Share of the most frequent size. A choice."""


@rule(
    "IM403",
    "samples-other-size",
    over="set_input",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0, a list with one picture of another size",),
    scope="conversion",
    confidence="M",
)
def check(given: InputSet, label: str, frame: tuple[int, int]) -> Iterator[Finding]:
    if len(given.sizes) < 2 or given.pictures < FEWEST:
        return
    size, count, _ = given.sizes[0]
    if size != frame or count < MOST * given.pictures:
        return
    others = given.sizes[1:]
    worst = max(others, key=lambda o: abs(o[0][0] * frame[1] / (o[0][1] * frame[0]) - 1))
    (w, h), _, name = worst
    ratio = (w / h) / (frame[0] / frame[1])
    yield Finding(
        "{other} of {total} pictures for {label} have another size than the rest: {name} is {w}x{h}, {count} are {fw}x{fh}.",
        "({w}/{h}) / ({fw}/{fh}) = {ratio:.3g}: brought to {fw}x{fh} it is stretched by that; the others were prepared beforehand.",
        "Prepare them as the others were, or take them out.",
        {
            "other": given.pictures - count, "total": given.pictures, "label": label, "name": name, "w": w, "h": h,
            "count": count, "fw": frame[0], "fh": frame[1], "ratio": ratio,
        },
        severity="warning" if abs(ratio - 1) > 0.02 else "info",
    )  # fmt: skip
