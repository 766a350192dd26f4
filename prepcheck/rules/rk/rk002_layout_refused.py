"""fmt NCHW (or UNDEFINED) for a picture in rknn_inputs_set.

What it checks
    Whether a four-dimensional input that the runtime is to convert (pass_through 0) is declared anything but NHWC.

Why it matters
    librknnrt converts from NHWC only. It prints `Meet unsupported src layout for normalize`, returns 0 all the same, and
    the NPU keeps what it had: zeros in the first frame, the last good picture later.

How it is computed
    fmt of the call, rank of the input, pass_through. bool and int64 inputs take NCHW: nothing is normalised there.

Example
    A 1x640x640x3 input, UINT8, fmt NCHW, pass_through 0.

Fix
    Transpose the array to height, width, channels and declare RKNN_TENSOR_NHWC. An OpenCV image already is HWC: there
    only fmt is wrong.

Limits
    rknn-toolkit 1's runtime (rk1808, rv1126, …) converts NCHW; it is not concerned.

References
    airockchip/rknn-toolkit2#258, #304 and #133; rockchip-linux/rknn-toolkit2#289 and #319; RKNN API guide 1.5.2
    §4.4.5.1; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK002",
    "layout-refused",
    over="handover:rknn_inputs_set",
    category="layout",
    rank=Rank.LAYOUT,
    runtimes=("rknn",),
    sources=("runtime:G-07", "format:5b-5", "airockchip/rknn-toolkit2#258", "airockchip/rknn-toolkit2#304"),
)
def check(input: InputThing, declared_layout: str, pass_through: int, label: str) -> Iterator[Finding]:
    if len(input.shape) != 4 or pass_through or declared_layout not in ("NCHW", "UNDEFINED"):
        return
    if input.tensor.dtype in ("bool", "int64"):
        return
    dims = input.dims
    yield Finding(
        "rknn_inputs_set takes {label} only as NHWC; fmt is {given}, and the call is dropped without an error code.",
        "librknnrt normalises from NHWC alone: it prints `Meet unsupported src layout for normalize`, returns 0 and leaves "
        "the NPU's input as it was, so every picture gives the same answer.",
        "Hand over {h}x{w}x{c} (height, width, channels) bytes and set fmt = RKNN_TENSOR_NHWC; transpose the array first "
        "if it is {c}x{h}x{w}.",
        {"label": label, "given": declared_layout, "h": dims.h, "w": dims.w, "c": dims.c},
    )
