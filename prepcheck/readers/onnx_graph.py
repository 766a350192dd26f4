"""The graph of an ONNX model: its inputs and outputs, which operators read what, and which weights lie in other files."""

from __future__ import annotations

from dataclasses import field as default
from typing import TYPE_CHECKING, Final

from prepcheck.readers.onnx_schema import DTYPES
from prepcheck.records import dataclass
from prepcheck.wire.protobuf import Message

if TYPE_CHECKING:
    from prepcheck.contract.base import Dtype

MAX_NODES: Final = 200_000
MAX_AXES: Final = 64


@dataclass(frozen=True, slots=True)
class Value:
    """An input or output. shape: −1 for an axis that is not fixed; symbols: each axis as the file has it (`batch`, `640`)."""

    name: str
    dtype: Dtype | None = None
    shape: list[int] | None = None
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """One operator. perm: of a Transpose."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    perm: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Graph:
    """What is read of a graph. external: files that hold weights; external_tensors: how many weights lie there."""

    inputs: list[Value] = default(default_factory=list)
    outputs: list[Value] = default(default_factory=list)
    nodes: list[Node] = default(default_factory=list)
    initializers: set[str] = default(default_factory=set)
    external: set[str] = default(default_factory=set)
    external_tensors: int = 0
    consumers: dict[str, list[int]] = default(default_factory=dict)

    def readers(self, name: str) -> list[Node]:
        """The operators that read a tensor as their first input or another."""
        return [self.nodes[i] for i in self.consumers.get(name, ())]


def read_graph(message: Message) -> Graph:
    """The graph in a message. Raises CorruptError where the messages do not fit into each other."""
    graph = Graph()
    external = 0
    for field in message.fields():
        if field.number == 1:
            if len(graph.nodes) >= MAX_NODES:
                continue
            node = _node(field.message())
            for name in node.inputs:
                graph.consumers.setdefault(name, []).append(len(graph.nodes))
            graph.nodes.append(node)
        elif field.number == 5:
            name, place = _initializer(field.message())
            graph.initializers.add(name)
            if place is not None:
                graph.external.add(place)
                external += 1
        elif field.number == 11:
            graph.inputs.append(_value(field.message()))
        elif field.number == 12:
            graph.outputs.append(_value(field.message()))
    return Graph(
        graph.inputs, graph.outputs, graph.nodes, graph.initializers, graph.external, external, graph.consumers
    )


def _node(message: Message) -> Node:
    inputs: list[str] = []
    outputs: list[str] = []
    kind = ""
    perm: tuple[int, ...] | None = None
    for field in message.fields():
        if field.number == 1 and len(inputs) < 4096:
            inputs.append(field.text())
        elif field.number == 2 and len(outputs) < 4096:
            outputs.append(field.text())
        elif field.number == 4:
            kind = field.text(1024)
        elif field.number == 5 and kind in ("Transpose", ""):
            perm = _perm(field.message()) or perm
    return Node(kind, tuple(inputs), tuple(outputs), perm)


def _perm(message: Message) -> tuple[int, ...] | None:
    name, numbers = "", []
    for field in message.fields():
        if field.number == 1:
            name = field.text(1024)
            if name != "perm":
                return None
        elif field.number == 8:
            numbers += field.integers(MAX_AXES)
    return tuple(numbers) if name == "perm" and numbers else None


def _initializer(message: Message) -> tuple[str, str | None]:
    """(name, file that holds the bytes or None)."""
    name, place, outside = "", None, False
    for field in message.fields():
        if field.number == 8:
            name = field.text()
        elif field.number == 13:
            key, value = _entry(field.message())
            place = value if key == "location" else place
        elif field.number == 14:
            outside = field.integer() == 1
    return name, place if outside else None


def _entry(message: Message) -> tuple[str, str]:
    key = value = ""
    for field in message.fields():
        if field.number == 1:
            key = field.text(1024)
        elif field.number == 2:
            value = field.text(4096)
    return key, value


def _value(message: Message) -> Value:
    name = ""
    dtype: Dtype | None = None
    shape: list[int] | None = None
    symbols: list[str] = []
    for field in message.fields():
        if field.number == 1:
            name = field.text()
        elif field.number == 2:
            for kind in field.message().fields():
                if kind.number != 1:  # a sequence, a map, an optional: no tensor
                    continue
                for part in kind.message().fields():
                    if part.number == 1:
                        dtype = DTYPES.get(part.integer())
                    elif part.number == 2:
                        shape, symbols = _shape(part.message())
    return Value(name, dtype, shape, tuple(symbols))


def _shape(message: Message) -> tuple[list[int], list[str]]:
    shape: list[int] = []
    symbols: list[str] = []
    for field in message.fields():
        if field.number != 1:
            continue
        if len(shape) >= MAX_AXES:
            raise message.window.fault(field.begin, f"a tensor of more than {MAX_AXES} axes.")
        length, symbol = -1, "?"
        for part in field.message().fields():
            if part.number == 1:
                length = part.integer()
                symbol = str(length)
            elif part.number == 2:
                symbol = part.text(1024)
        shape.append(length if 0 < length < 1 << 40 else -1)
        symbols.append(symbol)
    return shape, symbols
