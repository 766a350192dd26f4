"""pass_through with bytes of another type than the model's.

What it checks
    Whether what goes in with pass_through 1 has the element type of the model's own input.

Why it matters
    With pass_through the runtime converts nothing: uint8 pixels in an int8 input are read as signed codes (bytes from 128
    up wrap to negative), bytes of pixels in a float16 input are read in pairs as half floats.

How it is computed
    Element type of the content against the native type of the input; both sizes in bytes.

Example
    128x128x3 uint8 pixels (49152 bytes) for a float16 input that takes 98304.

Fix
    pass_through 0 with the type of the array (UINT8 for pictures); or quantise and convert before.

Limits
    Needs the element type of the buffer (or of the write into bound memory). Where nothing states it, a type in the call
    that is not the model's is believed.

References
    RKNN API guide 1.5.2 §4.4.5.1 and table 4-3; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.core.rknn_native import NativeForm
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK019",
    "pass-through-type",
    over="submitted",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=(
        "runtime:G-17",
        "runtime:M-03",
        "format:5c-3",
        "RKNN API guide 1.5.2 §4.4.5.1",
        "airockchip/rknn-toolkit2#18",
    ),
)
def check(
    through: NativeForm, submitted_dtype: str, input: InputThing, label: str, tight: int, call_where: str
) -> Iterator[Finding]:
    want = through.dtype
    if submitted_dtype == want:
        return
    count = input.dims.elements if len(input.shape) == 4 else tight // nbytes(want, 1)
    given = nbytes(submitted_dtype, count)
    tensor = input.tensor
    values: dict[str, Value] = {
        "label": label, "want": want, "given": submitted_dtype, "want_bytes": tight, "given_bytes": given, "count": count,
        "zero_point": tensor.zero_point, "scale": tensor.scale, "link": "write -> binding",
    }  # fmt: skip
    if {submitted_dtype, want} == {"uint8", "int8"} and tensor.zero_point is not None and tensor.scale is not None:
        values["read"] = (200 - 256 - tensor.zero_point) * tensor.scale
        values["meant"] = (200 - 128 - tensor.zero_point) * tensor.scale
        yield Finding(
            "{label} gets {given} bytes with pass_through 1; they are taken as {want} codes (zero point {zero_point}, scale "
            "{scale}), unconverted.",
            "Bytes from 128 up wrap: 200 is read as the code -56, the value {read}; as a pixel it means the code 72, the value "
            "{meant}. The {given_bytes} bytes fit, so nothing complains.",
            "For pixels set type = RKNN_TENSOR_UINT8 and pass_through = 0: the runtime (or the NPU) quantises them. Keep "
            "pass_through 1 for bytes that are {want} codes already.",
            values,
            where=call_where,
        )
        return
    yield Finding(
        "{label} takes {want} with pass_through 1 ({want_bytes} bytes); {given} is given ({given_bytes} bytes for {count} "
        "elements).",
        "With pass_through the runtime copies bytes and converts nothing, so {given} is read as if it were {want}.",
        "Set pass_through = 0 and type to {given}, so that the runtime converts; or convert to {want} yourself.",
        values,
        where=call_where,
    )
