"""Things and their facts: the two ways in which a fact can be absent, and the table of kinds."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from prepcheck.facts.world import World


class Unstated(Exception):
    """A fact that could have been stated and was not.

    fact: its name. reason: what is missing, in a clause. supply: how to state it (a key of the plan, a file, a flag).
    where: the place of the plan it belongs to, where that is not the thing's own.
    reason and supply are templates (keys of the translation catalogues); `values` fills their named places. A literal
    brace is doubled, as in all templates.
    """

    def __init__(self, fact: str, reason: str, supply: str, *, where: str | None = None, **values: str | int) -> None:
        super().__init__(reason)
        self.fact = fact
        self.reason = reason
        self.supply = supply
        self.where = where
        self.values = values


class NotApplicable(Exception):
    """A fact that makes no sense for this thing: the rule that asks for it is not counted."""


class Thing:
    """Base of all things. where: how a finding names it. about: the subject for merging findings of one cause."""

    kind: ClassVar[str]

    def __init__(self, world: World, where: str, about: str | None = None) -> None:
        self.world = world
        self.where = where
        self.about = about or where

    @property
    def platform(self) -> str:
        """The chip, lower case."""
        if self.world.platform is None:
            raise Unstated(
                "platform", "the chip is not stated", "add `platform: rk3588` (yours) to the plan", where="platform"
            )
        return self.world.platform

    @property
    def runtime(self) -> str:
        """rknn, rknn1, mnn, rga or generic."""
        if self.world.runtime is None:
            raise NotApplicable
        return self.world.runtime

    @property
    def version(self) -> str:
        """The runtime's version on the device."""
        if self.world.version is None:
            raise Unstated(
                "version", "the version of the runtime on the device is not stated",
                "add `version: \"2.3.2\"` (what the runtime prints at start) to the plan", where="version",
            )  # fmt: skip
        return self.world.version


Lister = Callable[["World"], Iterable[Thing]]
_LISTERS: dict[str, Lister] = {}
_LISTED = re.compile(rb'^@lists\("(\w+)"\)', re.M)


def _kinds() -> dict[str, str]:
    """Kind of thing → the module of this package that lists it, found in the sources: adding one edits no table."""
    found: dict[str, str] = {}
    folder = Path(__file__).parent
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            for kind in _LISTED.findall((folder / name).read_bytes()):
                found[kind.decode()] = name.removesuffix(".py")
    return found


KINDS = _kinds()
"""Kind of thing → its module, which is imported when a rule is over that kind."""


def lists(kind: str) -> Callable[[Lister], Lister]:
    """Register the function that lists the things of a kind (`call:` kinds are registered as `call`)."""

    def register(lister: Lister) -> Lister:
        _LISTERS[kind] = lister
        return lister

    return register


def things(world: World, over: str) -> list[Thing]:
    """The things of a kind, found once per world. `call:NAME` and `log:NAME` are the things of that name only."""
    cached = world.cache.get(over)
    if cached is None:
        kind, _, name = over.partition(":")
        if kind not in KINDS:
            raise KeyError(f"no kind of thing is called {over!r}; known: {', '.join(sorted(KINDS))}")
        if kind not in _LISTERS:
            import_module(f"prepcheck.facts.{KINDS[kind]}")
        lister = _LISTERS[kind]
        if name:
            cached = [t for t in things(world, kind) if getattr(t, "name", None) == name]
        else:
            cached = list(lister(world))
        world.cache[over] = cached
    return cached
