"""RGA writes other channels than the input has.

What it checks
    Whether the format that RGA writes into a model input's memory has as many interleaved channels as the input.

Why it matters
    RGA writes packed rows of pixels. Four bytes a pixel for three, or YUV for RGB, is another picture to the
    network.

How it is computed
    Channels of the destination's format against those of the input. Gray formats have one.

Example
    RGBA_8888 into an input of 3 channels.

Fix
    Write RGB_888 (or BGR_888, as training needs).

Limits
    RGA never writes planar (NCHW) or NC1HWC2 data: an input bound so is a matter of its binding.

References
    RGA developer guide (packed output).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG040",
    "into-input-format",
    over="rga",
    category="layout",
    rank=Rank.LAYOUT,
    sources=("rga:R-M14", "RGA developer guide, image formats"),
)
def check(input: InputThing, dst: Surface, operation: str, where: str) -> Iterator[Finding]:
    if any(note.kind == "yuv_inputs" for note in (input.world.contract.notes if input.world.contract else ())):
        return
    channels, want = dst.format.channels, input.dims.c
    if channels == want or not input.is_image:
        return
    yield Finding(
        "{operation} writes {format} into the memory of input {label}, which has {want} channels.",
        "{format} is {what} for each pixel; the input takes {want} interleaved bytes.",
        "Write " + ("a gray format" if want == 1 else "RGBA_8888" if want == 4 else "RGB_888 or BGR_888") + ".",
        {
            "operation": operation, "format": dst.format.name, "label": input.label, "want": want,
            "what": f"{channels} bytes" if channels else "luma and chroma" if dst.format.is_yuv else "packed bits",
        },
        where=where + ".dst",
        about=input.where,
    )  # fmt: skip
