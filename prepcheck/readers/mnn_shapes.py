"""Shapes of a .mnn's tensors, from the inputs through the operators whose rule is simple; the rest stays unknown.

Measured: all 471 shapes that are told for the test models and three older benchmark models are those that a session of
MNN 3.6.1 reports for the same tensors (tests/readers/test_mnn_real.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from prepcheck.readers.mnn_graph import GraphOp, Shape
from prepcheck.readers.mnn_net import MnnNet, MnnOp
from prepcheck.readers.mnn_schema import DATA_FORMATS, DEFAULT_DATA_FORMAT, Describe, Main, Net, OpType
from prepcheck.readers.mnn_shape_axes import (
    broadcast,
    concat,
    convert,
    flatten,
    mat_mul,
    permute,
    reduced,
    reshape,
    split,
    squeeze,
)
from prepcheck.readers.mnn_shape_known import MAX_CONST, Known
from prepcheck.readers.mnn_shape_windows import convolution, pool, pool_3d

_SAME_SHAPE: Final = frozenset(
    {4, OpType.CAST, 21, 23, 37, 43, 49, 69, 70, 77, 78, 81, 85, 95, OpType.UNARY, 262, 267, 304, 514, 517, 603}
)
"""Operators whose first output is shaped like their first input: InstanceNorm Cast Dropout ELU LRN Normalize PReLU ReLU
ReLU6 Scale Selu Sigmoid Softmax TanH UnaryOp Identity BatchNorm GroupNorm Int8ToFloat FloatToInt8 LayerNorm."""


def infer_shapes(net: MnnNet, ops: Sequence[GraphOp], inputs: Mapping[str, Sequence[int]]) -> dict[int, Shape]:
    """Tensor number → shape. inputs: shapes of dynamic inputs by name. What cannot be told is left out."""
    known = Known(net, inputs)
    for number, described in described_shapes(net).items():
        known.put(number, described)
    for op in ops:
        rule = _RULES.get(op.type) or (_same if op.type in _SAME_SHAPE else None)
        if rule is None or not op.outputs:
            continue
        try:
            shape = rule(known, op, MnnOp(op.index, net.oplists[op.index]))
        except (IndexError, ZeroDivisionError):  # parameters that do not fit the tensors
            shape = None
        if op.outputs[0] not in known.shapes:  # what the file states goes before what follows
            known.put(op.outputs[0], shape)
    return known.shapes


def described_shapes(net: MnnNet) -> dict[int, Shape]:
    """Shapes that the file itself states, which static models (--saveStaticModel) do for every tensor."""
    found = {}
    for describe in net.root.tables(Net.TENSOR_DESCRIBE):
        blob = describe.table(Describe.BLOB)
        axes = None if blob is None else blob.integers(0, limit=MAX_CONST)
        if blob is not None and axes:
            layout = DATA_FORMATS.get(blob.integer(1, "b"), "UNDEFINED")
            found[describe.integer(Describe.INDEX, "i")] = Shape(layout, axes)
    return found


def _input(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    main = raw.main(Main.INPUT)
    if main is None:
        return None
    layout = DATA_FORMATS.get(main.integer(2, "b", DEFAULT_DATA_FORMAT), "UNDEFINED")
    given = known.inputs.get(known.net.tensor_name(op.outputs[0]))
    axes = tuple(given) if given is not None else main.integers(0, limit=MAX_CONST) or ()
    if axes and axes[0] == -1:
        axes = (1, *axes[1:])  # MNN runs a first axis of -1 as 1
    return Shape(layout, axes)


def _const(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    blob = raw.main(Main.BLOB)
    if blob is None:
        return None
    if blob.count(5, 4) <= MAX_CONST:
        numbers = blob.integers(5, limit=MAX_CONST)
        if numbers is not None:
            known.numbers[op.outputs[0]] = numbers
    return Shape(DATA_FORMATS.get(blob.integer(1, "b"), "UNDEFINED"), blob.integers(0, limit=MAX_CONST) or ())


def _same(known: Known, op: GraphOp, raw: MnnOp) -> Shape | None:
    return known.first(op)


_Rule = Callable[[Known, GraphOp, MnnOp], Shape | None]
_RULES: Final[dict[int, _Rule]] = {
    OpType.INPUT: _input,
    OpType.CONST: _const,
    OpType.TRAINABLE_PARAM: _const,
    OpType.BINARY: broadcast,
    OpType.ELTWISE: broadcast,
    OpType.CONVOLUTION: convolution,
    OpType.CONVOLUTION_DEPTHWISE: convolution,
    OpType.DECONVOLUTION: convolution,
    OpType.DECONVOLUTION_DEPTHWISE: convolution,
    OpType.CONV_INT8: convolution,
    OpType.DEPTHWISE_CONV_INT8: convolution,
    OpType.CONVERT_TENSOR: convert,
    OpType.POOLING: pool,
    OpType.POOL_INT8: pool,
    OpType.POOLING_3D: pool_3d,
    OpType.FLATTEN: flatten,
    OpType.RESHAPE: reshape,
    OpType.PERMUTE: permute,
    OpType.CONCAT: concat,
    OpType.REDUCTION: reduced,
    OpType.MAT_MUL: mat_mul,
    OpType.BATCH_MAT_MUL: mat_mul,
    OpType.SLICE: split,
    OpType.SQUEEZE: squeeze,
    OpType.UNSQUEEZE: squeeze,
}
