"""A tensor needs an OpenCL image larger than the device can hold.

What it checks
    The images that MNN makes of inputs and of tensors inside the network in image memory, against the device's limit.

Why it matters
    An input that does not fit cannot be made ("Alloc Image W x H error"). A tensor inside sends its layers to the CPU, silently
    and slowly.

How it is computed
    Width ceil(C/4)·W, height N·H, four channels a pixel.

Example
    1x64x200x600: ceil(64/4)·600 = 9600 x 200, above 8192.

Fix
    Buffer memory: mode 68, or smaller pictures.

Limits
    Where no memory bit is set and the GPU is not known, a warning: Mali and Intel take buffers, every other GPU images.

References
    MNN OpenCLRunningUtils (getImageShape), OpenCLBackend; PaddlePaddle/Paddle-Lite#7770 (the same limit elsewhere).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.opencl_image import GpuImage
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN047",
    "tensor-beyond-image",
    over="schedule",
    category="memory",
    rank=Rank.MEMORY,
    runtimes=("mnn",),
    sources=("mnn:G5", "PaddlePaddle/Paddle-Lite#7770"),
    scope="device",
)
def check(memory: str, images: list[GpuImage], limit: tuple[int, int], mode_number: int) -> Iterator[Finding]:
    beyond = [i for i in images if i.what in ("input", "tensor") and i.exceeds(limit)]
    if memory == "buffer" or not beyond:
        return
    chief = min(beyond, key=lambda i: (i.what != "input", -max(i.width, i.height)))
    values: dict[str, Value] = {
        "name": chief.name, "shape": chief.shape, "width": chief.width, "height": chief.height, "lw": limit[0], "lh": limit[1],
        "buffer": 64 + (mode_number & 31 or 4), "tuning": mode_number & 31 or 4, "memory": memory, "count": len(beyond),
    }  # fmt: skip
    wide = chief.width > limit[0]
    sum_ = (
        "ceil(C/4)·W = {width} is beyond the width of {lw}" if wide else "N·H = {height} is beyond the height of {lh}"
    ) + ", four channels a pixel."
    if chief.what == "input":
        yield Finding(
            "{name} {shape} is an OpenCL image of {width} x {height}; the device holds {lw} x {lh}.",
            sum_ + " The session cannot make the tensor in image memory.",
            "Choose buffer memory: mode = {buffer} (64 + {tuning}), on its own and last; or hand over less at once.",
            values,
            severity="error" if memory == "image" else "warning",
            about="session:memory",
        )
        return
    yield Finding(
        "The tensor {name} {shape} is an OpenCL image of {width} x {height}; the device holds {lw} x {lh}: its layers run on the CPU.",
        sum_ + " MNN falls back for them without a word ({count} tensors).",
        "Choose buffer memory: mode = {buffer} (64 + {tuning}), on its own and last.",
        values,
        severity="warning" if memory == "image" else "info",
        about="session:memory",
    )
