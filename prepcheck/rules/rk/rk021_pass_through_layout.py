"""pass_through with plain channels where the NPU wants blocks.

What it checks
    Whether an input that the NPU holds as NC1HWC2 gets plain NHWC or NCHW bytes with pass_through 1.

Why it matters
    Nothing is rearranged with pass_through: channels, rows and columns are all read from the wrong places.

How it is computed
    Native layout of the input (the attribute, else the chip's block of channels) against the layout of the content.

Example
    A 1x8x8x96 input on rk3588 is held as [1, 6, 8, 8, 16].

Fix
    pass_through 0 with NHWC; or pack blocks: element (n, c, h, w) at (((n·C1 + c/C2)·H + h)·W + w)·C2 + c mod C2.

Limits
    Needs the layout of the buffer.

References
    RKNN API guide 1.5.2 §4.4 and table 4-6; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rknn_native import NativeForm
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK021",
    "pass-through-layout",
    over="submitted",
    category="layout",
    rank=Rank.LAYOUT,
    runtimes=("rknn",),
    sources=("runtime:G-17", "runtime:M-03", "RKNN API guide 1.5.2 §4.4"),
)
def check(through_blocks: NativeForm, content_layout: str, label: str, call_where: str) -> Iterator[Finding]:
    form = through_blocks
    if content_layout in ("NC1HWC2", "UNDEFINED"):
        return
    yield Finding(
        "{label} is held as NC1HWC2 {shape} by the NPU; {given} bytes are given with pass_through 1, which rearranges nothing.",
        "C2 = {c2} channels lie together, in {c1} planes: {size} bytes. Plain {given} bytes are read in another order.",
        "Set pass_through = 0 and fmt = RKNN_TENSOR_NHWC, or pack the array into {shape} first.",
        {
            "label": label, "shape": list(form.shape), "given": content_layout, "c1": form.shape[1], "c2": form.shape[4],
            "size": form.size, "link": "write -> binding",
        },
        where=call_where,
    )  # fmt: skip
