"""A model file of any kind that can be read → its Contract. The content decides; the name only words the errors."""

from __future__ import annotations

import os
from typing import Final

from prepcheck.contract.contract import Contract
from prepcheck.errors import PrepcheckError
from prepcheck.readers.kinds import refusal
from prepcheck.readers.sniff import sniff
from prepcheck.wire.source import Source

_PROMISES: Final = {".rknn": "rknn", ".mnn": "mnn"}
"""Extension → the kind that it promises. A file of another kind under such a name is refused: the device's runtime goes
by what the application loads, and one of the two was mixed up."""


def read_model(path: str | os.PathLike[str]) -> Contract:
    """The contract of a model file. Reads only headers, JSON and the tables that describe inputs and outputs.

    Raises NotFoundError, or the ReadError that tells what is wrong with the file.
    """
    with Source.open(path) as source:
        return read_model_source(source, source.name)


def read_model_source(source: Source, name: str) -> Contract:
    """The same for an open source; `name` is how messages call it, and may have an extension."""
    kind = sniff(source)
    promised = _PROMISES.get(os.path.splitext(name)[1].lower(), "")
    if promised and kind in _PROMISES.values() and kind != promised:
        raise refusal(source, kind, promised)
    if kind == "rknn":
        return _read_rknn(source, name)
    if kind == "mnn" or (kind == "unknown" and promised == "mnn"):  # a damaged head may still be told from another kind
        from prepcheck.readers.mnn import read_mnn

        return read_mnn(source, name)
    if kind in ("onnx", "tflite") and not promised:
        return _read_source_model(source, kind, name)
    if kind == "json" and promised != "mnn":
        found = _read_bare_json(source, name)
        if found is not None:
            return found
    raise refusal(source, kind, promised)


def _read_rknn(source: Source, name: str) -> Contract:
    """A file that begins with RKNN."""
    from prepcheck.readers.rknn_container import read_container

    container = read_container(source)
    if container.form == "rknn1":
        from prepcheck.readers.rknn1 import read_rknn1

        return read_rknn1(source, container, name)
    from prepcheck.readers.rknn2 import read_rknn2

    return read_rknn2(source, container, name)


def _read_source_model(source: Source, kind: str, name: str) -> Contract:
    """A model before its conversion, or for a runtime of its own."""
    if kind == "onnx":
        from prepcheck.readers.onnx import read_onnx

        return read_onnx(source, name)
    from prepcheck.readers.tflite import read_tflite

    return read_tflite(source, name)


def _read_bare_json(source: Source, name: str) -> Contract | None:
    """An RKNN1 model as bare JSON, as netron and rknncli describe it; None where the JSON is something else."""
    from prepcheck.readers.rknn1 import contract_of, is_rknn1_json
    from prepcheck.wire.jsontext import MAX_BYTES, parse
    from prepcheck.wire.values import mapping

    if source.size > MAX_BYTES:
        return None
    try:
        table = mapping(parse(source.read(0, source.size), name))
    except PrepcheckError:
        return None
    return contract_of(table, "rknn1 json", name) if is_rknn1_json(table) else None
