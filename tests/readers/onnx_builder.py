"""Writes `.onnx` files byte by byte (protobuf's wire format), for tests: real models, and what no exporter writes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

FLOAT, UINT8, INT8, INT64, FLOAT16 = 1, 2, 3, 7, 10


def varint(value: int) -> bytes:
    """A number in base 128, the lowest seven bits first."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field_: int, value: int) -> bytes:
    """A field of wire type 0."""
    return varint(field_ << 3) + varint(value)


def blob(field_: int, data: bytes | str) -> bytes:
    """A field of wire type 2."""
    data = data.encode() if isinstance(data, str) else data
    return varint(field_ << 3 | 2) + varint(len(data)) + data


def value_info(name: str, dtype: int, shape: Sequence[int | str] | None) -> bytes:
    """ValueInfoProto of a tensor; a text is a symbolic axis."""
    tensor = number(1, dtype)
    if shape is not None:
        dims = b"".join(blob(1, blob(2, d) if isinstance(d, str) else number(1, d)) for d in shape)
        tensor += blob(2, dims)
    return blob(1, name) + blob(2, blob(1, tensor))


def weight(
    name: str,
    shape: Sequence[int],
    values: Sequence[float] = (),
    *,
    external: str | None = None,
    data: bytes | None = None,
) -> bytes:
    """TensorProto of floats: inside the file, or in a file beside it."""
    out = b"".join(number(1, d) for d in shape) + number(2, FLOAT) + blob(8, name)
    if external is not None:
        return out + blob(13, blob(1, "location") + blob(2, external)) + number(14, 1)
    return out + blob(9, struct.pack(f"<{len(values)}f", *values) if data is None else data)


def node(kind: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: Sequence[int] | int) -> bytes:
    """NodeProto with integer attributes."""
    out = b"".join(blob(1, i) for i in inputs) + b"".join(blob(2, o) for o in outputs) + blob(4, kind)
    for key, value in attributes.items():
        if isinstance(value, int):
            body = blob(1, key) + number(3, value) + number(20, 2)
        else:
            body = blob(1, key) + b"".join(number(8, v) for v in value) + number(20, 7)
        out += blob(5, body)
    return out


@dataclass
class Network:
    """A model. Each part is a message already encoded."""

    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)
    nodes: list[bytes] = field(default_factory=list)
    weights: list[bytes] = field(default_factory=list)
    opset: int = 13
    ir: int = 8
    metadata: dict[str, str] = field(default_factory=dict)
    producer: tuple[str, str] = ("pytorch", "2.1.0")

    def graph(self) -> bytes:
        """GraphProto."""
        parts = [(1, self.nodes), (5, self.weights), (11, self.inputs), (12, self.outputs)]
        return blob(2, "main_graph") + b"".join(blob(n, m) for n, messages in parts for m in messages)

    def model(self) -> bytes:
        """ModelProto."""
        out = number(1, self.ir) + blob(2, self.producer[0]) + blob(3, self.producer[1]) + blob(7, self.graph())
        out += blob(8, blob(1, "") + number(2, self.opset))
        return out + b"".join(blob(14, blob(1, k) + blob(2, v)) for k, v in self.metadata.items())


def classifier(
    *, nhwc: bool = False, dtype: int = FLOAT, height: int = 8, width: int = 12, batch: int | str = 1
) -> Network:
    """A convolution of 3 to 2 channels, which runs in onnxruntime; with `nhwc` behind a transpose."""
    shape = [batch, height, width, 3] if nhwc else [batch, 3, height, width]
    net = Network()
    net.inputs.append(value_info("images", dtype, shape))
    name = "images"
    if dtype != FLOAT:
        net.nodes.append(node("Cast", [name], ["as_float"], to=FLOAT))
        name = "as_float"
    if nhwc:
        net.nodes.append(node("Transpose", [name], ["turned"], perm=[0, 3, 1, 2]))
        name = "turned"
    net.nodes.append(node("Conv", [name, "w"], ["scores"], kernel_shape=[1, 1]))
    net.weights.append(weight("w", [2, 3, 1, 1], [0.5, 0.25, 0.25, -1.0, 0.5, 0.5]))
    net.outputs.append(value_info("scores", FLOAT, [batch, 2, height, width]))
    return net
