"""Facts about two things that are compared: models, contracts, plans, records or logs. Handed in by `app`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prepcheck.core.plain import Value
from prepcheck.facts.base import Thing, lists
from prepcheck.facts.world import World

Side = Value


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference (or, as a whole, none). kind: identical, contract, build, plan, log. path: which key.

    a, b: what stands there in the first and the second; None where it is absent. matters: why it matters, as a template
    key of the rule; count: how many alike were folded into this one.
    """

    kind: str
    path: str
    a: Side = None
    b: Side = None
    count: int = 1


class DifferenceThing(Thing):
    """One difference. `name` is its kind."""

    kind = "difference"

    def __init__(self, world: World, difference: Difference) -> None:
        super().__init__(world, difference.path or "all", f"difference:{difference.path}")
        self.name = difference.kind
        self._difference = difference

    @property
    def difference(self) -> Difference:
        """The difference itself."""
        return self._difference


@lists("difference")
def _differences(world: World) -> Iterator[Thing]:
    for item in world.extra.get("difference", ()):
        if isinstance(item, Difference):
            yield DifferenceThing(world, item)


def readable(side: Side) -> Value:
    """One side as a sentence shows it: a table as `mean [0, 0, 0], std [1, 1, 1]`, what is absent as `nothing`."""
    if side is None:
        return "nothing"
    if isinstance(side, Mapping):
        return ", ".join(f"{key} {_number(value)}" for key, value in side.items()) or "nothing"
    return side


def _number(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_number(v) for v in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k} {_number(v)}" for k, v in value.items()) + "}"
    return "nothing" if value is None else str(value)
