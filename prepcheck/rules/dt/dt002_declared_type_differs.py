"""The declared element type is not the type of the bytes.

What it checks
    The type in the call (or of the host tensor, or bound to the memory) against the type of the buffer or of its writer.

Why it matters
    The type describes the host's buffer, not the model. Copying INT8 from the model's attribute makes the runtime take
    pixels from 128 up as negative; a wider type reads foreign memory; a narrower one takes bytes of floats for pixels.

How it is computed
    Both types and the bytes that each makes of the input's elements.

Example
    uint8 pixels bound as INT8 with pass_through 1, zero point −128, scale 1: 200 is read as −56 and taken for 72.

Fix
    Declare what the bytes are: UINT8, pass_through 0, for pixels.

Limits
    int8 and uint8 are the same where all values are 0..127 (stated by `range` or found in the file).

References
    airockchip/rknn_model_zoo#396, airockchip/rknn-toolkit2#526, #62, rockchip-linux/rknpu#52, openvinotoolkit/openvino#28188.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.registry import Finding, Rank, Value, rule

_ONE_BYTE = {"int8", "uint8", "bool"}


@rule(
    "DT002",
    "declared-type-differs",
    over="handover",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "airockchip/rknn_model_zoo#396",
        "airockchip/rknn-toolkit2#526",
        "airockchip/rknn-toolkit2#62",
        "rockchip-linux/rknpu#52",
        "openvinotoolkit/openvino#28188",
        "runtime:G-18",
        "runtime:Q-08",
    ),
)
def check(
    told_dtype: str,
    content_dtype: str,
    type_unset: bool,
    input_elements: int,
    label: str,
    api: str,
    submitted_nbytes: int,
    content_range: tuple[float, float] | None = None,
    scale: float | None = None,
    zero_point: int | None = None,
) -> Iterator[Finding]:
    if (
        told_dtype == content_dtype
        or type_unset
        or {told_dtype, content_dtype} in ({"bool", "uint8"}, {"bool", "int8"})
    ):
        return
    values: dict[str, Value] = {
        "label": label, "declared": told_dtype, "content": content_dtype, "api": api, "elements": input_elements,
        "got": nbytes(content_dtype, input_elements), "want": nbytes(told_dtype, input_elements), "stated": submitted_nbytes,
        "scale": scale, "zero_point": zero_point,
    }  # fmt: skip
    if {told_dtype, content_dtype} == {"int8", "uint8"}:
        if content_range is not None and content_range[0] >= 0 and content_range[1] <= 127:
            return
        pixels = content_dtype == "uint8"
        explanation = (
            "The bytes are the same in number ({got}), not in meaning: 200 as uint8 is −56 as int8. The type of the call describes "
            "the buffer, not the model."
        )
        if pixels and scale is not None and zero_point is not None:
            values["taken"] = (200 - 256 - zero_point) * scale
            explanation = (
                "The bytes are the same in number ({got}), not in meaning: 200 as uint8 is −56 as int8, taken for "
                "(−56 − ({zero_point})) · {scale} = {taken:.4g}. The type of the call describes the buffer, not the model."
            )
        yield Finding(
            "{api}: the buffer for {label} holds {content}, the call says {declared}: bytes from 128 up are read with the other sign.",
            explanation,
            "Declare {content}, with pass_through 0 where the runtime is to convert.",
            values,
            fault="signed_offset",
        )
        return
    yield Finding(
        "{api}: the buffer for {label} holds {content}, the call says {declared}.",
        "{elements} elements are {got} bytes of {content} and {want} bytes of {declared}; {stated} bytes are handed over. The bytes of one "
        "type are taken for the other's.",
        "Declare {content}, or convert the values to {declared} first.",
        values,
    )
