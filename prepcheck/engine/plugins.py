"""Rules of other packages: modules under the entry point group `prepcheck.rules`."""

from __future__ import annotations

import os
import sys
from functools import cache

from prepcheck.registry import RULES

GROUP = "prepcheck.rules"


@cache
def plugin_modules() -> frozenset[str]:
    """Import the modules that plugins register; those that brought rules.

    importlib.metadata costs about 15 ms to import and read, more than all else that a check without plugins does here. So the
    files that it would read are searched for the group's name first.
    """
    if not any(_announces(folder) for folder in sys.path):
        return frozenset()
    from importlib.metadata import entry_points

    before = {rule.module for rule in RULES.values()}
    for entry in entry_points(group=GROUP):
        entry.load()
    after = {rule.module for rule in RULES.values()}
    return frozenset(m for m in after - before if not m.startswith("prepcheck.rules."))


def _announces(folder: str) -> bool:
    """Whether a distribution in a folder of sys.path speaks of the group; True where that cannot be seen (an archive)."""
    try:
        names = os.listdir(folder or ".")
    except NotADirectoryError:
        return os.path.isfile(folder)
    except OSError:
        return False
    return any(
        _speaks(os.path.join(folder, name)) for name in names if name.endswith((".dist-info", ".egg-info", ".egg"))
    )


def _speaks(path: str) -> bool:
    if path.endswith(".egg"):
        return True
    try:
        with open(os.path.join(path, "entry_points.txt"), "rb") as stream:
            return GROUP.encode() in stream.read()
    except OSError:
        return False
