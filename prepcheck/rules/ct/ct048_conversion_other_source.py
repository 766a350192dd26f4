"""The model was not converted from this network, or with another size.

What it checks
    Channels, height and width (or the other axes) of each input before and after conversion.

Why it matters
    Then all that is compared with the source network, its answers above all, is about another network.

How it is computed
    The shape of the original input that the .rknn keeps, else the converted one in the source's order of axes, without the
    batch. An axis that the source leaves open fits any length.

Example
    The .onnx takes 3x640x640, the .rknn was made of 3x320x320.

Fix
    Give the .onnx that the model was converted from, or convert again.

Limits
    Networks of the same sizes are not told apart.

References
    The two files.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "CT048",
    "conversion-other-source",
    over="conversion:input",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("the source network's file against the model's",),
    scope="conversion",
)
def check(sides: tuple[list[int], list[int]], label: str, source_kind: str) -> Iterator[Finding]:
    before, after = sides
    differs = [(b, a) for b, a in zip(before, after, strict=True) if b > 0 and a > 0 and b != a]
    if not differs:
        return
    yield Finding(
        "{label} is {before} in the {kind} and {after} in the model: it was not converted from this network, or with another size.",
        "{count} axis or axes differ: {one} before, {other} after. A converter keeps every length but the batch.",
        "Give the {kind} that the model was converted from, or convert it again.",
        {
            "label": label, "before": "x".join(map(str, before)), "after": "x".join(map(str, after)), "kind": source_kind,
            "count": len(differs), "one": differs[0][0], "other": differs[0][1],
        },
    )  # fmt: skip
