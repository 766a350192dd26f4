"""The runtime cannot convert the element type that the call states.

What it checks
    The line `Normalize does not support for this data type. src type(N), dst type fbs::TensorType_X`.

Why it matters
    rknn_inputs_set returns 0 all the same; nothing is copied, rknn_run works on what was there before.

How it is computed
    The number is of ONNX's TensorProto.DataType, not of rknn_tensor_type.

Example
    src type(7): int64 into an int8 model.

Fix
    Hand over uint8 pixels or float32 values.

Limits
    None known.

References
    measured: librknnrt 1.5.2 under emulation; runtime:G-10
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT301",
    "log-type-refused",
    over="log:in_dtype",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "measured: librknnrt 1.5.2 under emulation",
        "runtime:G-10",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent, book: LogBook) -> Iterator[Finding]:
    norm = book.near(first_event, "in_norm", before=2, after=4)
    index = (norm.number("idx") if norm else None) or 0
    number = first_event.number("src") or 0
    yield Finding(
        "The call states element type {got} for input {index}, which is not converted to the model's {dst}: nothing was copied.",
        "The number {number} in the line is ONNX's ({got}). rknn_inputs_set returns 0, and the NPU runs on what the input held "
        "before.",
        "Convert on the host and state that type: RKNN_TENSOR_UINT8 for pixels, RKNN_TENSOR_FLOAT32 for real values.",
        {"got": ONNX.get(number, f"type {number}"), "number": number, "index": index, "dst": first_event.word("dst")},
        about=f"log:input{index}",
    )


ONNX = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16", 11: "float64",
}  # fmt: skip
"""TensorProto.DataType of onnx.proto3. That the line uses it was measured for 3, 6, 7 and 9."""
