"""The bytes are planar where interleaved ones are read, or the reverse.

What it checks
    The layout of the buffer (HWC/NHWC or CHW/NCHW) against the layout that the call reads.

Why it matters
    The number of bytes is the same, so nothing complains. The network sees stripes; the same answer for everything, or
    plausible nonsense. Pictures of one colour do not show it.

How it is computed
    Order of the channel axis among the axes longer than 1: one channel, or one pixel, is the same either way.

Example
    96x8x8 (channels first) for an input of 8x8x96: 12288 bytes both ways.

Fix
    Transpose: numpy.transpose(x, (0, 2, 3, 1)) and ascontiguousarray, or declare the layout that the bytes have where the
    call converts (data_format of the toolkits, MNN's host tensor).

Limits
    Needs the buffer's layout, or a shape that shows it (LY002).

References
    rockchip-linux/rknn-toolkit2#319, airockchip/rknn-toolkit2#258, #279, #304, alibaba/MNN#2420, #92.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.facts.handover_wants import Layouts
from prepcheck.facts.sizes import Wanted
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY001",
    "other-layout",
    over="handover",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=(
        "rockchip-linux/rknn-toolkit2#319",
        "airockchip/rknn-toolkit2#258",
        "airockchip/rknn-toolkit2#279",
        "airockchip/rknn-toolkit2#304",
        "alibaba/MNN#2420",
        "alibaba/MNN#92",
        "runtime:P-02",
    ),
)
def check(
    layouts: Layouts, label: str, api: str, dims: Dims, got_bytes: int, wanted: Wanted | None = None
) -> Iterator[Finding]:
    if not layouts.differ:
        return
    if "NC4HW4" in (layouts.given, layouts.wanted):
        yield Finding(
            "{api}: the {bytes} bytes for {label} are {given}; {want} bytes of {wanted} are read.",
            "NC4HW4 keeps blocks of four channels: element (c, h, w) lies at ((c / 4 · {h} + h) · {w} + w) · 4 + c % 4. With {c} channels "
            "it rounds them up to a multiple of four; the order differs in any case.",
            "Declare the host tensor as what the bytes are (CAFFE for NCHW, TENSORFLOW for NHWC); the copy packs them.",
            {
                "api": api,
                "label": label,
                "given": layouts.given,
                "wanted": layouts.wanted,
                "c": dims.c,
                "h": dims.h,
                "w": dims.w,
                "bytes": got_bytes,
                "want": wanted.nbytes if wanted is not None else None,
                "shape": layouts.shape,
            },
            fault="nc4hw4_packing",
        )
        return
    yield Finding(
        "{api}: the bytes for {label} are {given} ({order}); {wanted} is read.",
        "{c}x{h}x{w} and {h}x{w}x{c} are the same number of bytes ({bytes}), which hides it: every value is taken for one of another "
        "place. A picture of one colour would not show it.",
        "Transpose to {wanted} in memory of its own before the call, or declare the layout that the bytes have where the call "
        "converts.",
        {
            "api": api,
            "label": label,
            "given": layouts.given,
            "wanted": layouts.wanted,
            "order": layouts.order,
            "c": dims.c,
            "h": dims.h,
            "w": dims.w,
            "bytes": got_bytes,
            "shape": layouts.shape,
        },
        fault="planar_instead_of_interleaved" if layouts.planar else "interleaved_instead_of_planar",
    )
