"""Makes `.rknn` files from a description, for what no built model shows: old versions, odd names, contradictions."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, replace

import flatbuffers

from prepcheck.contract.contract import Contract
from prepcheck.readers.model import read_model_source
from prepcheck.wire.source import Source


@dataclass(frozen=True)
class T:
    """A tensor table. Defaults: an int8 image of rk3588, 1x3x20x36."""

    name: str = "images"
    dims: tuple[int, ...] = (1, 3, 20, 36)
    native: tuple[int, ...] = (1, 1, 20, 36, 3)
    dtype: int = 3
    layout: int = 64
    kind: int = 1
    scale: tuple[float, ...] = (1.0,)
    zero_point: tuple[int, ...] = (-128,)
    nbytes: int = 2880
    alignment: int = 16
    strided: bool = True


OUT = T("out", (1, 8, 20, 36), (1, 2, 20, 36, 16), kind=2, nbytes=23040, alignment=0, strided=False)
VECTOR = T("vec", (1, 6), (1, 6), layout=0, scale=(0.5,), zero_point=(0,), nbytes=16, alignment=0, strided=False)


@dataclass(frozen=True)
class M:
    """A model. mini: container form; norms: (mean, std) per input; graphs: further dims of the inputs (dynamic)."""

    inputs: tuple[T, ...] = (T(),)
    outputs: tuple[T, ...] = (OUT,)
    norms: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...] = (((0.0,) * 4, (1.0,) * 4),)
    mini: bool = False
    version: int = 6
    tag: str = "RKNPU v2"
    target: str | None = "rk3588"
    json_target: str | None = "rk3588"
    generator: str = ""
    custom: str = ""
    batch: str | None = "0"
    input_json: str | None = "auto"
    output_json: str | None = "auto"
    graphs: tuple[tuple[tuple[int, ...], ...], ...] = ()
    identifier: bytes = b"RKNN"
    json_inputs: tuple[tuple[str, tuple[int, ...]], ...] | None = None
    extra: bytes = b""
    json_text: bytes | None = None


FULL = {
    "custom": 11,
    "target": 8,
    "build": 7,
    "compiler": 6,
    "origin": 9,
    "scale": 10,
    "zp": 11,
    "nbytes": 12,
    "align": 20,
}
MINI = {"custom": 8, "target": 6, "build": 5, "compiler": 4, "origin": 7, "scale": 6, "zp": 7, "nbytes": 8, "align": 12}


def _vector(b: flatbuffers.Builder, code: str, values: tuple) -> int:
    size = struct.calcsize(code)
    b.StartVector(size, len(values), size)
    put = b.PrependFloat32 if code == "f" else b.PrependInt32
    for v in reversed(values):
        put(v)
    return b.EndVector()


def _refs(b: flatbuffers.Builder, refs: list[int]) -> int:
    b.StartVector(4, len(refs), 4)
    for r in reversed(refs):
        b.PrependUOffsetTRelative(r)
    return b.EndVector()


def _table(b: flatbuffers.Builder, fields: dict[int, tuple[str, int]]) -> int:
    b.StartObject(max(fields, default=-1) + 1)
    for slot, (kind, value) in fields.items():
        if kind == "ref":
            b.PrependUOffsetTRelativeSlot(slot, value, 0)
        elif kind == "i8":
            b.PrependInt8Slot(slot, value, 0)
        else:
            b.PrependInt32Slot(slot, value, 0)
    return b.EndObject()


def _tensor(b: flatbuffers.Builder, t: T, s: dict[str, int], mini: bool) -> int:
    fields = {
        0: ("i8", t.dtype),
        1: ("i8", t.layout),
        2: ("i8", t.kind),
        3: ("ref", _vector(b, "i", t.native)),
        4: ("ref", _vector(b, "i", t.dims)),
        5: ("ref", b.CreateString(t.name)),
        s["scale"]: ("ref", _vector(b, "f", t.scale)),
        s["zp"]: ("ref", _vector(b, "i", t.zero_point)),
        s["nbytes"]: ("i32", t.nbytes),
    }
    if t.strided:
        fields[s["align"]] = ("ref", _vector(b, "f", t.scale)) if mini else ("i32", t.alignment)
    return _table(b, fields)


def _graph(b: flatbuffers.Builder, m: M, s: dict[str, int], dims: tuple[tuple[int, ...], ...] | None) -> int:
    inputs = m.inputs if dims is None else tuple(replace(t, dims=d) for t, d in zip(m.inputs, dims, strict=True))
    tensors = _refs(b, [_tensor(b, t, s, m.mini) for t in (*inputs, *m.outputs)])
    ins = _vector(b, "i", tuple(range(len(m.inputs))))
    outs = _vector(b, "i", tuple(range(len(m.inputs), len(m.inputs) + len(m.outputs))))
    norms = _refs(
        b, [_table(b, {0: ("ref", _vector(b, "f", mean)), 1: ("ref", _vector(b, "f", std))}) for mean, std in m.norms]
    )
    return _table(b, {0: ("ref", tensors), 2: ("ref", ins), 3: ("ref", outs), 4: ("ref", norms)})


def flatbuffer(m: M) -> bytes:
    """The flatbuffer of a model."""
    b = flatbuffers.Builder(1024)
    s = MINI if m.mini else FULL
    graphs = _refs(b, [_graph(b, m, s, None), *(_graph(b, m, s, d) for d in m.graphs)])
    names = {3: "int8", 10: "float16"}

    def reported(given: str | None, tensors: tuple[T, ...], image: str) -> str | None:
        if given != "auto":
            return given
        return json.dumps(
            {
                t.name: {"dtype": names.get(t.dtype, "int8"), "layout": image if len(t.dims) == 4 else "UNDEFINED"}
                for t in tensors
            }
        )

    strings = {
        1: m.tag,
        3: m.generator,
        s["build"]: "2.5.0(x)",
        s["target"]: m.target,
        s["origin"]: "ONNX",
        s["custom"]: m.custom,
    }
    if not m.mini:
        strings |= {
            12: reported(m.input_json, m.inputs, "NHWC"),
            13: reported(m.output_json, m.outputs, "NCHW"),
            14: m.batch,
        }
    refs = {slot: ("ref", b.CreateString(text)) for slot, text in strings.items() if text is not None}
    root = _table(b, {0: ("i32", 6), 2: ("ref", graphs), s["compiler"]: ("i32", 20500), **refs})
    b.Finish(root, m.identifier)
    return bytes(b.Output())


def json_part(m: M) -> bytes:
    """The JSON part of a model."""
    if m.json_text is not None:
        return m.json_text
    ins = m.json_inputs if m.json_inputs is not None else tuple((t.name, t.dims) for t in m.inputs)
    rows = [*ins, *((t.name, t.dims) for t in m.outputs)]
    table = {
        "version": "2.5.0",
        "norm_tensor": [
            {"tensor_id": k, "url": name, "size": list(dims), "dtype": {"qnt_type": "int8", "vx_type": "int8"}}
            for k, (name, dims) in enumerate(rows)
        ],
        "graph": [
            {
                "left": "input" if k < len(ins) else "output",
                "left_tensor_id": k if k < len(ins) else k - len(ins),
                "right": "norm_tensor",
                "right_tensor_id": k,
            }
            for k in range(len(rows))
        ],
    }
    if m.json_target is not None:
        table["target_platform"] = [m.json_target]
    return json.dumps(table).encode()


def build(m: M = M()) -> bytes:
    """The bytes of a whole file."""
    payload = flatbuffer(m)
    if m.mini:
        payload = struct.pack("<16I", len(payload), *(0,) * 15) + payload
    header = b"RKNN" + bytes(4) + struct.pack("<QQ", m.version, len(payload))
    if m.version & 0xFF != 1:
        header += bytes(40)
    text = json_part(m)
    return header + payload + struct.pack("<Q", len(text)) + text + m.extra


def contract(m: M, name: str = "x.rknn") -> Contract:
    """What the reader makes of it."""
    return read_model_source(Source.from_bytes(build(m), name), name)


def rknn1_json(**changes: object) -> dict[str, object]:
    """The JSON of an RKNN1 model: one NHWC image 1x32x48x3 and one output of 10 numbers."""
    table: dict[str, object] = {
        "input_fmt": 1,
        "version": "v1.7.5",
        "target_platform": ["RV1126"],
        "norm_tensor": [
            {
                "tensor_id": 0,
                "size": [3, 48, 32, 1],
                "url": "in",
                "dtype": {
                    "qnt_type": "VSI_NN_QNT_TYPE_AFFINE_ASYMMETRIC",
                    "vx_type": "VSI_NN_TYPE_UINT8",
                    "scale": 0.5,
                    "zero_point": 3,
                },
            },
            {
                "tensor_id": 1,
                "size": [10, 1],
                "url": "out",
                "dtype": {"qnt_type": "VSI_NN_QNT_TYPE_NONE", "vx_type": "VSI_NN_TYPE_FLOAT16"},
            },
        ],
        "graph": [
            {"left": "input", "left_tensor_id": 0, "right": "norm_tensor", "right_tensor_id": 0},
            {"left": "output", "left_tensor_id": 0, "right": "norm_tensor", "right_tensor_id": 1},
        ],
        "mean_value": [1, 2, 3],
        "std_value": [4, 5, 6],
        "mean_value_chns": [3],
        "reorder": [0, 1, 2],
    }
    return table | changes


def rknn1(table: dict[str, object] | bytes, payload: bytes = b"", version: int = 2) -> bytes:
    """An RKNN1 container around a JSON table (or its bytes)."""
    text = table if isinstance(table, bytes) else json.dumps(table).encode()
    header = b"RKNN" + bytes(4) + struct.pack("<QQ", version, len(payload))
    return header + payload + struct.pack("<Q", len(text)) + text
