"""The operators of a .mnn as a graph: types, tensors, parameters of convolutions, and shapes where they can be told.

For static analysis, and for naming what a log calls by number. Read only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from prepcheck.readers.mnn_net import MnnNet, MnnOp, open_net
from prepcheck.readers.mnn_schema import EXTERNAL_SLOT, Main, OpType, op_name
from prepcheck.readers.mnn_survey import external
from prepcheck.wire.flatbuffer import Table
from prepcheck.wire.source import Source

DEPTHWISE: Final = frozenset({OpType.CONVOLUTION_DEPTHWISE, OpType.DECONVOLUTION_DEPTHWISE, OpType.DEPTHWISE_CONV_INT8})
TRANSPOSED: Final = frozenset({OpType.DECONVOLUTION, OpType.DECONVOLUTION_DEPTHWISE})

PAD_SAME: Final = 2
PAD_VALID: Final = 1
"""PadMode of a convolution and PoolPadType of a pooling; 0 is explicit padding. Source: CaffeOp.fbs."""


class _Conv:
    """Slots of Convolution2D and Convolution2DCommon. Source: CaffeOp.fbs."""

    COMMON, WEIGHT, QUAN = 0, 1, 3
    PAD_X, PAD_Y, KERNEL_X, KERNEL_Y, STRIDE_X, STRIDE_Y, DILATE_X, DILATE_Y, PAD_MODE = range(9)
    GROUP, OC, IC = 9, 10, 11
    PADS, OUT_PADS, HAS_OUTPUT_SHAPE = 14, 15, 16
    QUAN_TYPE = 2


@dataclass(frozen=True, slots=True)
class Conv:
    """Parameters of a convolution. Pairs are (x, y).

    ic: channels of the input, all groups together; 0 where neither the file nor the number of weights says it.
    pads: top, left, bottom, right. weight_kind: IDSTQuan.type of compressed weights (1 int8, 2 sparse int8, 3 float16,
    4 int8), None for plain ones. external: the weights lie in the .weight file.
    """

    kernel: tuple[int, int]
    ic: int
    oc: int
    group: int
    stride: tuple[int, int]
    dilate: tuple[int, int]
    pad_mode: int
    pads: tuple[int, int, int, int]
    out_pads: tuple[int, int]
    depthwise: bool
    transposed: bool
    weight_kind: int | None
    external: bool
    has_output_shape: bool

    @property
    def filter_ic(self) -> int:
        """Input channels of one filter: those of one group."""
        return self.ic // self.group if self.group > 1 and not self.depthwise else self.ic


@dataclass(frozen=True, slots=True)
class GraphOp:
    """One operator. inputs, outputs: tensor numbers. conv: only for convolutions."""

    index: int
    name: str
    type: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    conv: Conv | None = None

    @property
    def type_name(self) -> str:
        """Name of the operator's type."""
        return op_name(self.type)


@dataclass(frozen=True, slots=True)
class Shape:
    """Layout and axes of a tensor; NC4HW4 with the logical N, C, H, W."""

    layout: str
    axes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MnnGraph:
    """A whole model. shapes: tensor number → shape, only where it follows from the input and simple operators."""

    ops: tuple[GraphOp, ...]
    tensor_names: tuple[str, ...]
    shapes: Mapping[int, Shape] = field(default_factory=dict)

    def named(self, name: str) -> tuple[GraphOp, ...]:
        """The operators with a name, or, where none has it, those that write a tensor of that name.

        MNN's own tools print operators by name; exporters often name them by number.
        """
        found = tuple(op for op in self.ops if op.name == name)
        return found or tuple(op for op in self.ops if any(self.tensor_names[i] == name for i in op.outputs))


def read_graph(source: Source, inputs: Mapping[str, Sequence[int]] | None = None) -> MnnGraph:
    """The graph of the model in `source`.

    inputs: shapes of inputs whose axes are dynamic in the file, by name, in the file's order of axes. Raises the errors
    of `open_net`.
    """
    from prepcheck.readers.mnn_shapes import infer_shapes

    net = open_net(source)
    ops = tuple(_graph_op(net, op) for op in net.ops())
    return MnnGraph(ops, net.names, infer_shapes(net, ops, inputs or {}))


def _graph_op(net: MnnNet, op: MnnOp) -> GraphOp:
    inputs, outputs = op.inputs, op.outputs
    for number in (*inputs, *outputs):
        net.tensor_name(number)  # raises for a tensor that is not there
    main = op.main(Main.CONVOLUTION_2D)
    return GraphOp(op.index, op.name, op.type, inputs, outputs, _conv(main, op.type) if main is not None else None)


def _conv(main: Table, kind: int) -> Conv | None:
    common = main.table(_Conv.COMMON)
    if common is None:
        return None

    def pair(slot: int, default: int = 1) -> tuple[int, int]:
        return common.integer(slot, "i", default), common.integer(slot + 1, "i", default)

    kernel, stride, dilate = pair(_Conv.KERNEL_X), pair(_Conv.STRIDE_X), pair(_Conv.DILATE_X)
    group, oc = common.integer(_Conv.GROUP, "i", 1), common.integer(_Conv.OC, "i")
    if min(*kernel, *stride, *dilate, group) < 1 or oc < 0:
        raise common.fault(
            f"a convolution with kernel {kernel}, stride {stride}, dilation {dilate}, {group} groups, {oc} outputs."
        )
    weights = main.count(_Conv.WEIGHT, 4)
    taps = kernel[0] * kernel[1] * oc
    ic = common.integer(_Conv.IC, "i") or (weights // taps * group if taps and weights % taps == 0 else 0)
    pad_x, pad_y = pair(_Conv.PAD_X, 0)
    pads = common.integers(_Conv.PADS, limit=64) or ()
    out_pads = common.integers(_Conv.OUT_PADS, limit=64) or ()
    quan = main.table(_Conv.QUAN)
    return Conv(
        kernel=kernel,
        ic=max(0, ic),
        oc=oc,
        group=group,
        stride=stride,
        dilate=dilate,
        pad_mode=common.integer(_Conv.PAD_MODE, "b"),
        pads=(pads[0], pads[1], pads[2], pads[3]) if len(pads) >= 4 else (pad_y, pad_x, pad_y, pad_x),
        out_pads=(out_pads[1], out_pads[0]) if len(out_pads) >= 2 else (0, 0),
        depthwise=kind in DEPTHWISE,
        transposed=kind in TRANSPOSED,
        weight_kind=None if quan is None else quan.integer(_Conv.QUAN_TYPE, "i"),
        external=external(main, EXTERNAL_SLOT[Main.CONVOLUTION_2D]) is not None,
        has_output_shape=common.integer(_Conv.HAS_OUTPUT_SHAPE, "B") != 0,
    )
