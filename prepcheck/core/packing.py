"""Channel-packed layouts of arrays: NC4HW4 (MNN) and NC1HWC2 (Rockchip), both directions, any element type.

NC4HW4 has the block of channels OUTERMOST: element (n, c, h, w) lies at (((c//4)·N + n)·H·W + h·W + w)·4 + c%4, so the
packed axes are [ceil(C/4), N, H, W, 4]. Source: measured on MNN 3.6.1, equal to its memory for N = 2, C = 5.
NC1HWC2 has it inside the batch: [N, ceil(C/C2), H, W, C2]. Source: RKNN API guide 1.5.2 §4.4 and rknn_query's native
attributes. Channels that fill up the last block are 0.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from prepcheck.errors import UsageError

T = TypeVar("T", bound=np.generic)


def pack_nc4hw4(array: NDArray[T], lanes: int = 4) -> NDArray[T]:
    """[N, C, H, W] → [ceil(C/lanes), N, H, W, lanes], a new contiguous array.

    lanes: 4 for host tensors; MNN's own stores take 8 on AVX2 and ARM fp16. Raises UsageError for other ranks.
    """
    return np.ascontiguousarray(_blocks(array, lanes).transpose(1, 0, 3, 4, 2))


def unpack_nc4hw4(packed: NDArray[T], channels: int) -> NDArray[T]:
    """[ceil(C/lanes), N, H, W, lanes] → [N, channels, H, W], a new contiguous array; padding is dropped.

    Raises UsageError for another rank, or where `channels` does not belong to that number of blocks.
    """
    _check(packed, channels, packed.shape[0] if packed.ndim == 5 else 0)
    blocks, n, h, w, lanes = packed.shape
    whole = packed.transpose(1, 0, 4, 2, 3).reshape(n, blocks * lanes, h, w)
    return np.ascontiguousarray(whole[:, :channels])


def pack_nc1hwc2(array: NDArray[T], c2: int) -> NDArray[T]:
    """[N, C, H, W] → [N, ceil(C/c2), H, W, c2], a new contiguous array. Raises UsageError for other ranks."""
    return np.ascontiguousarray(_blocks(array, c2).transpose(0, 1, 3, 4, 2))


def unpack_nc1hwc2(packed: NDArray[T], channels: int) -> NDArray[T]:
    """[N, C1, H, W, C2] → [N, channels, H, W], a new contiguous array; padding is dropped.

    Raises UsageError for another rank, or where `channels` does not belong to that number of blocks.
    """
    _check(packed, channels, packed.shape[1] if packed.ndim == 5 else 0)
    n, blocks, h, w, lanes = packed.shape
    whole = packed.transpose(0, 1, 4, 2, 3).reshape(n, blocks * lanes, h, w)
    return np.ascontiguousarray(whole[:, :channels])


def _blocks(array: NDArray[T], lanes: int) -> NDArray[T]:
    """[N, C, H, W] → [N, blocks, lanes, H, W], channels filled up with 0."""
    if array.ndim != 4 or lanes < 1:
        raise UsageError(f"packing takes [N, C, H, W] and at least 1 channel a block, not {array.shape} and {lanes}")
    n, c, h, w = array.shape
    blocks = -(-c // lanes)
    padded = np.zeros((n, blocks * lanes, h, w), dtype=array.dtype)
    padded[:, :c] = array
    return padded.reshape(n, blocks, lanes, h, w)


def _check(packed: NDArray[T], channels: int, blocks: int) -> None:
    if packed.ndim != 5:
        raise UsageError(f"a packed array has 5 axes, not {packed.ndim} ({packed.shape})")
    lanes = packed.shape[4]
    if not (blocks - 1) * lanes < channels <= blocks * lanes:
        raise UsageError(f"{channels} channels do not take {blocks} blocks of {lanes} ({packed.shape})")
