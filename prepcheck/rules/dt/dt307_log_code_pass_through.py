"""Code sets pass_through = 1 and a type that is not the model's own.

What it checks
    `inputs[N].pass_through = 1` (or the attribute's, before rknn_set_io_mem) beside a literal `type`, against the model's input.

Why it matters
    With pass_through the runtime copies bytes and converts nothing. uint8 pixels in an int8 input are read as signed codes;
    floats in a quantised input are read byte by byte. Every call returns 0 where the sizes fit.

How it is computed
    The type that the code states against the type of the model's input, from printed attributes or the model file.

Example
    type UINT8, pass_through 1, int8 input with zero point −128 and scale 0.003922: the pixel 200 is read as the code −56.

Fix
    pass_through = 0 for pixels, or codes of the model's own type.

Limits
    Only literal values are read; where two lines state different ones, neither counts. Which memory the code hands over is
    not looked at.

References
    RKNN API guide 1.5.2 §4.4.5.1; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Tensor
from prepcheck.core.dtypes import nbytes
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "DT307",
    "log-code-pass-through",
    over="rknn_code",
    category="dtype",
    rank=Rank.CALL,
    sources=("runtime:G-17", "RKNN API guide 1.5.2 §4.4.5.1", "airockchip/rknn-toolkit2#18"),
)
def check(pass_through_where: str, code_tensor: Tensor, declared: str, elements: int, label: str) -> Iterator[Finding]:
    tensor, want = code_tensor, code_tensor.dtype or ""
    if declared == want:
        return
    values: dict[str, Value] = {
        "label": label, "want": want, "given": declared, "want_bytes": nbytes(want, elements),
        "given_bytes": nbytes(declared, elements), "count": elements, "zero_point": tensor.zero_point, "scale": tensor.scale,
    }  # fmt: skip
    if {declared, want} == {"uint8", "int8"} and tensor.zero_point is not None and tensor.scale is not None:
        values["read"] = (200 - 256 - tensor.zero_point) * tensor.scale
        values["meant"] = (200 - 128 - tensor.zero_point) * tensor.scale
        values["given"] = nbytes(declared, elements)
        yield Finding(
            "{label} gets {given} bytes with pass_through 1; they are taken as {want} codes (zero point {zero_point}, scale "
            "{scale}), unconverted.",
            "Bytes from 128 up wrap: 200 is read as the code -56, the value {read}; as a pixel it means the code 72, the value "
            "{meant}. The {given_bytes} bytes fit, so nothing complains.",
            "For pixels set type = RKNN_TENSOR_UINT8 and pass_through = 0: the runtime (or the NPU) quantises them. Keep "
            "pass_through 1 for bytes that are {want} codes already.",
            values,
            where=pass_through_where,
        )
        return
    yield Finding(
        "{label} takes {want} with pass_through 1 ({want_bytes} bytes); {given} is given ({given_bytes} bytes for {count} "
        "elements).",
        "With pass_through the runtime copies bytes and converts nothing, so {given} is read as if it were {want}.",
        "Set pass_through = 0 and type to {given}, so that the runtime converts; or convert to {want} yourself.",
        values,
        where=pass_through_where,
    )
