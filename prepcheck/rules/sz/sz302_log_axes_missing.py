"""The array has not as many axes as the input.

What it checks
    `The input[0] need 4dims input, but 3dims input buffer feed.` of RKNNLite.

Why it matters
    inference() returns None, and the next line of the program fails on it ('NoneType' object is not subscriptable).

How it is computed
    Read off the line.

Example
    A picture of height x width x 3 has 3 axes; the input has 4 (batch, height, width, channels).

Fix
    numpy.expand_dims(image, 0).

Limits
    rknn-toolkit2 on the PC adds axes by itself, RKNNLite on the board does not: that is why the same script worked
    there.

References
    leafqycc/rknn-multi-threaded#14, cluangar/YOLOv5-RK3588-Python#1; runtime:P-14
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ302",
    "log-axes-missing",
    over="log:lite_dims",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "leafqycc/rknn-multi-threaded#14",
        "runtime:P-14",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    got, need = first_event.number("got") or 0, first_event.number("need") or 0
    missing = got < need
    yield Finding(
        "The array has {got} axes (dims), input {i} takes {need}"
        + (": the batch axis is missing." if missing and need - got == 1 else "."),
        "RKNNLite adds no axis, other than rknn-toolkit2 on the PC, so a script that works there fails here; inference() then "
        "returns None.",
        "Add the batch axis: numpy.expand_dims(image, 0) makes (1, height, width, channels) out of (height, width, channels)."
        if missing
        else "Give an array of {need} axes, (batch, height, width, channels) for a picture.",
        {"got": got, "need": need, "i": first_event.number("i")},
        about="log:inference",
    )
