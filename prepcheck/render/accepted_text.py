"""What does not count, in a few lines after the verdict: ignored with a reason, known from the baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prepcheck.render.plain import clean

if TYPE_CHECKING:
    from prepcheck.contract.report import Report


def render(report: Report, translate: Callable[[str], str] = str) -> str:
    """Lines with a final newline; empty where nothing was set aside."""
    _ = translate
    lines = []
    for entry in report.details.get("ignored", []):
        told = _("ignored: {rule} {where} ({reason})")
        lines.append(told.format(rule=entry["rule"], where=entry["where"], reason=entry["reason"]))
    unused = report.details.get("ignored_nothing")
    if unused:
        lines.append(_("ignored nothing, and can go: {rules}").format(rules=", ".join(unused)))
    baseline = report.details.get("baseline")
    if isinstance(baseline, dict):
        told = _("baseline {file}: {known} known, {gone} gone")
        lines.append(told.format(file=baseline["file"], known=len(baseline["known"]), gone=baseline["gone"]))
    return "".join(clean(line) + "\n" for line in lines)
