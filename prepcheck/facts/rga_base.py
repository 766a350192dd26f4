"""What RGA's operations, channels and imports share: the chip, and the call they belong to."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Protocol

from prepcheck.core.rga import RgaChip
from prepcheck.data.chips import rga_chip
from prepcheck.facts.base import Thing, Unstated
from prepcheck.facts.flow import Flow
from prepcheck.facts.world import World


class Owner(Protocol):
    """The call that a channel belongs to. index: its place in `calls` (None: a step); flow: the walk over the calls."""

    world: World
    where: str
    index: int | None
    flow: Flow | None

    @property
    def ret_or_none(self) -> int | None:
        """The return code that a record holds."""

    @property
    def operation(self) -> str:
        """The name of the call."""


class RgaBase(Thing):
    """What operations and channels share: the chip."""

    @cached_property
    def chip(self) -> RgaChip:
        """The RGA of the chip."""
        found = rga_chip(self.platform)
        if found is None:
            raise Unstated(
                "rga_chip", "the RGA of {platform} is not in the table of chips",
                "compare the call with the RGA developer guide's design index, or name the chip that it is a form of",
                where="platform", platform=self.platform)  # fmt: skip
        return found

    @property
    def chip_name(self) -> str:
        """The chip as the plan calls it."""
        return self.platform

    @property
    def librga_or_none(self) -> tuple[int, ...] | None:
        """librga's version where a plan for RGA states it (elsewhere the plan's version is another runtime's)."""
        if self.world.runtime != "rga" or self.world.version is None:
            return None
        numbers = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", self.world.version)
        return tuple(int(n) for n in numbers.groups() if n is not None) if numbers else None


def unstated(key: str, thing: Thing, group: str = "") -> Unstated:
    """A key of a channel (or of a group inside it) that the plan leaves out."""
    inside = f"{group}.{key}" if group else key
    return Unstated(key, "`{key}` of {place} is not stated", "add `{key}` to {place}", key=inside, place=thing.where)
