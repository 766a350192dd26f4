"""An element type that rknn_inputs_set does not convert.

What it checks
    Whether the declared type is one that the runtime turns into the model's type (pass_through 0).

Why it matters
    For another type librknnrt prints `Normalize does not support for this data type`, returns 0 and keeps the last input;
    16-bit integers fail the size check with -5. rknn_run does not notice either.

How it is computed
    int8 models take INT8, UINT8, FLOAT16, FLOAT32; float16 models UINT8, FLOAT16, FLOAT32; bool BOOL; int64 INT64.

Example
    type INT16 for an int8 input: -5; INT8 for a float16 input: 0 and nothing set.

Fix
    Convert the array to one of the types and declare that. Pictures: uint8 as they are.

Limits
    Other model types (int16, int32, uint8) were not measured and are not judged. pass_through 1 has its own rule.

References
    RKNN API guide 1.5.2 table 4-1; measured: librknnrt 1.5.2 under emulation (float16 into int8 works, though the table
    lacks it).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule

TAKEN = {
    "int8": ("int8", "uint8", "float16", "float32"),
    "float16": ("uint8", "float16", "float32"),
    "bool": ("bool",),
    "int64": ("int64",),
}


@rule(
    "RK007",
    "type-not-taken",
    over="submitted:rknn_inputs_set",
    category="dtype",
    rank=Rank.TYPE,
    runtimes=("rknn",),
    sources=("runtime:G-10", "RKNN API guide 1.5.2 table 4-1"),
)
def check(
    input: InputThing, declared_dtype: str, pass_through: int, label: str, mini: bool = False
) -> Iterator[Finding]:
    taken = TAKEN.get(input.dtype)
    if taken is None or pass_through or mini or declared_dtype in taken:
        return
    yield Finding(
        "{label} is {model} in the model; rknn_inputs_set does not convert {given} to that.",
        "The size check meets an element width of -1 byte and the call returns -5; rknn_run computes on the input of the "
        "frame before, or on zeros. Taken are: {taken}."
        if declared_dtype in ("int16", "uint16")
        else "The runtime prints `Normalize does not support for this data type`, returns 0 and sets nothing; rknn_run "
        "computes on the input of the frame before, or on zeros. Taken are: {taken}.",
        "Convert the array to one of {taken} and declare that type.",
        {"label": label, "model": input.dtype, "given": declared_dtype, "taken": ", ".join(taken)},
    )
