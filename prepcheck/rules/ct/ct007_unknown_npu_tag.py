"""The NPU tag of the model is not known here.

What it checks
    Whether the tag of the compiled graph is one of those seen.

Why it matters
    Width alignment and C2 are taken from the target that the file names; for a new NPU they may differ.

How it is computed
    The tag is looked up in the table of tags.

Example
    `RKNPU x9`.

Fix
    Compare w_stride and size_with_stride with what the board prints.

Limits
    None known.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT007",
    "unknown-npu-tag",
    over="note:unknown_npu_tag",
    category="version",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The NPU tag {tag} is not known here; the target named in the file ({target}) was used.",
        "Row alignment and packing follow the chip; for one that was never measured they are taken from the "
        "file where it states them.",
        "Compare w_stride and size_with_stride with the tensor lines that the board prints.",
        values,
    )
