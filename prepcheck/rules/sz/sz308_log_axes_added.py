"""The PC adds axes that the board does not.

What it checks
    `The dims of input(ndarray) shape (…) is wrong, expect dims is 4! Try expand dims to (…)!` of rknn-toolkit2.

Why it matters
    The simulator goes on; RKNNLite on the board refuses the same array.

How it is computed
    Read off the line.

Example
    (48, 70, 3) becomes (1, 48, 70, 3).

Fix
    numpy.expand_dims(image, 0) in the script, so that it runs on both.

Limits
    No fault on the PC itself: an info.

References
    measured: rknn-toolkit2 2.5.0 simulator; runtime:P-03, runtime:P-14
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ308",
    "log-axes-added",
    over="log:tk_expand",
    category="size",
    severity="info",
    rank=Rank.SIZE,
    sources=(
        "measured: rknn-toolkit2 2.5.0 simulator",
        "runtime:P-03",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "An array of {got} is taken as {to} on the PC.",
        "The toolkit adds the missing axis; RKNNLite on a board refuses such an array.",
        "Add the batch axis in the script: numpy.expand_dims(image, 0).",
        {"got": first_event.numbers("got"), "to": first_event.numbers("to")},
    )
