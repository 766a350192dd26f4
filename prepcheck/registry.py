"""The `@rule` decorator and the table of rules. A rule is one pure function in one file; its docstring is its page.

A rule says what it is about (`over`), for which runtimes, and names the facts it needs as parameters. A parameter with
a default is a fact that makes the answer better but is not needed. The engine calls the rule once for each thing.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum

from prepcheck.core.plain import Value as Value
from prepcheck.records import dataclass


class Rank(IntEnum):
    """Which finding about the same thing is the cause: the lowest. The others become evidence of it."""

    CONTRACT = 0
    CALL = 1
    TYPE = 2
    LAYOUT = 3
    SIZE = 4
    STRIDE = 5
    MEMORY = 6
    VALUES = 7
    CONTENT = 8


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule yields. The three texts are templates; `values` fills their named places (`{got} bytes given`).

    evidence: the numbers as data (default: `values`). severity, category, where: only where they differ from the rule's.
    fault: a name of the vocabulary of buffer faults. confidence: 0..1. about: what the finding is about, for merging
    (default: the thing's own subject).
    """

    message: str
    explanation: str
    fix: str
    values: Mapping[str, Value] = field(default_factory=dict)
    evidence: Mapping[str, Value] | None = None
    severity: str | None = None
    category: str | None = None
    where: str | None = None
    fault: str | None = None
    confidence: float | None = None
    about: str | None = None
    scope: str | None = None


Check = Callable[..., Iterator[Finding]]

CONFIDENCE = {"H": 0.95, "M": 0.8, "L": 0.6}
"""Confidence of a source: measured or documented and seen · documented or well inferred · inferred."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the table."""

    id: str
    name: str
    over: str
    category: str
    severity: str
    rank: Rank
    runtimes: frozenset[str] | None
    sources: tuple[str, ...]
    confidence: float
    scope: str
    versions: tuple[str, ...]
    needs: tuple[str, ...]
    wants: tuple[str, ...]
    check: Check
    module: str

    @property
    def page(self) -> str:
        """The module's docstring: the page of the rule."""
        import sys

        return inspect.cleandoc(sys.modules[self.module].__doc__ or "")


RULES: dict[str, Rule] = {}


def rule(
    id: str,
    name: str,
    *,
    over: str,
    category: str,
    severity: str = "error",
    rank: Rank,
    runtimes: tuple[str, ...] | None = None,
    sources: tuple[str, ...] = (),
    confidence: str = "H",
    scope: str = "input",
    versions: tuple[str, ...] = (),
) -> Callable[[Check], Check]:
    """Register a rule.

    over: the kind of thing it is about (`input`, `buffer`, `handover`, `call:rknn_inputs_set`, `image`, `plan`, …).
    runtimes: where it applies; None = everywhere. sources: where the fact stands. confidence: H, M or L.
    versions: runtime versions on which the fact was measured; where the plan states another or none, an error becomes
    a warning that names the version (see engine).
    Raises ValueError for a malformed or repeated id.
    """
    if not re.fullmatch(r"[A-Z]{2}\d{3}", id):
        raise ValueError(f"rule id {id!r}: two capital letters and three digits")

    def register(check: Check) -> Check:
        if id in RULES and RULES[id].module != check.__module__:
            raise ValueError(f"rule {id} is in {RULES[id].module} and in {check.__module__}")
        parameters = inspect.signature(check).parameters.values()
        RULES[id] = Rule(
            id=id,
            name=name,
            over=over,
            category=category,
            severity=severity,
            rank=rank,
            runtimes=None if runtimes is None else frozenset(runtimes),
            sources=sources,
            confidence=CONFIDENCE[confidence],
            scope=scope,
            versions=versions,
            needs=tuple(p.name for p in parameters if p.default is p.empty),
            wants=tuple(p.name for p in parameters if p.default is not p.empty),
            check=check,
            module=check.__module__,
        )
        return check

    return register
