"""The chip table (`chips.json`) as typed, frozen values. Read on first use.

Every figure's source stands in the file: at the core, at the chip, and under `sources`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, cast

from prepcheck.core.rga import Kind, Reach, RgaChip, RgaCore, Size
from prepcheck.core.rga_formats import FORMATS

PATH: Final = Path(__file__).parent / "chips.json"

Raw = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Heap:
    """A place that memory comes from. None = not documented. below_4gib: False = the pages may lie anywhere."""

    name: str
    cached: bool | None
    contiguous: bool | None
    below_4gib: bool | None
    source: str


@dataclass(frozen=True, slots=True)
class Table:
    """The whole file."""

    chips: Mapping[str, RgaChip]
    heaps: Mapping[str, Heap]
    aliases: Mapping[str, str]


def rga_chip(platform: str) -> RgaChip | None:
    """The RGA of a chip by its lower-case name; None for one that the table does not hold."""
    found = table()
    return found.chips.get(found.aliases.get(platform, platform))


def heap(name: str) -> Heap | None:
    """What is known of a heap, by its name under /dev/dma_heap (or `malloc`); None for an unknown one."""
    return table().heaps.get(name.rsplit("/", 1)[-1])


@cache
def table() -> Table:
    """The table, read once. Raises ValueError for a file that is not as it should be."""
    raw = cast("Raw", json.loads(PATH.read_text(encoding="utf-8")))
    if raw.get("schema") != "prepcheck/chips/v1":
        raise ValueError("chips.json: another schema than prepcheck/chips/v1")
    variants = _table(raw["cores"])
    chips = {name: _chip(name, _table(entry), variants) for name, entry in _table(raw["chips"]).items()}
    heaps = {name: _heap(name, _table(entry)) for name, entry in _table(raw["heaps"]).items()}
    aliases = {name: _text(to) for name, to in _table(raw["aliases"]).items()}
    for name, to in aliases.items():
        if to not in chips or name in chips:
            raise ValueError(f"chips.json: alias {name} of {to}")
    return Table(chips, heaps, aliases)


def _chip(name: str, entry: Raw, variants: Raw) -> RgaChip:
    given = entry["rga"]
    if not isinstance(given, list) or not given:
        raise ValueError(f"chips.json: {name} has no core")
    cores = tuple(_core(_table(item), _table(variants[_text(_table(item)["core"])])) for item in given)
    return RgaChip(name, cores, _text(entry["source"]))


def _core(item: Raw, variant: Raw) -> RgaCore:
    reach, kind = _text(item["reach"]), _text(variant["kind"])
    if reach not in ("contiguous", "below_4gib", "any") or kind not in ("rga2", "rga3"):
        raise ValueError(f"chips.json: reach {reach!r}, kind {kind!r}")
    scale = _number(variant["scale_max"])
    if scale & (scale - 1):
        raise ValueError("chips.json: scale_max is a power of two")
    version = item.get("hw_version")
    masks = item.get("scheduler_mask", [])
    return RgaCore(
        kind=cast("Kind", kind), name=_text(variant["name"]), hw_version=None if version is None else _text(version),
        reach=cast("Reach", reach), in_min=_size(variant["in_min"]), in_max=_size(variant["in_max"]),
        out_min=_size(variant["out_min"]), out_max=_size(variant["out_max"]), scale_max=scale,
        byte_stride=_number(variant["byte_stride"]), max_pitch_bytes=_number(variant["max_pitch_bytes"]),
        inputs=_groups(variant["inputs"]), outputs=_groups(variant["outputs"]), fill=variant["fill"] is True,
        linear_down=variant["linear_down"] is True, bicubic_rows=_number(variant["bicubic_rows"]),
        masks=tuple(_number(m) for m in cast("list[object]", masks)), count=_number(item.get("count", 1)),
        confidence=_confidence(variant["confidence"]), source=_text(variant["source"]),
    )  # fmt: skip


def _heap(name: str, entry: Raw) -> Heap:
    flags = [entry[key] for key in ("cached", "contiguous", "below_4gib")]
    if not all(flag is None or isinstance(flag, bool) for flag in flags):
        raise ValueError(f"chips.json: heap {name}")
    cached, contiguous, low = cast("list[bool | None]", flags)
    return Heap(name, cached, contiguous, low, _text(entry["source"]))


def _groups(value: object) -> frozenset[str]:
    names = frozenset(_text(item) for item in cast("list[object]", value))
    unknown = names - {f.group for f in FORMATS.values()}
    if unknown:
        raise ValueError(f"chips.json: groups of formats {sorted(unknown)} do not exist")
    return names


def _table(value: object) -> Raw:
    if not isinstance(value, dict):
        raise ValueError("chips.json: a table is wanted")
    return cast("Raw", value)


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"chips.json: a text is wanted, not {value!r}")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"chips.json: a number is wanted, not {value!r}")
    return value


def _size(value: object) -> Size:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"chips.json: a size is wanted, not {value!r}")
    return (_number(value[0]), _number(value[1]))


def _confidence(value: object) -> str:
    if value not in ("H", "M", "L"):
        raise ValueError(f"chips.json: confidence {value!r}")
    return value
