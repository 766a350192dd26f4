"""Every kind of fault that a guard names, by id, and the table of docs/guard.md that is made of them. Standard library only."""

from __future__ import annotations

from prepcheck.guarding import kinds, kinds_mnn
from prepcheck.guarding.finding import Kind


def all_kinds() -> dict[str, Kind]:
    """Id → kind, sorted."""
    found = [v for module in (kinds, kinds_mnn) for v in vars(module).values() if isinstance(v, Kind)]
    return {k.rule: k for k in sorted(found)}


def page(rule: str) -> str | None:
    """The page of one id, in the words of its texts; None for an unknown one. Places in braces stand for numbers."""
    kind = all_kinds().get(rule)
    if kind is None:
        return None
    lines = [
        f"{kind.rule}: {kind.message}",
        f"Category {kind.category}, {kind.severity}; found by a guard before or after a run.",
        "",
        "Why it matters",
        f"    {kind.explanation}",
        "",
        "Fix",
        f"    {kind.fix}",
    ]
    return "\n".join(lines) + "\n"


def table() -> str:
    """The Markdown table of all kinds."""
    rows = ["| id | category | severity | what is said |", "|---|---|---|---|"]
    rows += [f"| {k.rule} | {k.category} | {k.severity} | {_cell(k.message)} |" for k in all_kinds().values()]
    return "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("!r}", "}")
