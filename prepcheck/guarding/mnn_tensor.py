"""The arguments of MNN.Tensor(...): what pymnn accepts and misreads. numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds_mnn
from prepcheck.guarding.finding import make
from prepcheck.guarding.shapes import elements

if TYPE_CHECKING:
    from prepcheck.guarding.finding import GuardFinding, Value

CAFFE_C4 = 2


def check_tensor(args: tuple[object, ...]) -> GuardFinding | None:
    """The fault of `MNN.Tensor(shape, type, array, dimension_type)`; None for the other forms, which hold no array."""
    if len(args) != 4 or not isinstance(args[2], np.ndarray) or not isinstance(args[0], (tuple, list)):
        return None
    array, where = args[2], "calls (MNN.Tensor)"
    try:
        shape = tuple(int(d) for d in args[0])
    except (TypeError, ValueError):
        return None
    if not array.dtype.isnative:
        want = array.dtype.newbyteorder("=").name
        return make(kinds_mnn.TENSOR_ORDER, where, {"got": array.dtype.str, "want": want})
    if args[3] == CAFFE_C4 and len(shape) >= 2 and array.size == elements(shape) and shape[1] % 4:
        rounded = -(-shape[1] // 4) * 4
        values: dict[str, Value] = {
            "elements": int(array.size),
            "packed": elements(shape) // shape[1] * rounded,
            "channels": shape[1],
            "rounded": rounded,
        }
        return make(kinds_mnn.TENSOR_C4, where, values)
    # fewer or more axes of length 1 do not change the order; a flat array has none to compare
    if array.ndim > 1 and array.size == elements(shape) and _core(array.shape) != _core(shape):
        values = {"got": str(array.shape), "want": str(shape), "elements": int(array.size)}
        return make(kinds_mnn.TENSOR_ARGUMENT, where, values)
    return None


def _core(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(d for d in shape if d != 1)
