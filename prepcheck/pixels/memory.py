"""A picture as bytes in memory: rows at a pitch, batches, the padding that the runtime allocates. Sizes in bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from prepcheck.errors import UsageError


def rows_at_pitch(pixels: NDArray[np.generic], w_stride: int | None, batch: int = 1, total: int | None = None) -> bytes:
    """H x W x C elements as NHWC memory: each row `w_stride` pixels long (None = packed), repeated for the whole batch.

    Padding is zero. total: bytes that the memory has in all (size_with_stride); the end is padded. Raises UsageError
    where the picture does not fit.
    """
    height, width, channels = pixels.shape
    stride = w_stride or width
    if stride < width:
        raise UsageError(f"w_stride {stride} is less than the width {width}")
    memory = np.zeros((batch, height, stride, channels), dtype=pixels.dtype)
    memory[:, :, :width] = pixels
    data = memory.tobytes()
    if total is not None:
        if len(data) > total:
            raise UsageError(f"the picture takes {len(data)} bytes, the memory has {total}")
        data += bytes(total - len(data))
    return data
