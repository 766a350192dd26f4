"""Code clears rknn_input and never sets its type: the runtime reads it as FLOAT32.

What it checks
    An array of rknn_input that is cleared (memset 0, `= {0}`), filled (`buf`) and handed to rknn_inputs_set in one text, without
    a line that sets `type`.

Why it matters
    0 is RKNN_TENSOR_FLOAT32: the runtime wants 4 bytes an element and refuses the call, also with pass_through 1.

How it is computed
    elements · 4 against the literal size, where the model's input is known.

Example
    size = 640 · 640 · 3 = 1228800; 1228800 · 4 = 4915200 are wanted.

Fix
    inputs[0].type = RKNN_TENSOR_UINT8 (what the buffer holds).

Limits
    Where the size is that of floats the field is right by luck. A struct that is not seen cleared holds anything: unknown.
    A helper function that sets the type is not followed.

References
    rockchip-linux/rknpu2#9, airockchip/rknn-toolkit2#357; rknn_api.h (enum rknn_tensor_type); measured: librknnrt 1.5.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.base import Unstated
from prepcheck.facts.rknn_code import RknnInputCode
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT308",
    "log-code-type-unset",
    over="rknn_code",
    category="dtype",
    severity="warning",
    rank=Rank.CALL,
    sources=("rockchip-linux/rknpu2#9", "airockchip/rknn-toolkit2#357", "runtime:G-02", "runtime:G-03"),
)
def check(type_never_set: bool, entry: RknnInputCode) -> Iterator[Finding]:
    got = entry.literal_bytes
    try:
        elements = entry.elements
    except Unstated:
        elements = None
    if not type_never_set or (elements is not None and got == elements * 4):
        return
    if elements is not None and got is not None:
        yield Finding(
            "The type of {label} was never set; 0 is FLOAT32, so {want} bytes are wanted and {got} are given.",
            "{elements} elements x 4 bytes = {want}; given are {got} bytes, {factor:.3g} times fewer.",
            "Set inputs[].type to what the buffer holds ({dtype}).",
            {
                "label": entry.label, "want": elements * 4, "got": got, "elements": elements, "factor": elements * 4 / got,
                "dtype": "RKNN_TENSOR_UINT8",
            },
            severity="error" if got < elements * 4 else None,
        )  # fmt: skip
        return
    yield Finding(
        "The code never sets the type of {label}; 0 is FLOAT32, so the runtime takes 4 bytes for each element.",
        "Bytes of a picture are a quarter of that: rknn_inputs_set then refuses the call, and rknn_run returns 0 all the same.",
        "Set inputs[].type to what the buffer holds ({dtype}).",
        {"label": entry.label, "dtype": "RKNN_TENSOR_UINT8"},
    )
