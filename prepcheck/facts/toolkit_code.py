"""Literal arguments of rknn-toolkit's config() in pasted code: normalisation as lists, and which generation it is."""

from __future__ import annotations

import json
from collections.abc import Iterator

from prepcheck.core.rockchip import RKNN1_PLATFORMS
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class StatedNormalization:
    """(x − mean) / std for one input as config() states it. where: of the line."""

    mean: tuple[float, ...]
    std: tuple[float, ...]
    argument: str
    where: str


def config_arguments(book: LogBook) -> list[LogEvent]:
    """Every literal argument of config()."""
    return [e for e in book.all("code_toolkit") if e.word("call") == "config"]


def value_of(event: LogEvent) -> object:
    """The argument's value."""
    return json.loads(event.word("value") or "null")


def generation(book: LogBook) -> int | None:
    """1 or 2: the toolkit that a target_platform in the code, or the lines, belong to; None where nothing tells."""
    for event in config_arguments(book):
        if event.word("argument") == "target_platform":
            said = value_of(event)
            chips = [said] if isinstance(said, str) else said if isinstance(said, list) else []
            known = [str(c).lower() for c in chips]
            if known:
                return 1 if all(c in RKNN1_PLATFORMS for c in known) else 2
    return {"rknn1": 1, "rknn": 2}.get(book.runtime or "") if book.toolkit or book.version else None


def normalizations(book: LogBook) -> Iterator[StatedNormalization]:
    """What the code states of mean and std, for each input; nothing where it is not all numbers."""
    given: dict[tuple[int, str], LogEvent] = {(e.file, e.word("argument") or ""): e for e in config_arguments(book)}
    for (file, argument), event in given.items():
        if argument == "std_values":
            mean = given.get((file, "mean_values"))
            stds = _lists(value_of(event))
            means = _lists(value_of(mean)) if mean is not None else [(0.0,) * len(s) for s in stds]
            for m, s in zip(means, stds, strict=False):
                if m and s:
                    yield StatedNormalization(m, s, "std_values", event.where)
        elif argument == "channel_mean_value":
            for numbers in parts(value_of(event)):
                if len(numbers) in (2, 4):
                    yield StatedNormalization(
                        numbers[:-1], (numbers[-1],) * (len(numbers) - 1), "channel_mean_value", event.where
                    )


def parts(text: object) -> list[tuple[float, ...]]:
    """`'0 0 0 255#128 128 128 128'` → the numbers of each input; an empty tuple where a word is no number."""
    found: list[tuple[float, ...]] = []
    for part in text.split("#") if isinstance(text, str) else []:
        try:
            found.append(tuple(float(w) for w in part.split()))
        except ValueError:
            found.append(())
    return found


def _lists(value: object) -> list[tuple[float, ...]]:
    """One tuple for each input; a flat list is that of a single one."""
    if not isinstance(value, list) or not value:
        return []
    rows = value if all(isinstance(v, list) for v in value) else [value]
    if not all(isinstance(n, (int, float)) and not isinstance(n, bool) for row in rows for n in row):
        return []
    return [tuple(float(n) for n in row) for row in rows]
