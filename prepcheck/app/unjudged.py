"""A refusal as a report: verdict `unjudged`, error code and message; nothing else is claimed."""

from __future__ import annotations

from typing import get_args

from prepcheck.app.version import VERSION
from prepcheck.contract.report import ErrorCode, Fault, Report, Subject, Summary
from prepcheck.errors import PrepcheckError


def unjudged(error: PrepcheckError, subject: Subject | None = None) -> Report:
    """The report of an error."""
    code = error.code if error.code in get_args(ErrorCode) else "internal"
    return Report.model_construct(
        schema_="prepcheck/report/v1",
        version=VERSION,
        verdict="unjudged",
        subject=subject or Subject.model_construct(model=None, plan=None, images=[], buffers={}, log=None, sha256=None),
        contract=None,
        findings=[],
        unknown=[],
        scope=None,
        ruled_out=[],
        next_tests=[],
        hand_over=[],
        path={},
        details={},
        summary=Summary.model_construct(passed=0, failed=0, unknown=0),
        error=Fault.model_construct(code=code, is_=error.kind, message=error.message),
    )
