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

from prepcheck.app.sweeping.job import Plain
from prepcheck.app.sweeping.samples import Sample
from prepcheck.app.sweeping.unit import stat_of
from prepcheck.errors import UsageError

FORMAT = "prepcheck/sweep-journal/v1"
MAX_LINE = 64 << 20


class Journal:
    """A journal open for writing. Every line is written and flushed at once."""

    def __init__(self, path: str, head: Plain, *, keep: bool) -> None:
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

    def add(self, result: Plain) -> None:
        """Note a finished unit. Raises UsageError on a full disk."""
        self._write(result)

    def _write(self, value: Plain) -> None:
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


def read(path: str, head: Plain, chunks: Sequence[Sequence[int]], samples: Sequence[Sample]) -> dict[int, Plain] | None:
    """unit → result of what is done; None where there is no journal.

    Raises UsageError where the journal is that of another sweep.
    """
    if not os.path.exists(path):
        return None
    done: dict[int, Plain] = {}
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
                value = _line(raw)
                number = value.get("unit") if value is not None else None
                if value is not None and isinstance(number, int) and _valid(value, number, chunks, samples):
                    done[number] = value
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from None
    return done


def _line(raw: bytes) -> Plain | None:
    sum_, _, text = raw.rstrip(b"\n").partition(b" ")
    try:
        if len(sum_) != 8 or int(sum_, 16) != zlib.crc32(text):
            return None
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _valid(
    value: Mapping[str, object], number: int, chunks: Sequence[Sequence[int]], samples: Sequence[Sample]
) -> bool:
    """Whether a result is of the unit's samples, and their files are as they were."""
    if not 0 <= number < len(chunks):
        return False
    records = value.get("samples")
    if not isinstance(records, list) or [r.get("i") for r in records if isinstance(r, dict)] != list(chunks[number]):
        return False
    if not formed(value, max(len(samples[i].files) for i in chunks[number])):
        return False
    return all(r.get("stat") == [stat_of(p) for _, p in samples[r["i"]].files] for r in records)


def formed(value: Mapping[str, object], inputs: int) -> bool:
    """Whether a result has the form that a unit gives: nobody else's lines are taken in."""
    ways, records, sums = (value.get(k) for k in ("ways", "samples", "histograms"))
    if not (isinstance(ways, list) and isinstance(records, list) and isinstance(sums, dict)):
        return False
    rows = [row for group in sums.values() if isinstance(group, list) for row in group]
    if not all(isinstance(row, list) and len(row) == 256 and all(type(n) is int for n in row) for row in rows):
        return False
    if not all(key.isdigit() and isinstance(group, list) and group for key, group in sums.items()):
        return False
    return all(_way_formed(w) for w in ways) and all(_record_formed(r, len(ways), inputs) for r in records)


def _way_formed(way: object) -> bool:
    if not isinstance(way, dict) or set(way) != {"findings", "unknown", "counts"}:
        return False
    counts, lists = way["counts"], [way["findings"], way["unknown"]]
    if not (isinstance(counts, list) and len(counts) == 3 and all(type(n) is int for n in counts)):
        return False
    if not all(isinstance(x, list) and all(isinstance(f, dict) for f in x) for x in lists):
        return False
    words = ("rule", "where", "severity", "category", "message")
    return all(all(isinstance(f.get(w), str) for w in words) and isinstance(f.get("evidence"), dict) for f in lists[0])


def _record_formed(record: object, ways: int, inputs: int) -> bool:
    if not isinstance(record, dict):
        return False
    error = record.get("error")
    if error is not None:
        return isinstance(error, list) and len(error) == 2 and all(isinstance(e, str) for e in error)
    way, looks = record.get("way"), record.get("looks")
    if type(way) is not int or not 0 <= way < ways or not isinstance(looks, list) or len(looks) != inputs:
        return False
    return all(isinstance(x, dict) and type(x.get("input")) is int and ("array" in x or "size" in x) for x in looks)
