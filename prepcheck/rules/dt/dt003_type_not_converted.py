"""The bytes have another element type than the input, and nothing converts them.

What it checks
    The type of what is handed over against the input's, for calls that convert nothing: set_input of a generic runtime,
    MNN's copies and host pointers, RKNN with pass_through 1.

Why it matters
    The call is refused, copies nothing, or takes the bytes of one type for another: floats become noise, pixels become
    denormal numbers.

How it is computed
    Both types and the bytes that they make. For a quantised input: q = round(x / scale) + zero point.

Example
    float32 values −1..1 for an int8 input with scale 0.00784314 and zero point −1: q = round(x / 0.00784314) − 1.

Fix
    Quantise, or convert to the input's type.

Limits
    rknn_inputs_set and inference() convert; their own limits are rules on those calls.

References
    tensorflow/tensorflow#44708, airockchip/rknn-toolkit2#18; measured: MNN 3.6.1: copyFromHostTensor with another type
    prints "Input type not match session's tensor", returns true and copies nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "DT003",
    "type-not-converted",
    over="handover",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "tensorflow/tensorflow#44708",
        "airockchip/rknn-toolkit2#18",
        "mnn:T5",
        "mnn:T16",
        "mnn:F5",
        "mnn:U4",
        "runtime:G-17",
    ),
)
def check(
    unconverted_dtype: str,
    input_dtype: str,
    input_elements: int,
    label: str,
    api: str,
    scale: float | None = None,
    zero_point: int | None = None,
) -> Iterator[Finding]:
    if unconverted_dtype == input_dtype or {unconverted_dtype, input_dtype} == {"bool", "uint8"}:
        return
    values: dict[str, Value] = {
        "api": api, "label": label, "content": unconverted_dtype, "dtype": input_dtype, "elements": input_elements,
        "got": nbytes(unconverted_dtype, input_elements), "want": nbytes(input_dtype, input_elements), "scale": scale,
        "zero_point": zero_point,
    }  # fmt: skip
    if scale is not None and zero_point is not None and unconverted_dtype.startswith("float"):
        yield Finding(
            "{api} hands {content} values to {label}, which takes {dtype} codes (scale {scale}, zero point {zero_point}).",
            "Nothing converts them: {elements} elements are {got} bytes of {content}, {want} bytes of {dtype} are read. "
            "q = round(x / {scale}) + ({zero_point}) must be applied.",
            "Quantise first: q = round(x / {scale}) + ({zero_point}), clamped to {dtype}.",
            values,
        )
        return
    yield Finding(
        "{api} hands {content} to {label}, which takes {dtype}, and nothing converts it.",
        "{elements} elements are {got} bytes of {content}; {want} bytes of {dtype} are read.",
        "Convert the values to {dtype} before the call.",
        values,
    )
