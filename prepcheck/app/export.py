"""A contract or plan in another form: the kinds are the files of `app/exports`, found by their names."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.errors import UsageError

if TYPE_CHECKING:
    from prepcheck.app.worlds import Prepared, Request
    from prepcheck.contract.report import Report

FOLDER = Path(__file__).parent / "exports"


@cache
def kinds() -> dict[str, str]:
    """kind → its title, read from the sources: none is imported."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.py")):
        if path.stem == "__init__":
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TITLE":
                found[path.stem.replace("_", "-")] = str(ast.literal_eval(node.value))
    return found


class NotRight(UsageError):
    """The plan has errors: what is exported from it would carry them on. report: what was found."""

    def __init__(self, report: Report) -> None:
        first = report.findings[0]
        super().__init__(
            f"not exported, the plan has an error: {first.rule} {first.where}: {first.message} {first.fix}"
        )
        self.report = report


def export(request: Request, kind: str, *, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> str:
    """The text of a kind. Raises UsageError for an unknown kind, NotRight where the plan was found wrong."""
    module = importlib.import_module(f"prepcheck.app.exports.{_module(kind)}")
    from prepcheck.app.worlds import prepare

    if module.NEEDS == "model or plan" and request.model is None and isinstance(request.plan, str):
        from prepcheck.app.plans import load

        request = replace(
            request, plan=load(request.plan).plan
        )  # a ready plan as it is, without a model to complete it for
    prepared = prepare(request)
    if module.NEEDS == "plan":
        from prepcheck.app.validate import judge

        report = judge(prepared, select=select, ignore=ignore)
        if report.verdict == "error":
            raise NotRight(report)
    elif module.NEEDS == "model" and prepared.world.contract is None:
        raise UsageError("there is no model: give MODEL, or a plan that names one")
    written: Callable[[Prepared], str] = module.export
    return written(prepared)


def _module(kind: str) -> str:
    known = kinds()
    if kind not in known:
        from difflib import get_close_matches

        near = get_close_matches(kind, known, n=1)
        listed = ", ".join(known)
        raise UsageError(
            f"nothing is exported to '{kind}'" + (f"; did you mean {near[0]}?" if near else f"; known: {listed}")
        )
    return kind.replace("-", "_")
