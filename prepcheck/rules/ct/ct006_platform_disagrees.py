"""The model names two different chips.

What it checks
    Whether the NPU tag inside the compiled graph and the target platform named in the file are the same chip.

Why it matters
    The runtime goes by the tag and refuses the model on any other chip, whatever the target field says.

How it is computed
    The tag (`RKNPU v2` = rk3588, …) is compared with `target_platform`.

Example
    rk3566 in both target fields, tag `RKNPU v2`: compiled for rk3588.

Fix
    Convert again with the target_platform of your board.

Limits
    Tags of chips that are not known here are a rule of their own.

References
    Measured: a model of toolkit 1.1.2 that the runtime refuses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT006",
    "platform-disagrees",
    over="note:platform_disagrees",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: a model of toolkit 1.1.2 that the runtime refuses",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The file says it is for {target}, but it was compiled for {tag_platforms} (tag {tag}).",
        "The runtime goes by the tag inside the compiled graph; on {target} it refuses the model. The "
        "contract above uses {tag_platforms}.",
        "Convert again with target_platform set to your chip, or run it on {tag_platforms}.",
        {"target": values["target"], "tag_platforms": values["tag_platforms"], "tag": values["tag"]},
    )
