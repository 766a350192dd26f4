"""Two contracts, plans or logs: what differs, and what is equal and therefore cleared."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prepcheck.core.plain import Value, to_value
from prepcheck.facts.difference import Difference

NOT_COMPARED = frozenset({"provenance", "notes", "schema", "metadata", "value_range"})
"""value_range follows from scale and zero point, which are compared."""
BUILD_KEYS = frozenset({"toolkit", "custom_string", "container", "calibration_range", "source"})
"""Keys that tell of the build, not of what has to be handed over."""
PASSING = frozenset({"t_ms", "thread", "address", "hash", "file"})
"""Keys of plans and records that differ from run to run without meaning anything."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """differences, and the paths that are equal with what stands there."""

    differences: tuple[Difference, ...]
    equal: tuple[tuple[str, Value], ...]


def contracts(a: Mapping[str, object], b: Mapping[str, object]) -> Comparison:
    """Two contract documents (plain values). Tensors are paired by name, else by place."""
    found: list[Difference] = []
    equal: list[tuple[str, Value]] = []
    for key in sorted((set(a) | set(b)) - NOT_COMPARED - {"inputs", "outputs"}):
        kind = "build" if key in BUILD_KEYS else "contract"
        _values(kind, key, a.get(key), b.get(key), found, equal)
    for group in ("inputs", "outputs"):
        for path, one, other in _pairs(group, a.get(group), b.get(group)):
            _tensor(path, one, other, found, equal)
    return Comparison(tuple(found), tuple(equal))


def _tensor(
    path: str,
    a: Mapping[str, object],
    b: Mapping[str, object],
    found: list[Difference],
    equal: list[tuple[str, Value]],
) -> None:
    """All that differs in one tensor is one difference: one build setting changes several keys at once."""
    for kind in ("contract", "build"):
        changed: list[Difference] = []
        for key in sorted((set(a) | set(b)) - NOT_COMPARED - {"index"}):
            if (key in BUILD_KEYS) == (kind == "build"):
                _values(kind, f"{path}.{key}", a.get(key), b.get(key), changed, equal)
        keys = [d.path.rpartition(".")[2] for d in changed]
        if changed:
            one, other = ({k: getattr(d, side) for k, d in zip(keys, changed, strict=True)} for side in ("a", "b"))
            found.append(Difference(kind, path, one, other, len(changed)))


def plans(a: Mapping[str, object], b: Mapping[str, object]) -> Comparison:
    """Two plan documents (plain values); times, threads and addresses are left out."""
    found: list[Difference] = []
    equal: list[tuple[str, Value]] = []
    _walk("plan", "", _steady(a), _steady(b), found, equal)
    folded: dict[str, Difference] = {}
    for difference in found:
        general = re.sub(r"calls\[\d+\]", "calls[…]", difference.path)
        key = f"{general}|{difference.a}|{difference.b}"
        old = folded.get(key)
        folded[key] = difference if old is None else Difference("plan", old.path, old.a, old.b, old.count + 1)
    return Comparison(tuple(folded.values()), tuple(equal))


def _steady(value: object) -> object:
    if isinstance(value, Mapping):
        return {k: _steady(v) for k, v in value.items() if k not in PASSING and v is not None}
    if isinstance(value, (list, tuple)):
        return [_steady(v) for v in value]
    return value


def _walk(kind: str, path: str, a: object, b: object, found: list[Difference], equal: list[tuple[str, Value]]) -> None:
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in sorted(set(a) | set(b)):
            _walk(kind, f"{path}.{key}" if path else str(key), a.get(key), b.get(key), found, equal)
    elif isinstance(a, list) and isinstance(b, list) and any(isinstance(v, (Mapping, list)) for v in (*a, *b)):
        for i in range(max(len(a), len(b))):
            one, other = (v[i] if i < len(v) else None for v in (a, b))
            _walk(kind, f"{path}[{i}]", one, other, found, equal)
    else:
        _values(kind, path, a, b, found, equal)


def _values(
    kind: str, path: str, a: object, b: object, found: list[Difference], equal: list[tuple[str, Value]]
) -> None:
    if same(a, b):
        if a is not None:
            equal.append((path, to_value(a)))
    else:
        found.append(Difference(kind, path, to_value(a), to_value(b)))


def same(a: object, b: object) -> bool:
    """Equal; floats within a relative 1e-5, lists and tables element by element."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-9)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return set(a) == set(b) and all(same(a[k], b[k]) for k in a)
    return a == b


def _pairs(group: str, a: object, b: object) -> Iterable[tuple[str, Mapping[str, object], Mapping[str, object]]]:
    first = [t for t in a if isinstance(t, Mapping)] if isinstance(a, (list, tuple)) else []
    second = [t for t in b if isinstance(t, Mapping)] if isinstance(b, (list, tuple)) else []
    by_name = {t.get("name"): i for i, t in enumerate(second)}
    left = set(range(len(second)))
    for i, tensor in enumerate(first):
        j = by_name.get(tensor.get("name"), i)
        other = second[j] if j in left else {}
        left.discard(j)
        yield f"{group}[{i}]", tensor, other
    for j in sorted(left):
        yield f"{group}[{j}]", {}, second[j]


_PASSING = re.compile(
    r"\[?\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\]?|\b\d{4}-\d{2}-\d{2}\b|0x[0-9a-fA-F]{4,}|\bpid[ =]\d+|\bfd\s*=\s*\d+|\d+(?:\.\d+)?\s*(?:ms|us|fps)\b"
)


def steady_line(text: str) -> str:
    """A log line without what changes from run to run: times, addresses, process numbers, durations."""
    return " ".join(_PASSING.sub("…", text).split())


def logs(a: str, b: str, limit: int = 40) -> Comparison:
    """Two logs by their lines; folded where a line repeats. `path` of a difference says which log has it."""
    one, other = (_counted(text) for text in (a, b))
    found = [Difference("log", "the second", line, None, n) for line, n in other.items() if line not in one]
    found += [Difference("log", "the first", line, None, n) for line, n in one.items() if line not in other]
    both = [line for line in one if line in other]
    return Comparison(tuple(found[:limit]), tuple((line, None) for line in both))


def _counted(text: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for line in text.splitlines():
        plain = steady_line(line)
        if plain:
            counts[plain] = counts.get(plain, 0) + 1
    return counts
