"""The results of all units → groups of findings, and the facts of the set as a whole. The order of arrival does not matter."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from prepcheck.app.sweeping.colour import odd_ones
from prepcheck.app.sweeping.job import STAND_IN
from prepcheck.app.sweeping.records import (
    ArrayLook,
    FindingRecord,
    Judged,
    Look,
    NotRun,
    PictureLook,
    UnitResult,
    added,
)
from prepcheck.app.sweeping.samples import Sample
from prepcheck.contract.report import Finding, Unknown
from prepcheck.facts.sample_set import ArrayFact, InputSet

EXAMPLES = 5
"""Samples that a group of findings names. A choice."""
_SEVERITY = {"error": 0, "warning": 1, "info": 2}


@dataclass(slots=True)
class Group:
    """Findings of one rule about the same thing. first: the finding of the first sample."""

    first: FindingRecord
    count: int = 0
    samples: list[str] = field(default_factory=list)
    messages: set[str] = field(default_factory=set)


class Gathered:
    """All results of a sweep."""

    def __init__(self, samples: Sequence[Sample], chosen: Sequence[int], inputs: int) -> None:
        self.samples = samples
        self.chosen = chosen
        self.inputs = inputs
        self._ways: list[Judged] = []
        self._way_ids: dict[str, int] = {}
        self._way_of: dict[int, int] = {}
        self._looks: dict[int, list[Look]] = {}
        self._failed: dict[int, tuple[str, str]] = {}
        self._sums: dict[int, list[list[int]]] = {}

    def add(self, result: UnitResult) -> int:
        """Take a unit in; the number of its samples."""
        numbers = [self._way(w) for w in result["ways"]]
        for record in result["samples"]:
            if "error" in record:
                code, message = record["error"]
                self._failed[record["i"]] = (code, message)
            else:
                self._way_of[record["i"]] = numbers[record["way"]]
                self._looks[record["i"]] = record["looks"]
        for key, rows in result["histograms"].items():
            known = self._sums.get(int(key))
            if known is None:
                self._sums[int(key)] = rows
            elif len(known) == len(rows):
                self._sums[int(key)] = added(known, rows)
        return len(result["samples"])

    def _way(self, way: Judged) -> int:
        text = json.dumps(way, sort_keys=True)
        known = self._way_ids.get(text)
        if known is None:
            known = self._way_ids[text] = len(self._ways)
            self._ways.append(way)
        return known

    def each(self) -> Iterator[tuple[Sample, list[FindingRecord], tuple[str, str] | None]]:
        """The samples in their order, each with its findings, or with (code, message) where it could not be read."""
        for index in self.chosen:
            sample = self.samples[index]
            failed = self._failed.get(index)
            yield sample, [] if failed is not None else self._findings(index), failed

    def _findings(self, index: int) -> list[FindingRecord]:
        """Of a sample that could be read, with its own files in place of the stand-ins."""
        files = self.samples[index].files
        names = [path for _, path in files if not path.lower().endswith(".npy")]
        return [_named(f, names) for f in self._ways[self._way_of[index]]["findings"]]

    @property
    def errors(self) -> list[tuple[str, str, str]]:
        """(sample, code, message) of those that could not be read."""
        return [(self.samples[i].name, *self._failed[i]) for i in self.chosen if i in self._failed]

    @property
    def otherwise(self) -> str | None:
        """Why pictures were resized by another library than the plan names; None where none was."""
        for index in self.chosen:
            for item in self._looks.get(index, ()):
                if "otherwise" in item:
                    return item["otherwise"]
        return None

    def counts(self) -> tuple[int, int, int]:
        """Checks passed, failed, undecided, over all samples."""
        total = [0, 0, 0]
        for index in self.chosen:
            if index in self._way_of:
                total = [a + b for a, b in zip(total, self._ways[self._way_of[index]]["counts"], strict=True)]
        return total[0], total[1], total[2]

    def groups(self, already: set[tuple[str, str, str]]) -> list[Group]:
        """Findings by rule, thing and severity; `already` are (rule, where, message) that hold without any sample."""
        found: dict[tuple[str, ...], Group] = {}
        for sample, findings, _ in self.each():
            seen: set[tuple[str, ...]] = set()
            for f in findings:
                if (f["rule"], f["where"], f["message"]) in already:
                    continue
                key = (f["rule"], place(f["where"]), f["severity"], f["category"], f["fault"] or "")
                group = found.setdefault(key, Group(f))
                group.messages.add(f["message"].replace(sample.name, ""))
                if key in seen:
                    continue
                seen.add(key)
                group.count += 1
                if len(group.samples) < EXAMPLES:
                    group.samples.append(sample.name)
        return list(found.values())

    def unknown(self) -> list[Unknown]:
        """What could not be decided, each once, in the order of place and rule."""
        found: dict[tuple[str, str, str], Unknown] = {}
        for number in sorted(set(self._way_of.values())):
            for u in self._ways[number]["unknown"]:
                entry = Unknown.model_construct(
                    rule=u["rule"], where=place(u["where"]), reason=u["reason"], supply=u["supply"]
                )
                found.setdefault((entry.where, entry.rule, entry.reason), entry)
        return [found[k] for k in sorted(found)]

    def input_sets(self) -> list[InputSet]:
        """The facts of each input."""
        looks: dict[int, list[tuple[str, Look]]] = defaultdict(list)
        for index in self.chosen:
            for item in self._looks.get(index, ()):
                looks[item["input"]].append((self._file(index, item["input"]), item))
        return [self._input_set(position, looks[position]) for position in range(self.inputs) if looks[position]]

    def _file(self, index: int, position: int) -> str:
        files = self.samples[index].files
        return files[position][1] if len(files) > 1 else files[0][1]

    def _input_set(self, position: int, looks: list[tuple[str, Look]]) -> InputSet:
        arrays = [(n, x) for n, x in looks if "array" in x]
        pictures: list[tuple[str, PictureLook | NotRun]] = [(n, x) for n, x in looks if "array" not in x]
        run = [(n, x) for n, x in pictures if "means" in x]
        sizes: Counter[tuple[int, int]] = Counter()
        firsts: dict[tuple[int, int], str] = {}
        for name, picture in pictures:
            width, height = picture["size"]
            sizes[width, height] += 1
            firsts.setdefault((width, height), name)
        digests: dict[str, str] = {}
        twins: list[tuple[str, str]] = []
        for name, item in looks:
            if "digest" not in item:
                continue
            if item["digest"] in digests:
                twins.append((digests[item["digest"]], name))
            else:
                digests[item["digest"]] = name
        odd, typical = odd_ones(run)
        return InputSet(
            input=position,
            pictures=len(pictures),
            arrays=tuple(_array_fact(n, x) for n, x in arrays),
            histogram=tuple(tuple(row) for row in self._sums.get(position, [])),
            extents=self._extents(position, arrays),
            sizes=tuple(
                (size, count, firsts[size]) for size, count in sorted(sizes.items(), key=lambda i: (-i[1], i[0]))
            ),
            distinct=len(digests),
            twins=tuple(twins),
            odd_colour=odd,
            typical=typical,
            not_run=len(pictures) - len(run),
        )

    def _extents(self, position: int, arrays: list[tuple[str, ArrayLook]]) -> tuple[tuple[float, float], ...]:
        rows = self._sums.get(position, [])
        found: list[tuple[float, float]] = []
        for row in rows:
            there = [value for value, n in enumerate(row) if n]
            found.append((float(there[0]), float(there[-1])))
        for _, item in arrays:
            own = next((c for c in item["channels"].values() if not found or len(c) == len(found)), None)
            if own is None and not found:
                own = [[item["low"], item["high"]]]
            if own is None:
                own = [[item["low"], item["high"]]] * len(found)
            if not found:
                found = [(float(a), float(b)) for a, b in own]
            else:
                found = [(min(x[0], a), max(x[1], b)) for x, (a, b) in zip(found, own, strict=True)]
        return tuple(found)


def _named(f: FindingRecord, names: Sequence[str]) -> FindingRecord:
    """A finding with a sample's own files in place of the stand-ins."""
    return {
        **f,
        "where": _fill(f["where"], names),
        "message": _fill(f["message"], names),
        "explanation": _fill(f["explanation"], names),
        "fix": _fill(f["fix"], names),
        "evidence": {key: _replaced(value, names) for key, value in f["evidence"].items()},
    }


def _fill(text: str, names: Sequence[str]) -> str:
    if STAND_IN[0] not in text:
        return text
    for i, name in enumerate(names):
        text = text.replace(STAND_IN.format(i), name)
    return text


def _replaced(value: object, names: Sequence[str]) -> object:
    if isinstance(value, str):
        return _fill(value, names)
    if isinstance(value, dict):
        return {k: _replaced(v, names) for k, v in value.items()}
    if isinstance(value, list):
        return [_replaced(v, names) for v in value]
    return value


def place(where: str) -> str:
    """`images[0]` of a sample is `samples` of the set."""
    return "samples" if where.startswith("images") else where


def finding_order(f: Finding) -> tuple[int, float, str, str]:
    """Severity, confidence (highest first), rule, place."""
    return (_SEVERITY[f.severity], -f.confidence, f.rule, f.where)


def _array_fact(name: str, item: ArrayLook) -> ArrayFact:
    return ArrayFact(
        name=name, shape=tuple(item["shape"]), dtype=item["array"], low=item["low"], high=item["high"],
        whole=item["whole"], finite=item["finite"],
    )  # fmt: skip
