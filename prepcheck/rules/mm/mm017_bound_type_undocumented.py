"""A type and pass_through that the table for rv1103/rv1106 does not have.

What it checks
    Whether memory on rv1103, rv1106 or their b forms is bound in one of the documented ways: UINT8 NHWC with pass_through 0;
    INT8 with pass_through 1 (NHWC for 1, 3 or 4 channels, NC1HWC2 for others).

Why it matters
    Other pairs are accepted, and what they do is not documented. A public report of wrong results with the attribute left
    INT8 was cured by binding UINT8.

How it is computed
    Chip, type and pass_through of the binding, channels of the input.

Example
    The queried attribute (INT8) bound as it is, with pass_through 0.

Fix
    Pixels: attr.type = RKNN_TENSOR_UINT8, attr.fmt = RKNN_TENSOR_NHWC, attr.pass_through = 0.

Limits
    A warning: not documented is not wrong.

References
    RKNN API guide 1.5.2 table 4-3; airockchip/rknn-toolkit2#526.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rknn_native import NativeForm
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM017",
    "bound-type-undocumented",
    over="bound",
    category="dtype",
    severity="warning",
    rank=Rank.TYPE,
    runtimes=("rknn",),
    sources=("runtime:M-05", "format:5c-1", "RKNN API guide 1.5.2 table 4-3", "airockchip/rknn-toolkit2#526"),
    confidence="M",
)
def check(
    mini: bool, pass_through: int, declared_dtype: str, form: NativeForm, label: str, platform: str, bind_where: str,
    input: InputThing,
) -> Iterator[Finding]:  # fmt: skip
    if not mini or pass_through or len(input.shape) != 4:
        return
    if form.layout == "NHWC" and declared_dtype == "uint8":
        return
    yield Finding(
        "{label} is bound as {type} with pass_through 0; for {platform} that pair is not documented.",
        "The table has UINT8 NHWC with pass_through 0, and INT8 with pass_through 1. Other pairs are accepted and may give wrong "
        "values; with the attribute left INT8 a report of wrong results was cured by UINT8."
        if form.layout == "NHWC"
        else "An input of other than 1, 3 or 4 channels is documented as INT8 in NC1HWC2 with pass_through 1 only.",
        "For pixels set attr.type = RKNN_TENSOR_UINT8, attr.fmt = RKNN_TENSOR_NHWC, attr.pass_through = 0."
        if form.layout == "NHWC"
        else "Quantise, pack in blocks of {c2} channels and bind the native attribute: INT8, NC1HWC2, pass_through 1.",
        {
            "label": label, "type": declared_dtype.upper(), "platform": platform, "c2": form.shape[-1],
            "link": "binding -> attribute",
        },
        where=bind_where,
    )  # fmt: skip
