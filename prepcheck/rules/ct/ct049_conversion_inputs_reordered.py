"""Conversion changed the order or the number of the inputs.

What it checks
    The list of inputs before and after conversion.

Why it matters
    Calls by index (rknn_inputs_set, inference()) then feed the wrong input, and where the sizes are alike nothing complains.

How it is computed
    The names in the order of the two files.

Example
    template, search in the .onnx; search, template in the .rknn.

Fix
    Index by name: ask the model for its order.

Limits
    Where the converter renamed the inputs only their number is compared.

References
    The two files.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT049",
    "conversion-inputs-reordered",
    over="conversion:model",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("the source network's file against the model's",),
    scope="conversion",
)
def check(names: tuple[list[str], list[str]], source_kind: str) -> Iterator[Finding]:
    before, after = names
    if before == after or (len(before) == len(after) and sorted(before) != sorted(after)):
        return
    if len(before) != len(after):
        yield Finding(
            "The {kind} has {count} input(s) ({before}), the model {other} ({after}).",
            "{count} ≠ {other}: an input was folded away as a constant, or the model was made of another network.",
            "Feed the inputs that the model has; check that none of the missing ones changes from frame to frame.",
            {
                "kind": source_kind,
                "count": len(before),
                "other": len(after),
                "before": ", ".join(before),
                "after": ", ".join(after),
            },
        )
        return
    moved = next(i for i, (b, a) in enumerate(zip(before, after, strict=True)) if b != a)
    yield Finding(
        "The inputs stand in another order: {before} in the {kind}, {after} in the model.",
        "Index {index} is {one} before and {other} after conversion: a call by index feeds the wrong one.",
        "Set inputs by name, or by the order of the converted model.",
        {
            "kind": source_kind, "before": ", ".join(before), "after": ", ".join(after), "index": moved, "one": before[moved],
            "other": after[moved],
        },
    )  # fmt: skip
