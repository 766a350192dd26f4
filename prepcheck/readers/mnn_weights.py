"""The .weight file beside a .mnn: whether it is there and long enough.

MNN says nothing of use: with the file missing, renamed or cut, the session is made, runSession returns 0 and the answer
is made of uninitialised memory; a file that is too short prints nothing at all. measured: MNN 3.6.1, a 3x3 convolution
with 73856 bytes of external weights.
"""

from __future__ import annotations

import os
from typing import Final

from prepcheck.contract.contract import Note
from prepcheck.errors import ReadError
from prepcheck.readers.mnn_survey import Survey
from prepcheck.readers.notes import note
from prepcheck.wire.source import Source

SUFFIX: Final = ".weight"
"""MNN looks for <model file>.weight where setExternalFile was not called. Source: MNN Interpreter::createSession."""

_MAX_ENTRIES: Final = 4096
_PROBE: Final = 1 << 16


def sidecar_notes(found: Survey, name: str) -> list[Note]:
    """What is wrong with the .weight file of the model that lies at the path `name`; [] where nothing is, or none is needed.

    Where no file of that name exists (the model came as bytes) the note `external_weight_unchecked` says what is needed.
    """
    if not found.external:
        return []
    expected = name + SUFFIX
    count = found.external
    if not os.path.isfile(name):
        return [note("external_weight_unchecked", need_bytes=found.need, operators=count)]
    if not os.path.isfile(expected):
        others = _candidates(name, found.need)
        return [
            note(
                "external_weight_missing",
                expected_file=expected,
                need_bytes=found.need,
                operators=count,
                candidates=others,
            )
        ]
    have = os.path.getsize(expected)
    if have < found.need:
        return [
            note(
                "external_weight_short",
                expected_file=expected,
                have=have,
                need=found.need,
                missing_bytes=found.need - have,
                operators=count,
            )
        ]
    if _is_zero(expected, found):
        return [note("external_weight_zero", expected_file=expected, have=have, need=found.need, operators=count)]
    return []


def _candidates(name: str, need: int) -> list[str]:
    """Names of other .weight files in the model's folder that are long enough, sorted: the model may have been renamed."""
    names = []
    try:
        with os.scandir(os.path.dirname(name) or ".") as entries:
            for _, entry in zip(range(_MAX_ENTRIES), entries, strict=False):
                if entry.name.endswith(SUFFIX) and entry.is_file() and entry.stat().st_size >= need:
                    names.append(entry.name)
    except OSError:
        return []
    return sorted(names)[:8]


def _is_zero(path: str, found: Survey) -> bool:
    """Whether the first operator's numbers (at most 64 KiB of them) are all zero bytes."""
    offset, length = found.zero_probe or (0, 0)
    try:
        with Source.open(path) as weights:
            data = weights.read(offset, min(length, _PROBE))
    except ReadError:
        return False
    return bool(data) and not data.strip(b"\x00")
