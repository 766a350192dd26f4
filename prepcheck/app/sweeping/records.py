"""What a unit of a sweep gives: plain values that travel between processes and stand in the journal, and their reading.

Workers of the same program make them, so their types are known; a journal is a file, and what it says is read here, once.
"""

from __future__ import annotations

import base64
from functools import cache
from typing import Annotated, final

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from prepcheck.contract.base import Severity
from prepcheck.contract.report import Finding, Unknown
from prepcheck.render.json_ import plain

GRID = 12
"""A picture is remembered by 12 x 12 of its points: enough to know it again in the other channel order. A choice."""


def _some(bars: list[int]) -> list[int]:
    if not any(bars):
        raise ValueError("no pixel is counted")
    return bars


Size = Annotated[list[int], Field(min_length=2, max_length=2)]
Ends = Annotated[list[float], Field(min_length=2, max_length=2)]
Position = Annotated[int, Field(ge=0)]
Bars = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=256, max_length=256), AfterValidator(_some)]


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
    counts: Annotated[list[int], Field(min_length=3, max_length=3)]


class _Picture(TypedDict):
    input: Position
    size: Size


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
    input: Position
    array: str
    shape: list[int]
    low: float
    high: float
    whole: bool
    finite: bool
    channels: dict[str, list[Ends]]


@final
class ArrayLook(_Array, total=False):
    """An .npy: its type, shape, ends; channels: [low, high] of each, by the axis that may be theirs. digest: not of empty ones."""

    digest: str


def _whole_grid(look: PictureLook) -> PictureLook:
    if len(base64.b64decode(look["grid"], validate=True)) != GRID * GRID * len(look["means"]):
        raise ValueError("the grid has another number of points")
    return look


Look = Annotated[PictureLook, AfterValidator(_whole_grid)] | NotRun | ArrayLook


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
    error: Annotated[list[str], Field(min_length=2, max_length=2)]


SampleRecord = SeenSample | FailedSample


@final
class UnitResult(TypedDict):
    """A finished unit. histograms: by the input's position, channels x 256 counts over its pictures."""

    unit: int
    ways: list[Judged]
    samples: list[SampleRecord]
    histograms: dict[Annotated[str, Field(pattern=r"^[0-9]+$")], Annotated[list[Bars], Field(min_length=1)]]


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
    try:
        found = _form().validate_python(value, strict=True)
    except ValidationError as error:
        raise FormError(str(error)) from None
    if not all(0 <= r["way"] < len(found["ways"]) for r in found["samples"] if "way" in r):
        raise FormError("a sample was judged in a way that is not there")
    return found


@cache
def _form() -> TypeAdapter[UnitResult]:
    return TypeAdapter(UnitResult)  # built where a sweep is resumed: 33 ms
