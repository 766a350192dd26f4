"""The flatbuffer of an RKNN2 model: the few tables that describe inputs and outputs, as they stand in the file.

Everything is checked that a damaged byte could make impossible: types, dims, scales, sizes, counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from prepcheck.core.float32 import shortest
from prepcheck.readers.rknn2_schema import DTYPES, INT4_WEIGHTS, Slots
from prepcheck.readers.rknn_json import MAX_RANK, MAX_TENSORS, check_dims
from prepcheck.records import dataclass
from prepcheck.wire.flatbuffer import Flatbuffer, Table
from prepcheck.wire.window import Window

MAX_GRAPHS: Final = 1024
MAX_SHAPES: Final = 1 << 14
"""Inputs and outputs of all graphs together; of graphs after the first only the dims are read."""
MAX_SCANNED: Final = 4096
MAX_CHANNELS: Final = 1 << 16
MAX_NORMS: Final = 1 << 20
"""Means and stds of all inputs together: converting a million takes about a second."""
MAX_QPARAMS: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class RawTensor:
    """A tensor table. dims: the original network's order; native: as the NPU lays it out.

    layout: 64 native, 1 NHWC, 2 NCHW, 0 none. nbytes: with stride, of one batch element set. alignment: pixels, 0 where
    none is stored; strided: whether the file marks the tensor as NHWC with padded rows. scale, zero_point: the first of
    the list (inputs have one, also with quantized_method "channel"), None where not quantised. limits: minimum and
    maximum after zero was pulled in, or None.
    """

    name: str
    dtype: str
    layout: int
    dims: tuple[int, ...]
    native: tuple[int, ...]
    scale: float | None
    zero_point: int | None
    nbytes: int
    alignment: int
    strided: bool
    limits: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Norm:
    """Mean and std that the runtime applies, as stored: four for one to four channels, else one per channel."""

    mean: tuple[float, ...]
    std: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Root:
    """What the root table says, and the inputs and outputs of its first graph. shapes: dims of every input by graph."""

    level: int
    tag: str
    generator: str
    compiler: int
    build: str
    target: str
    origin: str
    custom_string: str
    input_json: str | None
    output_json: str | None
    batch: str | None
    custom_op: str
    inputs: tuple[RawTensor, ...]
    outputs: tuple[RawTensor, ...]
    norms: tuple[Norm, ...]
    input_shapes: tuple[tuple[tuple[int, ...], ...], ...]
    output_shapes: tuple[tuple[tuple[int, ...], ...], ...]
    quantized: bool


def read_root(window: Window, slots: Slots) -> Root:
    """Everything the contract needs of a flatbuffer that begins at the window's first byte. Raises CorruptError."""
    buffer = Flatbuffer(window)
    if buffer.identifier() != b"RKNN":
        raise window.fault(4, f"the flatbuffer is marked {buffer.identifier()!r}, RKNN is expected.")
    root = buffer.root()
    graphs = root.tables(2, MAX_GRAPHS)
    if not graphs:
        raise root.fault("the model has no graph.")
    first = graphs[0]
    ends = [(_numbers(graph, 2), _numbers(graph, 3)) for graph in graphs]
    counts = [len(i) + len(o) for i, o in ends]
    if counts[0] > MAX_TENSORS or sum(counts) > MAX_SHAPES:
        raise root.fault(
            f"{counts[0]} inputs and outputs, {sum(counts)} in all graphs; at most {MAX_TENSORS} and {MAX_SHAPES} are read."
        )
    inputs = tuple(_tensor(first, n, slots) for n in ends[0][0])
    outputs = tuple(_tensor(first, n, slots) for n in ends[0][1])
    if not inputs:
        raise first.fault("the graph has no input.")

    def string(slot: int | None) -> str | None:
        return None if slot is None else root.string(slot)

    return Root(
        level=root.integer(0, "i"),
        tag=root.string(1) or "",
        generator=root.string(3) or "",
        compiler=root.integer(slots.compiler, "i"),
        build=root.string(slots.build) or "",
        target=(root.string(slots.target) or "").lower(),
        origin=root.string(slots.origin) or "",
        custom_string=root.string(slots.custom_string) or "",
        input_json=string(slots.input_json),
        output_json=string(slots.output_json),
        batch=string(slots.batch),
        custom_op=string(slots.custom_op) or "",
        inputs=inputs,
        outputs=outputs,
        norms=_norms(first),
        input_shapes=_shapes(graphs, [i for i, _ in ends]),
        output_shapes=_shapes(graphs, [o for _, o in ends]),
        quantized=any(t.scale is not None for t in (*inputs, *outputs)) or _quantized_inside(first, slots),
    )


def _numbers(graph: Table, slot: int) -> tuple[int, ...]:
    """Tensor numbers of a graph's inputs (slot 2) or outputs (slot 3)."""
    return graph.integers(slot, "i", MAX_TENSORS) or ()


def _at(graph: Table, number: int) -> Table:
    """The tensor table with a number."""
    tensors = graph.tables(0)
    if not 0 <= number < len(tensors):
        raise graph.fault(f"tensor {number} is named as an input or output; the graph has {len(tensors)} tensors.")
    return tensors[number]


def _dims(table: Table, slot: int, what: str) -> tuple[int, ...]:
    where = f"{table.buffer.window.source.name}: the tensor at byte {table.buffer.window.start + table.at} ({what})"
    return check_dims(where, table.integers(slot, "i", MAX_RANK) or ())


def _finite(table: Table, values: Sequence[float] | None, what: str) -> Sequence[float]:
    """The floats; CorruptError for NaN and infinities."""
    for v in values or ():
        if not math.isfinite(v):
            raise table.fault(f"{what} is {v}, which no toolkit writes.")
    return values or ()


def _tensor(graph: Table, number: int, slots: Slots) -> RawTensor:
    """One input or output. Raises CorruptError for what cannot be: types, dims, scales, sizes."""
    table = _at(graph, number)
    code = table.integer(0, "b")
    if code not in DTYPES:
        raise table.fault(f"the element type is {code}; known are {', '.join(map(str, DTYPES))}.")
    nbytes, alignment = table.integer(slots.nbytes, "i"), 0
    if slots.alignment is not None:
        alignment = table.integer(slots.alignment, "i")
    if nbytes < 0 or not 0 <= alignment <= 4096:
        raise table.fault(f"{nbytes} bytes and rows aligned to {alignment} pixels cannot be.")
    scales = _finite(table, table.reals(slots.scale, "f", MAX_QPARAMS), "a scale")
    zero_points = table.integers(slots.zero_point, "i", MAX_QPARAMS) or ()
    if scales and min(scales) < 0:
        raise table.fault(f"a scale is {min(scales)}, which no toolkit writes.")
    return RawTensor(
        name=table.string(5) or "",
        dtype=DTYPES[code],
        layout=table.integer(1, "b"),
        dims=_dims(table, 4, "model shape"),
        native=_dims(table, 3, "native shape"),
        scale=shortest(scales[0]) if scales else None,
        zero_point=zero_points[0] if zero_points else None,
        nbytes=nbytes,
        alignment=alignment,
        strided=table.has(slots.strided),
        limits=_limits(table, slots),
    )


def _limits(table: Table, slots: Slots) -> tuple[float, float] | None:
    if slots.minimum is None or slots.maximum is None:
        return None
    low = _finite(table, table.reals(slots.minimum, "f", MAX_QPARAMS), "a minimum")
    high = _finite(table, table.reals(slots.maximum, "f", MAX_QPARAMS), "a maximum")
    return (min(low), max(high)) if low and high else None


def _norms(graph: Table) -> tuple[Norm, ...]:
    """The normalisation tables. A std of 0 is left for the rules; NaN is not."""
    found, total = [], 0
    for table in graph.tables(4, MAX_TENSORS):
        total += table.count(0, 4) + table.count(1, 4)
        if total > MAX_NORMS:
            raise table.fault(f"means and stds are more than {MAX_NORMS} in all.")
        found.append(
            Norm(
                mean=_typed(_finite(table, table.reals(0, "f", MAX_CHANNELS), "a mean")),
                std=_typed(_finite(table, table.reals(1, "f", MAX_CHANNELS), "a std")),
            )
        )
    return tuple(found)


def _typed(values: Sequence[float]) -> tuple[float, ...]:
    """The floats as they were typed. Lists mostly repeat one number, so each is converted once."""
    known = {v: shortest(v) for v in set(values)}
    return tuple(known[v] for v in values)


def _shapes(graphs: Sequence[Table], numbers: list[tuple[int, ...]]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For every input (or output) its dims in each graph; empty for one graph or where graphs have unlike numbers."""
    if len(graphs) < 2 or len({len(n) for n in numbers}) != 1:
        return ()
    by_graph = [[_dims(_at(g, n), 4, "model shape") for n in own] for g, own in zip(graphs, numbers, strict=True)]
    return tuple(zip(*by_graph, strict=True))


def _quantized_inside(graph: Table, slots: Slots) -> bool:
    """Whether any of the first MAX_SCANNED tensors is quantised: intermediates have a scale, 4-bit weights their own type."""
    tensors = graph.tables(0)
    for k in range(min(len(tensors), MAX_SCANNED)):
        kind, code = tensors[k].integer(2, "b"), tensors[k].integer(0, "b")
        if code == INT4_WEIGHTS or (kind == 3 and tensors[k].count(slots.scale, 4)):
            return True
    return False
