"""Files of bytes: `.npy` (header checked, pickles refused) or raw, with the type and shape that the plan states."""

from __future__ import annotations

import ast
import os
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.contract.plan import Buffer
from prepcheck.core.dtypes import BITS, itemsize
from prepcheck.errors import CorruptError, EmptyFileError, NotFoundError, TooLargeError, TruncatedError
from prepcheck.facts.world import ArrayFacts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_BYTES = 1 << 30
_MAGIC = b"\x93NUMPY"
_NPY_DTYPES = {
    "f4": "float32", "f2": "float16", "f8": "float64", "i1": "int8", "u1": "uint8", "i2": "int16", "u2": "uint16",
    "i4": "int32", "u4": "uint32", "i8": "int64", "u8": "uint64", "b1": "bool",
}  # fmt: skip


def read_bytes(path: str | os.PathLike[str], name: str | None = None) -> bytes:
    """The whole content of a buffer file, up to 1 GiB. Raises NotFoundError, EmptyFileError or TooLargeError."""
    shown = name or os.fspath(path)
    try:
        size = os.path.getsize(path)
        if os.path.isdir(path):
            raise NotFoundError(f"{shown}: is a folder, not a file of bytes")
        if not os.path.isfile(path):
            raise NotFoundError(f"{shown}: is no regular file (a pipe, socket or device); save the bytes first")
        if size == 0:
            raise EmptyFileError(f"{shown}: the file is empty (0 bytes): nothing was dumped")
        if size > MAX_BYTES:
            raise TooLargeError(f"{shown}: {size} bytes, over the limit of {MAX_BYTES} for a buffer")
        return Path(path).read_bytes()
    except OSError as error:
        raise NotFoundError(f"{shown}: cannot be read ({error.strerror})") from None


def npy_header(data: bytes, shown: str) -> tuple[str, bool, tuple[int, ...], int, bool] | None:
    """(dtype, fortran order, shape, offset of the data, big-endian) of an .npy file; None where it is no .npy.

    Raises CorruptError for a damaged header and for objects (pickles), TruncatedError where the data is short.
    """
    if not data.startswith(_MAGIC):
        return None
    if len(data) < 12 or data[6] not in (1, 2, 3):
        raise CorruptError(
            f"{shown}: starts as a .npy file, but its version byte is {data[6] if len(data) > 6 else 'missing'}"
        )
    wide = data[6] >= 2
    start = 12 if wide else 10
    length = int.from_bytes(data[8:12] if wide else data[8:10], "little")
    if length > 65536 or start + length > len(data):
        raise TruncatedError(f"{shown}: the .npy header is said to be {length} bytes long, the file has {len(data)}")
    try:
        head = ast.literal_eval(data[start : start + length].decode("latin-1"))
        descr, fortran, shape = head["descr"], bool(head["fortran_order"]), tuple(int(d) for d in head["shape"])
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError):
        raise CorruptError(f"{shown}: the .npy header cannot be read") from None
    if not isinstance(descr, str) or "O" in descr:
        raise CorruptError(f"{shown}: holds Python objects ({descr!r}); only plain numbers are read (no pickles)")
    dtype = _NPY_DTYPES.get(descr.lstrip("<>|="))
    if dtype is None or any(d < 0 for d in shape):
        raise CorruptError(f"{shown}: element type {descr!r} with shape {list(shape)} is none that a model input has")
    count = 1
    for d in shape:
        count *= d
    have, need = len(data) - start - length, count * itemsize(dtype)
    if have < need:
        raise TruncatedError(
            f"{shown}: {list(shape)} of {dtype} are {need} bytes, the file holds {have} after its header"
        )
    return dtype, fortran, shape, start + length, descr.startswith(">")


def load_array(data: bytes, shown: str, dtype: str | None, shape: list[int] | None) -> NDArray[np.generic]:
    """The elements of an .npy or raw file: flat where no shape is known. bfloat16 and int4 come as raw bytes."""
    import numpy as np

    head = npy_header(data, shown)
    if head is not None:
        name, fortran, dims, offset, big = head
        kind = np.dtype(name).newbyteorder(">" if big else "<")
        flat = np.frombuffer(data, dtype=kind, offset=offset, count=int(np.prod(dims, dtype=np.int64)))
        return flat.reshape(dims, order="F" if fortran else "C")
    if dtype is None or dtype in ("bfloat16", "int4") or BITS[dtype] % 8:
        return np.frombuffer(data, dtype=np.uint8)
    count = len(data) // itemsize(dtype)
    values = np.frombuffer(data, dtype=np.dtype(dtype), count=count)
    if shape is not None and int(np.prod(shape, dtype=np.int64)) == count:
        return values.reshape(shape)
    return values


def array_facts(path: Path, buffer: Buffer, *, name: str) -> ArrayFacts:
    """Type, shape and value statistics of a buffer's file. Views (strides, offset) are looked at whole."""
    import numpy as np

    data = read_bytes(path, name)
    head = npy_header(data, name)
    values = load_array(data, name, buffer.dtype, None)
    finite: bool | None = None
    low = high = None
    distinct = None
    if values.size:
        if values.dtype.kind == "f":
            with np.errstate(all="ignore"):
                good = np.isfinite(values)
                finite = bool(good.all())
                real = values[good] if not finite else values
        else:
            finite, real = True, values
        if real.size:
            low, high = float(real.min()), float(real.max())
        distinct = min(257, len(np.unique(real.reshape(-1)[: 1 << 22])))
    return ArrayFacts(
        name=name,
        nbytes=len(data) - (head[3] if head else 0),
        dtype=head[0] if head else None,
        shape=head[2] if head else None,
        fortran=head[1] if head else False,
        low=low,
        high=high,
        distinct=distinct,
        finite=finite,
    )
