"""An .onnx file → its contract. Names, types and shapes are read; weights are stepped over, whatever their size.

ONNX states no layout. Where every operator that reads an input first takes N, C, H, W by definition, the layout is NCHW by
that rule; where the first thing done is a Transpose to that order, it is NHWC; else it is not known.
"""

from __future__ import annotations

import os
from typing import Final

from prepcheck.contract.contract import Contract, Note, Tensor
from prepcheck.core.dtypes import nbytes
from prepcheck.core.layouts import elements, is_static
from prepcheck.errors import CorruptError
from prepcheck.readers.notes import note
from prepcheck.readers.onnx_graph import Graph, Value, read_graph
from prepcheck.readers.onnx_schema import CHANNELS_FIRST, QUANTIZED, SAME_AXES
from prepcheck.readers.provenance import FILE
from prepcheck.wire.protobuf import Message
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window

MAX_METADATA: Final = 64
MAX_TENSORS: Final = 4096
STEPS: Final = 64
"""Operators that are followed from an input until one says what the axes are."""


def read_onnx(source: Source, name: str) -> Contract:
    """The contract. name: the model's path, beside which external data is looked for.

    Raises CorruptError (with the byte) where the messages do not fit into each other, TooLargeError over the reading budget.
    """
    graph: Graph | None = None
    fields: dict[str, str] = {}
    opsets: dict[str, int] = {}
    producer: list[str] = []
    for field in Message(Window(source)).fields():
        if field.number == 7:
            if graph is not None:
                raise CorruptError(f"{source.name}: byte {field.begin}: a second graph; a model has one.")
            graph = read_graph(field.message())
        elif field.number in (2, 3):
            producer.append(field.text(4096))
        elif field.number == 8:
            domain, version = _opset(field.message())
            opsets[domain or "ai.onnx"] = version
        elif field.number == 1:
            fields["ir_version"] = str(field.integer())
        elif field.number == 14 and len(fields) < MAX_METADATA:
            key, value = _pair(field.message())
            fields.setdefault(key, value)  # no entry of the exporter takes the place of the file's own version
    if graph is None:
        raise CorruptError(
            f"{source.name}: no graph is in the model: the file ends before it, or is another protobuf message."
        )
    for domain, version in sorted(opsets.items()):
        fields["opset" if domain == "ai.onnx" else f"opset {domain}"] = str(version)
    inputs = [v for v in graph.inputs if v.name not in graph.initializers]
    notes = _external(graph, name)
    tensors = [_tensor(v, i, _layout(graph, v)) for i, v in enumerate(inputs[:MAX_TENSORS])]
    symbols = {
        f"dims {v.name}": ", ".join(v.symbols) for v in inputs if any(not s.lstrip("-").isdigit() for s in v.symbols)
    }
    return Contract.made(
        runtime="onnx",
        toolkit=" ".join(p for p in producer if p) or None,
        quantized=any(n.kind in QUANTIZED for n in graph.nodes),
        batch=_batch(tensors),
        container=f"onnx ir {fields.get('ir_version', '?')}",
        inputs=tensors,
        outputs=[_tensor(v, i, None) for i, v in enumerate(graph.outputs[:MAX_TENSORS])],
        metadata={**fields, **symbols},
        notes=notes,
    )


def _tensor(value: Value, position: int, layout: tuple[str, str] | None) -> Tensor:
    origin = {"name": FILE}
    size = None
    if value.dtype is not None:
        origin["dtype"] = FILE
    if value.shape is not None:
        origin["shape"] = FILE
    if layout is not None:
        origin["layout"] = layout[1]
    if value.dtype is not None and value.shape is not None and is_static(value.shape):
        size = nbytes(value.dtype, elements("UNDEFINED", value.shape))
        origin["size"] = "rule:SZ-PACKED"
    return Tensor.made(
        index=position, name=value.name, layout=layout[0] if layout else None, shape=value.shape, dtype=value.dtype, scheme="none",
        size=size, provenance=origin,
    )  # fmt: skip


def _batch(tensors: list[Tensor]) -> int | None:
    """First axis of the inputs with four axes where they agree and it is fixed."""
    firsts = {t.shape[0] for t in tensors if t.shape is not None and len(t.shape) == 4}
    first = firsts.pop() if len(firsts) == 1 else -1
    return first if first > 0 else None


def _layout(graph: Graph, value: Value) -> tuple[str, str] | None:
    """(layout, rule) of an input with four axes; None where the operators that read it do not say."""
    if value.shape is None or len(value.shape) != 4:
        return None
    said: set[str] = set()
    todo, seen = [value.name], {value.name}
    for _ in range(STEPS):
        if not todo:
            break
        for node in graph.readers(todo.pop(0)):
            if node.kind == "Transpose" and node.perm is not None and len(node.perm) == 4:
                said.add(
                    "NHWC" if list(node.perm) == [0, 3, 1, 2] else "NCHW" if list(node.perm) == [0, 2, 3, 1] else "?"
                )
            elif node.kind in CHANNELS_FIRST:
                said.add("NCHW")
            elif node.kind in SAME_AXES:
                new = [o for o in node.outputs if o and o not in seen]
                seen.update(new)
                todo += new
    if said == {"NCHW"}:
        return ("NCHW", "rule:ON-AXES")
    return ("NHWC", "rule:ON-TRANSPOSE") if said == {"NHWC"} else None


def _external(graph: Graph, name: str) -> list[Note]:
    """Whether the files that hold weights are there. They stand beside the model; a path that leads elsewhere is not followed."""
    folder = os.path.dirname(os.path.abspath(name))
    absent: list[str] = []
    for place in sorted(graph.external):
        inside = place and not os.path.isabs(place) and ".." not in place.replace("\\", "/").split("/")
        try:
            there = bool(inside) and os.path.isfile(os.path.join(folder, place))
        except (OSError, ValueError):
            there = False
        if not there:
            absent.append(place[:200])
    if not absent:
        return []
    return [note("onnx_external_missing", files=absent[:16], tensors=graph.external_tensors)]


def _opset(message: Message) -> tuple[str, int]:
    domain, version = "", 0
    for field in message.fields():
        if field.number == 1:
            domain = field.text(1024)
        elif field.number == 2:
            version = field.integer()
    return domain, version


def _pair(message: Message) -> tuple[str, str]:
    texts = {1: "", 2: ""}
    for field in message.fields():
        if field.number in texts and field.wire == 2:
            cut = min(field.length, 4096)
            texts[field.number] = message.window.take(field.value, cut).decode("utf-8", "replace")
    return texts[1], texts[2]
