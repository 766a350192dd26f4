"""The converter's own notes in the model do not parse.

What it checks
    Whether the text in which the converter keeps the calibration range and the original types can be read.

Why it matters
    The contract itself does not depend on it; the calibration range, quant_img_RGB2BGR and the ONNX types do.

How it is computed
    The text is a Python literal; it is read as one, bounded, and never executed.

Example
    A text that was cut.

Fix
    Nothing has to be done; export again if the calibration range matters.

Limits
    Toolkits before 1.3 wrote plain words there; that is not reported.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT004",
    "generator-unreadable",
    over="note:generator_unreadable",
    category="other",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The converter's notes in the model cannot be read ({reason}).",
        "Calibration range, quant_img_RGB2BGR and the types of the original network are therefore not known; "
        "everything else is.",
        "Nothing has to be done. Export the model again if you need the calibration range.",
        values,
    )
