"""INT8 declared for unsigned pixels.

What it checks
    Whether uint8 content is declared INT8 for an int8 model, with pass_through 0.

Why it matters
    INT8 means "quantised already": the bytes are taken as codes and neither mean, std nor scale is applied. Pixels from
    128 up wrap to negative values. The attribute's type is the model's; the call's type has to be the array's.

How it is computed
    Declared type, type of the content, type and zero point of the input.

Example
    zero point -128: the pixel 200 is the byte 0xC8, read as the code -56: the value of pixel 72.

Fix
    type = RKNN_TENSOR_UINT8 with pass_through 0.

Limits
    Needs the element type of the buffer (or of the write into bound memory).

References
    airockchip/rknn_model_zoo#396; airockchip/rknn-toolkit2#526; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Tensor
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK022",
    "pixels-declared-as-codes",
    over="submitted",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=(
        "runtime:G-18",
        "runtime:Z-07",
        "runtime:M-05",
        "format:5b-3",
        "format:5c-1",
        "airockchip/rknn_model_zoo#396",
    ),
)
def check(declared_codes: Tensor, content_dtype: str, label: str, call_where: str) -> Iterator[Finding]:
    tensor = declared_codes
    if content_dtype != "uint8":
        return
    zero_point = -128 if tensor.zero_point is None else tensor.zero_point
    scale = 1.0 if tensor.scale is None else tensor.scale
    yield Finding(
        "{label} gets uint8 pixels declared INT8: they are taken as codes with zero point {zero_point}, not as pixels.",
        "INT8 says that the bytes are quantised already; mean, std and scale are not applied. The pixel 200 is read as the code "
        "-56 = the value {read}, where the code 72 = the value {meant} belongs to it.",
        "Set type = RKNN_TENSOR_UINT8 (pass_through 0): the type of the call describes the array, not the model.",
        {
            "label": label, "zero_point": zero_point, "read": (-56 - zero_point) * scale, "meant": (72 - zero_point) * scale,
            "scale": scale, "link": "write -> binding",
        },
        where=call_where,
    )  # fmt: skip
