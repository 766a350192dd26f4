"""Buffers' files: `.npy` as numpy writes it, raw bytes, and what is wrong with either."""

from __future__ import annotations

import io
import os
from pathlib import Path

import numpy as np
import pytest

from prepcheck.contract.plan import Buffer
from prepcheck.core.dtypes import BITS
from prepcheck.errors import CorruptError, EmptyFileError, NotFoundError, PrepcheckError, TooLargeError, TruncatedError
from prepcheck.facts.world import ArrayFacts
from prepcheck.readers import arrays
from prepcheck.readers.arrays import array_facts, load_array, npy_header, read_bytes


def npy(values: np.ndarray, version: tuple[int, int] = (1, 0)) -> bytes:
    """What numpy itself writes."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, values, version=version, allow_pickle=True)
    return stream.getvalue()


def by_hand(header: bytes, content: bytes = b"") -> bytes:
    """Version 1.0: magic, version, u16 length, header. Source: numpy.lib.format."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + content


def message(raised: type[PrepcheckError], data: bytes) -> str:
    with pytest.raises(raised) as caught:
        npy_header(data, "b")
    assert type(caught.value) is raised
    return caught.value.message


@pytest.mark.parametrize(
    "dtype",
    ["float32", "float16", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"],
)
def test_every_plain_type_of_numpy_comes_back(dtype: str) -> None:
    values = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype)
    for version in ((1, 0), (2, 0), (3, 0)):
        data = npy(values, version)
        head = npy_header(data, "b")
        assert head == (dtype, False, (2, 3), len(data) - values.nbytes, False)
        back = load_array(data, "b", None, None)
        assert back.dtype == values.dtype
        assert np.array_equal(back, values)


def test_column_order_and_big_endian_are_undone() -> None:
    values = np.arange(24, dtype=">i4").reshape(2, 3, 4)
    data = npy(np.asfortranarray(values))
    assert npy_header(data, "b") == ("int32", True, (2, 3, 4), len(data) - 96, True)
    back = load_array(data, "b", None, None)
    assert back.shape == (2, 3, 4)
    assert back.tolist() == values.tolist()
    little = load_array(npy(values.astype("<i4")), "b", "uint8", [24])  # the header goes before what is said of it
    assert little.tolist() == values.tolist()


def test_bytes_that_are_no_npy_have_no_header() -> None:
    for data in (b"", b"\x93NUMP", b"plain bytes", b"x" + npy(np.zeros(1))):
        assert npy_header(data, "b") is None


@pytest.mark.parametrize(
    "head", [b"{'descr': '=f4', 'fortran_order': 0, 'shape': (2,)}", b"{'descr':'|f4','fortran_order':0,'shape':[2]}"]
)
def test_other_ways_to_write_the_same_header(head: bytes) -> None:
    assert npy_header(by_hand(head, bytes(8)), "b") == ("float32", False, (2,), 10 + len(head), False)


def test_the_version_byte_is_1_2_or_3() -> None:
    start = "b: starts as a .npy file, but its version byte is "
    assert message(CorruptError, b"\x93NUMPY") == start + "missing"
    assert message(CorruptError, b"\x93NUMPY\x01") == start + "1"
    assert message(CorruptError, b"\x93NUMPY\x01\x00\x01\x00\x00") == start + "1"  # 11 bytes hold no header
    for version in (0, 4):
        data = b"\x93NUMPY" + bytes([version]) + bytes(100)
        assert message(CorruptError, data) == f"{start}{version}"


def test_the_length_of_the_header_is_checked() -> None:
    long = "b: the .npy header is said to be {} bytes long, the file has {}"
    narrow = b"\x93NUMPY\x01\x00\x03\x00ab"
    assert message(TruncatedError, narrow) == long.format(3, 12)
    wide = b"\x93NUMPY\x02\x00" + (65537).to_bytes(4, "little") + bytes(70000)
    assert message(TruncatedError, wide) == long.format(65537, 70012)
    large = b"\x93NUMPY\x02\x00" + (65536).to_bytes(4, "little") + b"{}".ljust(65536)
    assert message(CorruptError, large) == "b: the .npy header cannot be read"  # allowed by length, not by content
    short = b"\x93NUMPY\x03\x00" + (9).to_bytes(4, "little") + b" " * 8
    assert message(TruncatedError, short) == long.format(9, 20)


@pytest.mark.parametrize(
    "head",
    [
        b"{'descr': '<f4', 'fortran_order': False}",
        b"{'descr': '<f4', 'shape': (1,)}",
        b"{'fortran_order': False, 'shape': (1,)}",
        b"{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
        b"{'descr': '<f4', 'fortran_order': False, 'shape': ('a',)}",
        b"open('x')",
        b"{'descr'",
        b"(" * 9000,
    ],
)
def test_a_header_that_cannot_be_read(head: bytes) -> None:
    assert message(CorruptError, by_hand(head)) == "b: the .npy header cannot be read"


def test_objects_and_records_are_refused() -> None:
    plain = "; only plain numbers are read (no pickles)"
    assert message(CorruptError, npy(np.array([None], dtype=object))) == f"b: holds Python objects ('|O'){plain}"
    record = npy(np.zeros(1, dtype=[("a", "<f4")]))
    assert message(CorruptError, record) == f"b: holds Python objects ([('a', '<f4')]){plain}"


def test_types_and_shapes_that_no_input_has() -> None:
    for head, shown in (
        (b"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "'<c8' with shape [1]"),
        (b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, -1)}", "'<f4' with shape [2, -1]"),
    ):
        wanted = f"b: element type {shown} is none that a model input has"
        assert message(CorruptError, by_hand(head, bytes(64))) == wanted


def test_a_file_shorter_than_its_header_says() -> None:
    data = npy(np.zeros((2, 3), dtype="<i2"))
    assert message(TruncatedError, data[:-1]) == "b: [2, 3] of int16 are 12 bytes, the file holds 11 after its header"
    assert npy_header(data + b"more", "b") == npy_header(data, "b")
    assert load_array(data + b"more", "b", None, None).shape == (2, 3)
    assert load_array(npy(np.zeros((0, 3))), "b", None, None).shape == (0, 3)
    assert load_array(npy(np.array(7, dtype="u1")), "b", None, None).tolist() == 7


def test_raw_bytes_take_the_type_and_shape_that_are_stated() -> None:
    data = np.arange(6, dtype="<i2").tobytes()
    for shape, wanted in (([2, 3], [[0, 1, 2], [3, 4, 5]]), ([7], [0, 1, 2, 3, 4, 5]), (None, [0, 1, 2, 3, 4, 5])):
        got = load_array(data, "b", "int16", shape)
        assert (got.dtype.str, got.tolist()) == ("<i2", wanted)
    assert load_array(data + b"\x01", "b", "int16", None).tolist() == [0, 1, 2, 3, 4, 5]  # half an element is left out
    for dtype in (None, "bfloat16", "int4"):
        raw = load_array(data, "b", dtype, [2, 3])
        assert (raw.dtype, raw.tolist()) == (np.dtype("uint8"), list(data))


def test_a_type_of_no_whole_bytes_comes_as_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BITS, "uint12", 12)
    assert load_array(b"abc", "b", "uint12", None).tolist() == [97, 98, 99]


def facts(path: Path, content: bytes, **said: object) -> ArrayFacts:
    path.write_bytes(content)
    return array_facts(path, Buffer.model_validate(said), name="shown")


def test_facts_of_an_npy(tmp_path: Path) -> None:
    values = np.asfortranarray(np.array([[-2, 5, 5], [7, 5, -2]], dtype="<i2"))
    assert facts(tmp_path / "a", npy(values)) == ArrayFacts("shown", 12, "int16", (2, 3), True, -2.0, 7.0, 3, True)
    got = facts(tmp_path / "a", npy(np.ones(3, dtype="f4")) + b"more")
    assert got == ArrayFacts("shown", 16, "float32", (3,), False, 1.0, 1.0, 1, True)


def test_facts_of_raw_bytes(tmp_path: Path) -> None:
    data = np.array([0.5, -1.5], dtype="<f4").tobytes()
    assert facts(tmp_path / "a", data, dtype="float32") == ArrayFacts(
        "shown", 8, low=-1.5, high=0.5, distinct=2, finite=True
    )
    assert facts(tmp_path / "a", b"\x03\xff") == ArrayFacts("shown", 2, low=3.0, high=255.0, distinct=2, finite=True)


def test_faults_call_the_file_by_the_name_that_is_shown(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"^shown: cannot be read"):
        array_facts(tmp_path / "gone", Buffer(), name="shown")
    with pytest.raises(TruncatedError, match=r"^shown: \[2\] of int16"):
        facts(tmp_path / "a", npy(np.zeros(2, dtype="<i2"))[:-1])


def test_what_is_not_finite_is_left_out_of_the_extremes(tmp_path: Path) -> None:
    values = np.array([np.nan, np.inf, -np.inf, 2.0, 3.0, 3.0], dtype="<f4")
    got = facts(tmp_path / "a", values.tobytes(), dtype="float32")
    assert (got.finite, got.low, got.high, got.distinct) == (False, 2.0, 3.0, 2)
    none = facts(tmp_path / "a", np.array([np.nan], dtype="<f4").tobytes(), dtype="float32")
    assert (none.finite, none.low, none.high, none.distinct) == (False, None, None, 0)


def test_an_array_without_elements_has_no_statistics(tmp_path: Path) -> None:
    got = facts(tmp_path / "a", npy(np.zeros((0, 4), dtype="f4")))
    assert got == ArrayFacts("shown", 0, "float32", (0, 4))


def test_different_values_are_counted_up_to_257(tmp_path: Path) -> None:
    for count, wanted in ((256, 256), (257, 257), (300, 257)):
        got = facts(tmp_path / "a", np.arange(count, dtype="<i2").tobytes(), dtype="int16")
        assert got.distinct == wanted


def test_only_the_first_four_million_values_are_told_apart(tmp_path: Path) -> None:
    many = np.zeros((1 << 22) + 1, dtype="u1")
    many[-1] = 1
    got = facts(tmp_path / "a", many.tobytes())
    assert (got.distinct, got.high) == (1, 1.0)


def refused(path: Path, name: str | None = "b") -> tuple[type[PrepcheckError], str]:
    with pytest.raises(PrepcheckError) as caught:
        read_bytes(path, name)
    return type(caught.value), caught.value.message


def test_files_that_hold_no_bytes(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    assert refused(gone) == (NotFoundError, "b: cannot be read (No such file or directory)")
    assert refused(gone, None) == (NotFoundError, f"{gone}: cannot be read (No such file or directory)")
    assert refused(tmp_path) == (NotFoundError, "b: is a folder, not a file of bytes")
    (tmp_path / "empty").touch()
    assert refused(tmp_path / "empty") == (EmptyFileError, "b: the file is empty (0 bytes): nothing was dumped")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        words = "b: is no regular file (a pipe, socket or device); save the bytes first"
        assert refused(tmp_path / "pipe") == (NotFoundError, words)


def test_a_buffer_has_at_most_one_gibibyte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    with path.open("wb") as stream:
        stream.truncate(1073741825)
    words = "b: 1073741825 bytes, over the limit of 1073741824 for a buffer"
    assert refused(path) == (TooLargeError, words)
    path.write_bytes(b"0123456789")
    monkeypatch.setattr(arrays, "MAX_BYTES", 10)
    assert read_bytes(path) == b"0123456789"
    monkeypatch.setattr(arrays, "MAX_BYTES", 9)
    assert refused(path)[0] is TooLargeError
