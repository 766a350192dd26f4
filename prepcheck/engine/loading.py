"""Which rule files exist, and importing those that the world at hand can need.

Rule files are found by their names (`rules/<family>/<id>_<name>.py`): no table is edited when one is added. Plugins
register modules under the entry point group `prepcheck.rules`.
"""

from __future__ import annotations

import importlib
import os
import re
from functools import cache
from pathlib import Path

from prepcheck.engine.plugins import plugin_modules
from prepcheck.registry import RULES, Rule

ROOT = Path(__file__).resolve().parent.parent / "rules"
_FILE = re.compile(r"([a-z]{2}\d{3})_[a-z0-9_]+\.py\Z")

EVERYWHERE = ("ct", "sz", "ly", "dt", "qt", "nm", "cl", "rs", "st", "mm", "cn", "im")
"""Families whose rules are about things that every runtime has."""
BY_RUNTIME = {"rknn": ("rk",), "rknn1": ("rk",), "mnn": ("mn",), "rga": ("rg",), "generic": ()}
"""Families of one runtime. A plan with RGA calls also needs `rg` (see `families`)."""


@cache
def rule_files() -> dict[str, Path]:
    """id → file of every rule in the package."""
    found: dict[str, Path] = {}
    for family in sorted(os.listdir(ROOT)):
        folder = ROOT / family
        if len(family) != 2:  # __init__.py, __pycache__
            continue
        for name in sorted(os.listdir(folder)):
            match = _FILE.match(name)
            if match:
                found[match[1].upper()] = folder / name
    return found


def families(runtime: str | None, rga_calls: bool) -> tuple[str, ...]:
    """The families that a world of this runtime can need."""
    own = BY_RUNTIME.get(runtime or "", ("rk", "mn"))
    return EVERYWHERE + own + (("rg",) if rga_calls and "rg" not in own else ())


def load(names: tuple[str, ...] | None = None, *, without: tuple[str, ...] = (), log: bool = False) -> list[Rule]:
    """Import the rules of the families (None = all rules there are), and return them sorted by id.

    Rules about log lines are in files `<id>_log_…`, those about submitted buffers in `<id>_buffer_…`: they are told by
    their names, so that only what can apply is imported. log: the rules about log lines, and only those. Those about
    whole sets of samples (`<id>_samples_…`) are loaded by their ids, or with all rules.
    without: beginnings of names (after the id) to leave out.
    """
    modules: set[str] = set()
    for path in rule_files().values():
        name = path.stem[6:]
        if names is not None and (
            path.parent.name not in names or name.startswith("log_") != log or name.startswith("samples_")
        ):
            continue
        if without and name.startswith(without):
            continue
        modules.add(f"prepcheck.rules.{path.parent.name}.{path.stem}")
    for module in sorted(modules):
        importlib.import_module(module)
    modules |= plugin_modules()
    return [RULES[key] for key in sorted(RULES) if RULES[key].module in modules]


def load_only(*ids: str) -> list[Rule]:
    """Import single rules by their ids, without the rest of their families."""
    for key in ids:
        path = rule_files()[key]
        importlib.import_module(f"prepcheck.rules.{path.parent.name}.{path.stem}")
    return [RULES[key] for key in ids]
