"""The text that says what rknn_query reports does not parse.

What it checks
    Whether the JSON in which the converter states layout and type of each tensor, as rknn_query reports them, can
    be read.

Why it matters
    Without it both follow from rules (4-D → NHWC, the stored type), which held for every model seen but are not
    stated by this file.

How it is computed
    The text is parsed as bounded JSON.

Example
    A damaged byte inside it.

Fix
    Copy the model again; compare the contract with the lines that the board prints.

Limits
    The toolkits 1.1 and older have no such text.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT005",
    "reported-layout-unreadable",
    over="note:reported_layout_unreadable",
    category="other",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Layout and type of the {side} as rknn_query reports them cannot be read from the file; they were derived.",
        "The file's own statement does not parse as JSON. 4-D tensors were taken as NHWC with the stored "
        "element type, which held for every model measured.",
        "Copy or export the model again, and compare with the tensor lines that the board prints.",
        values,
    )
