"""Shapes of a .mnn's tensors, from the inputs through the operators whose rule is simple; the rest stays unknown.

Sources: MNN source/shape/Shape{Convolution,Deconvolution,Pool,Pool3D,Reshape,TensorConvert,Permute,…}.cpp; measured:
equal to what sessions of MNN 3.6.1 report for every operator of the test models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Final

from prepcheck.readers.mnn_graph import PAD_SAME, PAD_VALID, Conv, GraphOp, Shape
from prepcheck.readers.mnn_net import MnnNet, MnnOp
from prepcheck.readers.mnn_schema import DATA_FORMATS, DEFAULT_DATA_FORMAT, Main, OpType

_SAME_SHAPE: Final = frozenset(
    {4, OpType.CAST, 21, 23, 37, 43, 49, 69, 70, 77, 78, 81, 85, 95, OpType.UNARY, 262, 267, 304, 514, 517, 603}
)
"""Operators whose first output is shaped like their first input: InstanceNorm Cast Dropout ELU LRN Normalize PReLU ReLU
ReLU6 Scale Selu Sigmoid Softmax TanH UnaryOp Identity BatchNorm GroupNorm Int8ToFloat FloatToInt8 LayerNorm."""

_MAX_RANK: Final = 9
"""MNN_MAX_TENSOR_DIM. Source: MNN core/TensorUtils.hpp."""
_MAX_CONST: Final = 64
"""Elements of a constant that can be a shape."""


class _Known:
    """Shapes and small integer constants, by tensor number."""

    __slots__ = ("inputs", "net", "numbers", "shapes")

    def __init__(self, net: MnnNet, inputs: Mapping[str, Sequence[int]]) -> None:
        self.net = net
        self.inputs = inputs
        self.shapes: dict[int, Shape] = {}
        self.numbers: dict[int, tuple[int, ...]] = {}

    def first(self, op: GraphOp) -> Shape | None:
        """Shape of the first tensor that an operator reads."""
        return self.shapes.get(op.inputs[0]) if op.inputs else None


def infer_shapes(net: MnnNet, ops: Sequence[GraphOp], inputs: Mapping[str, Sequence[int]]) -> dict[int, Shape]:
    """Tensor number → shape. inputs: shapes of dynamic inputs by name. What cannot be told is left out."""
    known = _Known(net, inputs)
    for op in ops:
        rule = _RULES.get(op.type) or (_same if op.type in _SAME_SHAPE else None)
        if rule is None or not op.outputs:
            continue
        try:
            shape = rule(known, op, MnnOp(op.index, net.oplists[op.index]))
        except (IndexError, ZeroDivisionError):  # parameters that do not fit the tensors
            shape = None
        if shape is not None and len(shape.axes) <= _MAX_RANK and all(0 < d < 1 << 31 for d in shape.axes):
            known.shapes[op.outputs[0]] = shape
    return known.shapes


def _input(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    main = raw.main(Main.INPUT)
    if main is None:
        return None
    layout = DATA_FORMATS.get(main.integer(2, "b", DEFAULT_DATA_FORMAT), "UNDEFINED")
    given = known.inputs.get(known.net.tensor_name(op.outputs[0]))
    axes = tuple(given) if given is not None else main.integers(0, limit=_MAX_CONST) or ()
    if axes and axes[0] == -1:
        axes = (1, *axes[1:])  # MNN runs a first axis of -1 as 1
    return Shape(layout, axes)


def _const(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    blob = raw.main(Main.BLOB)
    if blob is None:
        return None
    if blob.count(5, 4) <= _MAX_CONST:
        numbers = blob.integers(5, limit=_MAX_CONST)
        if numbers is not None:
            known.numbers[op.outputs[0]] = numbers
    return Shape(DATA_FORMATS.get(blob.integer(1, "b"), "UNDEFINED"), blob.integers(0, limit=_MAX_CONST) or ())


def _same(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    return known.first(op)


def _broadcast(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Two tensors, aligned at the last axis; the layout is that of the one with more axes, the first where equal."""
    shapes = [known.shapes.get(i) for i in op.inputs[:2]]
    if len(shapes) < 2 or shapes[0] is None or shapes[1] is None:
        return None
    longer, shorter = sorted((shapes[0], shapes[1]), key=lambda s: -len(s.axes))
    padded = (1,) * (len(longer.axes) - len(shorter.axes)) + shorter.axes
    axes = []
    for a, b in zip(longer.axes, padded, strict=True):
        if a != b and 1 not in (a, b):
            return None
        axes.append(b if a == 1 else a)
    return Shape(longer.layout, tuple(axes))


def _convolution(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
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


def _convert(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    given, main = known.first(op), raw.main(Main.TENSOR_CONVERT)
    if given is None or main is None:
        return None
    layout, axes = DATA_FORMATS.get(main.integer(1, "b"), "UNDEFINED"), given.axes
    was_last, is_last = given.layout == "NHWC", layout == "NHWC"
    if len(axes) > 2 and was_last and not is_last:
        axes = (axes[0], axes[-1], *axes[1:-1])
    elif len(axes) > 2 and is_last and not was_last:
        axes = (axes[0], *axes[2:], axes[1])
    return Shape(layout, axes)


def _pool(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Pool: pad 0 1, isGlobal 2, kernel 3 4, stride 5 6, padType 8, ceilModel 10, pads 11 (top left bottom right)."""
    given, main = known.first(op), raw.main(Main.POOL)
    if given is None or main is None or len(given.axes) != 4:
        return None
    at = (1, 2) if given.layout == "NHWC" else (2, 3)
    axes = list(given.axes)
    if main.integer(2, "B"):
        axes[at[0]] = axes[at[1]] = 1
        return Shape(given.layout, tuple(axes))
    pads = main.integers(11, limit=_MAX_CONST)
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


def _pool_3d(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Pool3D: strides 0, kernels 1, pads 2, padType 4, isGlobal 5. Also made of 2-D global poolings."""
    given, main = known.first(op), raw.main(Main.POOL_3D)
    if given is None or main is None or len(given.axes) < 3:
        return None
    axes, offset = list(given.axes), 1 if given.layout == "NHWC" else 2
    count = len(axes) - 2
    if main.integer(5, "B"):
        axes[offset : offset + count] = [1] * count
        return Shape(given.layout, tuple(axes))
    strides, kernels = main.integers(0, limit=_MAX_CONST) or (), main.integers(1, limit=_MAX_CONST) or ()
    pads, mode = main.integers(2, limit=_MAX_CONST) or (0,) * count, main.integer(4, "b")
    for i in range(count):
        length = axes[offset + i] + (0 if mode in (PAD_SAME, PAD_VALID) else 2 * pads[i])
        axes[offset + i] = -(-length // strides[i]) if mode == PAD_SAME else (length - kernels[i]) // strides[i] + 1
    return Shape(given.layout, tuple(axes))


def _flatten(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    given, main = known.first(op), raw.main(Main.FLATTEN)
    if given is None or main is None:
        return None
    axes = given.axes
    start, end = (a + len(axes) if a < 0 else a for a in (main.integer(0, "i"), main.integer(1, "i")))
    if end == 0:
        return Shape(given.layout, (prod(axes[:start]), prod(axes[start:])))
    return Shape(given.layout, (*axes[:start], prod(axes[start : end + 1]), *axes[end + 1 :]))


def _reshape(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    given, main = known.first(op), raw.main(Main.RESHAPE)
    if given is None or main is None:
        return None
    wanted = known.numbers.get(op.inputs[1]) if len(op.inputs) > 1 else main.integers(0, limit=_MAX_CONST)
    if wanted is None:
        return None
    if len(op.inputs) > 1 and given.layout == "NC4HW4" and main.integer(1, "b") == 1:
        if len(wanted) != 4:  # MNN itself reads four numbers here
            return None
        wanted = (wanted[0], wanted[3], wanted[1], wanted[2])
    axes = [given.axes[i] if d == 0 and i < len(given.axes) else d for i, d in enumerate(wanted)]
    rest = prod(d for d in axes if d != -1)
    axes = [prod(given.axes) // rest if d == -1 else d for d in axes]
    return Shape(given.layout, tuple(axes)) if prod(axes) == prod(given.axes) else None


def _permute(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    given, main = known.first(op), raw.main(Main.PERMUTE)
    if given is None or main is None:
        return None
    order = main.integers(0, limit=_MAX_CONST)
    if order is None:
        return Shape(given.layout, given.axes[::-1])
    return Shape(given.layout, tuple(given.axes[i] for i in order)) if len(order) == len(given.axes) else None


def _concat(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    shapes = [known.shapes.get(i) for i in op.inputs]
    main, head = raw.main(Main.AXIS), known.first(op)
    if main is None or head is None:
        return None
    axis, total = main.integer(0, "i"), 0
    axis += len(head.axes) if axis < 0 else 0
    for shape in shapes:
        if shape is None or len(shape.axes) != len(head.axes) or shape.layout != head.layout:
            return None
        total += shape.axes[axis]
    return Shape(head.layout, (*head.axes[:axis], total, *head.axes[axis + 1 :]))


def _squeeze(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Squeeze drops the named axes (all of length 1 where none is named), Unsqueeze puts axes of length 1 in."""
    given, main = known.first(op), raw.main(Main.SQUEEZE)
    named = None if main is None else main.integers(0, limit=_MAX_CONST)
    if given is None or len(op.inputs) > 1:
        return None
    if op.type == OpType.SQUEEZE:
        rank = len(given.axes)
        gone = {d % rank for d in named} if named else {i for i, d in enumerate(given.axes) if d == 1}
        return Shape(given.layout, tuple(d for i, d in enumerate(given.axes) if i not in gone))
    if not named:
        return None
    rank = len(given.axes) + len(named)
    new, rest = {d % rank for d in named}, iter(given.axes)
    return Shape(given.layout, tuple(1 if i in new else next(rest, 0) for i in range(rank)))


def _reduce(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of ReductionParam: dim 1, keepDims 3; the axes may also come as a constant second input."""
    given, main = known.first(op), raw.main(Main.REDUCTION)
    if given is None or main is None:
        return None
    named = known.numbers.get(op.inputs[1]) if len(op.inputs) > 1 else main.integers(1, limit=_MAX_CONST) or ()
    if named is None:
        return None
    rank = len(given.axes)
    gone = {d % rank for d in named} if named else set(range(rank))
    if main.integer(3, "B"):
        return Shape(given.layout, tuple(1 if i in gone else d for i, d in enumerate(given.axes)))
    return Shape(given.layout, tuple(d for i, d in enumerate(given.axes) if i not in gone))


def _mat_mul(known: _Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """MatMul: transposeA 1, transposeB 2; BatchMatMul: adjX 0, adjY 1. Leading axes are broadcast."""
    shapes = [known.shapes.get(i) for i in op.inputs[:2]]
    batched = op.type == OpType.BATCH_MAT_MUL
    main = raw.main(Main.BATCH_MAT_MUL if batched else Main.MAT_MUL)
    if len(shapes) < 2 or shapes[0] is None or shapes[1] is None or main is None:
        return None
    a, b = shapes[0].axes, shapes[1].axes
    if min(len(a), len(b)) < 2 or shapes[0].layout == "NC4HW4" or shapes[1].layout == "NC4HW4":
        return None
    left, right = (main.integer(slot, "B") != 0 for slot in ((0, 1) if batched else (1, 2)))
    rows, columns = a[-1 if left else -2], b[-2 if right else -1]
    if a[-2 if left else -1] != b[-1 if right else -2]:
        return None
    longer, shorter = sorted((a[:-2], b[:-2]), key=len, reverse=True)
    padded = (1,) * (len(longer) - len(shorter)) + shorter
    return Shape(shapes[0].layout, (*map(max, longer, padded), rows, columns))


_Rule = Callable[[_Known, GraphOp, MnnOp], Shape | None]
_RULES: Final[dict[int, _Rule]] = {
    OpType.INPUT: _input,
    OpType.CONST: _const,
    OpType.TRAINABLE_PARAM: _const,
    OpType.BINARY: _broadcast,
    OpType.ELTWISE: _broadcast,
    OpType.CONVOLUTION: _convolution,
    OpType.CONVOLUTION_DEPTHWISE: _convolution,
    OpType.DECONVOLUTION: _convolution,
    OpType.DECONVOLUTION_DEPTHWISE: _convolution,
    OpType.CONV_INT8: _convolution,
    OpType.DEPTHWISE_CONV_INT8: _convolution,
    OpType.CONVERT_TENSOR: _convert,
    OpType.POOLING: _pool,
    OpType.POOL_INT8: _pool,
    OpType.POOLING_3D: _pool_3d,
    OpType.FLATTEN: _flatten,
    OpType.RESHAPE: _reshape,
    OpType.PERMUTE: _permute,
    OpType.CONCAT: _concat,
    OpType.REDUCTION: _reduce,
    OpType.MAT_MUL: _mat_mul,
    OpType.BATCH_MAT_MUL: _mat_mul,
    OpType.SQUEEZE: _squeeze,
    OpType.UNSQUEEZE: _squeeze,
}
