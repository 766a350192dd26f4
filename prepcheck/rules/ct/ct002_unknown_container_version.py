"""The container version was never seen.

What it checks
    Whether the version in the header of a .rknn is one whose layout is known: 1, 2, 4, 6, or 0x1004 for mini models.

Why it matters
    The file was read by the rules of the versions around it. If the layout has changed, what is shown may be wrong.

How it is computed
    The eight bytes at offset 8.

Example
    Version 9: read like version 6.

Fix
    Compare the contract with what the board prints (rknn_query). If it agrees, nothing needs to be done.

Limits
    A version that cannot be read at all is refused instead (`unsupported_version`).

References
    Versions seen in models of rknn-toolkit2 1.1 to 2.5 and rknn-toolkit 1.3 to 1.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT002",
    "unknown-container-version",
    over="note:unknown_container_version",
    category="version",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Container version {version} is not known; the model was read by the rules of the versions around it.",
        "Known are 1, 2, 4, 6 and 4100 (0x1004, mini). A newer toolkit may have moved things.",
        "Compare this contract with the tensor lines that the program prints on the board, or with `rknn_query`.",
        {"version": values["version"]},
    )
