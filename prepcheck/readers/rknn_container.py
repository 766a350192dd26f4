"""The container of every `.rknn`: header, payload, JSON. Lengths are compared with the file before anything is read.

Layout, little-endian: "RKNN", four zero bytes, u64 version, u64 payload length P, then (full and mini containers of
version 2 on) 40 bytes that mean nothing, the payload, u64 JSON length J, the JSON. The JSON stands last, so any
truncation, even by one byte, shows in the lengths alone. Source: measured on 309 files of RKNN1 1.3.0 … RKNN2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from prepcheck.contract.contract import Note
from prepcheck.errors import CorruptError, TooLargeError, TruncatedError, UnsupportedVersionError
from prepcheck.readers.notes import note
from prepcheck.records import dataclass
from prepcheck.wire.jsontext import MAX_BYTES, parse_object
from prepcheck.wire.source import Source
from prepcheck.wire.values import Value

Form = Literal["rknn1", "rknn2-full", "rknn2-mini"]

MINI_BIT: Final = 0x1000
SHORT_HEADER: Final = 24
LONG_HEADER: Final = 64
_MIN_VERSION, _MAX_VERSION = 1, 0x20
_SEEN: Final = frozenset({1, 2, 3, 4, 5, 6, 0x1001, 0x1002, 0x1003, 0x1004})
"""Versions that exist. 3, 5 and 0x1001–0x1003 are known from netron's rknn.js alone."""


@dataclass(frozen=True, slots=True)
class Container:
    """Where the parts are (bytes from the start of the file).

    version: container version; form: which family of models; payload_at, payload_size; json_at, json_size; trailing:
    bytes after the JSON.
    """

    version: int
    form: Form
    payload_at: int
    payload_size: int
    json_at: int
    json_size: int
    trailing: int

    @property
    def known_version(self) -> bool:
        """Whether a container of this version was ever seen."""
        return self.version in _SEEN

    @property
    def label(self) -> str:
        """Form and version as one text: "rknn2-full v6"."""
        return f"{self.form} v{self.version}"


def _short(source: Source, need: int, what: str) -> TruncatedError:
    """The file ends too early."""
    return TruncatedError(
        f"{source.name} is cut off: {what}; the file would have {need} bytes and has {source.size}, "
        f"{need - source.size} too few. Copy or download it again and compare the sizes."
    )


def read_container(source: Source) -> Container:
    """The parts of a file that begins with "RKNN".

    Raises TruncatedError, CorruptError, UnsupportedVersionError.
    """
    head = source.head(SHORT_HEADER)
    if head[4:8].strip(b"\x00"):
        raise CorruptError(
            f"{source.name}: bytes 4 to 7 are {head[4:8].hex(' ')}; they are zero in every .rknn. "
            "It is another kind of file that begins with RKNN, or damaged: copy it again."
        )
    if len(head) < SHORT_HEADER:
        raise _short(source, SHORT_HEADER, "the header alone has 24 bytes")
    version, payload = int.from_bytes(head[8:16], "little"), int.from_bytes(head[16:24], "little")
    low = version & 0xFF
    if not _MIN_VERSION <= low <= _MAX_VERSION or version & ~(MINI_BIT | 0xFF):
        raise UnsupportedVersionError(
            f"{source.name}: container version {version} (0x{version:x}, at byte 8) is not known; known are 1 to 6, and "
            "0x1001 to 0x1004 for mini containers. The file is damaged, or of a newer toolkit than this reader: "
            "update prepcheck, or export the model again."
        )
    header = SHORT_HEADER if low == 1 or payload == 0 else LONG_HEADER
    if header + payload > source.size:
        raise _short(source, header + payload + 8, f"it announces {payload} bytes of payload at byte {header}")
    json_length_at = header + payload
    if json_length_at + 8 > source.size:
        raise _short(source, json_length_at + 8, f"the length of the JSON part is missing at byte {json_length_at}")
    json_size = int.from_bytes(source.read(json_length_at, 8), "little")
    json_at = json_length_at + 8
    if json_at + json_size > source.size:
        raise _short(source, json_at + json_size, f"it announces {json_size} bytes of JSON at byte {json_at}")
    return Container(
        version,
        _form(source, version, header, payload),
        header,
        payload,
        json_at,
        json_size,
        source.size - json_at - json_size,
    )


def _form(source: Source, version: int, header: int, payload: int) -> Form:
    """Versions 1 and 2 stand for RKNN1 and for RKNN2: the payload decides."""
    if payload == 0:
        return "rknn1"
    start = source.read(header, min(8, payload))
    if start[:4] == b"VPMN":
        return "rknn1"
    if start[4:8] == b"RKNN":
        return "rknn2-full"
    if version & MINI_BIT:
        return "rknn2-mini"
    raise CorruptError(
        f"{source.name}: the payload at byte {header} begins with {start.hex(' ')}; a Vivante binary (VPMN) or a "
        "flatbuffer with RKNN at its byte 4 is expected. The file is damaged: copy or export it again."
    )


def container_notes(container: Container) -> Iterator[Note]:
    """Bytes after the end, and a version never seen."""
    if not container.known_version:
        yield note("unknown_container_version", version=container.version)
    if container.trailing:
        yield note("trailing_bytes", bytes=container.trailing, offset=container.json_at + container.json_size)


def read_json(source: Source, at: int, size: int) -> dict[str, Value]:
    """The JSON part. Raises TooLargeError, and CorruptError where it does not parse or is not a model's."""
    if size > MAX_BYTES:
        raise TooLargeError(f"{source.name}: the JSON part at byte {at} has {size} bytes; the limit is {MAX_BYTES}.")
    table = parse_object(source.read(at, size), source.name, at)
    missing = [key for key in ("norm_tensor", "graph") if not isinstance(table.get(key), list)]
    if missing:
        raise CorruptError(
            f"{source.name}: the JSON part at byte {at} has no list `{missing[0]}`; every model has one."
        )
    return table
