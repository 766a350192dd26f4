"""RKNN2 files as a whole: what of the root, the JSON part and the texts ends up where in the contract."""

from __future__ import annotations

import json
import struct
from typing import Any

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError
from prepcheck.readers.rknn2 import MAX_BATCH, read_rknn2
from prepcheck.readers.rknn2_schema import FULL, MINI, Slots
from prepcheck.readers.rknn_container import read_container
from prepcheck.wire.source import Source
from tests.readers.flat_builder import Tab, flat

IN_JSON = '{"a": {"dtype": "uint8", "layout": "NCHW"}, "b": {"dtype": "odd", "layout": 3}, "c": 7}'
OUT_JSON = '{"out": {"dtype": "float32", "layout": "NCHW"}}'
GENERATOR = "{'attrs': {'a': {'layout_ori': 'nchw', 'dtype': 'uint8', 'rgb2bgr': False}, 'out': {'dtype': 'float16'}}}"


def tensor(name: str, dims: tuple[int, ...], native: tuple[int, ...], layout: int = 64, **more: Any) -> Tab:
    made: Tab = {0: ("b", 3), 1: ("b", layout), 3: ("*i", native), 4: ("*i", dims), 5: name, 10: ("*f", (0.5,))}
    return made | {11: ("*i", (-128,))} | {int(k[1:]): v for k, v in more.items()}


def image(name: str = "a") -> Tab:
    return tensor(name, (1, 3, 20, 36), (1, 1, 20, 36, 3), s12=("i", 2880), s20=("i", 16))


def vector(name: str = "b", length: int = 6) -> Tab:
    return tensor(name, (1, length), (1, length), 0, s12=("i", 16))


def out(height: int = 20) -> Tab:
    return tensor("out", (1, 8, height, 36), (1, 1, height, 36, 16), s12=("i", 16 * height * 36))


def graph(tensors: list[Tab], inputs: int = 2) -> Tab:
    count = len(tensors)
    norm: Tab = {0: ("*f", (1.0,) * 4), 1: ("*f", (2.0,) * 4)}
    return {0: tensors, 2: ("*i", tuple(range(inputs))), 3: ("*i", tuple(range(inputs, count))), 4: [norm]}


def root(**more: Any) -> Tab:
    made: Tab = {
        0: ("i", 6), 1: "RKNPU v2", 2: [graph([image(), vector(), out()])], 3: GENERATOR, 6: ("i", 20513), 7: "2.5.0(x)",
        8: "RK3588", 9: "ONNX", 11: "mine", 12: IN_JSON, 13: OUT_JSON, 14: "2", 21: "op.so",
    }  # fmt: skip
    return made | {int(k[1:]): v for k, v in more.items()}


def rows(*sizes: tuple[str, tuple[int, ...]], outputs: int = 1, **more: Any) -> dict[str, Any]:
    """A JSON part: the last entries are outputs."""
    last = len(sizes) - outputs
    return {
        "version": "2.5.1",
        "ori_network_platform": "tflite",
        "norm_tensor": [
            {"tensor_id": k, "url": n, "size": list(s), "dtype": {"qnt_type": "int8", "vx_type": "int8"}}
            for k, (n, s) in enumerate(sizes)
        ],
        "graph": [
            {"left": "output" if k >= last else "input", "left_tensor_id": k - last if k >= last else k,
             "right": "norm_tensor", "right_tensor_id": k}
            for k in range(len(sizes))
        ],
        "target_platform": ["rk3588"],
    } | more  # fmt: skip


AS_GRAPH = rows(("a", (1, 3, 20, 36)), ("b", (1, 6)), ("out", (1, 8, 20, 36)))


def file(payload: bytes, table: dict[str, Any], version: int = 6, extra: bytes = b"") -> bytes:
    text = json.dumps(table).encode()
    head = b"RKNN" + bytes(4) + struct.pack("<QQ", version, len(payload)) + bytes(40)
    return head + payload + struct.pack("<Q", len(text)) + text + extra


def read(data: bytes) -> Contract:
    source = Source.from_bytes(data, "s.rknn")
    return read_rknn2(source, read_container(source), "m.rknn")


def full(table: dict[str, Any] = AS_GRAPH, version: int = 6, extra: bytes = b"", **more: Any) -> Contract:
    return read(file(flat(root(**more), b"RKNN"), table, version, extra))


def mini(size: int | None = None, before: bytes = bytes(100), version: int = 0x1004) -> bytes:
    """A mini for rv1106: its payload's own header, code, then the flatbuffer."""
    picture: Tab = {
        0: ("b", 3), 1: ("b", 64), 3: ("*i", (1, 1, 20, 36, 3)), 4: ("*i", (1, 3, 20, 36)), 5: "a", 6: ("*f", (0.5,)),
        7: ("*i", (-128,)), 8: ("i", 2880), 12: ("*f", (0.5,)),
    }  # fmt: skip
    result: Tab = picture | {3: ("*i", (1, 1, 20, 36, 16)), 4: ("*i", (1, 8, 20, 36)), 5: "out"}
    buffer = flat({0: ("i", 7), 1: "RKNPU t3", 2: [graph([picture, result], 1)], 6: "RV1106"}, b"RKNN")
    payload = struct.pack("<I", len(buffer) if size is None else size) + bytes(60) + before + buffer
    return file(payload, rows(("a", (1, 3, 20, 36)), ("out", (1, 8, 20, 36)), target_platform=["RV1106"]), version)


def kinds(contract: Contract) -> list[tuple[str, dict[str, Any]]]:
    return [(n.kind, n.values) for n in contract.notes]


def test_whole_contract() -> None:
    got = full()
    assert got.model_dump(by_alias=True, exclude={"inputs", "outputs"}) == {
        "schema": "prepcheck/contract/v1",
        "runtime": "rknn",
        "platforms": ["rk3588"],
        "toolkit": "2.5.1",
        "custom_string": "mine",
        "quantized": True,
        "batch": 2,
        "container": "rknn2-full v6",
        "metadata": {
            "npu": "RKNPU v2", "target": "rk3588", "origin": "ONNX", "compiler": "2.5.13", "build": "2.5.0(x)",
            "custom_op": "op.so", "format_level": "6",
        },
        "notes": [
            {"kind": "reported_dtype_differs", "values": {"input": 0, "name": "a", "reported": "uint8", "stored": "int8"}},
            {
                "kind": "reported_dtype_differs",
                "values": {"output": 0, "name": "out", "reported": "float32", "stored": "int8"},
            },
        ],
    }  # fmt: skip


def test_ends_get_what_is_said_of_their_name() -> None:
    """Reported type and layout, the generator's facts, norms by number, dynamic shapes; w_stride by the platform."""
    first, second = full().inputs
    assert (first.index, first.name, first.layout, first.shape, first.dtype) == (
        0,
        "a",
        "NCHW",
        [2, 3, 20, 36],
        "uint8",
    )
    assert (first.mean, first.std, first.rgb2bgr, first.w_stride) == ([1.0] * 3, [2.0] * 3, False, 48)
    assert first.source is not None
    assert (first.source.dtype, first.source.layout, first.dynamic) == ("uint8", "NCHW", None)
    assert "source.layout" not in first.provenance
    assert (second.index, second.name, second.dtype, second.mean, second.rgb2bgr) == (1, "b", "int8", None, None)
    assert second.layout == "UNDEFINED"
    (result,) = full().outputs
    assert (result.index, result.name, result.dtype, result.shape) == (0, "out", "float32", [2, 8, 20, 36])
    assert result.source is not None
    assert (result.source.dtype, result.dynamic) == ("float16", None)


def test_dynamic_shapes_go_to_their_ends() -> None:
    """The JSON part holds one of the shapes: it is not compared."""
    small = graph([image() | {4: ("*i", (1, 3, 10, 18))}, vector(length=5), out(10)])
    got = full(
        rows(("z", (1, 9)), ("b", (1, 6)), ("out", (1,))), s2=[graph([image(), vector(), out()]), small], s14="0"
    )
    assert [t.dynamic for t in got.inputs] == [[[1, 3, 20, 36], [1, 3, 10, 18]], [[1, 6], [1, 5]]]
    assert [t.dynamic for t in got.outputs] == [[[1, 8, 20, 36], [1, 8, 10, 36]]]
    assert "json_disagrees" not in dict(kinds(got))


def test_what_the_json_part_says_instead() -> None:
    """The target, the toolkit and the origin, where the flatbuffer has none; the build before its bracket."""
    got = full(s8="", s9="", s11="")
    assert (got.metadata["origin"], got.custom_string, got.platforms) == ("tflite", None, ["rk3588"])
    assert "target" not in got.metadata
    bare = rows(("a", (1, 3, 20, 36)), ("b", (1, 6)), ("out", (1, 8, 20, 36)), version=7, ori_network_platform=None)
    got = full(bare, s9="", s21="")
    assert (got.toolkit, "origin" in got.metadata, "custom_op" in got.metadata) == ("2.5.0", False, False)
    assert full(bare, s7="(x)").toolkit is None
    assert full(bare, s7="a(b(c").toolkit == "a"
    assert full(s1="RKNPU q", s8="", table=AS_GRAPH | {"target_platform": []}).platforms is None
    assert full(s0=("i", 0)).metadata["format_level"] == "0"


def test_compiler_is_three_numbers() -> None:
    for number, text in (
        (20500, "2.5.0"),
        (10304, "1.3.4"),
        (99, "0.0.99"),
        (1234567, "123.45.67"),
        (1, "0.0.1"),
        (10000, "1.0.0"),
        (9999, "0.99.99"),
    ):
        assert full(s6=("i", number)).metadata["compiler"] == text
    for number in (0, -5):
        assert "compiler" not in full(s6=("i", number)).metadata


def test_platforms_go_by_the_tag() -> None:
    """Tags measured on builds for every target: "RKNPU lite" rk3566 and rk3568, "RKNPU v2" rk3588."""

    def platforms(tag: str, target: str, *others: str) -> list[str] | None:
        return full(AS_GRAPH | {"target_platform": list(others)}, s1=tag, s8=target).platforms

    assert platforms("RKNPU lite", "rk3568") == ["rk3568"]
    assert platforms("RKNPU lite", "", "rk3566") == ["rk3566"]
    assert platforms("RKNPU lite", "rk3568", "rk3566") == ["rk3568"], "the flatbuffer's target before the JSON's"
    assert platforms("RKNPU lite", "rk3588") == ["rk3566", "rk3568"]
    assert platforms("RKNPU new", "rk9999") == ["rk9999"]


def test_batch_is_a_decimal_number_of_at_most_65536() -> None:
    assert MAX_BATCH == 65536
    for text, number in (("0", 1), ("1", 1), ("", 1), ("2", 2), ("007", 7), ("65536", 65536), ("000009", 9)):
        assert full(s14=text).batch == number
    for text in ("65537", "0000002", "-2", "2 ", "²", "٣", "x" * 50):
        with pytest.raises(CorruptError) as caught:
            full(s14=text)
        assert caught.value.message == (
            f"m.rknn: the batch size is {text[:40]!r}; a number of at most 65536 is expected."
        )


def test_texts_that_do_not_parse_are_noted() -> None:
    """A surrogate in a text is a question mark, not a crash; an empty text is none; the rest of the model is read."""
    got = dict(kinds(full(s3="{'attrs': ", s12='{"a" 1}', s13="[]")))
    assert got["generator_unreadable"]["reason"]
    assert [n.values for n in full(s12="{", s13="{").notes if n.kind == "reported_layout_unreadable"] == [
        {"side": "inputs"}, {"side": "outputs"},
    ]  # fmt: skip
    assert full(s12="", s13="").notes == []
    got2 = full(s12="{", s13="").inputs[0]
    assert (got2.dtype, got2.layout) == ("int8", "NHWC")


def test_order_of_notes() -> None:
    """Container, target, texts, tensors, the JSON part's names."""
    table = rows(("A", (1, 3, 20, 36)), ("b", (1, 6)), ("out", (1, 8, 20, 36)))
    short = graph([image() | {12: ("i", 2000)}, vector(), out()])
    got = full(table, 9, b"tail", s1="RKNPU q", s2=[short], s3="{", s12="{", s13="{", s14="1")
    assert [n.kind for n in got.notes] == [
        "unknown_container_version", "trailing_bytes", "unknown_npu_tag", "generator_unreadable",
        "reported_layout_unreadable", "reported_layout_unreadable", "size_short", "json_disagrees",
    ]  # fmt: skip
    assert got.notes[2].values == {"tag": "RKNPU q", "target": "rk3588"}
    assert got.notes[-1].values == {"input": 0, "field": "name", "graph": "a", "json": "A"}
    odd = table | {"graph": [{"left": "input"}]}
    assert "json_disagrees" not in dict(kinds(full(odd))), "a second opinion: its faults are passed over"


def test_slots_of_both_kinds() -> None:
    """Root: compiler to custom_op; tensor: minimum to strided (measured, see test_rknn2_graph)."""
    assert full(s2=[graph([image() | {8: ("*f", (-2.0,)), 9: ("*f", (3.0,))}], 1)]).inputs[0].calibration_range == [
        -2,
        3,
    ]
    assert Slots(6, 7, 8, 9, 11, 12, 13, 14, 16, 21, 8, 9, 10, 11, 12, 20, 20) == FULL
    assert read(mini()).inputs[0].calibration_range is None
    assert Slots(4, 5, 6, 7, 8, None, None, None, None, None, None, None, 6, 7, 8, None, 12) == MINI


def test_mini() -> None:
    got = read(mini())
    assert (got.container, got.platforms, got.batch, got.toolkit) == ("rknn2-mini v4100", ["rv1106"], 1, "2.5.1")
    (tensor_in,), (result,) = got.inputs, got.outputs
    assert (tensor_in.w_stride, tensor_in.provenance["w_stride"]) == (48, "rule:RK-WSTRIDE")
    assert (result.size, result.size_with_stride) == (5760, 5760)
    assert (got.metadata, got.notes) == (
        {"npu": "RKNPU t3", "target": "rv1106", "origin": "tflite", "format_level": "7"},
        [],
    )
    for before in (b"", bytes(7)):
        assert read(mini(before=before)).inputs == got.inputs


def test_mini_of_a_payload_that_cannot_be() -> None:
    data = mini()
    payload = int.from_bytes(data[16:24], "little")
    for size in (7, payload - 63):
        with pytest.raises(CorruptError) as caught:
            read(mini(size))
        assert caught.value.message == (
            f"s.rknn: byte 64: the description is said to have {size} bytes, and the payload has {payload}, 64 of them its header."
        )
    for size in (8, payload - 64):
        with pytest.raises(CorruptError, match="the flatbuffer is marked"):
            read(mini(size))
    with pytest.raises(
        CorruptError, match=r"^s\.rknn: the payload of a mini container has 63 bytes; its header has 64\."
    ):
        read(file(bytes(63), AS_GRAPH, 0x1004))
    with pytest.raises(CorruptError, match="description is said to have 0 bytes, and the payload has 64"):
        read(file(bytes(64), AS_GRAPH, 0x1004))


def test_old_mini_is_what_its_json_part_says() -> None:
    """Low version bytes under 4: an encoded configuration. Four axes go in as NHWC; types are those of our list."""
    table = rows(("a", (1, 3, 20, 36)), ("v", (1, 6)), ("out", (1, 8, 20, 36)), ("w", (1, 9)), outputs=2)
    table["target_platform"] = ["RV1103", "RV1106"]
    table["norm_tensor"][1]["dtype"] = {"vx_type": "strange"}
    got = read(file(bytes(100), table, 0x1003, b"x"))

    def end(index: int, name: str, layout: str, shape: list[int], dims: list[int], dtype: str | None) -> dict[str, Any]:
        rule = "rule:RK-NCHW-OUTPUT" if name in ("out", "w") else "rule:RK-NHWC-REPORTED"
        return {
            "index": index, "name": name, "layout": layout, "shape": shape, **({"dtype": dtype} if dtype else {}),
            "source": {"layout": "NCHW" if len(dims) == 4 else "UNDEFINED", "shape": dims},
            "provenance": {"name": "file", "layout": rule, "shape": rule} | ({"dtype": "file"} if dtype else {}) | (
                {"source.layout": "rule:RK-SOURCE-NCHW"} if len(dims) == 4 else {}
            ),
        }  # fmt: skip

    assert got.model_dump(exclude_none=True, by_alias=True) == {
        "schema": "prepcheck/contract/v1",
        "runtime": "rknn", "platforms": ["rv1103", "rv1106"], "toolkit": "2.5.1", "quantized": True, "batch": 1,
        "container": "rknn2-mini v4099",
        "inputs": [
            end(0, "a", "NHWC", [1, 20, 36, 3], [1, 3, 20, 36], "int8"),
            end(1, "v", "UNDEFINED", [1, 6], [1, 6], None),
        ],
        "outputs": [
            end(0, "out", "NCHW", [1, 8, 20, 36], [1, 8, 20, 36], "int8"),
            end(1, "w", "UNDEFINED", [1, 9], [1, 9], "int8"),
        ],
        "metadata": {},
        "notes": [
            {"kind": "trailing_bytes", "values": {"bytes": 1, "offset": 64 + 100 + 8 + len(json.dumps(table))}},
            {"kind": "mini_config_encoded", "values": {"version": 0x1003}},
        ],
    }  # fmt: skip
    for one in table["norm_tensor"]:
        one["dtype"] = {"qnt_type": "", "vx_type": "float16"}
        del one["url"]
    table["target_platform"] = []
    plain = read(file(bytes(100), table, 0x1002))
    assert (plain.quantized, plain.platforms, plain.container) == (False, None, "rknn2-mini v4098")
    assert (plain.inputs[0].name, plain.inputs[0].dtype) == (None, "float16")
    assert sorted(plain.inputs[1].provenance) == ["dtype", "layout", "shape"], "what is not known comes from nowhere"


def test_old_mini_without_inputs() -> None:
    with pytest.raises(CorruptError, match=r"^m\.rknn: the JSON part at byte 172 names no input\."):
        read(file(bytes(100), rows(("out", (1, 8))), 0x1003))
    with pytest.raises(CorruptError, match=r"^m\.rknn: output 0 in the JSON part has the shape"):
        read(file(bytes(100), rows(("a", (1, 8)), ("out", (0, 8))), 0x1003))
    with pytest.raises(CorruptError, match=r"^m\.rknn: input 0 in the JSON part has the shape"):
        read(file(bytes(100), rows(("a", (0, 8)), ("out", (1, 8))), 0x1003))
    with pytest.raises(CorruptError, match=r"^s\.rknn: the JSON part at byte 172 has no list"):
        read(file(bytes(100), {}, 0x1003))
