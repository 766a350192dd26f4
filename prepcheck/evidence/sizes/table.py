"""The stated prior, read from `prepcheck/data/size_priors.json` and normalized: weights of one table sum to 1.

The file says for every table what it rests on. Only arithmetic that follows from the file is done here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from prepcheck.records import dataclass

DATA = Path(__file__).parents[2] / "data" / "size_priors.json"

Weights = dict[str, float]


Key = TypeVar("Key", str, int)


def normal(weights: Mapping[Key, float]) -> dict[Key, float]:
    """The weights scaled to the sum 1."""
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def by_number(weights: dict[str, float]) -> dict[int, float]:
    """Normalized weights whose keys are whole numbers."""
    return {int(key): weight for key, weight in normal(weights).items()}


class Fault(NamedTuple):
    """One kind of fault: its share among single faults, and the runtimes where it is seen."""

    share: float
    runtimes: Weights


@dataclass(frozen=True, slots=True)
class Table:
    """All priors. `raw` holds the sections whose form is their own (each read by the module that knows it)."""

    singles: float
    two: float
    none: float
    faults: dict[str, Fault]
    pairs: dict[tuple[str, str], float]
    raw: dict[str, dict[str, object]]

    def section(self, name: str) -> dict[str, object]:
        """One section of the file."""
        return self.raw[name]

    def weights(self, section: str, key: str) -> Weights:
        """The table `key` of a section, normalized."""
        return normal(cast("dict[str, float]", self.raw[section][key]))

    def rows(self, section: str, key: str) -> list[list[float]]:
        """The list of rows `key` of a section, as it stands."""
        return cast("list[list[float]]", self.raw[section][key])

    def number(self, section: str, key: str) -> float:
        """One number of a section."""
        return cast("float", self.raw[section][key])

    def whole(self, section: str, key: str) -> int:
        """One whole number of a section."""
        return int(self.number(section, key))


@cache
def table() -> Table:
    """The stated prior (read once)."""
    data = cast("dict[str, object]", json.loads(DATA.read_text(encoding="utf-8")))
    shares = cast("dict[str, float]", data["shares"])
    faults = cast("dict[str, dict[str, object]]", data["faults"])
    share = normal({name: cast("int", fault["count"]) + 1.0 for name, fault in faults.items()})
    nothing = cast("dict[str, float]", cast("dict[str, object]", data["none"])["runtimes"])
    known = {
        name: Fault(share[name], normal(cast("dict[str, float]", fault["runtimes"]))) for name, fault in faults.items()
    }
    known["none"] = Fault(0.0, normal(nothing))
    allowed = [(first, second) for first, second in cast("list[list[str]]", data["pairs"])]
    weights = {pair: share[pair[0]] * share[pair[1]] for pair in allowed}
    total = sum(weights.values())
    return Table(
        singles=1.0 - shares["two_faults"] - shares["none"],
        two=shares["two_faults"],
        none=shares["none"],
        faults=known,
        pairs={pair: weight / total for pair, weight in weights.items()},
        raw={name: cast("dict[str, object]", value) for name, value in data.items() if isinstance(value, dict)},
    )
