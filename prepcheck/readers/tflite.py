"""A .tflite file → its contract: names, shapes, types, zero points and scales, and what its metadata asks of the application."""

from __future__ import annotations

from typing import Final

from prepcheck.contract.contract import Contract, Expects, Tensor
from prepcheck.core.dtypes import integer_range, nbytes
from prepcheck.core.layouts import elements, is_static
from prepcheck.errors import CorruptError
from prepcheck.readers.provenance import FILE
from prepcheck.readers.tflite_metadata import read_metadata
from prepcheck.readers.tflite_schema import DTYPES, ON_NHWC, SAME, TRANSPOSE, Model, SubGraph, TensorSlot
from prepcheck.wire.flatbuffer import Flatbuffer, Table
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window

MAX_AXES: Final = 64
MAX_CHANNELS: Final = 65536
STEPS: Final = 64
MAX_OPERATORS: Final = 4096
"""Tensors and operators that are followed from an input until one says what the axes are."""
VERSION: Final = 3


def read_tflite(source: Source, name: str) -> Contract:
    """The contract of the first subgraph, which the interpreter runs. Raises CorruptError with the byte of what is broken."""
    root = Flatbuffer(Window(source)).root()
    version = root.integer(Model.VERSION, "I")
    if version != VERSION:
        raise root.fault(f"schema version {version}; {VERSION} is the only one that was ever written.")
    graphs = root.tables(Model.SUBGRAPHS)
    if not len(graphs):
        raise CorruptError(f"{source.name}: the model has no subgraph: it was cut or is no model.")
    graph = graphs[0]
    tensors = graph.tables(SubGraph.TENSORS)
    stated, fields = read_metadata(root, source)
    inputs = _indices(graph, SubGraph.INPUTS, len(tensors))
    outputs = _indices(graph, SubGraph.OUTPUTS, len(tensors))
    codes = _codes(root)
    found = []
    for position, index in enumerate(inputs):
        layout = _layout(graph, codes, index, tensors[index])
        said = stated.inputs[position] if position < len(stated.inputs) else None
        found.append(_tensor(tensors[index], position, layout, said))
    description = root.string(Model.DESCRIPTION, 4096)
    if description:
        fields["description"] = description
    if len(graphs) > 1:
        fields["subgraphs"] = str(len(graphs))
    shapes = [t.shape for t in found if t.shape is not None and len(t.shape) == 4]
    batches = {s[0] for s in shapes}
    return Contract.made(
        runtime="tflite",
        toolkit=fields.get("min_runtime_version") or None,
        quantized=any(t.scale is not None for t in found) or _int8_inside(codes),
        batch=next(iter(batches)) if len(batches) == 1 and min(batches) > 0 else None,
        container=f"tflite {version}",
        inputs=found,
        outputs=[_tensor(tensors[index], position, None, None) for position, index in enumerate(outputs)],
        metadata=fields,
        notes=[],
    )


def _indices(graph: Table, slot: int, count: int) -> list[int]:
    found = list(graph.integers(slot, "i", 4096) or ())
    for index in found:
        if not 0 <= index < count:
            raise graph.fault(f"tensor {index} is referred to; there are {count}.")
    return found


def _tensor(table: Table, position: int, layout: str | None, said: Expects | None) -> Tensor:
    number = table.integer(TensorSlot.TYPE, "b")
    dtype = DTYPES.get(number)
    shape = list(table.integers(TensorSlot.SHAPE, "i", MAX_AXES) or ())
    signature = list(table.integers(TensorSlot.SIGNATURE, "i", MAX_AXES) or ())
    if len(signature) == len(shape) and -1 in signature:
        shape = [s if s == -1 else d for s, d in zip(signature, shape, strict=True)]
    if any(d < -1 or d == 0 for d in shape):
        raise table.fault(f"a shape {shape} with an axis of no length.")
    origin = {"name": FILE, "shape": FILE}
    if dtype is not None:
        origin["dtype"] = FILE
    if layout is not None:
        origin["layout"] = "rule:TF-AXES"
    scale, zero = _quantization(table)
    values: dict[str, object] = {"scheme": "none"}
    if scale is not None:
        values = {"scheme": "affine", "scale": scale, "zero_point": zero}
        origin |= {"scale": FILE, "zero_point": FILE}
        codes = integer_range(dtype) if dtype is not None else None
        if codes is not None:
            values["value_range"] = [(c - zero) * scale for c in codes]
            origin["value_range"] = "rule:QT-RANGE"
    if dtype is not None and is_static(shape):
        values["size"] = nbytes(dtype, elements("UNDEFINED", shape))
        origin["size"] = "rule:SZ-PACKED"
    if said is not None:
        values["expects"] = said
        origin["expects"] = FILE
    return Tensor.made(
        index=position,
        name=table.string(TensorSlot.NAME, 65536),
        layout=layout,
        shape=shape,
        dtype=dtype,
        provenance=origin,
        **values,
    )


def _quantization(table: Table) -> tuple[float | None, int]:
    """(scale, zero point) of a tensor with one of each; (None, 0) without, or with one for each channel."""
    quant = table.table(TensorSlot.QUANTIZATION)
    if quant is None:
        return None, 0
    scales = quant.reals(TensorSlot.SCALE, "f", MAX_CHANNELS) or ()
    zeros = quant.integers(TensorSlot.ZERO_POINT, "q", MAX_CHANNELS) or ()
    if len(scales) != 1 or not scales[0] > 0 or scales[0] == float("inf"):
        return None, 0
    return scales[0], zeros[0] if zeros else 0


def _codes(root: Table) -> list[int]:
    """Built-in operator of each operator code; the old field holds those below 127, the new one all (schema.fbs)."""
    return [max(c.integer(0, "b"), c.integer(3, "i")) for c in root.tables(Model.OPERATOR_CODES, 4096)]


def _int8_inside(codes: list[int]) -> bool:
    return 114 in codes  # QUANTIZE


def _layout(graph: Table, codes: list[int], index: int, tensor: Table) -> str | None:
    """NHWC where what first reads an input with four axes takes that order by definition; NCHW where it is turned first."""
    shape = tensor.integers(TensorSlot.SHAPE, "i", MAX_AXES) or ()
    if len(shape) != 4:
        return None
    operators = graph.tables(SubGraph.OPERATORS)
    todo = {index}
    said: set[str] = set()
    for count, operator in enumerate(operators):
        if count >= MAX_OPERATORS or len(todo) > STEPS:
            break
        inputs = operator.integers(1, "i", 4096) or ()
        if not inputs or (inputs[0] not in todo and not (todo & set(inputs))):
            continue
        code = operator.integer(0, "I")
        kind = codes[code] if code < len(codes) else -1
        if kind in ON_NHWC and inputs[0] in todo:
            said.add("NHWC")
        elif kind == TRANSPOSE:
            said.add("turned")
        elif kind in SAME:
            todo |= set(operator.integers(2, "i", 4096) or ())
        if said:
            break
    return "NHWC" if said == {"NHWC"} else None
