"""Report → workflow commands (`::error file=…,line=…,title=…::…`): annotations beside the files of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.render.plain import clean

if TYPE_CHECKING:
    from prepcheck.render.located import Located

_KIND = {"error": "error", "warning": "warning"}


def render(located: Located) -> str:
    """One line for each error and warning, then the verdict as a notice (as an error where nothing could be judged)."""
    report, s = located.report, located.report.summary
    lines = []
    for f, place, _ in located.failures:
        where = f"file={_property(place.path)},line={place.line},title={_property(f'{f.rule} {f.where}')}"
        words = "\n".join(part for part in (f.message, f.explanation, f"Fix: {f.fix}" if f.fix else "") if part)
        lines.append(f"::{_KIND[f.severity]} {where}::{_data(words)}")
    if report.error is not None:
        lines.append(f"::error title=prepcheck::{_data(report.error.message)}")
    counts = f"{report.verdict}: {s.passed} passed, {s.failed} failed, {s.unknown} unknown"
    lines.append(f"::notice title=prepcheck::{_data(counts)}")
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    """Source: actions/toolkit, escapeData: % CR LF are percent-encoded."""
    return clean(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Source: actions/toolkit, escapeProperty: also : and ,"""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
