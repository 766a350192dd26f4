"""Bytes read as a picture: element type, byte order, layout, row pitch, bytes in front. A view copies nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.dtypes import itemsize
from prepcheck.forensics.model import BufferSpec, Pixels

_NUMPY = {"float32": "f4", "float16": "f2", "uint8": "u1", "int8": "i1", "int16": "i2", "uint16": "u2", "int32": "i4",
          "float64": "f8", "uint32": "u4", "int64": "i8", "uint64": "u8", "bool": "u1"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """How to read one picture: `height` x `width` pixels as they lie in memory.

    planar: planes of one channel each; else `stored` channels a pixel, of which the picture's come first (`first` = 1:
    after a leading alpha). pitch: bytes from row to row. offset: foreign bytes in front.
    """

    dtype: str
    height: int
    width: int
    channels: int
    planar: bool
    stored: int
    pitch: int
    offset: int = 0
    big_endian: bool = False
    first: int = 0

    @property
    def row_bytes(self) -> int:
        """Bytes of the pixels of one row."""
        return self.width * (1 if self.planar else self.stored) * itemsize(self.dtype)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return itemsize(self.dtype)

    @property
    def exchanged(self) -> View:
        """The same bytes as rows of `height` pixels: for pictures lying on their side."""
        step = self.row_bytes // self.width
        return View(self.dtype, self.width, self.height, self.channels, self.planar, self.stored, self.height * step,
                    self.offset, self.big_endian, self.first)  # fmt: skip

    def read(self, buffer: Pixels) -> tuple[NDArray[np.generic], tuple[int, ...]]:
        """(height x width x channels elements, whole rows that the buffer holds of each channel).

        A buffer that ends early gives fewer rows; the rest of the array is then undefined (zeros).
        """
        size = itemsize(self.dtype)
        plane = self.pitch * self.height
        strides = (self.pitch, size, plane) if self.planar else (self.pitch, size * self.stored, size)
        start = self.offset + self.first * size
        need = start + (plane * self.channels if self.planar else plane) + self.row_bytes
        rows = self.rows_in(len(buffer))
        if len(buffer) < need:
            longer = np.zeros(need, np.uint8)  # pages never touched take no memory
            longer[: len(buffer)] = buffer
            buffer = longer
        dtype = np.dtype((">" if self.big_endian else "<") + _NUMPY[self.dtype])
        shape = (self.height, self.width, self.channels)
        array: NDArray[np.generic] = np.ndarray(shape, dtype, buffer.data, start, strides)
        return array, rows

    def rows_in(self, length: int) -> tuple[int, ...]:
        """Whole rows of each channel in a buffer of `length` bytes."""
        plane = self.pitch * self.height if self.planar else 0
        out = []
        for c in range(self.channels):
            left = length - self.offset - plane * c
            out.append(
                max(0, min(self.height, (left - self.row_bytes) // self.pitch + 1 if left >= self.row_bytes else 0))
            )
        return tuple(out)


def expected_view(spec: BufferSpec, slot: int = 0) -> View:
    """The view of a correct buffer."""
    height, width = spec.size
    stored = 1 if spec.planar else spec.stored
    return View(spec.dtype, height, width, spec.channels, spec.planar, stored, spec.pitch, spec.slot_bytes * slot)
