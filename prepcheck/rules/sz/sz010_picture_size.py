"""The picture that the steps end in has not the size of the input.

What it checks
    Width and height after the host's last step against those of the input.

Why it matters
    The bytes are read as rows of another length, or the call is refused.

How it is computed
    Sizes are followed through decode, resize, letterbox, crop, pad and RGA steps.

Example
    decode 1280x720, no resize, input 640x640.

Fix
    Resize to the input's size. Sizes in plans (and in OpenCV) are [width, height]; shapes are (height, width).

Limits
    A picture that keeps its ratio and lacks padding is RS004; MNN's ImageProcess has rules of its own.

References
    margelo/react-native-fast-tflite#17, blakeblackshear/frigate#8746.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ010",
    "picture-size",
    over="path",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("margelo/react-native-fast-tflite#17", "blakeblackshear/frigate#8746"),
)
def check(final_size: tuple[int, int], dims: Dims, meant_to_pad: bool, label: str) -> Iterator[Finding]:
    w, h = final_size
    if (w, h) == (dims.w, dims.h) or (meant_to_pad and w <= dims.w and h <= dims.h):
        return
    values: dict[str, Value] = {
        "w": w, "h": h, "width": dims.w, "height": dims.h, "label": label, "got": w * h * dims.c, "want": dims.w * dims.h * dims.c,
        "channels": dims.c,
    }  # fmt: skip
    if (w, h) == (dims.h, dims.w):
        yield Finding(
            "The steps end in {w}x{h} (width x height); {label} takes {width}x{height}: the two are exchanged.",
            "The number of bytes agrees and hides it: {w}x{h}x{channels} = {width}x{height}x{channels} = {want} values. Rows are read "
            "with the length of columns.",
            "Use size [{width}, {height}]: sizes are [width, height], shapes have the height first.",
            values,
            fault="transposed",
        )
        return
    yield Finding(
        "The steps end in {w}x{h} (width x height); {label} takes {width}x{height}.",
        "{w}x{h}x{channels} = {got} values, {width}x{height}x{channels} = {want} are taken.",
        "Resize to [{width}, {height}] as the last step that changes the size.",
        values,
    )
