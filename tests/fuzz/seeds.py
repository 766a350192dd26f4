"""Where mutations start: small real files of the tests, and `corpus/<target>/` for what needed a file of its own."""

from __future__ import annotations

import io
import json
import random
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from prepcheck.contract.yamldoc import parse
from prepcheck.wire.pcrec import HEAD, MAGIC, MARKER, frame_crc
from tests.rules.harness import CASES

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("corpus")
MODELS = ROOT / "tests" / "data" / "models"
SAMPLES = ROOT / "samples"


def corpus(target: str) -> list[bytes]:
    """Files kept for one target, faults that were found and mended among them."""
    folder = CORPUS / target
    return [p.read_bytes() for p in sorted(folder.iterdir())] if folder.is_dir() else []


def models(*folders: str) -> list[bytes]:
    """Model files up to 60 kB."""
    paths = [p for f in folders for p in sorted((MODELS / f).iterdir()) if p.suffix in (".rknn", ".mnn")]
    return [p.read_bytes() for p in paths if p.stat().st_size <= 60_000]


@cache
def _bodies() -> tuple[dict[str, Any], ...]:
    """One case of every rule, other ones from rule to rule."""
    found = []
    for number, folder in enumerate(sorted(CASES.iterdir())):
        paths = sorted(folder.glob("*.yaml"))
        if paths:
            path = paths[number % len(paths)]
            found.append(parse(path.read_text(encoding="utf-8"), path.name).value)
    return tuple(body for body in found if isinstance(body, dict))


@cache
def plans() -> tuple[object, ...]:
    """Plan documents of the rules' cases, as plain values."""
    return tuple({"prepcheck": "plan/v1", **body["plan"]} for body in _bodies() if "plan" in body)


def contracts() -> list[object]:
    """Contract documents out of the expected answers of models."""
    found: list[object] = []
    for folder in ("rknn", "mnn"):
        table = json.loads((MODELS / folder / "expected.json").read_text(encoding="utf-8"))
        rows = list(table.values()) if isinstance(table, dict) else table
        found += [r.get("contract", r) for r in rows if isinstance(r, dict)][:12]
    return found


@cache
def logs() -> tuple[bytes, ...]:
    """Logs of the rules' cases and of the samples."""
    found = [t for body in _bodies() for t in ([body["log"]] if "log" in body else body.get("logs", []))]
    texts = [str(t).encode() for t in found]
    texts += [p.read_bytes() for p in sorted(SAMPLES.glob("*/*.txt"))]
    texts += [p.read_bytes() for p in sorted(SAMPLES.glob("*/*.py"))]
    return tuple(texts)


def images() -> list[bytes]:
    """Small pictures of every kind that Pillow writes here."""
    from PIL import Image

    rng = random.Random(5)
    found = []
    for mode in ("RGB", "L", "RGBA", "P", "1", "I;16", "CMYK", "LA", "F"):
        picture = Image.frombytes("L", (13, 9), rng.randbytes(13 * 9)).convert("RGB" if mode == "CMYK" else "L")
        picture = picture.convert("I").convert(mode) if mode == "I;16" else picture.convert(mode)
        for form in ("PNG", "JPEG", "BMP", "TIFF", "GIF", "WEBP", "PPM", "TGA", "ICO", "JPEG2000"):
            stream = io.BytesIO()
            try:
                picture.save(stream, form)
            except (OSError, ValueError, KeyError, SystemError):
                continue
            found.append(stream.getvalue())
    stream = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (16, 8), (200, 10, 10)).save(stream, "JPEG", exif=exif.tobytes())
    return [*found, stream.getvalue()]


def arrays() -> list[bytes]:
    """`.npy` files of every type, and raw bytes."""
    import numpy as np

    found = []
    for dtype in ("<f4", "<f2", "<f8", "|i1", "|u1", "<i2", "<i4", "<i8", "|b1", ">f4", "<c8", "<U3", "|S4"):
        for order in ("C", "F"):
            stream = io.BytesIO()
            np.save(stream, np.asarray(np.zeros((1, 4, 6, 3)), dtype=np.dtype(dtype), order=order))
            found.append(stream.getvalue())
    stream = io.BytesIO()
    np.save(stream, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return [*found, stream.getvalue(), bytes(range(256)) * 4]


RECORD_EVENTS: tuple[dict[str, object], ...] = (
    {"api": "rknn_init", "ctx": "0x1", "size": 100, "flag": 0, "ret": 0},
    {"api": "rknn_query", "ctx": "0x1", "cmd": 1, "ret": 0, "index": 0, "name": "input", "dims": [1, 8, 8, 3], "fmt": 1, "type": 2, "size": 192,
     "n_dims": 4, "n_elems": 192, "qnt_type": 2, "fl": 0, "zp": -128, "scale": 0.0039, "w_stride": 8, "size_with_stride": 192},
    {"api": "rknn_inputs_set", "ctx": "0x1", "n": 1, "inputs": [{"index": 0, "buf": "0x2", "size": 192, "pass_through": 0, "type": 3, "fmt": 1}], "ret": 0},
    {"api": "rknn_run", "ctx": "0x1", "ret": 0},
    {"api": "rknn_create_mem", "ctx": "0x1", "size": 4096, "mem": "0x3", "fd": 7, "ret": 0},
    {"api": "rknn_set_io_mem", "ctx": "0x1", "mem": "0x3", "attr": {"index": 0, "type": 3, "fmt": 1, "pass_through": 0}, "ret": 0},
    {"api": "importbuffer_fd", "fd": 7, "size": 4096, "ret": 1},
    {"api": "imresize", "src": {"w": 8, "h": 8, "ws": 8, "hs": 8, "fmt": 512, "handle": 1}, "dst": {"w": 8, "h": 8, "fmt": 512}, "ret": 1},
    {"api": "mnn.create_session", "net": "0x1", "session": "0x2", "type": 3},
    {"api": "mnn.copy_from_host", "tensor": "0x1", "host": "0x2", "shape": [1, 3, 8, 8]},
)  # fmt: skip


def records() -> list[bytes]:
    """Records with one frame for each of a few events, and every event of the reader's tests."""
    found = [frames([*RECORD_EVENTS]), frames(RECORD_EVENTS[:4]), *corpus("record")]
    return [*found, frames(RECORD_EVENTS[4:8])]


def frames(events: list[dict[str, object]] | tuple[dict[str, object], ...]) -> bytes:
    """Events as a record whose check sums are right."""
    parts = [MAGIC]
    for event in events:
        payload = json.dumps(event).encode("utf-8", "replace")
        parts.append(HEAD.pack(MARKER, b"E", len(payload) & 0xFFFFFFFF, frame_crc(b"E", payload)) + payload)
    return b"".join(parts)


def events_of(data: bytes) -> Iterator[dict[str, object]]:
    """The events of a record that can be read."""
    at = len(MAGIC)
    while at + HEAD.size <= len(data):
        _, kind, length, _ = HEAD.unpack_from(data, at)
        payload = data[at + HEAD.size : at + HEAD.size + length]
        at += HEAD.size + length
        if kind == b"E":
            try:
                event = json.loads(payload)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def png_of(width: int, height: int) -> bytes:
    """A PNG that announces any size and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0" * 99)) + chunk(b"IEND", b"")
