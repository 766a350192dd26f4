"""Labels in context: a code or a traceback is a follow-up where its cause is told, and a finding of its own where not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prepcheck.facts.log import LineLabel, LogEvent
from prepcheck.logs.patterns import table


def relabel(events: Sequence[LogEvent], labels: Sequence[LineLabel]) -> tuple[list[LogEvent], list[LineLabel]]:
    """Follow-ups whose pattern names what they follow (`near`) and that follow nothing become findings."""
    told = {e.kind for e in events if e.label == "finding"}
    alone = {p.id for p in table().patterns if p.near and p.label == "follow_up" and not _follows(p.near, told)}
    return (
        [replace(e, label="finding") if e.kind in alone else e for e in events],
        [replace(x, label="finding") if x.kind in alone else x for x in labels],
    )


def _follows(near: tuple[str, ...], told: set[str]) -> bool:
    return bool(told) if "*" in near else any(kind in told for kind in near)
