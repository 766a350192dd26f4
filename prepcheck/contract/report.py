"""Report: what was found, what could not be known, what is cleared (`prepcheck/report/v1`)."""

from typing import Any, Literal

from pydantic import Field

from prepcheck.contract.base import Category, Document, Scope, Severity
from prepcheck.contract.contract import Contract
from prepcheck.errors import CheckFailed

REPORT_SCHEMA = "prepcheck/report/v1"
Verdict = Literal["ok", "warning", "error", "unjudged"]
ErrorCode = Literal[
    "usage", "not_found", "empty", "truncated", "corrupt", "git_lfs_pointer", "encrypted", "wrong_kind",
    "unsupported_version", "too_large", "plan", "image", "internal",
]  # fmt: skip


class Finding(Document):
    """One fault, complete in itself. where: `inputs[0]`, `buffers.frame`, `calls[3]`, `images[0]`, `log:12`, …"""

    rule: str
    category: Category
    severity: Severity
    fault: str | None = None
    where: str
    message: str
    explanation: str
    fix: str
    evidence: dict[str, Any] = Field(default_factory=dict)
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)


class Unknown(Document):
    """What could not be decided, and how to supply what is missing."""

    rule: str
    where: str
    reason: str
    supply: str


class RuledOut(Document):
    """What the evidence clears."""

    what: str
    because: str


class Outcome(Document):
    """One possible result of a test and what it means."""

    see: str
    means: str


class NextTest(Document):
    """The cheapest test that separates what is left."""

    do: str
    outcomes: list[Outcome] = Field(default_factory=list)


class Subject(Document):
    """What was judged, with paths as the user gave them."""

    model: str | None = None
    plan: str | None = None
    images: list[str] = Field(default_factory=list)
    buffers: dict[str, str] = Field(default_factory=dict)
    log: str | None = None
    sha256: dict[str, str] | None = None


class Summary(Document):
    """Counts of checks, not of findings."""

    passed: int = 0
    failed: int = 0
    unknown: int = 0


class Fault(Document):
    """Why nothing could be judged."""

    code: ErrorCode
    is_: str | None = Field(default=None, alias="is")
    message: str


class StepLine(Document):
    """One step of the path: what, where, and the state after it."""

    step: str
    where: str
    implicit: bool
    after: str
    note: str | None = None
    findings: list[str] = Field(default_factory=list)


class HandOver(Document):
    """What to hand over for one input, and by which call."""

    input: str
    call: str
    dtype: str | None = None
    layout: str | None = None
    shape: list[int] | None = None
    bytes: int | None = None
    w_stride: int | None = None
    size_with_stride: int | None = None
    fields: dict[str, Any] = Field(default_factory=dict)
    sentence: str


class Report(Document):
    """The whole answer of one command."""

    schema_: Literal["prepcheck/report/v1"] = Field(default="prepcheck/report/v1", alias="schema")
    version: str
    verdict: Verdict
    subject: Subject = Field(default_factory=Subject)
    contract: Contract | None = None
    findings: list[Finding] = Field(default_factory=list)
    unknown: list[Unknown] = Field(default_factory=list)
    scope: Scope | None = None
    ruled_out: list[RuledOut] = Field(default_factory=list)
    next_tests: list[NextTest] = Field(default_factory=list)
    hand_over: list[HandOver] = Field(default_factory=list)
    path: dict[str, list[StepLine]] = Field(default_factory=dict)
    details: dict[str, Any] = Field(default_factory=dict)
    summary: Summary = Field(default_factory=Summary)
    error: Fault | None = None

    @property
    def ok(self) -> bool:
        """No error was found and something was judged."""
        return self.verdict in ("ok", "warning")

    def raise_for_errors(self) -> "Report":
        """Raise CheckFailed with the first error (or with the reason why nothing could be judged); else return self."""
        if self.verdict == "error":
            first = self.findings[0]
            raise CheckFailed(f"{first.rule} {first.where}: {first.message} {first.fix}", self)
        if self.verdict == "unjudged":
            raise CheckFailed(self.error.message if self.error else "could not be judged", self)
        return self
