"""inputs_pass_through of the toolkit with the wrong array.

What it checks
    Whether an array passed through inference() is what the library then wants.

Why it matters
    The simulator of rknn-toolkit2 wants float32, NCHW, already normalised (not quantised): arrays of bytes crash the
    interpreter, NHWC ends in an onnxruntime error. On the board the bytes go in as they are, in the model's own type.

How it is computed
    Library, element type and layout of the array, type of the input.

Example
    inputs_pass_through=[1] with uint8 pixels: `malloc(): invalid size`, abort.

Fix
    Leave inputs_pass_through out.

Limits
    Seen in rknn-toolkit2 2.5.0.

References
    Measured: rknn-toolkit2 2.5.0; RKNN API guide 1.5.2 §4.4.5.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import BITS
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK039",
    "inference-pass-through",
    over="inference_input",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:P-07", "measured: rknn-toolkit2 2.5.0"),
)
def check(
    library: str,
    pass_through: int,
    content_dtype: str,
    input: InputThing,
    label: str,
    content_layout: str = "UNDEFINED",
) -> Iterator[Finding]:
    if not pass_through:
        return
    values: dict[str, Value] = {
        "label": label,
        "given": content_dtype,
        "model": input.tensor.dtype,
        "layout": content_layout,
    }
    if library == "rknn-toolkit-lite2":
        if content_dtype != input.dtype:
            yield Finding(
                "{label} is {model} in the model; a {given} array is passed through to it unconverted.",
                "With inputs_pass_through the bytes go to the NPU as they are, so {given} is read as {model}.",
                "Leave inputs_pass_through out, or convert the array to {model} codes in the native layout first.",
                values,
            )
        return
    if library != "rknn-toolkit2":
        return
    if content_dtype != "float32":
        yield Finding(
            "{label} is passed through as {given}; the simulator takes float32 only there.",
            "Arrays of one byte an element crash the interpreter (`malloc(): invalid size`); others are read as float32."
            if BITS[content_dtype] == 8
            else "The array is read as float32 elements.",
            "Leave inputs_pass_through out, or give float32, NCHW, already (x - mean) / std.",
            values,
        )
    elif content_layout in ("NHWC", "HWC"):
        yield Finding(
            "{label} is passed through as {layout}; the simulator wants NCHW there.",
            "The array goes to onnxruntime as it is, which stops with INVALID_ARGUMENT.",
            "Transpose to NCHW, or leave inputs_pass_through out.",
            values,
            category="layout",
        )
