"""A .mnn as a whole, built slot by slot: what its root says, external weights, outputs, bytes behind it, damage."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError, PrepcheckError, TooLargeError, TruncatedError, WrongKindError
from prepcheck.readers import mnn_net
from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_net import open_net
from prepcheck.readers.mnn_survey import survey
from prepcheck.wire.source import Source
from tests.readers.flat_builder import Tab, flat
from tests.readers.mnn_parts import NC4HW4, NCHW, NHWC, const, given, ints, net, op

RELU = 69


def read(data: bytes, name: str = "m") -> Contract:
    return read_mnn(Source.from_bytes(data, name), name)


def model(*ops: Tab, **more: object) -> bytes:
    return net(ops or [given(0, (1, 4))], [f"t{k}" for k in range(6)], **more)


def notes(found: Contract) -> list[tuple[str, dict[str, Any]]]:
    return [(n.kind, dict(n.values)) for n in found.notes]


def refused(data: bytes, kind: type[PrepcheckError] = CorruptError) -> str:
    with pytest.raises(PrepcheckError) as caught:
        read(data)
    assert type(caught.value) is kind
    return caught.value.message


# --- what the root says -----------------------------------------------------------------------------------------------------------


def test_the_files_own_fields() -> None:
    """NetSource of Type.fbs: CAFFE, TENSORFLOW, TFLITE, ONNX, TORCH; ExtraInfo.fbs: buffer, name, version."""
    for number, name in enumerate(("CAFFE", "TENSORFLOW", "TFLITE", "ONNX", "TORCH", "unknown")):
        assert read(model(s6=("b", number))).metadata == {"mnn.source": name}
    whole = read(model(s0="biz", s11="id", s6=("b", 3), s2={1: "owner", 2: "3.6.1"}))
    assert whole.metadata == {"mnn.source": "ONNX", "mnn.biz_code": "biz", "mnn.uuid": "id", "mnn.auth_code": "owner"}
    assert whole.toolkit == "3.6.1"
    for info in ({}, {2: ""}, {1: ""}):
        plain = read(model(s2=info))
        assert (plain.metadata, plain.toolkit) == ({"mnn.source": "CAFFE"}, None)
    assert read(model()).toolkit is None
    assert read(model(s2={2: "v" * 256})).toolkit == "v" * 256
    assert "at most 256 elements" in refused(model(s2={2: "v" * 257}))


def extra(*pairs: tuple[str | None, str | None], kind: str | None = "Meta") -> bytes:
    """The nested buffer: Extra {type 0, attr 3}, Attribute {s 0, key 3}."""
    attributes: list[Tab] = []
    for key, value in pairs:
        attribute: Tab = {} if value is None else {0: value}
        if key is not None:
            attribute[3] = key
        attributes.append(attribute)
    table: Tab = {} if kind is None else {0: kind}
    table[3] = attributes
    return flat(table)


def announcing(count: int) -> bytes:
    """As many attributes announced, one there."""
    one: Tab = {3: "a"}
    data = bytearray(flat({3: [one], 0: "Meta"}))
    root = struct.unpack_from("<I", data, 0)[0]
    field = root + struct.unpack_from("<H", data, root - struct.unpack_from("<i", data, root)[0] + 4 + 2 * 3)[0]
    struct.pack_into("<I", data, field + struct.unpack_from("<I", data, field)[0], count)
    return bytes(data)


def test_the_users_metadata() -> None:
    def fields(buffer: bytes) -> dict[str, str]:
        found = read(model(s2={0: buffer}))
        assert found.notes == []
        return {k: v for k, v in (found.metadata or {}).items() if k != "mnn.source"}

    assert fields(extra(("a", "1"), ("names", "{0: 'cat'}"))) == {"a": "1", "names": "{0: 'cat'}"}
    assert fields(extra(("a", None), (None, "b"))) == {"a": "", "": "b"}
    assert fields(extra(("mnn.source", "x"))) == {}  # the file's own fields are not shadowed
    assert read(model(s2={0: extra(("mnn.source", "x"))})).metadata == {"mnn.source": "CAFFE"}
    for kind in ("Other", None, "meta"):
        assert fields(extra(("a", "1"), kind=kind)) == {}
    for short in (b"", b"\x01", bytes(7)):
        assert fields(short) == {}


def test_metadata_that_cannot_be_read_is_noted() -> None:
    found = read(model(s2={0: b"\xff" * 8, 1: "owner"}, s0="biz"))
    ((kind, values),) = notes(found)
    assert kind == "metadata_unreadable"
    assert values["reason"].startswith("m: extraInfo")
    assert found.metadata == {"mnn.source": "CAFFE", "mnn.biz_code": "biz", "mnn.auth_code": "owner"}
    for buffer, words in (
        (extra(kind="x" * 65), "at most 64 elements"),
        (b"x" * ((1 << 20) + 1), "at most 1048576 elements"),
        (announcing(10_001), "10001 elements of 4 bytes are announced; "),
        (announcing(10_001), "at most 10000 elements"),
        (announcing(10_000), "10000 elements of 4 bytes are announced; "),
    ):
        ((kind, values),) = notes(read(model(s2={0: buffer})))
        assert words in values["reason"]
    assert read(model(s2={0: extra(kind="x" * 64) + bytes((1 << 20) - 200)})).notes == []


def test_static_and_training_models_are_noted() -> None:
    """Usage of MNN.fbs: INFERENCE, TRAIN, INFERENCE_STATIC."""
    kinds = [[n for n, _ in notes(read(model(s9=("b", usage))))] for usage in range(4)]
    assert kinds == [[], ["training_model"], ["static_model"], []]


# --- outputs ------------------------------------------------------------------------------------------------------------------------


def outputs(*ops: Tab, **more: object) -> list[dict[str, Any]]:
    return [t.model_dump(exclude_none=True) for t in read(model(*ops, **more)).outputs]


def test_outputs_have_the_names_that_the_file_lists() -> None:
    steps = [given(0, (1, 4)), op(RELU, (0,), (1,))]
    assert outputs(*steps, s4=["t1", "t0"]) == [
        {"index": 0, "name": "t1", "provenance": {"name": "file"}},
        {"index": 1, "name": "t0", "provenance": {"name": "file"}},
    ]


def test_outputs_that_are_not_listed_are_what_no_operator_reads() -> None:
    steps = [given(0, (1, 4)), const(4, (1,)), op(266, (), (5,)), op(RELU, (0,), (1, 2)), op(RELU, (1,), (3,))]
    wanted = {"name": "rule:MN-OUTPUT-UNREAD"}
    named = [{"index": i, "name": n, "provenance": wanted} for i, n in enumerate(("t2", "t3"))]
    assert outputs(*steps) == outputs(*steps, s4=[]) == named
    assert outputs(given(0, (1, 4))) == []


def test_outputs_of_a_static_model_have_the_shapes_that_it_states() -> None:
    steps = [given(0, (1, 4)), op(RELU, (0,), (1,)), op(RELU, (0,), (2,))]
    describes: list[Tab] = [
        {0: {0: ints(2, 5), 1: ("b", NHWC)}, 1: ("i", 1)},
        {0: {0: ints(9), 1: ("b", NCHW)}, 1: ("i", 6)},
        {0: {0: ints(9), 1: ("b", NCHW)}, 1: ("i", -1)},
    ]
    bare = [{"index": i, "name": f"t{i + 1}", "provenance": {"name": "file"}} for i in range(2)]
    shaped = {"layout": "NHWC", "shape": [2, 5], "provenance": {"name": "file", "layout": "file", "shape": "file"}}
    assert outputs(*steps, s4=["t1", "t2"], s1=describes) == bare
    assert outputs(*steps, s4=["t1", "t2"], s1=describes, s9=("b", 2)) == [bare[0] | shaped, bare[1]]
    assert outputs(*steps, s4=["t1", "t2"], s1=describes, s9=("b", 1)) == bare
    first: list[Tab] = [{0: {0: ints(3), 1: ("b", NCHW)}}]
    assert outputs(*steps, s4=["t0"], s1=first, s9=("b", 2))[0]["shape"] == [3]
    last: list[Tab] = [{0: {0: ints(3), 1: ("b", NCHW)}, 1: ("i", 5)}]
    assert outputs(*steps, s4=["t5"], s1=last, s9=("b", 2))[0]["shape"] == [3]


def test_the_batch_is_that_of_the_images_where_they_agree() -> None:
    def batch(*axes: tuple[int, ...]) -> int | None:
        return read(model(*(given(k, a, NC4HW4) for k, a in enumerate(axes)))).batch

    assert batch((4, 3, 8, 8)) == batch((4, 3, 8, 8), (4, 1, 2, 2), (7, 5)) == 4
    assert batch((-1, 3, 8, 8)) == batch((-1, 3, 8, 8), (1, 3, 8, 8)) == 1
    assert batch((2, 3, 8, 8), (1, 3, 8, 8)) is None
    assert batch((4, 3)) is None


def test_different_layouts_are_noted() -> None:
    steps = [given(0, (1, 4)), given(1, (1, 4), NC4HW4), op(34, (), (2,))]
    names = {"names": ["t0", "t1", "t2"], "layouts": ["NCHW", "NC4HW4", "UNDEFINED"]}
    assert ("mixed_layouts", names) in notes(read(model(*steps)))
    assert notes(read(model(given(0, (1, 4)), given(1, (1, 4))))) == []


# --- the survey ----------------------------------------------------------------------------------------------------------------------


def test_int8_operators_and_calibrations_mean_a_quantized_model() -> None:
    """OpType of MNN.fbs: 513 ConvInt8 to 518 EltwiseInt8."""
    for kind in range(510, 521):
        assert read(model(op(kind, (0,), (1,)), op(RELU, (1,), (2,)))).quantized == (513 <= kind <= 518)
    assert read(model(s1=[{1: ("i", 3), 4: {0: ("f", 0.5)}}])).quantized


EXTERNAL = {7: 9, 9: 6, 58: 3, 80: 3, 88: 5, 95: 6}
"""Union number → slot of `external` in Blob, Convolution2D, Scale, Convolution3D, LayerNorm, GroupNorm (the .fbs files)."""


def test_every_kind_of_external_numbers_is_counted() -> None:
    for union, slot in EXTERNAL.items():
        first = op(12, (0,), (1,), (union, {slot: ("*q", (100, 20, 3))}))
        second = op(12, (1,), (2,), (union, {slot: ("*q", (4, 60))}))
        found = survey(open_net(Source.from_bytes(model(first, second, given(0, (1, 4))))))
        assert (found.external, found.need, found.zero_probe) == (2, 123, (100, 23))
        assert notes(read(model(first, second, given(0, (1, 4))))) == [
            ("external_weight_unchecked", {"need_bytes": 123, "operators": 2})
        ]
    larger = op(12, (1,), (2,), (9, {6: ("*q", (100, 60))}))
    assert survey(open_net(Source.from_bytes(model(op(12, (0,), (1,), (9, {6: ("*q", (4, 60))})), larger)))).need == 160


def test_numbers_inside_the_model_are_not_external() -> None:
    for main in ((9, {}), (9, {6: ("*q", (5,))}), (9, {6: ("*q", ())}), (31, {6: ("*q", (0, 9))}), None):
        found = survey(open_net(Source.from_bytes(model(op(12, (0,), (1,), main)))))  # type: ignore[arg-type]
        assert (found.external, found.need, found.zero_probe) == (0, 0, None)
    inputs = survey(open_net(Source.from_bytes(model(op(34, (), (1,), (9, {6: ("*q", (0, 9))}))))))
    assert (inputs.external, [o.index for o in inputs.inputs]) == (0, [0])
    without: Tab = op(12, (0,), (1,)) | {1: ("B", 9)}
    assert survey(open_net(Source.from_bytes(model(without)))).external == 0


def test_external_numbers_that_lie_nowhere() -> None:
    words = r"its external weights are said to lie at {} \(offset, bytes, …\); none can be that\."
    for numbers in ((-1, 4), (0, -4), ((1 << 62) - 4, 4)):
        message = refused(model(op(12, (0,), (1,), (9, {6: ("*q", numbers)}))))
        assert words.replace("\\", "").format(list(numbers)) in message
    assert survey(open_net(Source.from_bytes(model(op(12, (0,), (1,), (9, {6: ("*q", ((1 << 62) - 5, 4))})))))).external
    many = op(12, (0,), (1,), (9, {6: ("*q", (0,) * 16)}))
    assert survey(open_net(Source.from_bytes(model(many)))).external == 1
    assert "at most 16 elements" in refused(model(op(12, (0,), (1,), (9, {6: ("*q", (0,) * 17)}))))


# --- bytes behind the model -----------------------------------------------------------------------------------------------------------


def business(code: str = "test") -> bytes:
    """The business code is written first, so that it ends the file, as MNN's converter does."""
    return flat({0: code, 3: [given(0, (1, 4))], 7: ["x"]})


@pytest.mark.parametrize("code", ["", "a", "ab", "abc", "abcd", "abcde", "tests", "sevenbytes"])
def test_appended_bytes_are_told(code: str) -> None:
    """A string ends with a zero byte, and the file is filled up to a multiple of 4."""
    data = business(code)
    assert notes(read(data)) == []
    for extra_bytes in (16, 70):
        found = notes(read(data + bytes(extra_bytes)))
        assert found == [("appended_bytes", {"bytes": extra_bytes, "offset": len(data)})]


def test_a_rest_of_an_alignment_is_no_appendix() -> None:
    data = business("abc")  # 4 + 3 + 1: aligned as it is
    start = data.rindex(b"abc\0") + 4
    whole = -(-start // 8) * 8
    assert notes(read(data[:start] + bytes(whole - start))) == []
    assert notes(read(data[:start] + bytes(whole - start + 1))) == [
        ("appended_bytes", {"bytes": whole + 1 - start, "offset": start})
    ]


def test_where_another_part_lies_last_nothing_is_said() -> None:
    ops: list[Tab] = [given(0, (1, 4))]
    other: tuple[Tab, ...] = (
        {3: ops, 0: "test", 7: ["x"]},
        {7: ["x"], 0: "test", 3: ops},
        {11: "id", 0: "test", 3: ops, 7: ["x"]},
        {3: ops, 7: ["x"]},
    )
    for table in other:
        assert notes(read(flat(table) + bytes(70))) == []


# --- damage -----------------------------------------------------------------------------------------------------------------------------


def test_a_model_has_operators_and_tensors() -> None:
    words = "{} operators and {} tensor names; a model has at least one of each."
    assert words.format(0, 1) in refused(net([], ["x"]))
    assert words.format(1, 0) in refused(net([given(0, (1,))], []))
    assert words.format(0, 0) in refused(net([], []))


def test_an_operator_without_outputs_is_empty() -> None:
    empty: Tab = {0: ints(0), 5: ("i", RELU)}
    assert "operator 1 of 2 has no outputs; MNN calls it empty." in refused(model(given(0, (1, 4)), empty))


def test_more_operators_or_tensors_than_any_model_has() -> None:
    base = bytearray(net([given(0, (1,))], ["x"]))
    root = struct.unpack_from("<I", base, 0)[0]
    table = root - struct.unpack_from("<i", base, root)[0]
    for slot, limit in ((3, 40_000), (7, 100_000)):
        for count in (limit, limit + 1):
            data = bytearray(base)
            field = root + struct.unpack_from("<H", data, table + 4 + 2 * slot)[0]
            struct.pack_into("<I", data, field + struct.unpack_from("<I", data, field)[0], count)
            words = f"at most {limit} elements" if count > limit else "are left"
            assert words in refused(bytes(data))


def test_the_root_is_looked_for_where_the_first_bytes_are_damaged() -> None:
    data = net([given(0, (1,))], ["x"])
    at = struct.unpack_from("<I", data, 0)[0]
    for wrong in (0, at + 1, at + 4, 0x7FFFFFFF):
        message = refused(struct.pack("<I", wrong) + data[4:])
        assert f"m: the first four bytes refer to byte {wrong} (0x{wrong:x}), where no root table is; " in message
        assert f"one lies at byte {at}. The beginning of an MNN model is damaged" in message
    assert refused(b"\xf1\xf2\xf3\xf4" * 20, WrongKindError).startswith(
        "m is of no kind that is known here, not an .mnn"
    )
    assert refused(b"\xf1\xf2\xf3", WrongKindError).startswith("m is of no kind")
    assert refused(b"PK\x03\x04" + data, WrongKindError).startswith("m is a zip archive")


@pytest.mark.parametrize("slots,good", [(24, True), (25, False)])
def test_a_root_of_more_than_24_slots_is_none(slots: int, good: bool) -> None:
    data = flat({3: [given(0, (1,))], 7: ["x"], slots - 1: ("b", 1)})
    if good:
        assert [t.name for t in read(data).inputs] == ["x"]
    else:
        refused(data, WrongKindError)


def test_a_root_refers_to_operators_and_names() -> None:
    refused(flat({3: [given(0, (1,))]}), WrongKindError)
    refused(flat({7: ["x"]}), WrongKindError)


@pytest.mark.parametrize("slot", [0, 1, 2, 4, 10, 11])
def test_a_part_behind_the_end_means_a_cut_file(slot: int) -> None:
    """The slots of Net that hold references: bizCode, tensorDescribe, extraInfo, outputName, subgraphs, mnn_uuid."""
    value: Any = {0: "test", 11: "test", 4: ["x"]}.get(slot, [])
    whole = flat({slot: value, 3: [given(0, (1,))], 7: ["x"]})
    place = open_net(Source.from_bytes(whole)).root.place(slot)
    assert place is not None
    end = place + 4 + (4 if slot in (0, 11) else 0)
    message = refused(whole[: end - 1], TruncatedError)
    assert message.startswith(f"m ends at byte {end - 1}; the model reaches at least byte {end}. The file is cut")
    if slot in (0, 11):
        refused(whole[: place + 1], TruncatedError)


def test_a_name_of_more_than_4096_bytes_is_damage_not_a_cut() -> None:
    data = bytearray(business("test"))
    place = data.rindex(b"test\0") - 4
    struct.pack_into("<I", data, place, 4096)
    assert f"the model reaches at least byte {place + 4 + 4096}" in refused(bytes(data), TruncatedError)
    struct.pack_into("<I", data, place, 4097)
    assert "4097 elements of 1 bytes are announced" in refused(bytes(data))


def test_a_model_has_less_than_two_gibibytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = model()
    assert mnn_net.MAX_FILE == 2147483647
    monkeypatch.setattr(mnn_net, "MAX_FILE", len(data))
    assert read(data).runtime == "mnn"
    monkeypatch.setattr(mnn_net, "MAX_FILE", len(data) - 1)
    message = refused(data, TooLargeError)
    assert message.startswith(f"m has {len(data)} bytes; MNN loads at most {len(data) - 1}. Convert again with ")
