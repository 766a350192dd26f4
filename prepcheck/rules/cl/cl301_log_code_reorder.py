"""reorder_channel of rknn-toolkit 1, as code states it, is neither RGB nor BGR.

What it checks
    The text of reorder_channel: '0 1 2' or '2 1 0' for each input, inputs parted by `#`.

Why it matters
    The runtime of rknn-toolkit 1 exchanges the channels in this order; any other order mixes them.

How it is computed
    The numbers of each part.

Example
    '1 0 2', or 'RGB'.

Fix
    Set reorder_channel to '0 1 2' or '2 1 0' and build again.

Limits
    Only a literal text. Whether '2 1 0' is right depends on the order that the program hands over, which this line does not say.

References
    User Guide RKNN Toolkit 1.7.5, config.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.toolkit_code import config_arguments, value_of
from prepcheck.registry import Finding, Rank, rule

ORDERS: tuple[list[str], ...] = (["0", "1", "2"], ["2", "1", "0"], ["0", "1", "2", "3"], ["0"], [])
"""Orders that the toolkit takes: colour, with a fourth channel, gray, nothing for this input."""


@rule(
    "CL301",
    "log-code-reorder",
    over="logbook",
    category="channel_order",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("User Guide RKNN Toolkit 1.7.5, config",),
    confidence="M",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in config_arguments(book):
        said = value_of(event)
        if event.word("argument") != "reorder_channel" or not isinstance(said, str):
            continue
        wrong = [part.strip() for part in said.split("#") if part.split() not in ORDERS]
        if wrong:
            yield Finding(
                "Input {name} has reorder {reorder}: neither 0 1 2 nor 2 1 0.",
                "The runtime of rknn-toolkit 1 exchanges the channels in this order before it normalises.",
                "Build again with reorder_channel '0 1 2' (RGB stays) or '2 1 0' (R and B exchanged).",
                {"name": said.split("#").index(next(p for p in said.split("#") if p.strip() == wrong[0])), "reorder": wrong[0][:40]},
                where=event.where,
                about="log:build",
            )  # fmt: skip
