"""ONNX graphs, message by message (field numbers of onnx.proto3): values, operators, weights, and what is passed over."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from prepcheck.errors import CorruptError
from prepcheck.readers import onnx_graph
from prepcheck.readers.onnx_graph import Graph, Node, Value, read_graph
from prepcheck.readers.onnx_schema import DTYPES
from prepcheck.wire.protobuf import Message
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window
from tests.readers.onnx_builder import blob, number, value_info

TYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16", 22: "int4",
}  # fmt: skip
"""TensorProto.DataType of onnx.proto3: FLOAT 1, UINT8 2, … INT4 22."""


def graph(data: bytes) -> Graph:
    return read_graph(Message(Window(Source.from_bytes(data, "m.onnx"))))


def value(info: bytes) -> Value:
    """An input; outputs are read alike."""
    (found,) = graph(blob(11, info)).inputs
    assert graph(blob(12, info)).outputs == [found]
    return found


def operator(data: bytes) -> Node:
    (found,) = graph(blob(1, data)).nodes
    return found


def ints(name: str, *values: int, packed: bool = False) -> bytes:
    """AttributeProto: name 1, ints 8."""
    if packed:
        return blob(5, blob(1, name) + blob(8, b"".join(number(1, v)[1:] for v in values)))
    return blob(5, blob(1, name) + b"".join(number(8, v) for v in values))


def test_types_by_number() -> None:
    assert value(value_info("x", 22, [1])).dtype == "int4"
    assert TYPES == DTYPES
    for code in range(24):
        assert value(value_info("x", code, [1])).dtype == TYPES.get(code)


def test_axes_fixed_open_and_named() -> None:
    got = value(value_info("x", 1, [1, "height", 0, 640, -1, 1 << 40, (1 << 40) - 1]))
    assert got == Value(
        "x", "float32", [1, -1, -1, 640, -1, -1, (1 << 40) - 1],
        ("1", "height", "0", "640", "-1", str(1 << 40), str((1 << 40) - 1)),
    )  # fmt: skip
    dims = blob(1, b"") + number(3, 5) + blob(1, number(3, 7)) + blob(1, number(1, 4) + blob(2, "four"))
    got = value(blob(1, "y") + blob(2, blob(1, number(1, 2) + blob(2, dims))))
    assert got == Value("y", "uint8", [-1, -1, 4], ("?", "?", "four"))
    assert value(value_info("s", 1, [])) == Value("s", "float32", [], ())
    assert value(value_info("s", 1, None)) == Value("s", "float32", None, ())


def test_values_that_are_no_tensors() -> None:
    """A sequence (4) or a map (5) in TypeProto has no type of ours; other fields are passed over."""
    assert value(blob(1, "x") + blob(2, blob(4, number(1, 1)))) == Value("x")
    assert value(blob(2, blob(4, number(1, 1)) + blob(1, number(1, 7))) + blob(3, "doc") + blob(1, "x")) == Value(
        "x", "int64"
    )
    assert value(b"") == Value("")


def test_at_most_64_axes() -> None:
    assert len(value(value_info("x", 1, [1] * 64)).shape or ()) == 64
    with pytest.raises(CorruptError, match=r"^m\.onnx: byte \d+ .*: a tensor of more than 64 axes\."):
        value(value_info("x", 1, [1] * 65))


def named(inputs: Sequence[str], outputs: Sequence[str], kind: str) -> bytes:
    return b"".join(blob(1, i) for i in inputs) + b"".join(blob(2, o) for o in outputs) + blob(4, kind)


def test_operators_and_who_reads_what() -> None:
    nodes = [named(["a", "b"], ["c"], "Add"), named(["c", "a"], ["d", "e"], "Mul"), named([], [], "Nop")]
    got = graph(b"".join(blob(1, n) for n in nodes) + blob(2, "name") + blob(10, "doc"))
    first, second, third = got.nodes
    assert first == Node("Add", ("a", "b"), ("c",))
    assert second == Node("Mul", ("c", "a"), ("d", "e"))
    assert third == Node("Nop", (), ())
    assert got.consumers == {"a": [0, 1], "b": [0], "c": [1]}
    assert (got.readers("a"), got.readers("c"), got.readers("e")) == ([first, second], [second], [])
    assert (got.inputs, got.outputs, got.initializers, got.external, got.external_tensors) == ([], [], set(), set(), 0)


def test_perm_of_a_transpose() -> None:
    turn = named(["a"], ["b"], "Transpose")
    assert operator(turn + ints("perm", 0, 3, 1, 2)).perm == (0, 3, 1, 2)
    assert operator(turn + ints("perm", 0, 3, 1, 2, packed=True)).perm == (0, 3, 1, 2)
    assert operator(ints("perm", 0, 2, 1) + turn).perm == (0, 2, 1), "the kind may follow"
    assert operator(turn + ints("perm", 1, 0) + ints("axes", 3)).perm == (1, 0)
    assert operator(turn + ints("axes", 1, 0)).perm is None
    assert operator(turn + ints("perm")).perm is None
    assert operator(turn + blob(5, number(8, 1))).perm is None
    assert operator(named(["a"], ["b"], "Conv") + ints("perm", 1, 0)).perm is None
    assert operator(turn).perm is None
    assert operator(turn + ints("perm", *range(64), packed=True)).perm == tuple(range(64))
    with pytest.raises(CorruptError):
        operator(turn + ints("perm", *range(65), packed=True))


def test_operators_and_their_ends_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (onnx_graph.MAX_NODES, onnx_graph.MAX_AXES) == (200_000, 64)
    monkeypatch.setattr(onnx_graph, "MAX_NODES", 2)
    node = blob(1, named(["a"], ["b"], "Add"))
    got = graph(node * 3 + blob(11, value_info("x", 1, [1])))
    assert (len(got.nodes), got.consumers, len(got.inputs)) == (2, {"a": [0, 1]}, 1)
    many = operator(named(["i"] * 4097, ["o"] * 4097, "Concat"))
    assert (len(many.inputs), len(many.outputs), many.kind) == (4096, 4096, "Concat")


def test_weights_inside_and_in_other_files() -> None:
    """TensorProto: name 8, external_data 13 (key 1, value 2), data_location 14 (1 is outside)."""

    def entry(key: str, text: str) -> bytes:
        return blob(13, blob(1, key) + blob(2, text))

    outside = number(14, 1)
    weights = [
        number(1, 3) + blob(8, "inside"),
        blob(8, "b") + entry("location", "w.bin") + entry("offset", "64") + outside,
        outside + entry("length", "5") + entry("location", "v.bin") + blob(8, "c"),
        blob(8, "d") + entry("location", "w.bin") + outside,
        blob(8, "e") + entry("location", "not used") + number(14, 0),
        blob(8, "f") + entry("offset", "64") + outside,
        blob(8, "g") + blob(13, blob(2, "turned.bin") + number(3, 1) + blob(1, "location")) + outside,
        blob(8, "h") + entry("location", "not used") + number(14, 2),
        blob(8, "i") + blob(13, blob(1, "location")) + outside,
    ]
    got = graph(b"".join(blob(5, w) for w in weights))
    assert got.initializers == {"inside", *"bcdefghi"}
    assert (got.external, got.external_tensors) == ({"w.bin", "v.bin", "turned.bin", ""}, 5)


def test_texts_beyond_their_limits_are_named() -> None:
    """Kinds, attribute names, keys and symbols have at most 1024 bytes, places of files 4096."""
    for good, bad in (
        (blob(1, blob(4, "k" * 1024)), blob(1, blob(4, "k" * 1025))),
        (blob(1, ints("a" * 1024)), blob(1, ints("a" * 1025))),
        (blob(5, blob(13, blob(1, "k" * 1024))), blob(5, blob(13, blob(1, "k" * 1025)))),
        (blob(5, blob(13, blob(2, "p" * 4096))), blob(5, blob(13, blob(2, "p" * 4097)))),
        (blob(11, value_info("x", 1, ["s" * 1024])), blob(11, value_info("x", 1, ["s" * 1025]))),
    ):
        graph(good)
        with pytest.raises(CorruptError, match=r"m\.onnx: byte"):
            graph(bad)
