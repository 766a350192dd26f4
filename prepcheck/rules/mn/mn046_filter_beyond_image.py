"""A layer's filter needs an OpenCL image larger than the device can hold.

What it checks
    The images that MNN makes of convolution filters in image memory, against the device's limit.

Why it matters
    MNN checks tensors against the limit, but not filters: "Alloc Image W x H error", run code 0, and a wrong answer. It looks
    like a wrong input and is none.

How it is computed
    Width: input channels (newer MNN: rounded up to a multiple of 4). Height: kernel width · kernel height · ceil(outputs/4).

Example
    A 16x16 patch embedding from 3 to 768 channels: 3 x 49152, as 16·16·ceil(768/4) = 49152, above 16384.

Fix
    Buffer memory: mode 68 (64 + wide tuning) or 65 (64 + no tuning).

Limits
    Read from the model file. Where no memory bit is set and the GPU is not known, a warning: Mali and Intel take buffers, every
    other GPU images. Compressed weights may be stored otherwise.

References
    MNN OpenCL backend (ConvExecution.cpp); measured on a software OpenCL device (4 x 49152); Z-Xiong/OSTrack-mnn#1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.opencl_image import GpuImage
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN046",
    "filter-beyond-image",
    over="schedule",
    category="memory",
    rank=Rank.MEMORY,
    runtimes=("mnn",),
    sources=("mnn:G5", "mnn:G6", "Z-Xiong/OSTrack-mnn#1", "measured: a software OpenCL device"),
    scope="device",
)
def check(memory: str, images: list[GpuImage], limit: tuple[int, int], mode_number: int) -> Iterator[Finding]:
    beyond = [i for i in images if i.what == "filter" and i.exceeds(limit)]
    if memory == "buffer" or not beyond:
        return
    chief = max(beyond, key=lambda i: (i.sure, max(i.width, i.height), i.rule == "old"))
    same = next((i for i in beyond if i.name == chief.name and i.rule == "old"), chief)
    kernel = chief.kernel or (1, 1)
    layers = len({i.index for i in beyond})
    yield Finding(
        "The filter of {layer} ({ic} → {oc} channels, {kx}x{ky}) is an OpenCL image of {width} x {height}; the device holds {lw} x {lh}.",
        "Height {kx}·{ky}·ceil({oc}/4) = {height}; width {width} (newer MNN: rounded up to {wide}). MNN prints \"Alloc Image {width} x "
        "{height} error\", returns 0 and computes a wrong answer. The input is not concerned."
        + (" {layers} layers are too large in all." if layers > 1 else ""),
        "Choose buffer memory: mode = {buffer} (64 + {tuning}), on its own and last.",
        {
            "layer": chief.name, "op": chief.index, "ic": chief.ic, "oc": chief.oc, "kx": kernel[0], "ky": kernel[1], "width": same.width,
            "height": chief.height, "wide": -(-same.width // 4) * 4, "lw": limit[0], "lh": limit[1], "layers": layers,
            "buffer": 64 + (mode_number & 31 or 4), "tuning": mode_number & 31 or 4, "memory": memory,
        },
        severity="error" if memory == "image" and chief.sure else "warning",
        about="session:memory",
    )  # fmt: skip
