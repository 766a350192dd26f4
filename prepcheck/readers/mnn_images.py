"""Which OpenCL images MNN makes for a model in image memory, and which of them a device cannot hold.

A tensor that is too large sends its operators to the CPU, silently. A filter that is too large is not checked
beforehand: "Alloc Image W x H error", run code 0, wrong answer. Sources: MNN OpenCLBackend::onCreate, Z-Xiong/OSTrack-mnn#1;
measured on a software OpenCL device (not on a GPU). Buffer memory (mode bit 64) makes no images; on Mali GPUs filters lie
in buffers even with image memory (ConvExecution.cpp, mWeightUseBuffer; read, not run).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prepcheck.core.opencl_image import (
    Size,
    depthwise_image,
    filter_image,
    tensor_image,
    winograd_applies,
    winograd_image,
)
from prepcheck.readers.mnn_graph import Conv, GraphOp, MnnGraph

_UNLIMITED: Size = (1 << 31, 1 << 31)


@dataclass(frozen=True, slots=True)
class ImageUse:
    """One image. op_index, op_name: the operator that it belongs to (of a tensor: the first that touches it).

    what: tensor, filter, depthwise_filter or winograd_filter. rule: which MNN versions make it, `old` (width = input
    channels) or `new` (rounded up to a multiple of 4); None where both do. width, height: pixels of four channels.
    exceeds: beyond the limit; None where no limit was given. effect: what MNN does then, `fails` or `falls_back_to_cpu`.
    sure: False where MNN may take another way (compressed weights, several groups). text: what it is, with the arithmetic.
    """

    op_index: int
    op_name: str
    what: str
    rule: str | None
    width: int
    height: int
    exceeds: bool | None
    effect: str
    sure: bool
    text: str
    tensor: str | None = None


def predict_images(graph: MnnGraph, image2d_max: Size | None = None) -> tuple[ImageUse, ...]:
    """Every image that can be told, in the order of the operators; filters before tensors of the same operator.

    image2d_max: largest width and height of the device (CL_DEVICE_IMAGE2D_MAX_WIDTH and _HEIGHT), None = not known.
    """
    seen: set[int] = set()
    found: list[ImageUse] = []
    for op in graph.ops:
        if op.conv is not None and len(op.inputs) == 1 and op.conv.oc and op.conv.filter_ic:
            found += _filters(graph, op, op.conv, image2d_max)
        for number in (*op.inputs, *op.outputs):
            if number not in seen and number in graph.shapes:
                seen.add(number)
                found.append(_tensor(graph, op, number, image2d_max))
    return tuple(found)


def beyond_limit(graph: MnnGraph, image2d_max: Size) -> tuple[ImageUse, ...]:
    """Only the images that the device cannot hold, the filters (whose answer is wrong) first."""
    too_large = [use for use in predict_images(graph, image2d_max) if use.exceeds]
    return tuple(sorted(too_large, key=lambda use: use.effect != "fails"))


def _exceeds(size: Size, limit: Size | None) -> bool | None:
    return None if limit is None else size[0] > limit[0] or size[1] > limit[1]


def _tensor(graph: MnnGraph, op: GraphOp, number: int, limit: Size | None) -> ImageUse:
    shape, name = graph.shapes[number], graph.tensor_names[number]
    size = tensor_image(shape.axes, shape.layout)
    text = f"tensor {name}, {'x'.join(map(str, shape.axes))} {shape.layout}: ceil(C/4)·W by N·H"
    return ImageUse(
        op.index, op.name, "tensor", None, *size, _exceeds(size, limit), "falls_back_to_cpu", True, text, tensor=name
    )


def _filters(graph: MnnGraph, op: GraphOp, conv: Conv, limit: Size | None) -> Iterator[ImageUse]:
    ic, oc, kernel = conv.filter_ic, conv.oc, conv.kernel
    sure = conv.weight_kind in (None, 3) and (conv.group == 1 or conv.depthwise)
    pixels = f"{kernel[0]}·{kernel[1]}"

    def use(what: str, rule: str | None, size: Size, text: str) -> ImageUse:
        return ImageUse(op.index, op.name, what, rule, *size, _exceeds(size, limit), "fails", sure, text)

    if conv.depthwise:
        size = depthwise_image(oc, kernel)
        yield use("depthwise_filter", None, size, f"depthwise filter of {oc} channels: {pixels} by ceil({oc}/4)")
        return
    of = f"filter {ic} -> {oc}, kernel {kernel[0]}x{kernel[1]}"
    old = filter_image(ic, oc, kernel, rounded=False)
    if conv.transposed:
        yield use("filter", None, old, f"transposed {of}: {ic} by {pixels}·ceil({oc}/4)")
        return
    yield use("filter", "old", old, f"{of}: {ic} by {pixels}·ceil({oc}/4)")
    new = filter_image(ic, oc, kernel, rounded=True)
    yield use("filter", "new", new, f"{of}: {ic} rounded up to {new[0]} by {pixels}·ceil({oc}/4)")
    shape = graph.shapes.get(op.outputs[0]) if op.outputs else None
    if conv.stride != (1, 1) or conv.dilate != (1, 1) or shape is None or len(shape.axes) != 4:
        return
    if winograd_applies(ic, oc, kernel, (shape.axes[3], shape.axes[2]), limit or _UNLIMITED):
        size = winograd_image(ic, oc, kernel[0])
        side = kernel[0] + 1
        yield use("winograd_filter", "new", size, f"{of}, by Winograd: {size[0]} by {side}·{side}·ceil({oc}/4)")
