"""Makes `.tflite` files with the flatbuffers package, for tests: a model that the interpreter runs, and its metadata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import flatbuffers
import numpy as np

FLOAT32, INT32, UINT8, INT8 = 0, 2, 3, 9
CONV_2D, QUANTIZE, TRANSPOSE = 3, 114, 39


@dataclass(frozen=True)
class T:
    """A tensor. scales, zeros: of its quantisation; data: of a constant; signature: with −1 for open axes."""

    name: str
    shape: tuple[int, ...]
    kind: int = FLOAT32
    scales: tuple[float, ...] = ()
    zeros: tuple[int, ...] = ()
    axis: int = 0
    data: bytes = b""
    signature: tuple[int, ...] = ()


@dataclass(frozen=True)
class Op:
    """An operator by its built-in number."""

    kind: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


@dataclass
class Lite:
    """A model with one subgraph."""

    tensors: list[T]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    operators: list[Op] = field(default_factory=list)
    description: str = "made for a test"
    metadata: bytes = b""
    version: int = 3

    def build(self) -> bytes:
        """The file."""
        b = flatbuffers.Builder(1024)
        blobs = [b""] + [t.data for t in self.tensors] + ([self.metadata] if self.metadata else [])
        buffers = _refs(b, [_buffer(b, x) for x in blobs])
        tensors = _refs(b, [_tensor(b, t, i + 1) for i, t in enumerate(self.tensors)])
        kinds = sorted({o.kind for o in self.operators})
        codes = _refs(b, [_code(b, k) for k in kinds])
        operators = _refs(b, [_operator(b, o, kinds.index(o.kind)) for o in self.operators])
        inputs, outputs = _ints(b, self.inputs), _ints(b, self.outputs)
        b.StartObject(5)
        for slot, offset in enumerate((tensors, inputs, outputs, operators)):
            b.PrependUOffsetTRelativeSlot(slot, offset, 0)
        graphs = _refs(b, [b.EndObject()])
        description = b.CreateString(self.description)
        entries = 0
        if self.metadata:
            name = b.CreateString("TFLITE_METADATA")
            b.StartObject(2)
            b.PrependUOffsetTRelativeSlot(0, name, 0)
            b.PrependUint32Slot(1, len(blobs) - 1, 0)
            entries = _refs(b, [b.EndObject()])
        b.StartObject(8)
        b.PrependUint32Slot(0, self.version, 0)
        for slot, offset in ((1, codes), (2, graphs), (3, description), (4, buffers), (6, entries)):
            if offset:
                b.PrependUOffsetTRelativeSlot(slot, offset, 0)
        b.Finish(b.EndObject(), b"TFL3")
        return bytes(b.Output())


def _refs(b: flatbuffers.Builder, offsets: Sequence[int]) -> int:
    b.StartVector(4, len(offsets), 4)
    for offset in reversed(offsets):
        b.PrependUOffsetTRelative(offset)
    return int(b.EndVector())


def _ints(b: flatbuffers.Builder, values: Sequence[int]) -> int:
    return int(b.CreateNumpyVector(np.asarray(values, np.int32)))


def _buffer(b: flatbuffers.Builder, data: bytes) -> int:
    place = b.CreateByteVector(data) if data else 0
    b.StartObject(3)
    if place:
        b.PrependUOffsetTRelativeSlot(0, place, 0)
    return int(b.EndObject())


def _tensor(b: flatbuffers.Builder, t: T, buffer: int) -> int:
    name, shape = b.CreateString(t.name), _ints(b, t.shape)
    signature = _ints(b, t.signature) if t.signature else 0
    quant = 0
    if t.scales:
        scales = b.CreateNumpyVector(np.asarray(t.scales, np.float32))
        zeros = b.CreateNumpyVector(np.asarray(t.zeros, np.int64))
        b.StartObject(7)
        b.PrependUOffsetTRelativeSlot(2, scales, 0)
        b.PrependUOffsetTRelativeSlot(3, zeros, 0)
        b.PrependInt32Slot(6, t.axis, 0)
        quant = b.EndObject()
    b.StartObject(10)
    b.PrependUOffsetTRelativeSlot(0, shape, 0)
    b.PrependInt8Slot(1, t.kind, 0)
    b.PrependUint32Slot(2, buffer, 0)
    b.PrependUOffsetTRelativeSlot(3, name, 0)
    if quant:
        b.PrependUOffsetTRelativeSlot(4, quant, 0)
    if signature:
        b.PrependUOffsetTRelativeSlot(7, signature, 0)
    return int(b.EndObject())


def _code(b: flatbuffers.Builder, kind: int) -> int:
    b.StartObject(4)
    b.PrependInt8Slot(0, min(kind, 127), 0)
    b.PrependInt32Slot(2, 2 if kind == CONV_2D else 1, 1)
    b.PrependInt32Slot(3, kind, 0)
    return int(b.EndObject())


def _operator(b: flatbuffers.Builder, op: Op, code: int) -> int:
    options, kind = 0, 0
    if op.kind == CONV_2D:  # Conv2DOptions: padding VALID 1, stride 1, 1
        b.StartObject(6)
        b.PrependInt8Slot(0, 1, 0)
        b.PrependInt32Slot(1, 1, 0)
        b.PrependInt32Slot(2, 1, 0)
        options, kind = b.EndObject(), 1
    inputs, outputs = _ints(b, op.inputs), _ints(b, op.outputs)
    b.StartObject(9)
    b.PrependUint32Slot(0, code, 0)
    b.PrependUOffsetTRelativeSlot(1, inputs, 0)
    b.PrependUOffsetTRelativeSlot(2, outputs, 0)
    if options:
        b.PrependUint8Slot(3, kind, 0)
        b.PrependUOffsetTRelativeSlot(4, options, 0)
    return int(b.EndObject())


def metadata(mean: Sequence[float], std: Sequence[float], color: int = 1) -> bytes:
    """ModelMetadata with NormalizationOptions and a colour for one picture input."""
    b = flatbuffers.Builder(256)
    means, stds = (b.CreateNumpyVector(np.asarray(v, np.float32)) for v in (mean, std))
    b.StartObject(2)
    b.PrependUOffsetTRelativeSlot(0, means, 0)
    b.PrependUOffsetTRelativeSlot(1, stds, 0)
    options = b.EndObject()
    b.StartObject(2)
    b.PrependUint8Slot(0, 1, 0)
    b.PrependUOffsetTRelativeSlot(1, options, 0)
    units = _refs(b, [b.EndObject()])
    b.StartObject(2)
    b.PrependInt8Slot(0, color, 0)
    image = b.EndObject()
    b.StartObject(3)
    b.PrependUint8Slot(0, 2, 0)
    b.PrependUOffsetTRelativeSlot(1, image, 0)
    content = b.EndObject()
    name = b.CreateString("image")
    b.StartObject(7)
    b.PrependUOffsetTRelativeSlot(0, name, 0)
    b.PrependUOffsetTRelativeSlot(3, content, 0)
    b.PrependUOffsetTRelativeSlot(4, units, 0)
    tensors = _refs(b, [b.EndObject()])
    b.StartObject(7)
    b.PrependUOffsetTRelativeSlot(2, tensors, 0)
    graphs = _refs(b, [b.EndObject()])
    title = b.CreateString("a classifier")
    b.StartObject(8)
    b.PrependUOffsetTRelativeSlot(0, title, 0)
    b.PrependUOffsetTRelativeSlot(3, graphs, 0)
    b.Finish(b.EndObject(), b"M001")
    return bytes(b.Output())


def convolution(*, quantized: bool = False, meta: bytes = b"", per_channel: bool = False) -> Lite:
    """CONV_2D of 3 to 2 channels over 8x12 pixels, N, H, W, C; float32, or int8 with uint8 codes 0..255 before a QUANTIZE."""
    if not quantized:
        tensors = [
            T("images", (1, 8, 12, 3)),
            T("w", (2, 1, 1, 3), data=np.asarray([0.5, 0.25, 0.25, -1, 0.5, 0.5], np.float32).tobytes()),
            T("b", (2,), data=np.zeros(2, np.float32).tobytes()),
            T("scores", (1, 8, 12, 2)),
        ]
        return Lite(tensors, (0,), (3,), [Op(CONV_2D, (0, 1, 2), (3,))], metadata=meta)
    scales = (0.01, 0.02) if per_channel else (0.01, 0.01)
    tensors = [
        T("images", (1, 8, 12, 3), UINT8, (1 / 255,), (0,)),
        T("codes", (1, 8, 12, 3), INT8, (1 / 255,), (-128,)),
        T("w", (2, 1, 1, 3), INT8, scales, (0, 0), 0, np.asarray([50, 25, 25, -100, 50, 50], np.int8).tobytes()),
        T("b", (2,), INT32, tuple(s / 255 for s in scales), (0, 0), 0, np.zeros(2, np.int32).tobytes()),
        T("scores", (1, 8, 12, 2), INT8, (0.05,), (3,)),
    ]
    operators = [Op(QUANTIZE, (0,), (1,)), Op(CONV_2D, (1, 2, 3), (4,))]
    return Lite(tensors, (0,), (4,), operators, metadata=meta)
