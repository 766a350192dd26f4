"""Element types: names, widths, ranges, and the C names of the runtimes. Standard library only."""

from __future__ import annotations

from typing import Final

BITS: Final[dict[str, int]] = {
    "float32": 32,
    "float16": 16,
    "bfloat16": 16,
    "int8": 8,
    "uint8": 8,
    "int16": 16,
    "uint16": 16,
    "int32": 32,
    "uint32": 32,
    "int64": 64,
    "uint64": 64,
    "float64": 64,
    "bool": 8,
    "int4": 4,
}
"""Width of each element type in bits (interface: list of dtypes)."""

C_NAMES: Final[dict[str, str]] = {
    "FLOAT32": "float32",
    "FP32": "float32",
    "FLOAT16": "float16",
    "FP16": "float16",
    "BFLOAT16": "bfloat16",
    "INT8": "int8",
    "UINT8": "uint8",
    "INT16": "int16",
    "UINT16": "uint16",
    "INT32": "int32",
    "UINT32": "uint32",
    "INT64": "int64",
    "BOOL": "bool",
    "INT4": "int4",
}
"""rknn_tensor_type without its prefix, as headers (`FLOAT32`) and logs (`FP32`) spell it → our name."""


def itemsize(dtype: str) -> int:
    """Bytes of one element. Raises KeyError for an unknown name and ValueError for `int4`, which has no whole byte."""
    bits = BITS[dtype]
    if bits % 8:
        raise ValueError(f"{dtype} has {bits} bits an element, no whole number of bytes")
    return bits // 8


def nbytes(dtype: str, elements: int) -> int:
    """Bytes of `elements` elements, packed; two int4 share a byte, an odd one is rounded up."""
    return -(-BITS[dtype] * elements // 8)


def is_float(dtype: str) -> bool:
    """Whether the type holds real numbers."""
    return dtype in ("float32", "float16", "bfloat16", "float64")


def is_quantizable(dtype: str) -> bool:
    """Whether zero point and scale make sense for the type."""
    return dtype in ("int4", "int8", "uint8", "int16", "uint16")


def integer_range(dtype: str) -> tuple[int, int] | None:
    """Smallest and largest value of an integer type; None for floats. `bool` is 0..1."""
    if is_float(dtype):
        return None
    if dtype == "bool":
        return (0, 1)
    bits = BITS[dtype]
    return (0, 2**bits - 1) if dtype.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def from_c_name(name: str) -> str | None:
    """Our name of a C type name with or without `RKNN_TENSOR_`; None where it is not known."""
    return C_NAMES.get(name.upper().removeprefix("RKNN_TENSOR_"))
