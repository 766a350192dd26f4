"""Versions as the toolkits and runtimes print them: `2.3.2`, `1.5.3b13`, `1.7.5 (…)`. Standard library only."""

from __future__ import annotations

import re

_PARTS = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(?:b(\d+))?")


def parts(version: str) -> tuple[int, int, int, int] | None:
    """(major, minor, patch, build); without `bN` the finished version, after all its builds. None where it is no version."""
    found = _PARTS.search(version)
    if found is None:
        return None
    build = int(found[4]) if found[4] is not None else 1_000_000
    return (int(found[1]), int(found[2]), int(found[3] or 0), build)


def is_older(one: str, other: str) -> bool:
    """Whether a version comes before another; False where either cannot be read."""
    a, b = parts(one), parts(other)
    return a is not None and b is not None and a < b
