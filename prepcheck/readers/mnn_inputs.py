"""Input operators of a .mnn → input tensors of the contract, with what is odd about each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Final

from prepcheck.contract.contract import Note, Source, Tensor
from prepcheck.core.dtypes import nbytes
from prepcheck.core.float32 import shortest
from prepcheck.core.layouts import is_static
from prepcheck.readers.mnn_axes import axis_notes
from prepcheck.readers.mnn_net import MnnNet, MnnOp
from prepcheck.readers.mnn_schema import (
    DATA_FORMATS,
    DATA_TYPES,
    DEFAULT_DATA_FORMAT,
    DEFAULT_DATA_TYPE,
    RUNTIME_TYPES,
    Describe,
    Main,
    Net,
)
from prepcheck.readers.notes import note
from prepcheck.readers.provenance import FILE

_DIMS, _DTYPE, _DFORMAT = 0, 1, 2
"""Slots of Input. Source: CaffeOp.fbs."""
_MAX_RANK: Final = 64
_MAX_DESCRIBES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Quant:
    """TensorQuantInfo of one tensor: value = (code − zero)·scale, codes clipped to minimum..maximum."""

    scale: float
    zero: float
    minimum: float
    maximum: float
    dtype: str | None

    @property
    def zero_point(self) -> int | None:
        """The zero as an integer code; None where the file holds a fraction."""
        return int(self.zero) if math.isfinite(self.zero) and self.zero == int(self.zero) else None

    @property
    def value_range(self) -> list[float] | None:
        """Smallest and largest value that is not clipped."""
        ends = [(self.minimum - self.zero) * self.scale, (self.maximum - self.zero) * self.scale]
        return sorted(ends) if all(map(math.isfinite, ends)) else None


def quantization(net: MnnNet) -> dict[int, Quant]:
    """Tensor number → its calibration, for the tensors that have one. Defaults: zero 0, −128..127 (MNN.fbs)."""
    found = {}
    for describe in net.root.tables(Net.TENSOR_DESCRIBE, _MAX_DESCRIBES):
        if not describe.has(Describe.QUANT):
            continue
        info = describe.table(Describe.QUANT)
        if info is not None:
            found[describe.integer(Describe.INDEX, "i")] = Quant(
                shortest(info.real(0)),
                info.real(1, default=0.0),
                info.real(2, default=-128.0),
                info.real(3, default=127.0),
                DATA_TYPES.get(info.integer(4, "i")),
            )
    return found


def input_tensor(net: MnnNet, op: MnnOp, position: int, quants: Mapping[int, Quant]) -> tuple[Tensor, list[Note]]:
    """The contract of one Input operator. Its name is that of the tensor it writes, which need not be the operator's."""
    outputs = op.outputs
    if not outputs:
        raise op.table.fault(f"the input operator {op.index} writes no tensor.")
    name = net.tensor_name(outputs[0])
    main = op.main(Main.INPUT)
    if main is None:
        bare = Tensor.made(index=position, name=name, scheme="none")
        return bare, [note("input_without_parameters", input=position, name=name)]
    notes: list[Note] = []
    shape = list(main.integers(_DIMS, limit=_MAX_RANK) or ())
    number = main.integer(_DTYPE, "i", DEFAULT_DATA_TYPE)
    stored = DATA_TYPES.get(number)
    dtype = None if stored is None else RUNTIME_TYPES.get(stored, stored)
    layout = DATA_FORMATS.get(main.integer(_DFORMAT, "b", DEFAULT_DATA_FORMAT), "UNDEFINED")
    provenance = {
        "layout": FILE if main.has(_DFORMAT) else "rule:MN-INPUT-DEFAULTS",
        "dtype": FILE if main.has(_DTYPE) else "rule:MN-INPUT-DEFAULTS",
    }
    if stored is None:
        notes.append(note("unknown_element_type", input=position, name=name, number=number))
    elif stored != dtype:
        provenance["dtype"] = "rule:MN-SESSION-TYPE"
        notes.append(note("int64_source", input=position, name=name, stored=stored, session=dtype))
    quant = quants.get(outputs[0])
    if quant is not None:
        notes.append(_calibrated(position, name, quant))
        provenance |= {"scale": FILE, "zero_point": FILE, "value_range": "rule:MN-QUANT-RANGE"}
    size = _size(shape, dtype)
    if size is not None:
        provenance["size"] = "rule:MN-BATCH-ONE" if shape[:1] == [-1] else "rule:SZ-PACKED"
    tensor = Tensor.made(
        index=position,
        name=name,
        layout=layout,
        shape=shape,
        dtype=dtype,
        scheme="none" if quant is None else "affine",
        scale=None if quant is None else quant.scale,
        zero_point=None if quant is None else quant.zero_point,
        value_range=None if quant is None else quant.value_range,
        size=size,
        source=Source.made(dtype=stored) if stored != dtype else None,
        provenance=provenance,
    )
    return tensor, notes + axis_notes(net, outputs[0], tensor)


def _size(shape: list[int], dtype: str | None) -> int | None:
    """Bytes of the values without padding, a first axis of −1 counted as 1; None where another axis is open."""
    run = [1, *shape[1:]] if shape and shape[0] == -1 else shape
    return nbytes(dtype, prod(run)) if dtype is not None and is_static(run) else None


def _calibrated(position: int, name: str, quant: Quant) -> Note:
    return note(
        "activations_quantized",
        input=position,
        name=name,
        scale=quant.scale,
        zero=quant.zero,
        min=quant.minimum,
        max=quant.maximum,
        type=quant.dtype,
    )
