"""What conversion changed about an input.

What it checks
    The network before conversion (--source) against the converted model: name, element type, order of axes, shape, and what the
    model itself does to the values.

Why it matters
    Code that fed the network is not code that feeds the converted model: float32 NCHW becomes uint8 NHWC, a division by 255
    moves into the model, a name is another one. All of this is meant; what hurts is not knowing it.

How it is computed
    Inputs are paired by their names, or by their places where the names differ. The file of each side says the rest.

Example
    images: type float32 → int8, order of axes NCHW → NHWC, values: the model itself does (x − [0, 0, 0]) / [255, 255, 255].

Fix
    Nothing is wrong. Hand over what the converted model takes.

Limits
    An .onnx states no order of axes: it is told from the operators that read the input.

References
    The two files.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT047",
    "conversion-changes",
    over="conversion:input",
    category="model_conversion",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("the source network's file against the model's",),
    scope="conversion",
)
def check(changes: list[str], label: str, source_kind: str) -> Iterator[Finding]:
    if not changes:
        yield Finding(
            "Conversion from {kind} left {label} as it was.",
            "Name, type, order of axes, shape and values are those of the source network.",
            "Nothing has to change in the application.",
            {"label": label, "kind": source_kind},
        )
        return
    yield Finding(
        "Conversion from {kind} changed {label}: {changes}.",
        "{count} thing(s) differ between the network and the model that was made of it. That is what a converter does; code "
        "written for the network hands over something else than the model takes.",
        "Hand over what the converted model takes (see below), and leave to it what it does itself.",
        {"label": label, "changes": "; ".join(changes), "count": len(changes), "kind": source_kind},
    )
