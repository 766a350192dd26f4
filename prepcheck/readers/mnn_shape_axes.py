"""Shapes after operators of a .mnn that move, join, split or drop axes. Each rule gives the first output's shape, or None.

Sources: MNN source/shape/Shape{BinaryOp,TensorConvert,Reshape,Permute,Concat,Slice,Squeeze,Reduction,MatMul}.cpp.
"""

from __future__ import annotations

from math import prod

from prepcheck.readers.mnn_graph import GraphOp, Shape
from prepcheck.readers.mnn_net import MnnOp
from prepcheck.readers.mnn_schema import DATA_FORMATS, Main, OpType
from prepcheck.readers.mnn_shape_known import MAX_CONST, Known


def broadcast(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
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


def flatten(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Flatten: axis 0, endAxis 1 (0 = the two-axes form of ONNX)."""
    given, main = known.first(op), raw.main(Main.FLATTEN)
    if given is None or main is None:
        return None
    axes = given.axes
    start, end = (a + len(axes) if a < 0 else a for a in (main.integer(0, "i"), main.integer(1, "i")))
    if end == 0:
        return Shape(given.layout, (prod(axes[:start]), prod(axes[start:])))
    return Shape(given.layout, (*axes[:start], prod(axes[start : end + 1]), *axes[end + 1 :]))


def reshape(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Reshape: dims 0, dimType 1; or a constant second input. 0 keeps an axis, -1 takes the rest."""
    given, main = known.first(op), raw.main(Main.RESHAPE)
    if given is None or main is None:
        return None
    wanted = known.numbers.get(op.inputs[1]) if len(op.inputs) > 1 else main.integers(0, limit=MAX_CONST)
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


def permute(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slot of Permute: dims 0; without it the axes are reversed."""
    given, main = known.first(op), raw.main(Main.PERMUTE)
    if given is None or main is None:
        return None
    order = main.integers(0, limit=MAX_CONST)
    if order is None:
        return Shape(given.layout, given.axes[::-1])
    return Shape(given.layout, tuple(given.axes[i] for i in order)) if len(order) == len(given.axes) else None


def concat(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slot of Axis: axis 0."""
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


def split(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of Slice: axis 0, slicePoints 1, sourceType 2 (0 Caffe: the points are positions, else they are lengths)."""
    given, main = known.first(op), raw.main(Main.SLICE)
    points = None if main is None else main.integers(1, limit=MAX_CONST)
    if given is None or main is None or points is None or len(op.inputs) > 1:
        return None
    axis = main.integer(0, "i") % len(given.axes)
    total = given.axes[axis]
    if main.integer(2, "b") == 0:
        ends = (*points, total)
        lengths = [end - start for start, end in zip((0, *points), ends, strict=True)]
    elif len(points) > 1:
        rest = total - sum(d for d in points if d != -1)
        lengths = [rest if d == -1 else d for d in points]
    else:  # one number means a count or a length, by framework and version
        return None
    parts = [Shape(given.layout, (*given.axes[:axis], d, *given.axes[axis + 1 :])) for d in lengths]
    if len(parts) < len(op.outputs):
        return None
    for number, part in zip(op.outputs[1:], parts[1:], strict=False):
        known.put(number, part)
    return parts[0]


def squeeze(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Squeeze drops the named axes (all of length 1 where none is named), Unsqueeze puts axes of length 1 in.

    The axes are SqueezeParam's dims or a constant second input.
    """
    given, main = known.first(op), raw.main(Main.SQUEEZE)
    if len(op.inputs) > 1:
        named = known.numbers.get(op.inputs[1])
    else:
        named = () if main is None else main.integers(0, limit=MAX_CONST) or ()
    if given is None or named is None:
        return None
    if op.type == OpType.SQUEEZE:
        rank = len(given.axes)
        gone = {d % rank for d in named} if named else {i for i, d in enumerate(given.axes) if d == 1}
        return Shape(given.layout, tuple(d for i, d in enumerate(given.axes) if i not in gone))
    rank = len(given.axes) + len(named)
    new, rest = {d % rank for d in named}, iter(given.axes)
    return Shape(given.layout, tuple(1 if i in new else next(rest, 0) for i in range(rank))) if named else None


def reduced(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Slots of ReductionParam: dim 1, keepDims 3; the axes may also come as a constant second input."""
    given, main = known.first(op), raw.main(Main.REDUCTION)
    if given is None or main is None:
        return None
    named = known.numbers.get(op.inputs[1]) if len(op.inputs) > 1 else main.integers(1, limit=MAX_CONST) or ()
    if named is None:
        return None
    rank = len(given.axes)
    gone = {d % rank for d in named} if named else set(range(rank))
    if main.integer(3, "B"):
        return Shape(given.layout, tuple(1 if i in gone else d for i, d in enumerate(given.axes)))
    return Shape(given.layout, tuple(d for i, d in enumerate(given.axes) if i not in gone))


def mat_mul(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
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


def convert(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    """Layout conversion: only NHWC orders its axes differently."""
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
