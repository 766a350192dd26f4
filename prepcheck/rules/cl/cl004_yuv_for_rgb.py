"""YUV bytes are handed to an input that takes RGB.

What it checks
    The colour of the submitted buffer or of the last step: NV12, NV21, I420 or YUYV for an input of 3 or 4 channels.

Why it matters
    Cameras and decoders deliver YUV. Taken as RGB, rows are sheared and colours are noise; no call can tell.

How it is computed
    The order is followed through the steps. NV12 has 3/2 bytes a pixel, RGB has 3.

Example
    NV12 640x640 = 614400 bytes for an input of 640x640x3 = 1228800 bytes.

Fix
    Convert to RGB (RGA imcvtcolor, OpenCV COLOR_YUV2RGB_NV12, MNN ImageProcess) first.

Limits
    Inputs made by inputs_yuv_fmt (names ending in _y_channel and _uv_channel) take YUV.

References
    Arithmetic; rknn-toolkit2 config inputs_yuv_fmt.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CL004",
    "yuv-for-rgb",
    over="path",
    category="color_space",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("arithmetic",),
)
def check(fed_color: str, dims: Dims, label: str) -> Iterator[Finding]:
    if fed_color not in ("NV12", "NV21", "I420", "YUYV") or dims.c not in (3, 4):
        return
    half = 4 if fed_color == "YUYV" else 3
    yield Finding(
        "{label} takes {channels} channels of RGB or BGR and gets {fed}.",
        "{fed} has {half}/2 bytes a pixel: {got} bytes for {w}x{h}; the input takes {w}x{h}x{channels} = {want} values.",
        "Convert to RGB before the hand-over.",
        {
            "label": label,
            "channels": dims.c,
            "fed": fed_color,
            "half": half,
            "w": dims.w,
            "h": dims.h,
            "got": dims.w * dims.h * half // 2,
            "want": dims.w * dims.h * dims.c,
        },
        fault="yuv_as_rgb",
    )
