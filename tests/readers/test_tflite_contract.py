"""Contracts of TFLite files against literals; slots, types and operators by tensorflow/lite/schema/schema.fbs."""

from __future__ import annotations

import math
from typing import Any

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError
from prepcheck.readers import tflite
from prepcheck.readers.tflite import read_tflite
from prepcheck.readers.tflite_schema import DTYPES, ON_NHWC, SAME, TRANSPOSE, Model, SubGraph, TensorSlot
from prepcheck.wire.source import Source
from tests.readers.flat_builder import Tab, flat

TYPES = {
    0: "float32", 1: "float16", 2: "int32", 3: "uint8", 4: "int64", 6: "bool", 7: "int16", 9: "int8", 10: "float64",
    12: "uint64", 15: "uint32", 16: "uint16", 17: "int4", 18: "bfloat16",
}  # fmt: skip
"""TensorType of schema.fbs."""
IMAGE_OPERATORS = {
    "AVERAGE_POOL_2D": 1, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 4, "DEPTH_TO_SPACE": 5, "LOCAL_RESPONSE_NORMALIZATION": 13,
    "MAX_POOL_2D": 17, "RESIZE_BILINEAR": 23, "SPACE_TO_DEPTH": 26, "BATCH_TO_SPACE_ND": 37, "SPACE_TO_BATCH_ND": 38,
    "TRANSPOSE_CONV": 67, "RESIZE_NEAREST_NEIGHBOR": 97,
}  # fmt: skip
SAME_OPERATORS = {
    "ADD": 0, "DEQUANTIZE": 6, "MUL": 18, "RELU": 19, "RELU6": 21, "PAD": 34, "SUB": 41, "DIV": 42, "CAST": 53,
    "PADV2": 60, "QUANTIZE": 114,
}  # fmt: skip
"""BuiltinOperator of schema.fbs."""
CONV = 3


def tensor(name: str, shape: tuple[int, ...], kind: int = 0, **more: Any) -> Tab:
    """shape 0, type 1, name 3; q: scale 2 and zero point 3 of the quantisation 4; signature 7."""
    made: Tab = {0: ("*i", shape), 1: ("b", kind), 3: name}
    if "scales" in more:
        quant: Tab = {2: ("*f", more["scales"])}
        made[4] = quant | ({3: ("*q", more["zeros"])} if "zeros" in more else {})
    if "signature" in more:
        made[7] = ("*i", more["signature"])
    return made


def operator(code: int, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> Tab:
    return {0: ("I", code), 1: ("*i", inputs), 2: ("*i", outputs)}


def codes(*kinds: int) -> list[Tab]:
    """The old field holds at most 127, the new one all."""
    return [{0: ("b", min(k, 127)), 3: ("i", k)} for k in kinds]


def graph(tensors: list[Tab], inputs: tuple[int, ...], outputs: tuple[int, ...], *operators: Tab) -> Tab:
    return {0: tensors, 1: ("*i", inputs), 2: ("*i", outputs), 3: list(operators)}


def root(graphs: list[Tab], kinds: list[Tab] | None = None, **more: Any) -> Tab:
    made: Tab = {0: ("I", 3), 1: kinds or codes(CONV), 2: graphs}
    return made | {int(k[1:]): v for k, v in more.items()}


def read(table: Tab) -> Contract:
    return read_tflite(Source.from_bytes(flat(table, b"TFL3"), "m.tflite"), "m.tflite")


def only(changes: Tab) -> dict[str, Any]:
    """What is known of the input of a model whose only tensor is a float vector of six with changes."""
    (found,) = read(root([graph([tensor("x", (1, 6)) | changes], (0,), ())])).inputs
    return found.model_dump(exclude_none=True)


FROM_FILE = {"name": "file", "shape": "file", "dtype": "file", "size": "rule:SZ-PACKED"}


def test_whole_contract() -> None:
    tensors = [
        tensor("out", (2, 10), 9, scales=(0.25,), zeros=(3,)),
        tensor("images", (2, 8, 12, 3), 3, scales=(0.5,), zeros=(128,)),
        tensor("vector", (2, 6), 2),
        tensor("text", (1,), 5),
    ]
    first = graph(tensors, (1, 2), (0, 3), operator(1, (1, 2), (0,)))
    got = read(root([first, first], codes(9, CONV), s3="made by hand"))
    assert got.model_dump(exclude_none=True, by_alias=True) == {
        "schema": "prepcheck/contract/v1",
        "runtime": "tflite", "quantized": True, "batch": 2, "container": "tflite 3",
        "metadata": {"description": "made by hand", "subgraphs": "2"},
        "inputs": [
            {
                "index": 0, "name": "images", "layout": "NHWC", "shape": [2, 8, 12, 3], "dtype": "uint8",
                "scheme": "affine", "scale": 0.5, "zero_point": 128, "value_range": [-64.0, 63.5], "size": 576,
                "provenance": FROM_FILE | {
                    "layout": "rule:TF-AXES", "scale": "file", "zero_point": "file", "value_range": "rule:QT-RANGE",
                },
            },
            {
                "index": 1, "name": "vector", "shape": [2, 6], "dtype": "int32", "scheme": "none", "size": 48,
                "provenance": FROM_FILE,
            },
        ],
        "outputs": [
            {
                "index": 0, "name": "out", "shape": [2, 10], "dtype": "int8", "scheme": "affine", "scale": 0.25,
                "zero_point": 3, "value_range": [-32.75, 31.0], "size": 20,
                "provenance": FROM_FILE | {"scale": "file", "zero_point": "file", "value_range": "rule:QT-RANGE"},
            },
            {
                "index": 1, "name": "text", "shape": [1], "scheme": "none",
                "provenance": {"name": "file", "shape": "file"},
            },
        ],
        "notes": [],
    }  # fmt: skip


def test_slots_of_the_schema() -> None:
    """Root: version … signature_defs; subgraph: tensors, inputs, outputs, operators; tensor: shape, type, name, …"""
    assert only({}) == {
        "index": 0, "name": "x", "shape": [1, 6], "dtype": "float32", "scheme": "none", "size": 24, "provenance": FROM_FILE,
    }  # fmt: skip
    slots = (Model.VERSION, Model.OPERATOR_CODES, Model.SUBGRAPHS, Model.DESCRIPTION, Model.BUFFERS, Model.METADATA)
    assert (*slots, Model.SIGNATURES) == (0, 1, 2, 3, 4, 6, 7)
    assert (SubGraph.TENSORS, SubGraph.INPUTS, SubGraph.OUTPUTS, SubGraph.OPERATORS) == (0, 1, 2, 3)
    own = (TensorSlot.SHAPE, TensorSlot.TYPE, TensorSlot.NAME, TensorSlot.QUANTIZATION, TensorSlot.SIGNATURE)
    assert (*own, TensorSlot.SCALE, TensorSlot.ZERO_POINT, TensorSlot.AXIS) == (0, 1, 3, 4, 7, 2, 3, 6)


def test_types_by_number() -> None:
    assert only({1: ("b", 18)})["dtype"] == "bfloat16"
    assert TYPES == DTYPES
    for number in range(20):
        assert only({1: ("b", number)}).get("dtype") == TYPES.get(number)


def test_scale_and_zero_point() -> None:
    """One scale of a positive number; the range of codes where the type has codes; else no quantisation at all."""

    def quantisation(scales: tuple[float, ...], kind: int = 9, **more: Any) -> tuple[object, ...]:
        found = only(tensor("x", (1, 6), kind, scales=scales, **more))
        return found["scheme"], found.get("scale"), found.get("zero_point"), found.get("value_range")

    none = ("none", None, None, None)
    assert quantisation((0.5,), zeros=(-128,)) == ("affine", 0.5, -128, [0.0, 127.5])
    assert quantisation((0.5,), zeros=()) == quantisation((0.5,)) == ("affine", 0.5, 0, [-64.0, 63.5])
    assert quantisation((0.5,), 0, zeros=(0,)) == ("affine", 0.5, 0, None)
    assert quantisation((0.5,), 5, zeros=(7,)) == ("affine", 0.5, 7, None)
    assert quantisation((0.5,), 7, zeros=(1 << 40,))[2] == 1 << 40
    for scales in ((), (0.0,), (-1.0,), (math.nan,), (math.inf,), (0.5, 0.25)):
        assert quantisation(scales, zeros=(0,)) == none, scales
    assert "value_range" not in only(tensor("x", (1, 6), 0, scales=(0.5,)))["provenance"]


def test_models_that_are_quantised() -> None:
    """An input with a scale, or a QUANTIZE (114) among the operators; a scale of an output alone is none."""

    def quantized(first: Tab, *kinds: int) -> bool | None:
        return read(root([graph([first], (0,), (0,))], codes(*kinds))).quantized

    plain, scaled = tensor("x", (1,)), tensor("x", (1,), 9, scales=(0.5,))
    assert not quantized(plain, CONV, 113, 115)
    assert quantized(plain, CONV, 114)
    assert quantized(scaled, CONV)
    assert not read(root([graph([plain, scaled], (0,), (1,))])).quantized


def test_open_axes_stand_in_the_signature() -> None:
    def shape(stored: tuple[int, ...], signature: tuple[int, ...]) -> tuple[object, object]:
        found = only(tensor("x", stored, signature=signature))
        return found["shape"], found.get("size")

    assert shape((1, 8, 6), (-1, 8, -1)) == ([-1, 8, -1], None)
    assert shape((1, 8, 6), (2, 9, 7)) == ([1, 8, 6], 192)
    assert shape((1, 8, 6), (-1, 8)) == ([1, 8, 6], 192)
    assert shape((-1, 8), (-1, 8)) == ([-1, 8], None)
    assert only({0: ("*i", ())})["size"] == 4
    for stored in ((0, 3), (3, -2)):
        with pytest.raises(
            CorruptError, match=rf"m\.tflite: byte .*: a shape \[{stored[0]}, {stored[1]}\] with an axis"
        ):
            only({0: ("*i", stored)})


def layout(
    *operators: Tab, kinds: tuple[int, ...] = (CONV,), shape: tuple[int, ...] = (1, 8, 12, 3), others: int = 6
) -> str | None:
    tensors = [tensor("x", shape), *[tensor("other", (1,))] * others]
    (found,) = read(root([graph(tensors, (0,), (), *operators)], codes(*kinds))).inputs
    assert ("layout" in found.provenance) is (found.layout is not None)
    return found.layout


def test_operators_that_say_the_order_of_axes() -> None:
    for name, kind in IMAGE_OPERATORS.items():
        assert layout(operator(0, (0, 1), (2,)), kinds=(kind,)) == "NHWC", name
    assert set(IMAGE_OPERATORS.values()) == ON_NHWC
    for kind in (2, 9, 22, 25, 39, 40, 98):
        assert layout(operator(0, (0, 1), (2,)), kinds=(kind,)) is None, kind
    assert layout(operator(0, (1, 0), (2,))) is None, "as weights it says nothing"
    assert layout(operator(1, (0, 1), (2,))) is None, "a code that is not there"


def test_operators_that_leave_the_axes_are_followed() -> None:
    conv = operator(0, (3, 1), (4,))
    for name, kind in SAME_OPERATORS.items():
        assert layout(operator(1, (0,), (2, 3)), conv, kinds=(CONV, kind)) == "NHWC", name
        assert layout(operator(1, (1, 0), (2, 3)), conv, kinds=(CONV, kind)) == "NHWC", name
    assert set(SAME_OPERATORS.values()) == SAME
    assert layout(operator(1, (0,), (2, 3)), conv, kinds=(CONV, 22)) is None, "a RESHAPE ends it"


def test_a_transpose_first_ends_the_search() -> None:
    turn, conv = operator(1, (0, 1), (2,)), operator(0, (0, 1), (2,))
    assert TRANSPOSE == 39
    assert layout(turn, conv, kinds=(CONV, 39)) is None
    assert layout(conv, turn, kinds=(CONV, 39)) == "NHWC"
    assert layout(operator(0, (1, 2), (3,)), operator(0, (), (0,)), conv) == "NHWC", "operators of other tensors"
    assert layout() is None
    for shape in ((1, 8, 12), (1, 8, 12, 3, 1)):
        assert layout(conv, shape=shape) is None


def test_the_search_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 tensors and 4096 operators."""
    assert (tflite.STEPS, tflite.MAX_OPERATORS) == (64, 4096)
    conv = operator(0, (0, 1), (2,))
    assert layout(operator(1, (0,), tuple(range(1, 64))), conv, kinds=(CONV, 0), others=64) == "NHWC"
    assert layout(operator(1, (0,), tuple(range(1, 65))), conv, kinds=(CONV, 0), others=64) is None
    monkeypatch.setattr(tflite, "MAX_OPERATORS", 2)
    other = operator(0, (5,), (6,))
    assert (layout(other, conv), layout(other, other, conv)) == ("NHWC", None)


def test_batch_of_inputs_that_agree() -> None:
    def batch(*shapes: tuple[int, ...]) -> int | None:
        tensors = [tensor("x", s) for s in shapes]
        return read(root([graph(tensors, tuple(range(len(shapes))), ())])).batch

    assert batch((4, 8, 8, 3), (4, 2, 2, 1), (9, 2)) == 4
    assert batch((4, 8, 8, 3), (5, 8, 8, 3)) is None
    assert batch((-1, 8, 8, 3)) is None
    assert (batch((9, 2)), batch(), batch((1, 8, 8, 3))) == (None, None, 1)


def test_old_and_new_operator_codes() -> None:
    """Files before 2020 have the old byte alone; later ones 127 there for numbers beyond it."""
    tensors = [tensor("x", (1, 8, 12, 3)), tensor("y", (1,))]
    made = graph(tensors, (0,), (1,), operator(0, (0, 1), (1,)))
    same: list[Tab] = [{0: ("b", CONV)}, {3: ("i", CONV)}, {0: ("b", 0), 3: ("i", CONV)}]
    for code in same:
        assert read(root([made], [code])).inputs[0].layout == "NHWC"
    assert read(root([made], [{0: ("b", 127), 3: ("i", 130)}])).inputs[0].layout is None


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (root([graph([tensor("x", (1,))], (1,), ())]), "tensor 1 is referred to; there are 1."),
        (root([graph([tensor("x", (1,))], (-1,), ())]), "tensor -1 is referred to; there are 1."),
        (root([graph([tensor("x", (1,))], (0,), (1,))]), "tensor 1 is referred to; there are 1."),
        (root([], s0=("I", 4)), "schema version 4; 3 is the only one that was ever written."),
        ({}, "schema version 0; 3 is the only one"),
        (root([]), "m.tflite: the model has no subgraph: it was cut or is no model."),
        (root([graph([tensor("x", (1,) * 65)], (0,), ())]), "at most 64 elements"),
        (root([graph([tensor("x", (1,), signature=(1,) * 65)], (0,), ())]), "at most 64 elements"),
        (root([graph([tensor("x", (1,))], (0,) * 4097, ())]), "at most 4096 elements"),
        (root([graph([tensor("x", (1,))], (0,), ())], s3="d" * 4097), "at most 4096 elements"),
        (root([graph([tensor("n" * 65537, (1,))], (0,), ())]), "at most 65536 elements"),
        (root([graph([tensor("x", (1,))], (0,), ())], codes(CONV) * 4097), "at most 4096 elements"),
        (root([graph([tensor("x", (1,), scales=(1.0,) * 65537)], (0,), ())]), "at most 65536 elements"),
        (root([graph([tensor("x", (1,), scales=(1.0,), zeros=(1,) * 65537)], (0,), ())]), "at most 65536 elements"),
    ],
    ids=range(14),
)
def test_contradictions_and_limits_are_named(table: Tab, words: str) -> None:
    with pytest.raises(CorruptError) as caught:
        read(table)
    assert words in caught.value.message
    assert caught.value.message.startswith("m.tflite: ")


def test_ends_of_the_limits() -> None:
    long = tensor("n" * 65536, (1,) * 64, scales=(1.0,) * 65536, zeros=(1,) * 65536, signature=(1,) * 64)
    (found,) = read(root([graph([long], (0,), ())], s3="d" * 4096)).inputs
    assert (found.name, found.shape, found.scheme) == ("n" * 65536, [1] * 64, "none")
    assert (tflite.MAX_AXES, tflite.MAX_CHANNELS, tflite.VERSION) == (64, 65536, 3)
