"""The results of all units → groups of findings, and the facts of the set as a whole. The order of arrival does not matter."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from prepcheck.app.sweeping.colour import odd_ones
from prepcheck.app.sweeping.job import STAND_IN, Plain
from prepcheck.app.sweeping.samples import Sample
from prepcheck.contract.report import Finding, Unknown
from prepcheck.facts.sample_set import ArrayFact, InputSet

EXAMPLES = 5
"""Samples that a group of findings names. A choice."""
_SEVERITY = {"error": 0, "warning": 1, "info": 2}


@dataclass(slots=True)
class Group:
    """Findings of one rule about the same thing. first: the finding of the first sample."""

    first: Plain
    count: int = 0
    samples: list[str] = field(default_factory=list)
    messages: set[str] = field(default_factory=set)


class Gathered:
    """All results of a sweep."""

    def __init__(self, samples: Sequence[Sample], chosen: Sequence[int], inputs: int) -> None:
        self.samples = samples
        self.chosen = chosen
        self.inputs = inputs
        self._ways: list[Plain] = []
        self._way_ids: dict[str, int] = {}
        self._records: dict[int, Plain] = {}
        self._sums: dict[int, list[list[int]]] = {}

    def add(self, result: Plain) -> int:
        """Take a unit in; the number of its samples."""
        ways, records, sums = result["ways"], result["samples"], result["histograms"]
        assert isinstance(ways, list)
        assert isinstance(records, list)
        assert isinstance(sums, dict)
        numbers = [self._way(w) for w in ways]
        for record in records:
            slim = {k: v for k, v in record.items() if k != "stat"}
            if "way" in slim:
                slim["way"] = numbers[slim["way"]]
            self._records[slim["i"]] = slim
        for key, rows in sums.items():
            known = self._sums.get(int(key))
            if known is None:
                self._sums[int(key)] = rows
            elif len(known) == len(rows):
                self._sums[int(key)] = [
                    [a + b for a, b in zip(x, y, strict=True)] for x, y in zip(known, rows, strict=True)
                ]
        return len(records)

    def _way(self, way: Plain) -> int:
        text = json.dumps(way, sort_keys=True)
        known = self._way_ids.get(text)
        if known is None:
            known = self._way_ids[text] = len(self._ways)
            self._ways.append(way)
        return known

    def each(self) -> Iterator[tuple[Sample, Plain]]:
        """The samples in their order, each with what was found: findings, unknown, counts, or error."""
        for index in self.chosen:
            record = self._records[index]
            sample = self.samples[index]
            if "error" in record:
                yield sample, {"error": record["error"]}
            else:
                yield sample, named(self._ways[int(str(record["way"]))], sample)

    @property
    def errors(self) -> list[tuple[str, str, str]]:
        """(sample, code, message) of those that could not be read."""
        found = []
        for index in self.chosen:
            error = self._records[index].get("error")
            if isinstance(error, list):
                found.append((self.samples[index].name, str(error[0]), str(error[1])))
        return found

    @property
    def otherwise(self) -> str | None:
        """Why pictures were resized by another library than the plan names; None where none was."""
        for index in self.chosen:
            looks = self._records[index].get("looks", [])
            assert isinstance(looks, list)
            for item in looks:
                if "otherwise" in item:
                    return str(item["otherwise"])
        return None

    def counts(self) -> tuple[int, int, int]:
        """Checks passed, failed, undecided, over all samples."""
        total = [0, 0, 0]
        for index in self.chosen:
            way = self._records[index].get("way")
            if isinstance(way, int):
                own = self._ways[way]["counts"]
                assert isinstance(own, list)
                total = [a + b for a, b in zip(total, own, strict=True)]
        return total[0], total[1], total[2]

    def groups(self, already: set[tuple[str, str, str]]) -> list[Group]:
        """Findings by rule, thing and severity; `already` are (rule, where, message) that hold without any sample."""
        found: dict[tuple[str, ...], Group] = {}
        for sample, judged in self.each():
            findings = judged.get("findings", [])
            assert isinstance(findings, list)
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
        used = sorted({w for r in self._records.values() if isinstance(w := r.get("way"), int)})
        for number in used:
            entries = self._ways[number]["unknown"]
            assert isinstance(entries, list)
            for u in entries:
                entry = Unknown.model_construct(**{**u, "where": place(u["where"])})
                found.setdefault((entry.where, entry.rule, entry.reason), entry)
        return [found[k] for k in sorted(found)]

    def input_sets(self) -> list[InputSet]:
        """The facts of each input."""
        looks: dict[int, list[tuple[str, Plain]]] = defaultdict(list)
        for index in self.chosen:
            items = self._records[index].get("looks", [])
            assert isinstance(items, list)
            for item in items:
                looks[item["input"]].append((self._file(index, item["input"]), item))
        return [self._input_set(position, looks[position]) for position in range(self.inputs) if looks[position]]

    def _file(self, index: int, position: int) -> str:
        files = self.samples[index].files
        return files[position][1] if len(files) > 1 else files[0][1]

    def _input_set(self, position: int, looks: list[tuple[str, Plain]]) -> InputSet:
        pictures = [(n, x) for n, x in looks if "array" not in x]
        arrays = [(n, x) for n, x in looks if "array" in x]
        sizes: Counter[tuple[int, ...]] = Counter(tuple(x["size"]) for _, x in pictures)  # type: ignore[arg-type]
        firsts: dict[tuple[int, ...], str] = {}
        digests: dict[str, str] = {}
        twins: list[tuple[str, str]] = []
        for name, item in pictures:
            firsts.setdefault(tuple(item["size"]), name)  # type: ignore[arg-type]
        for name, item in looks:
            digest = item.get("digest")
            if isinstance(digest, str):
                if digest in digests:
                    twins.append((digests[digest], name))
                else:
                    digests[digest] = name
        seen = [(n, x) for n, x in pictures if "means" in x]
        odd, typical = odd_ones(seen)
        return InputSet(
            input=position,
            pictures=len(pictures),
            arrays=tuple(_array_fact(n, x) for n, x in arrays),
            histogram=tuple(tuple(row) for row in self._sums.get(position, [])),
            extents=self._extents(position, arrays),
            sizes=tuple(
                ((size[0], size[1]), count, firsts[size])
                for size, count in sorted(sizes.items(), key=lambda i: (-i[1], i[0]))
            ),
            distinct=len(digests),
            twins=tuple(twins),
            odd_colour=odd,
            typical=typical,
            not_run=sum("not_run" in x for _, x in pictures),
        )

    def _extents(self, position: int, arrays: list[tuple[str, Plain]]) -> tuple[tuple[float, float], ...]:
        rows = self._sums.get(position, [])
        found: list[tuple[float, float]] = []
        for row in rows:
            there = [value for value, n in enumerate(row) if n]
            found.append((float(there[0]), float(there[-1])))
        for _, item in arrays:
            channels = item["channels"]
            assert isinstance(channels, dict)
            own = next((c for c in channels.values() if not found or len(c) == len(found)), None)
            if own is None and not found:
                own = [[item["low"], item["high"]]]
            if own is None:
                own = [[item["low"], item["high"]]] * len(found)
            if not found:
                found = [(float(a), float(b)) for a, b in own]
            else:
                found = [(min(x[0], a), max(x[1], b)) for x, (a, b) in zip(found, own, strict=True)]
        return tuple(found)


def named(way: Plain, sample: Sample) -> Plain:
    """A judgement with the sample's own files in place of the stand-ins."""
    names = [path for _, path in sample.files if not path.lower().endswith(".npy")]
    return {**way, "findings": _replaced(way["findings"], lambda text: _fill(text, names))}


def _fill(text: str, names: Sequence[str]) -> str:
    if STAND_IN[0] not in text:
        return text
    for i, name in enumerate(names):
        text = text.replace(STAND_IN.format(i), name)
    return text


def _replaced(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {k: _replaced(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [_replaced(v, change) for v in value]
    return value


def place(where: str) -> str:
    """`images[0]` of a sample is `samples` of the set."""
    return "samples" if where.startswith("images") else where


def finding_order(f: Finding) -> tuple[int, float, str, str]:
    """Severity, confidence (highest first), rule, place."""
    return (_SEVERITY[f.severity], -f.confidence, f.rule, f.where)


def _array_fact(name: str, item: Plain) -> ArrayFact:
    shape = item["shape"]
    assert isinstance(shape, list)
    return ArrayFact(
        name=name, shape=tuple(shape), dtype=str(item["array"]), low=float(item["low"]),  # type: ignore[arg-type]
        high=float(item["high"]), whole=bool(item["whole"]), finite=bool(item["finite"]),  # type: ignore[arg-type]
    )  # fmt: skip
