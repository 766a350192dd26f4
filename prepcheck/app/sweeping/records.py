"""What a unit of a sweep gives: plain values that travel between processes and stand in the journal, and their reading.

Workers of the same program make them, so their types are known; a journal is a file, and what it says is read here, once.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import TypedDict, TypeVar, final

from prepcheck.contract.base import Severity
from prepcheck.contract.report import Finding, Unknown
from prepcheck.render.json_ import plain

GRID = 12
"""A picture is remembered by 12 x 12 of its points: enough to know it again in the other channel order. A choice."""

_T = TypeVar("_T")


@final
class FindingRecord(TypedDict):
    """A finding of the report."""

    rule: str
    category: str
    severity: Severity
    fault: str | None
    where: str
    message: str
    explanation: str
    fix: str
    evidence: dict[str, object]
    confidence: float


@final
class UnknownRecord(TypedDict):
    """A check that could not be decided, of the report."""

    rule: str
    where: str
    reason: str
    supply: str


@final
class Judged(TypedDict):
    """What pictures with one kind of header meet, with stand-ins for their names. counts: checks passed, failed, undecided."""

    findings: list[FindingRecord]
    unknown: list[UnknownRecord]
    counts: list[int]


class _Picture(TypedDict):
    input: int
    size: list[int]


@final
class NotRun(_Picture):
    """A picture, [width, height] as stored, whose steps could not be run, and why."""

    not_run: str


class _Seen(_Picture):
    means: list[float]
    grid: str
    digest: str


@final
class PictureLook(_Seen, total=False):
    """A picture as its steps leave it. means: of each channel. grid: GRID x GRID points x channels uint8, base64.

    digest: the same for the same content. otherwise: why another library than the plan's resized it.
    """

    otherwise: str


class _Array(TypedDict):
    input: int
    array: str
    shape: list[int]
    low: float
    high: float
    whole: bool
    finite: bool
    channels: dict[str, list[list[float]]]


@final
class ArrayLook(_Array, total=False):
    """An .npy: its type, shape, ends; channels: [low, high] of each, by the axis that may be theirs. digest: not of empty ones."""

    digest: str


Look = PictureLook | NotRun | ArrayLook


@final
class SeenSample(TypedDict):
    """A sample that was read. i: its number in the set. stat: [bytes, ns] of its files. way: number in the unit's ways."""

    i: int
    stat: list[list[int]]
    way: int
    looks: list[Look]


@final
class FailedSample(TypedDict):
    """A sample that could not be read. error: [code, message]."""

    i: int
    stat: list[list[int]]
    error: list[str]


SampleRecord = SeenSample | FailedSample


@final
class UnitResult(TypedDict):
    """A finished unit. histograms: by the input's position, channels x 256 counts over its pictures."""

    unit: int
    ways: list[Judged]
    samples: list[SampleRecord]
    histograms: dict[str, list[list[int]]]


def finding_record(finding: Finding) -> FindingRecord:
    """A finding as plain values."""
    return {
        "rule": finding.rule,
        "category": finding.category,
        "severity": finding.severity,
        "fault": finding.fault,
        "where": finding.where,
        "message": finding.message,
        "explanation": finding.explanation,
        "fix": finding.fix,
        "evidence": {str(key): plain(value) for key, value in finding.evidence.items()},
        "confidence": finding.confidence,
    }


def unknown_record(unknown: Unknown) -> UnknownRecord:
    """A check that could not be decided, as plain values."""
    return {"rule": unknown.rule, "where": unknown.where, "reason": unknown.reason, "supply": unknown.supply}


def added(known: list[list[int]], rows: list[list[int]]) -> list[list[int]]:
    """The sum of two histograms with as many channels."""
    return [[a + b for a, b in zip(x, y, strict=True)] for x, y in zip(known, rows, strict=True)]


class FormError(ValueError):
    """A value has not the form that a unit gives."""


def read_result(value: object) -> UnitResult:
    """A line of a journal. Raises FormError: nobody else's lines are taken in."""
    given = _mapping(value)
    ways = _list(given.get("ways"), _judged)
    return {
        "unit": _whole(given.get("unit")),
        "ways": ways,
        "samples": _list(given.get("samples"), lambda v: _sample(v, len(ways))),
        "histograms": {_number(k): _histogram(v) for k, v in _mapping(given.get("histograms")).items()},
    }


def _judged(value: object) -> Judged:
    given = _mapping(value)
    return {
        "findings": _list(given.get("findings"), _finding),
        "unknown": _list(given.get("unknown"), _unknown),
        "counts": _sized(_list(given.get("counts"), _whole), 3),
    }


def _finding(value: object) -> FindingRecord:
    given = _mapping(value)
    fault = given.get("fault")
    return {
        "rule": _text(given.get("rule")),
        "category": _text(given.get("category")),
        "severity": _severity(given.get("severity")),
        "fault": None if fault is None else _text(fault),
        "where": _text(given.get("where")),
        "message": _text(given.get("message")),
        "explanation": _text(given.get("explanation")),
        "fix": _text(given.get("fix")),
        "evidence": dict(_mapping(given.get("evidence"))),
        "confidence": _real(given.get("confidence")),
    }


def _unknown(value: object) -> UnknownRecord:
    given = _mapping(value)
    return {
        "rule": _text(given.get("rule")),
        "where": _text(given.get("where")),
        "reason": _text(given.get("reason")),
        "supply": _text(given.get("supply")),
    }


def _sample(value: object, ways: int) -> SampleRecord:
    given = _mapping(value)
    index, stat = _whole(given.get("i")), _list(given.get("stat"), lambda v: _list(v, _whole))
    if given.get("error") is not None:
        return {"i": index, "stat": stat, "error": _sized(_list(given["error"], _text), 2)}
    way = _whole(given.get("way"))
    if not 0 <= way < ways:
        raise FormError("way")
    return {"i": index, "stat": stat, "way": way, "looks": _list(given.get("looks"), _look)}


def _look(value: object) -> Look:
    given = _mapping(value)
    position = _whole(given.get("input"))
    if position < 0:
        raise FormError("input")
    if "array" in given:
        return _array(given, position)
    size = _sized(_list(given.get("size"), _whole), 2)
    if "not_run" in given:
        return {"input": position, "size": size, "not_run": _text(given["not_run"])}
    means, grid = _list(given.get("means"), _real), _text(given.get("grid"))
    if _bytes_in(grid) != GRID * GRID * len(means):
        raise FormError("grid")
    found: PictureLook = {
        "input": position, "size": size, "means": means, "grid": grid, "digest": _text(given.get("digest")),
    }  # fmt: skip
    if "otherwise" in given:
        found["otherwise"] = _text(given["otherwise"])
    return found


def _bytes_in(text: str) -> int:
    try:
        return len(base64.b64decode(text, validate=True))
    except ValueError:
        raise FormError("base64") from None


def _array(given: Mapping[str, object], position: int) -> ArrayLook:
    channels = _mapping(given.get("channels"))
    found: ArrayLook = {
        "input": position,
        "array": _text(given.get("array")),
        "shape": _list(given.get("shape"), _whole),
        "low": _real(given.get("low")),
        "high": _real(given.get("high")),
        "whole": _flag(given.get("whole")),
        "finite": _flag(given.get("finite")),
        "channels": {k: _list(v, lambda ends: _sized(_list(ends, _real), 2)) for k, v in channels.items()},
    }
    if "digest" in given:
        found["digest"] = _text(given["digest"])
    return found


def _histogram(value: object) -> list[list[int]]:
    rows = _list(value, lambda row: _sized(_list(row, _whole), 256))
    if not rows or any(min(row) < 0 or not any(row) for row in rows):
        raise FormError("histogram")
    return rows


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise FormError("object")
    return value  # its keys are texts: JSON has no others


def _list(value: object, item: Callable[[object], _T]) -> list[_T]:
    if not isinstance(value, list):
        raise FormError("list")
    return [item(v) for v in value]


def _sized(value: list[_T], length: int) -> list[_T]:
    if len(value) != length:
        raise FormError("length")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise FormError("text")
    return value


def _number(key: str) -> str:
    if not (key.isascii() and key.isdigit()):
        raise FormError("key")
    return key


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise FormError("whole number")
    return value


def _real(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FormError("number")
    return value


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise FormError("flag")
    return value


def _severity(value: object) -> Severity:
    if value == "error":
        return "error"
    if value == "warning":
        return "warning"
    if value == "info":
        return "info"
    raise FormError("severity")
