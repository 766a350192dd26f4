"""Contracts of MNN models built slot by slot: inputs whole, calibration, odd axes, outputs, batch, usage."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Any

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError
from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_inputs import Quant
from prepcheck.wire.source import Source
from tests.readers.flat_builder import Tab
from tests.readers.mnn_parts import NC4HW4, NCHW, NHWC, const, given, ints, net, op

FILE, DEFAULT, PACKED = "file", "rule:MN-INPUT-DEFAULTS", "rule:SZ-PACKED"


def read(ops: Sequence[Tab], names: Sequence[str] = ("x", "y", "z"), **more: object) -> Contract:
    return read_mnn(Source.from_bytes(net(ops, names, **more), "m"), "m")


def dump(model: Any) -> dict[str, Any]:
    """What is not None."""
    shown: dict[str, Any] = model.model_dump(exclude_none=True)
    return shown


def notes(found: Contract) -> list[tuple[str, dict[str, Any]]]:
    return [(n.kind, dict(n.values)) for n in found.notes]


def source(number: int = 0, **slots: Any) -> Tab:
    """An Input operator with only the slots given: dims, dtype, layout."""
    main: Tab = {}
    if "dims" in slots:
        main[0] = ints(*slots["dims"])
    if "dtype" in slots:
        main[1] = ("i", slots["dtype"])
    if "layout" in slots:
        main[2] = ("b", slots["layout"])
    return op(34, (), (number,), (21, main))


def test_an_input_whole() -> None:
    found = read([source(1, dims=(2, 3, 4, 5), dtype=4, layout=1), source(0, dims=(2, 6), dtype=1, layout=0)])
    assert [dump(t) for t in found.inputs] == [
        {
            "index": 0, "name": "y", "layout": "NHWC", "shape": [2, 3, 4, 5], "dtype": "uint8", "scheme": "none",
            "size": 120, "provenance": {"layout": FILE, "dtype": FILE, "size": PACKED},
        },
        {
            "index": 1, "name": "x", "layout": "NCHW", "shape": [2, 6], "dtype": "float32", "scheme": "none",
            "size": 48, "provenance": {"layout": FILE, "dtype": FILE, "size": PACKED},
        },
    ]  # fmt: skip
    assert (found.runtime, found.container, found.quantized, found.batch) == ("mnn", "mnn", False, 2)
    assert notes(found) == [("mixed_layouts", {"names": ["y", "x"], "layouts": ["NHWC", "NCHW"]})]


def test_what_the_file_leaves_out() -> None:
    """CaffeOp.fbs, Input: dtype = DT_FLOAT, dformat = NC4HW4."""
    (tensor,) = read([source()]).inputs
    assert dump(tensor) == {
        "index": 0, "name": "x", "layout": "NC4HW4", "shape": [], "dtype": "float32", "scheme": "none", "size": 4,
        "provenance": {"layout": DEFAULT, "dtype": DEFAULT, "size": PACKED},
    }  # fmt: skip
    bare = read([op(34, (), (1,))])
    assert [dump(t) for t in bare.inputs] == [{"index": 0, "name": "y", "scheme": "none", "provenance": {}}]
    assert notes(bare) == [("input_without_parameters", {"input": 0, "name": "y"})]
    assert bare.batch is None


TYPES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 9: "int64", 10: "bool", 11: "int8",
    12: "uint8", 13: "int32", 14: "bfloat16", 15: "int16", 16: "uint16", 17: "uint16", 19: "float16",
}  # fmt: skip
"""DataType of Type.fbs."""


def test_every_element_type() -> None:
    sizes = {"float32": 4, "int32": 4, "uint8": 1, "int8": 1, "int16": 2, "uint16": 2, "bfloat16": 2, "float16": 2}
    for number in range(22):
        found = read([source(dims=(2, 3), dtype=number, layout=0)])
        (tensor,), stored = found.inputs, TYPES.get(number)
        session = {"float64": "float32", "int64": "int32", "bool": "int32"}.get(stored or "", stored)
        assert tensor.dtype == session
        assert tensor.size == (6 * sizes[session] if session else None)
        if stored is None:
            assert notes(found) == [("unknown_element_type", {"input": 0, "name": "x", "number": number})]
            assert tensor.provenance == {"layout": FILE, "dtype": FILE}
        elif stored != session:
            values = {"input": 0, "name": "x", "stored": stored, "session": session}
            assert notes(found) == [("int64_source", values)]
            assert tensor.source is not None
            assert tensor.source.dtype == stored
            assert tensor.provenance == {"layout": FILE, "dtype": "rule:MN-SESSION-TYPE", "size": PACKED}
        else:
            assert (notes(found), tensor.source) == ([], None)


@pytest.mark.parametrize(
    "dims,size,rule",
    [
        ((-1, 3, 4), 48, "rule:MN-BATCH-ONE"),
        ((-1,), 4, "rule:MN-BATCH-ONE"),
        ((2, -1), None, None),
        ((-1, -1), None, None),
        ((-1, 3, -1), None, None),
        ((7,), 28, PACKED),
    ],
)
def test_bytes_of_the_values(dims: tuple[int, ...], size: int | None, rule: str | None) -> None:
    found = read([source(dims=dims, layout=0)])
    assert (found.inputs[0].size, found.inputs[0].provenance.get("size")) == (size, rule)
    minus = [("batch_minus_one", {"input": 0, "name": "x", "dims": list(dims)})] if dims[0] == -1 else []
    assert notes(found) == minus


def test_faults_of_inputs() -> None:
    with pytest.raises(CorruptError, match="the input operator 0 writes no tensor"):
        read([op(34, (), (), (21, {}))])
    with pytest.raises(CorruptError, match="tensor 3 is referred to"):
        read([source(3)])
    assert read([source(dims=(1,) * 64, layout=0)]).inputs[0].size == 4
    with pytest.raises(CorruptError, match="at most 64 elements"):
        read([source(dims=(1,) * 65)])


# --- calibration --------------------------------------------------------------------------------------------------------------


def single(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def quant(index: int, **values: float) -> Tab:
    """TensorDescribe with TensorQuantInfo: scale, zero, min, max, type (MNN.fbs)."""
    slots = {"scale": 0, "zero": 1, "minimum": 2, "maximum": 3}
    info: Tab = {slots[k]: ("f", v) for k, v in values.items() if k in slots}
    if "type" in values:
        info[4] = ("i", values["type"])
    return {1: ("i", index), 4: info}


def test_a_calibrated_input() -> None:
    describes = [
        {1: ("i", 2)},
        quant(1, scale=0.1, zero=3.0, minimum=-100.0, maximum=90.0, type=6),
        quant(5, scale=9.0),
    ]
    found = read([source(0, dims=(1, 3)), source(1, dims=(1, 3))], s1=describes)
    plain, tensor = found.inputs
    assert (plain.scheme, plain.scale) == ("none", None)
    assert (tensor.scheme, tensor.scale, tensor.zero_point, found.quantized) == ("affine", 0.1, 3, True)
    assert tensor.value_range == pytest.approx([-10.3, 8.7])
    assert tensor.provenance == {
        "layout": DEFAULT,
        "dtype": DEFAULT,
        "scale": FILE,
        "zero_point": FILE,
        "value_range": "rule:MN-QUANT-RANGE",
        "size": PACKED,
    }
    values = {"input": 1, "name": "y", "scale": 0.1, "zero": 3.0, "min": -100.0, "max": 90.0, "type": "int8"}
    assert notes(found) == [("activations_quantized", values)]


def test_a_calibration_of_defaults() -> None:
    """MNN.fbs, TensorQuantInfo: zero 0, min -128, max 127; the type is not known where it is not stated."""
    found = read([source(0, dims=(1, 3))], s1=[{4: {0: ("f", 0.5)}}])
    assert (found.inputs[0].zero_point, found.inputs[0].value_range) == (0, [-64.0, 63.5])
    values = {"input": 0, "name": "x", "scale": 0.5, "zero": 0.0, "min": -128.0, "max": 127.0, "type": None}
    assert notes(found) == [("activations_quantized", values)]


def test_codes_and_values_of_a_calibration() -> None:
    assert Quant(2.0, 1.5, -4.0, 4.0, None).zero_point is None
    assert Quant(2.0, math.inf, -4.0, 4.0, None).zero_point is None
    assert Quant(2.0, math.nan, -4.0, 4.0, None).zero_point is None
    assert Quant(2.0, -3.0, -4.0, 4.0, None).zero_point == -3
    assert Quant(2.0, -3.0, -4.0, 4.0, None).value_range == [-2.0, 14.0]
    assert Quant(-2.0, -3.0, -4.0, 4.0, None).value_range == [-14.0, 2.0]
    assert Quant(2.0, 0.0, -math.inf, 4.0, None).value_range is None
    assert Quant(math.nan, 0.0, -4.0, 4.0, None).value_range is None


def test_more_than_100000_described_tensors_are_damage() -> None:
    data = bytearray(net([source(0, dims=(1,))], ["x"], s1=[{1: ("i", 7777)}]))
    place = bytes(data).index(struct.pack("<i", 7777))
    vector = next(
        at
        for at in range(0, place, 4)
        if struct.unpack_from("<I", data, at)[0] == 1
        and 0 < struct.unpack_from("<I", data, at + 4)[0] < place
        and at + 4 + struct.unpack_from("<I", data, at + 4)[0] + 8 > place
    )  # the list of one reference to the table that holds 7777
    for count, limit in ((100_000, "are left"), (100_001, "at most 100000 elements")):
        struct.pack_into("<I", data, vector, count)
        with pytest.raises(CorruptError, match=rf"{count} elements of 4 bytes.* {limit}"):
            read_mnn(Source.from_bytes(bytes(data), "m"), "m")


# --- axes that lie ---------------------------------------------------------------------------------------------------------------


PERMUTE: tuple[int, Tab] = (29, {0: ints(0, 3, 1, 2)})


def axes_notes(dims: tuple[int, ...], *steps: Tab, layout: int = NCHW) -> list[tuple[str, dict[str, Any]]]:
    return notes(read([given(0, dims, layout), *steps], [f"t{k}" for k in range(8)], s4=["t7"]))


def lied(consumer: str | None, transposed: bool, dims: tuple[int, ...] = (1, 8, 10, 3), layout: str = "NCHW") -> Any:
    values = {"input": 0, "name": "t0", "dims": list(dims), "layout": layout}
    return [("nhwc_dims_in_nchw", values | {"consumer": consumer, "transposed": transposed})]


def test_axes_in_nhwc_order_under_another_name() -> None:
    dims = (1, 8, 10, 3)
    assert axes_notes(dims, op(46, (0,), (1,), PERMUTE)) == lied("Permute", True)
    assert axes_notes(dims, op(47, (0,), (1,))) == lied("Pooling", False)
    assert axes_notes(dims) == lied(None, False)
    assert axes_notes(dims, op(47, (5,), (1,))) == lied(None, False)  # it reads something else
    assert axes_notes(dims, op(46, (0,), (1,), PERMUTE), layout=NC4HW4) == lied("Permute", True, layout="NC4HW4")
    assert axes_notes(dims, op(46, (0,), (1,), PERMUTE), layout=NHWC) == []
    assert axes_notes((-1, 8, 10, 3)) == [
        ("batch_minus_one", {"input": 0, "name": "t0", "dims": [-1, 8, 10, 3]}),
        *lied(None, False, (-1, 8, 10, 3)),
    ]


def test_what_looks_like_nhwc() -> None:
    """Four axes, the last 1, 3 or 4, the two before it larger than 4 or open."""
    for dims in ((1, 5, 5, 3), (1, 5, 5, 4), (1, -1, -1, 3), (1, 5, -1, 3), (9, 8, 8, 3)):
        assert axes_notes(dims) == lied(None, False, dims)
    for other in (
        (1, 4, 5, 3),
        (1, 5, 4, 3),
        (1, 5, 5, 2),
        (1, 5, 5, 5),
        (5, 5, 3),
        (1, 5, 5, 5, 3),
        (1, 5, 0, 3),
        (1, 5, 5, 1),
    ):
        assert axes_notes(other) == []
    assert axes_notes((1, 5, 5, 1), op(46, (0,), (1,), PERMUTE)) == lied("Permute", True, (1, 5, 5, 1))


def test_operators_of_images_read_axis_1_as_channels_whatever_it_is() -> None:
    """Convolution, depthwise, transposed, and the two of int8 (MNN.fbs, OpType)."""
    dims = (1, 8, 10, 3)
    for kind in (12, 13, 17, 513, 515):
        assert axes_notes(dims, op(kind, (0,), (1,))) == []
    for kind, name in ((18, "DeconvolutionDepthwise"), (10, "Concat"), (999, "op 999")):
        assert axes_notes(dims, op(kind, (0,), (1,))) == lied(name, False)


def test_only_this_order_of_axes_puts_the_channels_first() -> None:
    dims = (1, 8, 10, 3)
    for order in ((0, 2, 3, 1), (0, 3, 2, 1), (0, 3, 1), (1, 3, 1, 2), (0, 3, 1, 2, 4)):
        assert axes_notes(dims, op(46, (0,), (1,), (29, {0: ints(*order)}))) == lied("Permute", False)
    assert axes_notes(dims, op(46, (0,), (1,), (29, {}))) == lied("Permute", False)
    assert axes_notes(dims, op(46, (0,), (1,))) == lied("Permute", False)
    assert axes_notes(dims, op(47, (0,), (1,), PERMUTE)) == lied("Pooling", False)
    assert axes_notes(dims, op(46, (0,), (1,), (29, {0: ints(*range(64))}))) == lied("Permute", False)
    with pytest.raises(CorruptError, match="at most 64 elements"):
        axes_notes(dims, op(46, (0,), (1,), (29, {0: ints(*range(65))})))


def test_operators_that_leave_the_axes_are_looked_through() -> None:
    dims = (1, 8, 10, 3)
    for kind in (7, 9, 101, 129):  # BinaryOp, Cast, UnaryOp, ConvertTensor
        steps = [op(kind, (0,), (1,)), const(5, (1,)), op(46, (1,), (2,), PERMUTE)]
        assert axes_notes(dims, *steps) == lied("Permute", True)
    assert axes_notes(dims, op(7, (5, 0), (1, 4)), op(46, (1,), (2,), PERMUTE)) == lied("Permute", True)
    assert axes_notes(dims, op(7, (0,), (1, 4)), op(46, (4,), (2,), PERMUTE)) == lied(None, False)
    assert axes_notes(dims, op(7, (0,), ()), op(46, (0,), (2,), PERMUTE)) == lied("BinaryOp", False)
