"""TFLite metadata: what the file asks of the application (NormalizationOptions, colour), and its texts.

Formula: (x − mean) / std on pixels 0..255, one value or one for each channel. Source: tflite-support
metadata/metadata_schema.fbs, NormalizationOptions.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import Final

from prepcheck.contract.contract import Expects
from prepcheck.errors import PrepcheckError
from prepcheck.readers.tflite_schema import Model
from prepcheck.records import dataclass
from prepcheck.wire.flatbuffer import Flatbuffer, Table
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window

NAME: Final = "TFLITE_METADATA"
IDENTIFIER: Final = b"M001"
MAX_TEXT: Final = 4096
NORMALIZATION: Final = 1
"""ProcessUnitOptions: NormalizationOptions."""
IMAGE: Final = 2
"""ContentProperties: ImageProperties."""
COLORS: Final = {1: "RGB", 2: "GRAY"}
"""ColorSpaceType."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What the metadata says of each input, in the order of the subgraph's inputs."""

    inputs: list[Expects | None] = field(default_factory=list)


def read_metadata(root: Table, source: Source) -> tuple[Stated, dict[str, str]]:
    """What the metadata says, and texts worth keeping. Metadata that cannot be read is said to be that, and nothing else."""
    fields: dict[str, str] = {}
    for entry in root.tables(Model.METADATA, 4096):
        name = entry.string(0, 1024) or ""
        blob = _buffer(root, entry.integer(1, "I"), source)
        if blob is None:
            continue
        start, length = blob
        if name == "min_runtime_version":
            fields[name] = source.read(start, min(length, 64)).split(b"\x00")[0].decode("utf-8", "replace")
        elif name == NAME:
            try:
                return _read(source, start, length, fields), fields
            except PrepcheckError as fault:
                fields["metadata"] = f"unreadable: {fault.message[:200]}"
    return Stated(), fields


def _buffer(root: Table, index: int, source: Source) -> tuple[int, int] | None:
    """(byte of the file, length) of a buffer; None where there is no such buffer or it is empty."""
    buffers = root.tables(Model.BUFFERS)
    if not 0 <= index < len(buffers):
        return None
    buffer = buffers[index]
    offset, size = buffer.integer(1, "Q"), buffer.integer(2, "Q")
    if offset > 1 and size:
        return (offset, size) if offset + size <= source.size else None
    place, count = buffer.place(0), buffer.count(0)
    return (place + 4, count) if place is not None and count else None


def _read(source: Source, start: int, length: int, fields: dict[str, str]) -> Stated:
    buffer = Flatbuffer(Window(source, start, length))
    if buffer.identifier() != IDENTIFIER:
        return Stated()
    model = buffer.root()
    for slot, key in ((0, "name"), (1, "description"), (2, "version"), (4, "author"), (5, "license")):
        text = model.string(slot, 1 << 20)
        if text:
            fields.setdefault(key, text[:MAX_TEXT])
    graphs = model.tables(3)
    if not len(graphs):
        return Stated()
    return Stated([_expects(t) for t in graphs[0].tables(2, 4096)])


def _expects(tensor: Table) -> Expects | None:
    mean: list[float] | None = None
    std: list[float] | None = None
    for unit in tensor.tables(4, 64):
        if unit.integer(0, "B") != NORMALIZATION:
            continue
        options = unit.table(1)
        if options is None:
            continue
        means = [float(f"{v:.7g}") for v in options.reals(0, "f", 64) or ()]
        stds = [float(f"{v:.7g}") for v in options.reals(1, "f", 64) or ()]
        usable = all(map(math.isfinite, [*means, *stds])) and 0.0 not in stds
        if means and stds and usable and (len(means) == len(stds) or 1 in (len(means), len(stds))):
            mean, std = means, stds
    color = _color(tensor)
    return Expects.made(mean=mean, std=std, color=color) if mean is not None or color is not None else None


def _color(tensor: Table) -> str | None:
    content = tensor.table(3)
    if content is None or content.integer(0, "B") != IMAGE:
        return None
    properties = content.table(1)
    return COLORS.get(properties.integer(0, "b")) if properties is not None else None
