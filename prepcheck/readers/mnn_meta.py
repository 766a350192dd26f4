"""What a .mnn says about itself beside its tensors: source framework, version, identity, and the user's metadata."""

from __future__ import annotations

from typing import Final

from prepcheck.contract.contract import Note
from prepcheck.errors import ReadError
from prepcheck.readers.mnn_net import MnnNet
from prepcheck.readers.mnn_schema import SOURCES, Net
from prepcheck.readers.notes import note
from prepcheck.wire.flatbuffer import Flatbuffer, Table
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window

PREFIX: Final = "mnn."
"""Keys of the file's own fields in Contract.metadata; keys without it are the user's (ONNX metadata_props)."""

_INFO_BUFFER, _INFO_NAME, _INFO_VERSION = 0, 1, 2
"""Slots of ExtraInfo. Source: ExtraInfo.fbs."""
_EXTRA_TYPE, _EXTRA_ATTR = 0, 3
"""Slots of Extra. Source: MNN.fbs."""
_ATTR_S, _ATTR_KEY = 0, 3
"""Slots of Attribute. Source: Tensor.fbs."""
_MAX_BUFFER: Final = 1 << 20
_MAX_ATTRIBUTES: Final = 10_000


def converter_version(net: MnnNet) -> str | None:
    """Version of the MNN that wrote the file (`--targetVersion` does not change it); None in old files."""
    info = _info(net)
    return (info.string(_INFO_VERSION, 256) or None) if info else None


def metadata(net: MnnNet) -> tuple[dict[str, str], list[Note]]:
    """The file's own fields (`mnn.source`, `mnn.biz_code`, `mnn.uuid`, `mnn.auth_code`) and the user's metadata."""
    fields = {
        "source": SOURCES.get(net.root.integer(Net.SOURCE_TYPE, "b"), "unknown"),
        "biz_code": net.root.string(Net.BIZ_CODE) or "",
        "uuid": net.root.string(Net.UUID) or "",
    }
    notes: list[Note] = []
    user: dict[str, str] = {}
    info = _info(net)
    if info is not None:
        fields["auth_code"] = info.string(_INFO_NAME) or ""  # text only: the open runtime neither checks nor decrypts
        try:
            user = _user_metadata(net.source.name, info)
        except ReadError as fault:
            notes.append(note("metadata_unreadable", reason=fault.message))
    return user | {PREFIX + key: value for key, value in fields.items() if value}, notes


def _info(net: MnnNet) -> Table | None:
    return net.root.table(Net.EXTRA_INFO)


def _user_metadata(name: str, info: Table) -> dict[str, str]:
    """The key/value strings of the nested flatbuffer `Extra` of type Meta in extraInfo.buffer."""
    data = info.blob(_INFO_BUFFER, _MAX_BUFFER)
    if not data or len(data) < 8:
        return {}
    extra = Flatbuffer(Window(Source.from_bytes(data, f"{name}: extraInfo"))).root()
    if extra.string(_EXTRA_TYPE, 64) != "Meta":
        return {}
    attributes = extra.tables(_EXTRA_ATTR, _MAX_ATTRIBUTES)
    return {a.string(_ATTR_KEY) or "": a.string(_ATTR_S) or "" for a in attributes}
