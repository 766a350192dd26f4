"""One cause, one finding: what a fault explains becomes evidence of it; and the order of findings.

Structural findings (contract, call, type, layout, size, stride, memory) about the same thing have one cause: the one of
lowest rank. A wrong type or call also explains ranges that do not fit. Findings about values (normalisation, colour,
resize, content) are causes of their own: only those of one category about the same thing merge. A warning never
absorbs an error; an info is never absorbed and never absorbs.
"""

from __future__ import annotations

from dataclasses import replace

from prepcheck.engine.running import Found
from prepcheck.registry import Rank

_SEVERITY = {"error": 0, "warning": 1, "info": 2}
_EXPLAINED_BY_TYPE = frozenset({"quantization", "normalization", "dtype"})


def merge(found: list[Found]) -> list[Found]:
    """Merge findings of one cause and sort: severity, rank, confidence, rule, where. Same input, same order."""
    kept: list[Found] = []
    for candidate in sorted(found, key=sort_key):
        owner = next((i for i, k in enumerate(kept) if _explains(k, candidate)), None)
        if owner is None:
            kept.append(candidate)
        else:  # the same rule in later frames adds nothing to read
            also = dict.fromkeys((*kept[owner].also, candidate.rule.id, *candidate.also))
            also.pop(kept[owner].rule.id, None)
            kept[owner] = replace(kept[owner], also=tuple(also))
    return kept


def sort_key(f: Found) -> tuple[int, int, float, str, str, str]:
    """Severity, rank, confidence (highest first), rule, where, message."""
    return (_SEVERITY[f.severity], int(f.rule.rank), -f.confidence, f.rule.id, f.where, f.finding.message)


def _explains(cause: Found, effect: Found) -> bool:
    if "info" in (cause.severity, effect.severity) or cause.about != effect.about:
        return False
    if _SEVERITY[cause.severity] > _SEVERITY[effect.severity]:
        return False
    a, b = cause.rule.rank, effect.rule.rank
    if a <= Rank.MEMORY and b <= Rank.MEMORY:
        return True
    if a in (Rank.CALL, Rank.TYPE) and effect.category in _EXPLAINED_BY_TYPE:
        return True
    return cause.category == effect.category
