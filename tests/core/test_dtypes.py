"""Element types: widths, ranges and the runtimes' names, against numpy and the header's enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from prepcheck.core import dtypes

NUMPYS = (
    "float32", "float16", "float64", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool",
)  # fmt: skip


def test_widths_of_every_type() -> None:
    expected = {name: np.dtype(name).itemsize * 8 for name in NUMPYS} | {"bfloat16": 16, "int4": 4}
    assert expected == dtypes.BITS


def test_bytes_of_an_element() -> None:
    for name in NUMPYS:
        assert dtypes.itemsize(name) == np.dtype(name).itemsize
        assert type(dtypes.itemsize(name)) is int
    assert dtypes.itemsize("bfloat16") == 2
    with pytest.raises(ValueError, match="int4 has 4 bits an element"):
        dtypes.itemsize("int4")
    with pytest.raises(KeyError):
        dtypes.itemsize("int5")


def test_bytes_of_many_elements_are_rounded_up() -> None:
    for name in NUMPYS:
        assert dtypes.nbytes(name, 5) == np.zeros(5, dtype=name).nbytes
    assert [dtypes.nbytes("int4", n) for n in range(6)] == [0, 1, 1, 2, 2, 3]
    assert dtypes.nbytes("bfloat16", 3) == 6


def test_kinds_of_types() -> None:
    assert {n for n in dtypes.BITS if dtypes.is_float(n)} == {"float32", "float16", "bfloat16", "float64"}
    assert {n for n in dtypes.BITS if dtypes.is_quantizable(n)} == {"int4", "int8", "uint8", "int16", "uint16"}


def test_ranges_are_numpys() -> None:
    for name in NUMPYS:
        kind = np.dtype(name).kind
        wanted = (int(np.iinfo(name).min), int(np.iinfo(name).max)) if kind in "iu" else None
        assert dtypes.integer_range(name) == ((0, 1) if kind == "b" else wanted), name
    assert dtypes.integer_range("int4") == (-8, 7)
    assert dtypes.integer_range("bfloat16") is None


def test_names_of_the_header_and_of_logs() -> None:
    """rknn_tensor_type of rknn_api.h 2.x (RKNN_TENSOR_FLOAT32 … BFLOAT16); logs write FP32, FP16."""
    assert dtypes.C_NAMES == {
        "FLOAT32": "float32", "FP32": "float32", "FLOAT16": "float16", "FP16": "float16", "BFLOAT16": "bfloat16", "INT8": "int8", "UINT8": "uint8",
        "INT16": "int16", "UINT16": "uint16", "INT32": "int32", "UINT32": "uint32", "INT64": "int64", "BOOL": "bool", "INT4": "int4",
    }  # fmt: skip
    assert dtypes.from_c_name("RKNN_TENSOR_UINT8") == "uint8"
    assert dtypes.from_c_name("rknn_tensor_fp16") == "float16"
    assert dtypes.from_c_name("int8") == "int8"
    assert dtypes.from_c_name("RKNN_TENSOR_TYPE_MAX") is None
