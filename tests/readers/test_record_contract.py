"""The attributes that a recorded program queried as the contract of its model (interface §3)."""

from __future__ import annotations

import pytest

from prepcheck.readers.record_parts import Memories, Story
from prepcheck.readers.record_rknn import ATTR_V1, Context, RknnReader, contract_of
from prepcheck.wire.pcrec import JsonValue
from tests.readers.record_builder import Event, ev

INPUT: Event = ev(
    "rknn_query", ret=0, cmd=1, index=0, attr_size=376, name="images", dims=[1, 4, 6, 3], fmt=1, type=2, qnt=2, scale=0.25,
    zp=-8, size=72, w_stride=8, size_with_stride=96, fl=3,
)  # fmt: skip


def asked(*events: Event) -> Context:
    """The context of a program that made these calls."""
    reader = RknnReader(Context(1), Memories(), Story())
    assert all(reader.take(event) for event in events)
    assert reader.story.calls == []
    return reader.context


def contract(*events: Event) -> dict[str, JsonValue]:
    found = contract_of(asked(*events))
    assert found is not None
    return found


def tensor(**fields: JsonValue) -> dict[str, JsonValue]:
    """The contract of INPUT with other fields."""
    inputs = contract({**INPUT, **fields})["inputs"]
    assert isinstance(inputs, list)
    assert isinstance(inputs[0], dict)
    return inputs[0]


def test_an_affine_input() -> None:
    """int8 holds −128 … 127: (−128 + 8) · 0.25 = −30 and (127 + 8) · 0.25 = 33.75."""
    assert contract(INPUT) == {
        "runtime": "rknn",
        "inputs": [
            {
                "index": 0,
                "name": "images",
                "layout": "NHWC",
                "shape": [1, 4, 6, 3],
                "dtype": "int8",
                "scheme": "affine",
                "size": 72,
                "scale": 0.25,
                "zero_point": -8,
                "value_range": [-30.0, 33.75],
                "w_stride": 8,
                "size_with_stride": 96,
                "provenance": {
                    "shape": "record",
                    "dtype": "record",
                    "size": "record",
                    "w_stride": "record",
                    "size_with_stride": "record",
                },
            }
        ],
    }


def test_other_schemes() -> None:
    """rknn_tensor_qnt_type (rknn_api.h): NONE 0, DFP 1, AFFINE_ASYMMETRIC 2. Floats have none, whatever is written."""
    numbers = ("scale", "zero_point", "value_range", "fl")
    found = [tensor(qnt=qnt) for qnt in (0, 1, 2, 3)]
    assert [f["scheme"] for f in found] == ["none", "dynamic_fixed_point", "affine", None]
    assert [{k: f[k] for k in numbers if k in f} for f in (found[0], found[1], found[3])] == [{}, {"fl": 3}, {}]
    for number, name in ((0, "float32"), (1, "float16"), (11, "bfloat16"), (12, None), (None, None)):
        real = tensor(type=number)
        assert (real["dtype"], real["scheme"], set(numbers) & set(real)) == (name, "none", set())
    assert tensor(qnt=1, fl="x")["fl"] is None


def test_an_affine_input_without_its_numbers_has_none() -> None:
    for missing in ({"scale": None}, {"zp": None}, {"scale": float("1e301")}, {"zp": 0.5}):
        found = tensor(**missing)
        assert found["scheme"] == "affine"
        assert not {"scale", "zero_point", "value_range"} & set(found)
    assert tensor(zp=0, scale=1)["value_range"] == [-128.0, 127.0]


def test_the_types_and_layouts_of_attributes() -> None:
    """rknn_tensor_type and rknn_tensor_format of rknn_api.h 2.3.2."""
    names = [
        "float32", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "bool", "int4", "bfloat16", None,
    ]  # fmt: skip
    assert [tensor(type=n)["dtype"] for n in range(13)] == names
    assert [tensor(fmt=n)["layout"] for n in range(5)] == ["NCHW", "NHWC", "NC1HWC2", "UNDEFINED", None]


def test_an_attribute_of_which_little_is_known() -> None:
    assert contract(ev("rknn_query", ret=0, cmd=1, dims=[])) == {
        "runtime": "rknn",
        "inputs": [
            {
                "index": 0,
                "name": None,
                "layout": None,
                "shape": [],
                "dtype": None,
                "scheme": "none",
                "size": None,
                "provenance": {"shape": "record", "dtype": "record", "size": "record"},
            }
        ],
    }
    zero = tensor(w_stride=0, size_with_stride=0)
    assert not {"w_stride", "size_with_stride"} & set(zero)


def test_the_first_interface_stores_dims_from_the_last_to_the_first() -> None:
    """rknn_api.h 1.x: sizeof(rknn_tensor_attr) is 360."""
    assert ATTR_V1 == 360
    old = contract({**INPUT, "attr_size": 360, "dims": [3, 6, 4, 1]})
    assert old["runtime"] == "rknn1"
    assert old["inputs"] == [tensor()]
    assert asked({**INPUT, "attr_size": 360}).v1
    assert not asked(INPUT).v1
    assert not Context(1).v1


@pytest.mark.parametrize(
    ("cmd", "key"),
    [(1, "inputs"), (14, "inputs"), (2, "outputs"), (15, "outputs"), (8, "native_inputs"), (16, "native_inputs"),
     (9, "native_outputs"), (17, "native_outputs")],
)  # fmt: skip
def test_the_sides_of_a_query(cmd: int, key: str) -> None:
    """rknn_query_cmd: INPUT_ATTR 1, OUTPUT_ATTR 2, NATIVE_INPUT_ATTR 8, NATIVE_OUTPUT_ATTR 9, the CURRENT_ ones 14 … 17."""
    found = contract({**INPUT, "name": "in"}, {**INPUT, "cmd": cmd, "name": "other"})
    assert set(found) == {"runtime", "inputs", key}
    tensors = found[key]
    assert isinstance(tensors, list)
    assert tensors == [{**tensor(), "name": "other"}]


def test_other_queries_are_no_attributes() -> None:
    for cmd in (0, 3, 4, 5, 6, 7, 10, 11, 12, 13, 18, -1, None):
        assert contract_of(asked({**INPUT, "cmd": cmd})) is None
    assert contract_of(asked({**INPUT, "ret": -1})) is None
    assert contract_of(asked(ev("rknn_query", ret=0, cmd=1, index=0))) is None
    assert contract_of(asked({**INPUT, "cmd": 2})) is None


def test_tensors_stand_in_the_order_of_their_index_and_the_last_answer_counts() -> None:
    events: list[Event] = [
        {**INPUT, "index": 1, "name": "b"},
        {**INPUT, "index": 0, "name": "a"},
        {**INPUT, "index": 1, "name": "c"},
        {**INPUT, "cmd": 2, "index": 1, "name": "z"},
    ]
    found = contract(*events)
    inputs, outputs = found["inputs"], found["outputs"]
    assert isinstance(inputs, list)
    assert [(t["index"], t["name"]) for t in inputs if isinstance(t, dict)] == [(0, "a"), (1, "c")]
    assert outputs == [{**tensor(), "index": 1, "name": "z"}]


def test_without_every_input_there_is_no_contract() -> None:
    """A program that asks for input 1 alone leaves input 0 unknown; outputs may be asked for one by one."""
    assert contract_of(asked({**INPUT, "index": 1})) is None
    assert contract_of(asked(INPUT, {**INPUT, "index": 2})) is None
    assert contract_of(Context(1)) is None


def test_the_version_of_the_runtime() -> None:
    """RKNN_QUERY_SDK_VERSION answers as librknnrt 2.3.2 does: "2.3.2 (429f97ae6b@2025-04-09T09:09:27)"."""

    def version(text: JsonValue, ret: int = 0) -> str | None:
        return asked(ev("rknn_query", ret=ret, cmd=5, version=text)).version

    assert version("2.3.2 (429f97ae6b@2025-04-09T09:09:27)") == "2.3.2"
    assert version("librknnrt version: 1.5.1b19 (32afb0e92@2023-07-14)") == "1.5.1b19"
    assert version("10.20.30") == "10.20.30"
    assert [version(v) for v in ("2.3", "", 7)] == [None, None, None]
    assert version("2.3.2", ret=-1) is None
    assert asked(ev("rknn_query", ret=0, cmd=5)).version is None
    assert asked(INPUT, ev("rknn_query", ret=0, cmd=5, version="2.3.2")).version == "2.3.2"


def test_the_tensor_that_an_attribute_names() -> None:
    context = asked({**INPUT, "cmd": 9, "name": "x", "index": 4}, {**INPUT, "cmd": 2, "name": "x", "index": 5}, INPUT)
    assert context.tensor({"name": "x", "index": 0}) == ("output", 5)
    assert context.tensor({"name": "images", "index": 9}) == ("input", 0)
    assert context.tensor({"name": "unknown", "index": 9}) == ("input", 9)
    assert context.tensor({}) == ("input", 0)
