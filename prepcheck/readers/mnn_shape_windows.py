"""Shapes after convolutions and poolings of a .mnn. Each rule gives the shape of the first output, or None.

Sources: MNN source/shape/Shape{Convolution,Deconvolution,Pool,Pool3D}.cpp.
"""

from __future__ import annotations

from prepcheck.readers.mnn_graph import PAD_SAME, PAD_VALID, Conv, GraphOp, Shape
from prepcheck.readers.mnn_net import MnnOp
from prepcheck.readers.mnn_schema import Main
from prepcheck.readers.mnn_shape_known import MAX_CONST, Known


def convolution(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Plain, depthwise and transposed convolutions of four axes, channels first."""
    given, conv = known.first(op), op.conv
    if given is None or conv is None or len(given.axes) != 4 or given.layout == "NHWC":
        return None
    n, _, h, w = given.axes
    if conv.transposed:
        width, height = (_grown(conv, size, axis) for axis, size in enumerate((w, h)))
    else:
        width, height = (_shrunk(conv, size, axis) for axis, size in enumerate((w, h)))
    return None if conv.has_output_shape else Shape(given.layout, (n, conv.oc, height, width))


def _shrunk(conv: Conv, size: int, axis: int) -> int:
    """Length after a convolution along axis 0 (x) or 1 (y)."""
    reach = conv.dilate[axis] * (conv.kernel[axis] - 1) + 1
    if conv.pad_mode == PAD_SAME:
        return -(-size // conv.stride[axis])
    if conv.pad_mode == PAD_VALID:
        return -(-(size - reach + 1) // conv.stride[axis])
    before, after = (conv.pads[1], conv.pads[3]) if axis == 0 else (conv.pads[0], conv.pads[2])
    return (size + before + after - reach) // conv.stride[axis] + 1


def _grown(conv: Conv, size: int, axis: int) -> int:
    """Length after a transposed convolution along axis 0 (x) or 1 (y)."""
    if conv.pad_mode == PAD_SAME:
        return size * conv.stride[axis]
    before, after = (conv.pads[1], conv.pads[3]) if axis == 0 else (conv.pads[0], conv.pads[2])
    reach = conv.dilate[axis] * (conv.kernel[axis] - 1) + 1
    return (size - 1) * conv.stride[axis] + reach - before - after + conv.out_pads[axis]


def pool(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Pool: pad 0 1, isGlobal 2, kernel 3 4, stride 5 6, padType 8, ceilModel 10, pads 11 (top left bottom right)."""
    given, main = known.first(op), raw.main(Main.POOL)
    if given is None or main is None or len(given.axes) != 4:
        return None
    at = (1, 2) if given.layout == "NHWC" else (2, 3)
    axes = list(given.axes)
    if main.integer(2, "B"):
        axes[at[0]] = axes[at[1]] = 1
        return Shape(given.layout, tuple(axes))
    pads = main.integers(11, limit=MAX_CONST)
    for axis, place in ((0, at[1]), (1, at[0])):
        pad, kernel, stride = (main.integer(slot + axis, "i") for slot in (0, 3, 5))
        length = axes[place] + (2 * pad if pads is None else _explicit(pads, axis))
        axes[place] = _pooled(length, min(kernel, length), stride, main.integer(8, "b"), main.integer(10, "B", 1) != 0)
    return Shape(given.layout, tuple(axes))


def _explicit(pads: tuple[int, ...], axis: int) -> int:
    if len(pads) == 4:
        return pads[1] + pads[3] if axis == 0 else pads[0] + pads[2]
    return pads[0] + pads[1] if len(pads) == 2 and axis == 1 else 0


def _pooled(length: int, kernel: int, stride: int, mode: int, ceil: bool) -> int:
    if mode == PAD_SAME:
        return -(-length // stride)
    if mode == PAD_VALID:
        return -(-(length - kernel + 1) // stride)
    return -(-(length - kernel) // stride) + 1 if ceil else (length - kernel) // stride + 1


def pool_3d(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Pool3D: strides 0, kernels 1, pads 2, padType 4, isGlobal 5. Also made of 2-D global poolings."""
    given, main = known.first(op), raw.main(Main.POOL_3D)
    if given is None or main is None or len(given.axes) < 3:
        return None
    axes, offset = list(given.axes), 1 if given.layout == "NHWC" else 2
    count = len(axes) - 2
    if main.integer(5, "B"):
        axes[offset : offset + count] = [1] * count
        return Shape(given.layout, tuple(axes))
    strides, kernels = main.integers(0, limit=MAX_CONST) or (), main.integers(1, limit=MAX_CONST) or ()
    pads, mode = main.integers(2, limit=MAX_CONST) or (0,) * count, main.integer(4, "b")
    for i in range(count):
        length = axes[offset + i] + (0 if mode in (PAD_SAME, PAD_VALID) else 2 * pads[i])
        axes[offset + i] = -(-length // strides[i]) if mode == PAD_SAME else (length - kernels[i]) // strides[i] + 1
    return Shape(given.layout, tuple(axes))
