"""copyFrom met another element type: nothing was copied.

What it checks
    `Input type not match session's tensor`.

Why it matters
    The call returns true, and the session runs on what its input held before.

How it is computed
    The line; the host tensor's type where code is in the text; the input's where the model is given.

Example
    halide_type_of<uint8_t>() for an image out of stb_image, the session's input is float32.

Fix
    Convert the values to the input's type first, or let ImageProcess::convert do it.

Limits
    None known.

References
    alibaba/MNN#2314; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule

_C_TYPES = {
    "uint8_t": "uint8", "unsigned char": "uint8", "uchar": "uint8", "int8_t": "int8", "int": "int32", "int32_t": "int32", "int64_t": "int64",
    "float": "float32", "double": "float64",
}  # fmt: skip


@rule(
    "MN306",
    "log-input-type",
    over="log:mnn_input_type",
    category="dtype",
    rank=Rank.TYPE,
    sources=("mnn:T5", "alibaba/MNN#2314", "measured: MNN 3.6.1"),
)
def check(first_event: LogEvent, book: LogBook, world: World) -> Iterator[Finding]:
    made = book.near(first_event, "code_tensor_create") or book.first("code_tensor_create")
    typed = (made.word("type") or made.word("type2") or "") if made is not None else ""
    given = _C_TYPES.get(typed, typed or None)
    types = sorted({t.dtype for t in world.contract.inputs if t.dtype}) if world.contract is not None else []
    values: dict[str, Value] = {
        "given": given, "want": ", ".join(types) or None, "shape": made.word("shape") if made is not None else None,
        "dimension_type": made.word("dim") if made is not None else None,
    }  # fmt: skip
    decoded = given == "uint8" and made is not None and made.word("dim") == "CAFFE"
    yield Finding(
        "A host tensor of {given} was copied into an input of another type: nothing was copied."
        if given
        else "A host tensor was copied into an input of another element type: nothing was copied.",
        ("The model takes {want}. " if types else "The inputs of most models are float32, also of quantised ones. ")
        + "MNN converts no types and returns true; the session runs on what its input held before."
        + (
            " Decoded pixels are interleaved besides (height, width, channels), while a CAFFE tensor takes planes, height before width: "
            "{shape} is neither."
            if decoded
            else ""
        ),
        "Convert the values to float32 (x · 1.0f, with mean and std as in training) and make the host tensor with that type; for decoded "
        "pixels ImageProcess::convert does type, layout and size at once.",
        values,
    )
