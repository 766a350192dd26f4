"""rknn_inputs_set on a chip that has only zero-copy.

What it checks
    Whether rknn_inputs_set is called on rv1103, rv1106 or their b forms.

Why it matters
    Their runtime (librknnmrt) exports the symbol and refuses every call of it with -5. rknn_run afterwards returns 0 and
    works on memory that was never filled: one answer for every picture.

How it is computed
    The chip of the plan (or of the model) is one of those four.

Example
    rv1106 and rknn_inputs_set: `E RKNN: rknn_inputs_set, context config invalid!`, return code -5.

Fix
    rknn_create_mem of size_with_stride bytes, rknn_set_io_mem with type UINT8, fmt NHWC, pass_through 0, then write the
    pixels into that memory, each row at w_stride.

Limits
    None known: the call was refused for every type and flag that was tried.

References
    RKNNRT C API reference 2.3.2 table 4-1; airockchip/rknn-toolkit2#335; measured: librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.flow import Handover
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK001",
    "inputs-set-on-mini",
    over="handover:rknn_inputs_set",
    category="zero_copy",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:M-02", "RKNNRT C API reference 2.3.2 table 4-1", "airockchip/rknn-toolkit2#335"),
)
def check(platform: str, label: str, handover: Handover) -> Iterator[Finding]:
    if platform not in ZERO_COPY_ONLY or handover.item:  # one word for the whole call
        return
    yield Finding(
        "{platform} has no rknn_inputs_set: its runtime refuses the call (-5); inputs go in by rknn_set_io_mem.",
        "librknnmrt answers every rknn_inputs_set with `context config invalid!`. rknn_run still returns 0 afterwards and "
        "computes on memory that nobody filled, so {label} looks the same in every frame.",
        "Use rknn_create_mem(size_with_stride of the input) and rknn_set_io_mem with type RKNN_TENSOR_UINT8, fmt "
        "RKNN_TENSOR_NHWC, pass_through 0, and write the pixels into that memory in rows of w_stride.",
        {"platform": platform, "label": label},
    )
