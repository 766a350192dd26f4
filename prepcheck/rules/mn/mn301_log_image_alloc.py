"""An OpenCL image is larger than the device allows.

What it checks
    `Alloc Image W x H error, code:C`.

Why it matters
    MNN goes on after it: kernels get no argument (−50, −52), runSession returns 0, and the answer is wrong. It looks like a
    wrong input and is none: the image is most often the filter of a large convolution.

How it is computed
    W and H are those of a filter (width: input channels; height: kernel area · ceil(outputs/4)) or of a tensor (width
    ceil(C/4)·W, height N·H). With the model the layer is named; without it the most usual reading.

Example
    3 x 49152: a 16x16 filter from 3 to 768 channels, 16·16·ceil(768/4) = 49152.

Fix
    Buffer memory: mode 65 or 68 (64 = buffer, with 1 or 4 for the tuning), assigned last.

Limits
    Code −40 is "invalid image size"; drivers answer −59 or others too. Without the model several layers fit.

References
    Z-Xiong/OSTrack-mnn#1; MNN OpenCL backend; measured: the same network on a software OpenCL device.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.opencl_image import explain_image
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.mnn_log import image_layer
from prepcheck.facts.mnn_tests import backend_tests
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule

CL_CODES = {
    -4: "memory could not be had", -5: "out of resources", -6: "out of host memory", -38: "invalid memory object",
    -40: "invalid image size", -50: "invalid argument value", -52: "invalid kernel arguments", -54: "invalid work group size",
    -59: "invalid operation", -61: "invalid buffer size",
}  # fmt: skip
"""Codes of OpenCL. Source: CL/cl.h."""


@rule(
    "MN301",
    "log-image-alloc",
    over="log:mnn_image_alloc",
    category="memory",
    rank=Rank.MEMORY,
    sources=("mnn:G5", "mnn:G6", "Z-Xiong/OSTrack-mnn#1", "measured: a software OpenCL device"),
    scope="device",
)
def check(first_event: LogEvent, book: LogBook, world: World) -> Iterator[Finding]:
    width, height, code = (first_event.number(k) or 0 for k in ("w", "h", "code"))
    layer = image_layer(world, width, height)
    readings = explain_image(width, height, least=0.02)
    best = readings[0] if readings else None
    test = next(
        (t for t in backend_tests(book) if any(e is first_event or e.fields == first_event.fields for e in t.images)),
        None,
    )
    values: dict[str, Value] = {
        "width": width, "height": height, "code": code, "means": CL_CODES.get(code, "an error of the driver"),
        "command": test.arguments(precision=1, mode=test.buffer_mode) if test else None, "mode": test.mode if test else None,
    }  # fmt: skip
    if layer is not None and layer.kernel is not None:
        values |= {
            "layer": layer.name,
            "op": layer.index,
            "kx": layer.kernel[0],
            "ky": layer.kernel[1],
            "ic": layer.ic,
            "oc": layer.oc,
        }
        what = "It is the filter of {layer}, {ic} → {oc} channels, {kx}x{ky}: {kx}·{ky}·ceil({oc}/4) = {height}."
    elif layer is not None:
        values |= {"layer": layer.name, "shape": layer.shape}
        what = "It is the tensor {layer} {shape}: ceil(C/4)·W = {width}, N·H = {height}."
    elif best is not None and best.kernel is not None and best.out_channels is not None:
        values |= {"kx": best.kernel[0], "ky": best.kernel[1], "ic": width, "oc": best.out_channels[1]}
        what = "That is a filter, not the input: {kx}·{ky}·ceil({oc}/4) = {height} of {ic} → {oc} channels, {kx}x{ky}."
    elif best is not None and best.shape is not None:
        values["shape"] = best.shape
        what = "A tensor such as {shape} makes it: ceil(C/4)·W = {width}, N·H = {height}."
    else:
        what = "No usual filter or tensor makes it."
    yield Finding(
        "An OpenCL image of {width} x {height} is more than the device can hold (code {code}: {means}).",
        what
        + " MNN does not stop there: the OpenCL lines after it follow from this one, the run returns 0 and the answer is wrong. The "
        "input is not the cause."
        + (
            " The tool ran with modeNum={mode}, image memory on this GPU."
            if test is not None and test.mode is not None
            else ""
        ),
        "Choose buffer memory: mode = 65 (64 buffer + 1 no tuning) or 68 (with tuning), assigned last."
        + (" To see it in the tool, run the same command with {command}." if test is not None else ""),
        values,
        about="log:mnn_image",
    )
