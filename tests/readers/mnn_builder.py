"""Makes `.mnn` files from a description, for what the converter does not write: old types, odd axes, contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import flatbuffers

from prepcheck.contract.contract import Contract
from prepcheck.readers.mnn import read_mnn
from prepcheck.wire.source import Source

INPUT, CONVOLUTION, PERMUTE, POOLING, CAST = 34, 12, 46, 47, 9
_MAIN = {INPUT: 21, CONVOLUTION: 9, PERMUTE: 29}


@dataclass(frozen=True)
class Operator:
    """One operator. dims: of an Input or a Permute; conv: (kernel, ic, oc, group); external: offset, bytes, …"""

    kind: int
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    dims: tuple[int, ...] = ()
    dtype: int | None = 1
    layout: int | None = 0
    conv: tuple[int, int, int, int] | None = None
    external: tuple[int, ...] = ()
    bare: bool = False


def _vector(b: flatbuffers.Builder, values: Sequence[int], width: int = 4) -> int:
    b.StartVector(width, len(values), width)
    for value in reversed(values):
        (b.PrependInt64 if width == 8 else b.PrependInt32)(value)
    return int(b.EndVector())


def _references(b: flatbuffers.Builder, values: Sequence[int]) -> int:
    b.StartVector(4, len(values), 4)
    for value in reversed(values):
        b.PrependUOffsetTRelative(value)
    return int(b.EndVector())


def _main(b: flatbuffers.Builder, op: Operator) -> int:
    dims = _vector(b, op.dims)
    if op.kind == CONVOLUTION and op.conv is not None:
        kernel, ic, oc, group = op.conv
        b.StartObject(17)
        for slot, value in ((2, kernel), (3, kernel), (9, group), (10, oc), (11, ic)):
            b.PrependInt32Slot(slot, value, 0)
        common = b.EndObject()
        external = _vector(b, op.external, 8) if op.external else 0
        b.StartObject(7)
        b.PrependUOffsetTRelativeSlot(0, common, 0)
        b.PrependUOffsetTRelativeSlot(6, external, 0)
        return int(b.EndObject())
    b.StartObject(3)
    b.PrependUOffsetTRelativeSlot(0, dims, 0)
    if op.kind == INPUT and op.dtype is not None:
        b.PrependInt32Slot(1, op.dtype, -1)
    if op.kind == INPUT and op.layout is not None:
        b.PrependInt8Slot(2, op.layout, -1)
    return int(b.EndObject())


def _op(b: flatbuffers.Builder, op: Operator, index: int) -> int:
    name = b.CreateString(f"op{index}")
    main = _main(b, op) if op.kind in _MAIN and not op.bare else 0
    inputs, outputs = _vector(b, op.inputs), _vector(b, op.outputs)
    b.StartObject(8)
    b.PrependUOffsetTRelativeSlot(0, inputs, 0)
    if main:
        b.PrependUint8Slot(1, _MAIN[op.kind], 0)
        b.PrependUOffsetTRelativeSlot(2, main, 0)
    b.PrependUOffsetTRelativeSlot(3, name, 0)
    b.PrependUOffsetTRelativeSlot(4, outputs, 0)
    b.PrependInt32Slot(5, op.kind, -1)
    return int(b.EndObject())


def build(ops: Sequence[Operator], names: Sequence[str], *, outputs: Sequence[str] = (), source: int = 3) -> bytes:
    """The bytes of a model. The business code is written first, so that it ends the file, as the converter does."""
    b = flatbuffers.Builder(1024)
    code = b.CreateString("test")
    offsets = [_op(b, op, i) for i, op in enumerate(ops)]
    oplists = _references(b, offsets)
    listed = _references(b, [b.CreateString(n) for n in outputs])
    tensors = _references(b, [b.CreateString(n) for n in names])
    b.StartObject(12)
    b.PrependUOffsetTRelativeSlot(0, code, 0)
    b.PrependUOffsetTRelativeSlot(3, oplists, 0)
    b.PrependUOffsetTRelativeSlot(4, listed, 0)
    b.PrependInt8Slot(6, source, 0)
    b.PrependUOffsetTRelativeSlot(7, tensors, 0)
    b.Finish(b.EndObject())
    return bytes(b.Output())


def contract(data: bytes, name: str = "model.mnn") -> Contract:
    """What the reader makes of bytes."""
    return read_mnn(Source.from_bytes(data, name), name)


def kinds(found: Contract) -> list[str]:
    """The kinds of a contract's notes, in order."""
    return [note.kind for note in found.notes]
