"""The type field of rknn_input was never set: the runtime reads it as FLOAT32.

What it checks
    `type: null` (the field was left alone) where the bytes are not float32.

Why it matters
    0 is RKNN_TENSOR_FLOAT32. A struct that was cleared with memset and not filled in says float32: the runtime wants 4 bytes
    an element and refuses the call, also with pass_through 1.

How it is computed
    elements · 4 against the bytes given.

Example
    640x640x3 uint8 = 1228800 bytes; 1228800 · 4 = 4915200 are wanted.

Fix
    inputs[0].type = RKNN_TENSOR_UINT8 (what the buffer holds).

Limits
    Where the bytes are float32 the field is right by luck.

References
    rockchip-linux/rknpu2#9, airockchip/rknn-toolkit2#357; rknn_api.h (enum rknn_tensor_type); measured: librknnrt 1.5.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT001",
    "type-never-set",
    over="handover:rknn_inputs_set",
    category="dtype",
    severity="error",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("rockchip-linux/rknpu2#9", "airockchip/rknn-toolkit2#357", "runtime:G-02", "runtime:G-03"),
)
def check(
    type_unset: bool, input_elements: int, submitted_nbytes: int, label: str, content_dtype_or_none: str | None
) -> Iterator[Finding]:
    want = input_elements * 4
    if not type_unset or (content_dtype_or_none in (None, "float32") and submitted_nbytes == want):
        return
    if content_dtype_or_none == "float32":
        return
    yield Finding(
        "The type of {label} was never set; 0 is FLOAT32, so {want} bytes are wanted and {got} are given.",
        "{elements} elements x 4 bytes = {want}; given are {got} bytes, {factor:.3g} times fewer.",
        "Set inputs[].type to what the buffer holds ({dtype}).",
        {
            "label": label,
            "want": want,
            "got": submitted_nbytes,
            "elements": input_elements,
            "factor": want / submitted_nbytes if submitted_nbytes else 0.0,
            "dtype": f"RKNN_TENSOR_{(content_dtype_or_none or 'uint8').upper()}",
            "content": content_dtype_or_none,
        },
    )
