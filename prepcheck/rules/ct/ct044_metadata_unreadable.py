"""The converter's metadata does not parse.

What it checks
    Whether extraInfo can be read.

Why it matters
    Only hints such as image size or class names are lost.

How it is computed
    The nested table.

Example
    The values of the finding.

Fix
    Nothing.

Limits
    None known.

References
    MNN schema, ExtraInfo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT044",
    "metadata-unreadable",
    over="note:metadata_unreadable",
    category="other",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("MNN schema, ExtraInfo",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The converter's metadata cannot be read ({reason}).",
        "Only hints are lost; the contract does not depend on it.",
        "Nothing has to be done.",
        values,
    )
