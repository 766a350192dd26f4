"""Models of MNN from any operators with any parameters, by slot number (MNN schema/default/*.fbs), over `flat_builder`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prepcheck.readers.mnn_graph import Conv, MnnGraph, read_graph
from prepcheck.wire.source import Source
from tests.readers.flat_builder import Tab, flat

NCHW, NHWC, NC4HW4 = 0, 1, 2
LAYOUTS = ("NCHW", "NHWC", "NC4HW4")
INPUT, CONST, UNKNOWN = 34, 11, 999


PLAIN = Conv(
    kernel=(1, 1),
    ic=0,
    oc=0,
    group=1,
    stride=(1, 1),
    dilate=(1, 1),
    pad_mode=0,
    pads=(0, 0, 0, 0),
    out_pads=(0, 0),
    depthwise=False,
    transposed=False,
    weight_kind=None,
    external=False,
    has_output_shape=False,
)
"""Defaults of Convolution2DCommon: 1 for kernel, stride, dilation and group, else 0. Source: CaffeOp.fbs."""


def ints(*values: int) -> tuple[str, tuple[int, ...]]:
    """A vector of int32."""
    return "*i", values


def op(
    kind: int,
    inputs: Sequence[int] = (),
    outputs: Sequence[int] = (),
    main: tuple[int, Tab] | None = None,
    name: str | None = "op",
) -> Tab:
    """An operator. main: (number in the union OpParameter, table)."""
    table: Tab = {0: ints(*inputs), 4: ints(*outputs), 5: ("i", kind)}
    if main is not None:
        table |= {1: ("B", main[0]), 2: main[1]}
    if name is not None:
        table[3] = name
    return table


def given(number: int, axes: Sequence[int], layout: int = NCHW) -> Tab:
    """An Input operator that writes tensor `number`."""
    return op(INPUT, outputs=(number,), main=(21, {0: ints(*axes), 1: ("i", 1), 2: ("b", layout)}))


def const(number: int, values: Sequence[int], layout: int = NCHW) -> Tab:
    """A Const operator: a list of int32."""
    blob: Tab = {0: ints(len(values)), 1: ("b", layout), 2: ("i", 3), 5: ints(*values)}
    return op(CONST, outputs=(number,), main=(7, blob))


def net(ops: Sequence[Tab], names: Sequence[str], **more: object) -> bytes:
    """A model. more: slots of Net as s0 (business code), s1, …"""
    table: Tab = {3: list(ops), 7: list(names)}
    table |= {int(slot[1:]): value for slot, value in more.items()}  # type: ignore[misc]
    return flat(table)


def graph(ops: Sequence[Tab], tensors: int, inputs: Mapping[str, Sequence[int]] | None = None) -> MnnGraph:
    """The graph of a model whose tensors are called t0, t1, …"""
    data = net(ops, [f"t{k}" for k in range(tensors)])
    return read_graph(Source.from_bytes(data, "m"), inputs or {})


def told(ops: Sequence[Tab], tensors: int, number: int) -> tuple[str, tuple[int, ...]] | None:
    """(layout, axes) of tensor `number`, None where it cannot be told."""
    found = graph(ops, tensors).shapes.get(number)
    return None if found is None else (found.layout, found.axes)


def shape(
    kind: int,
    main: tuple[int, Tab] | None,
    *axes: Sequence[int] | None,
    layouts: Sequence[int] = (),
    constant: Sequence[int] | None = None,
) -> tuple[str, tuple[int, ...]] | None:
    """Shape after one operator that reads inputs of these axes (None: an unknown one), then a constant where one is given."""
    ops: list[Tab] = []
    for number, one in enumerate(axes):
        layout = layouts[number] if number < len(layouts) else NCHW
        ops.append(given(number, one, layout) if one is not None else op(UNKNOWN, outputs=(number,)))
    reads = list(range(len(axes)))
    if constant is not None:
        ops.append(const(len(axes), constant))
        reads.append(len(axes))
    out = len(reads)
    return told([*ops, op(kind, reads, (out,), main)], out + 1, out)
