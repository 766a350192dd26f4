"""The journal of a sweep: one line for each finished unit, so that an interrupted sweep continues where it was.

The first line says which sweep it is; the others are results of units. A line that is cut, damaged or of another form is
as if it were not there: its unit is done again. So is a unit one of whose files has changed.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Mapping, Sequence
from typing import IO

from prepcheck.app.sweeping.records import FormError, UnitResult, read_result
from prepcheck.app.sweeping.samples import Sample
from prepcheck.app.sweeping.unit import stat_of
from prepcheck.errors import UsageError

FORMAT = "prepcheck/sweep-journal/v1"
MAX_LINE = 64 << 20


class Journal:
    """A journal open for writing. Every line is written and flushed at once."""

    def __init__(self, path: str, head: Mapping[str, object], *, keep: bool) -> None:
        """Begin the journal, or go on with one of the same sweep (keep). Raises UsageError where it cannot be written."""
        self.path = path
        try:
            cut = keep and _cut_short(path)
            self._stream: IO[str] = open(path, "a" if keep else "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        except OSError as error:
            raise UsageError(f"{path}: the journal cannot be written ({error.strerror})") from None
        if cut:
            self._stream.write("\n")
        if not keep:
            self._write({"journal": FORMAT, **head})

    def add(self, result: UnitResult) -> None:
        """Note a finished unit. Raises UsageError on a full disk."""
        self._write(result)

    def _write(self, value: Mapping[str, object]) -> None:
        text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
        try:
            self._stream.write(f"{zlib.crc32(text.encode()):08x} {text}\n")
            self._stream.flush()
        except OSError as error:
            raise UsageError(f"{self.path}: the journal cannot be written ({error.strerror})") from None

    def close(self, *, remove: bool) -> None:
        """Close; remove: the sweep is complete and its report written."""
        self._stream.close()
        if remove:
            os.unlink(self.path)


def _cut_short(path: str) -> bool:
    """Whether the last line has no end: a process died while it wrote it."""
    with open(path, "rb") as stream:
        stream.seek(0, os.SEEK_END)
        if stream.tell() == 0:
            return False
        stream.seek(-1, os.SEEK_END)
        return stream.read(1) != b"\n"


def read(
    path: str, head: Mapping[str, object], chunks: Sequence[Sequence[int]], samples: Sequence[Sample]
) -> dict[int, UnitResult] | None:
    """unit → result of what is done; None where there is no journal.

    Raises UsageError where the journal is that of another sweep.
    """
    if not os.path.exists(path):
        return None
    done: dict[int, UnitResult] = {}
    try:
        with open(path, "rb") as stream:
            first = _line(stream.readline(MAX_LINE))
            if first is None or first.get("journal") != FORMAT:
                raise UsageError(f"{path}: is no journal of a sweep; remove it, or choose another report with -o")
            if {k: v for k, v in first.items() if k != "journal"} != head:
                differs = [k for k in head if first.get(k) != head[k]]
                raise UsageError(
                    f"{path}: is the journal of another sweep (other {', '.join(differs) or 'settings'}); "
                    f"leave --resume out to begin anew"
                )
            while raw := stream.readline(MAX_LINE):
                result = _result(raw)
                if result is not None and _valid(result, chunks, samples):
                    done[result["unit"]] = result
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    return done


def _line(raw: bytes) -> dict[str, object] | None:
    sum_, _, text = raw.rstrip(b"\n").partition(b" ")
    try:
        if len(sum_) != 8 or int(sum_, 16) != zlib.crc32(text):
            return None
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _result(raw: bytes) -> UnitResult | None:
    value = _line(raw)
    try:
        return None if value is None else read_result(value)
    except FormError:
        return None


def _valid(result: UnitResult, chunks: Sequence[Sequence[int]], samples: Sequence[Sample]) -> bool:
    """Whether a result is of the unit's samples, and their files are as they were."""
    if not 0 <= result["unit"] < len(chunks):
        return False
    if [r["i"] for r in result["samples"]] != list(chunks[result["unit"]]):
        return False
    for record in result["samples"]:
        files = samples[record["i"]].files
        if record["stat"] != [stat_of(path) for _, path in files]:
            return False
        if "looks" in record and (
            len(record["looks"]) != len(files) or any(x["input"] >= len(files) > 1 for x in record["looks"])
        ):
            return False
    return True
