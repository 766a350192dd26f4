"""Damaged models, at random and in structure: a contract or a named error, and bounded reading."""

from __future__ import annotations

import json
import math
import struct
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepcheck.contract.contract import Contract
from prepcheck.errors import EmptyFileError, PrepcheckError, ReadError, TruncatedError
from prepcheck.readers.model import read_model_source
from prepcheck.wire.source import MAX_TOTAL, Source
from tests.readers.rknn_builder import rknn1, rknn1_json

MODELS = Path(__file__).parents[1] / "data" / "models" / "rknn"
NAMES = [
    "rk3588_dynamic3_i8.rknn",
    "rk3588_image_plus_vector_i8.rknn",
    "rk3588_imagenet_i8.rknn",
    "rk3566_nv12_i8.rknn",
    "rv1106_imagenet_i8.rknn",
    "rk2118_f16.rknn",
    "v1_two_inputs.rknn",
    "v1_json_only_m0m1m2s.rknn",
]
WILD = [
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    0x40,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0xFFFF,
    0x10000,
    0x7FFFFFFF,
    0x80000000,
    0xFFFFFFFE,
    0xFFFFFFFF,
]
WILD64 = [*WILD, 1 << 32, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 64, (1 << 64) - 1]


@cache
def content(name: str) -> bytes:
    return (MODELS / name).read_bytes()


def parts(data: bytes) -> tuple[int, int, int]:
    """(header size, payload size, where the JSON length stands)."""
    version, payload = struct.unpack_from("<QQ", data, 8)
    header = 24 if version & 0xFF == 1 or payload == 0 else 64
    return header, payload, header + payload


def judge(data: bytes) -> str:
    """Reads; only named errors may come out, and what is read has to be finite, printable and bounded."""
    source = Source.from_bytes(data, "m.rknn")
    fault = None
    try:
        contract = read_model_source(source, "m.rknn")
    except ReadError as raised:
        fault = raised
    assert source.total_read <= MAX_TOTAL
    if fault is not None:
        assert fault.message.startswith("m.rknn")
        assert len(fault.message) < 2000
        return fault.code
    text = contract.model_dump_json(by_alias=True)
    assert text.encode("utf-8")
    assert (
        Contract.model_validate_json(text).model_dump_json(by_alias=True) == text
    )  # made without validation, but valid
    for tensor in (*contract.inputs, *contract.outputs):
        assert tensor.shape is not None
        assert all(0 < d < 1 << 57 for d in tensor.shape)
        numbers = [
            *(tensor.mean or ()),
            *(tensor.std or ()),
            *(tensor.value_range or ()),
            *(tensor.calibration_range or ()),
        ]
        assert all(map(math.isfinite, numbers))
        assert tensor.scale is None or (math.isfinite(tensor.scale) and tensor.scale > 0)
    return "read"


@pytest.mark.parametrize("name", NAMES)
def test_untouched(name: str) -> None:
    assert judge(content(name)) == "read"


@given(
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=8),
)
@settings(max_examples=400)
def test_bytes_replaced(name: str, damage: list[tuple[float, int]]) -> None:
    data = bytearray(content(name))
    for where, value in damage:
        data[int(where * len(data))] = value
    judge(bytes(data))


@given(st.sampled_from(NAMES), st.integers(0, 3000), st.sampled_from(WILD), st.sampled_from(["<I", "<H", "<i", ">I"]))
@settings(max_examples=600)
def test_words_of_the_tables_replaced(name: str, at: int, value: int, form: str) -> None:
    """Mostly the flatbuffer's own references, counts and field lists, which stand at even places at its start."""
    data = bytearray(content(name))
    header, payload, end = parts(data)
    start = header
    if struct.unpack_from("<Q", data, 8)[0] & 0x1000:
        start = end - struct.unpack_from("<I", data, header)[0]
    width = struct.calcsize(form)
    place = start + at * 2 % max(2, end - start - width) if payload else at % (len(data) - width)
    value &= (1 << 8 * width) - 1
    struct.pack_into(form, data, place, value if form != "<i" else value - (1 << 32) if value >> 31 else value)
    judge(bytes(data))


@pytest.mark.parametrize("name", NAMES)
def test_length_fields_replaced(name: str) -> None:
    header, payload, end = parts(content(name))
    fields = [(8, "<Q"), (16, "<Q"), (end, "<Q")] + ([(header, "<I")] if payload else [])
    for at, form in fields:
        for value in WILD64:
            data = bytearray(content(name))
            struct.pack_into(form, data, at, value & ((1 << 8 * struct.calcsize(form)) - 1))
            judge(bytes(data))


@pytest.mark.parametrize("name", NAMES)
def test_truncated_at_every_boundary(name: str) -> None:
    data = content(name)
    header, payload, end = parts(data)
    around = {
        b + d
        for b in (4, 8, 16, 24, header, header + 8, header + payload // 2, end, end + 8, len(data))
        for d in (-1, 0, 1)
    }
    for at in sorted(a for a in around if 0 <= a < len(data)):
        with pytest.raises(EmptyFileError if at == 0 else TruncatedError if at >= 4 else ReadError):
            read_model_source(Source.from_bytes(data[:at]), "m.rknn")


@given(st.sampled_from(NAMES), st.floats(0, 1), st.sampled_from(NAMES), st.floats(0, 1))
@settings(max_examples=200)
def test_spliced(first: str, cut: float, second: str, start: float) -> None:
    a, b = content(first), content(second)
    judge(a[: int(cut * len(a))] + b[int(start * len(b)) :])


@given(st.sampled_from(NAMES), st.floats(0, 1), st.integers(0, 300), st.binary(max_size=64))
@settings(max_examples=200)
def test_cut_out_and_put_in(name: str, where: float, length: int, patch: bytes) -> None:
    data = content(name)
    at = int(where * len(data))
    judge(data[:at] + patch + data[at + length :])


@given(st.binary(max_size=300))
def test_anything_behind_the_magic(tail: bytes) -> None:
    judge(b"RKNN" + bytes(4) + tail)


wild = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = [
    "norm_tensor",
    "graph",
    "mean_value",
    "std_value",
    "mean_value_chns",
    "reorder",
    "input_fmt",
    "target_platform",
    "version",
]


@given(st.dictionaries(st.sampled_from(KEYS), wild, min_size=1, max_size=3))
def test_wild_values_in_the_json_part(changes: dict[str, object]) -> None:
    judge(rknn1(json.dumps(rknn1_json(**changes), allow_nan=True).encode()))


@given(
    st.sampled_from(["size", "tensor_id", "url", "dtype"]),
    wild,
    st.sampled_from(["scale", "zero_point", "fl", "vx_type", "qnt_type"]),
    wild,
    st.sampled_from(["left", "left_tensor_id", "right", "right_tensor_id"]),
    wild,
    st.integers(0, 2),
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_wild_values_in_json_rows(k1: str, v1: object, k2: str, v2: object, k3: str, v3: object, which: int) -> None:
    table = rknn1_json()
    tensor, row = table["norm_tensor"][0], table["graph"][0]  # type: ignore[index]
    if which == 0:
        tensor[k1] = v1
    elif which == 1:
        tensor["dtype"][k2] = v2
    else:
        row[k3] = v3
    judge(rknn1(json.dumps(table, allow_nan=True).encode()))


def test_error_classes_are_ours() -> None:
    assert issubclass(ReadError, PrepcheckError)
