"""fmt NCHW (or UNDEFINED) bound for a picture.

What it checks
    Whether memory for a four-dimensional input is bound with pass_through 0 and a layout that the runtime cannot read.

Why it matters
    rknn_set_io_mem accepts it with 0. At rknn_run librknnrt prints `Meet unsupported src layout for normalize`, returns 0
    and computes on zeros; librknnmrt fails rknn_run with -1 (`please try pass_through=1 mode in set_io_mem`).

How it is computed
    fmt of the binding, rank of the input, pass_through.

Example
    rv1106, type UINT8, fmt NCHW, pass_through 0.

Fix
    Bind RKNN_TENSOR_NHWC and write interleaved pixels.

Limits
    bool and int64 inputs are left out. With pass_through 1 nothing is converted and fmt is not looked at.

References
    RKNN API guide 1.5.2 table 4-3; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK003",
    "layout-bound",
    over="bound",
    category="layout",
    rank=Rank.LAYOUT,
    runtimes=("rknn",),
    sources=("runtime:Z-06", "runtime:M-04", "RKNN API guide 1.5.2 table 4-3"),
)
def check(
    input: InputThing, declared_layout: str, pass_through: int, label: str, bind_where: str, mini: bool
) -> Iterator[Finding]:
    if len(input.shape) != 4 or pass_through or declared_layout not in ("NCHW", "UNDEFINED"):
        return
    if input.tensor.dtype in ("bool", "int64"):
        return
    yield Finding(
        "{label} is bound with fmt {given} and pass_through 0; the runtime converts from NHWC only.",
        "Nothing is refused when the memory is bound: rknn_set_io_mem returns 0, rknn_run fails with -1 (`fallback cpu failed`)."
        if mini
        else "Nothing is refused when the memory is bound: rknn_set_io_mem and rknn_run both return 0, and the NPU works on "
        "zeros or on the last picture.",
        "Set attr.fmt = RKNN_TENSOR_NHWC and write height x width x channels, rows of w_stride pixels.",
        {"label": label, "given": declared_layout, "link": "binding -> attribute"},
        where=bind_where,
    )
