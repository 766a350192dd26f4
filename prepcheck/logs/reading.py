"""Texts → a LogBook: cleaned, split, matched, labelled, and what they state together."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from prepcheck.facts.log import LABELS, LineLabel, LogBook, LogEvent
from prepcheck.logs import answer_lines, code, code_calls
from prepcheck.logs.cleaning import Line, clean
from prepcheck.logs.contracts import dumps
from prepcheck.logs.labels import relabel
from prepcheck.logs.machine import classify
from prepcheck.logs.matching import Piece, pieces
from prepcheck.logs.stated import stated
from prepcheck.logs.texts import Fed, lines_of, lines_of_text, open_text

MAX_SAME = 64
"""Events of one kind with the same content that are kept of one text; the others are counted."""
MAX_EVENTS = 20_000
MAX_LABELS = 5_000
MAX_SAID = 8000
"""Characters of what people wrote that are kept."""
MAX_CODE = 20_000
"""Lines of a text in which code is looked for."""
MAX_CODE_LINE = 1000
MAX_SHAPE = 1000
"""Lines of one text that differ in nothing but numbers and are read; the others are counted with them. Measured: matching
costs 200 µs a line, this 2."""
MAX_SHAPES = 20_000
_SHOWN = 200
"""Characters of a line that a label quotes."""


_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|\d+")


class _Shapes:
    """Lines of one text without their numbers: how often each came, and as what it was labelled."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.cleaned: dict[str, str] = {}
        self.label: dict[str, str] = {}
        self.passed = 0

    def enough(self, raw: str) -> bool:
        """Whether lines of this shape have been read often enough. Counts the line."""
        self.passed += 1
        if self.passed <= MAX_SHAPE:
            return False
        shape = _NUMBER.sub("0", raw)
        count = self.seen[shape]
        if not count and len(self.seen) >= MAX_SHAPES:
            return False
        self.seen[shape] = count + 1
        if count < MAX_SHAPE:
            return False
        if count == MAX_SHAPE:
            self.cleaned[shape] = _NUMBER.sub("0", clean(raw).text)
        return True

    def labelled(self, text: str, label: str) -> None:
        """The label of a cleaned line that was read."""
        if self.passed > MAX_SHAPE:
            self.label[_NUMBER.sub("0", text)] = label

    def counts(self) -> Counter[str]:
        """Lines that were not read, by the label of those that were."""
        found: Counter[str] = Counter()
        for shape, cleaned in self.cleaned.items():
            if cleaned in self.label:
                found[self.label[cleaned]] += self.seen[shape] - MAX_SHAPE
        return found


class _Collector:
    """Events and labels of all texts, within bounds."""

    def __init__(self) -> None:
        self.events: list[LogEvent] = []
        self.labels: list[LineLabel] = []
        self.same: Counter[tuple[int, str, str]] = Counter()
        self.dropped: Counter[str] = Counter()
        self.shapes = _Shapes()
        self.in_trace = False
        self.said: list[str] = []
        self.said_left = MAX_SAID

    def take(self, file: int, piece: Piece) -> None:
        if not piece.hits:
            if piece.line.own:
                label, kind = classify(piece.line, piece.text)
                if self.in_trace and kind in (None, "app_print"):
                    label, kind = "follow_up", "traceback"  # the line of code under its `File "…", line N`
                self.in_trace = kind == "traceback" and 'File "' in piece.text
                if label is not None:
                    self._label(LineLabel(file, piece.line.number, piece.last, label, kind, piece.text[:_SHOWN]))
                    self.shapes.labelled(piece.line.text, label)
                elif self.said_left > 0:
                    self.said.append(piece.text[: self.said_left])
                    self.said_left -= len(self.said[-1]) + 1
            return
        self.in_trace = False
        for hit in piece.hits:
            key = (file, hit.pattern.id, repr(sorted(hit.fields.items())))
            self.same[key] += 1
            if self.same[key] <= MAX_SAME and len(self.events) < MAX_EVENTS:
                p = hit.pattern
                shown = piece.text[max(0, hit.start - 60) : hit.end + 200]
                self.events.append(
                    LogEvent(p.id, p.label, file, piece.line.number, shown, hit.fields, p.runtime, p.proves)
                )
        chief = min(piece.hits, key=lambda h: LABELS.index(h.pattern.label)).pattern
        self._label(LineLabel(file, piece.line.number, piece.last, chief.label, chief.id, piece.text[:_SHOWN]))
        self.shapes.labelled(piece.line.text, chief.label)

    def _label(self, label: LineLabel) -> None:
        if len(self.labels) < MAX_LABELS:
            self.labels.append(label)
        else:
            self.dropped[label.label] += 1


def log_facts(texts: Sequence[str]) -> Mapping[str, tuple[object, ...]]:
    """The log book of texts, as `World.extra` wants it."""
    return {"log": (read_texts([(f"text {i + 1}", t) for i, t in enumerate(texts)]),)}


def read_texts(texts: Sequence[tuple[str, str]]) -> LogBook:
    """The log book of (name, text) pairs."""
    return _book([(name, lines_of_text(text)) for name, text in texts])


def read_files(
    paths: Sequence[str | os.PathLike[str]],
    texts: Sequence[tuple[str, str]] = (),
    fed: Sequence[tuple[str, Fed]] = (),
) -> LogBook:
    """The log book of files, then of further (name, text) pairs, then of streams. Raises the errors of `open_text`."""
    streams = []
    try:
        for path in paths:
            streams.append(open_text(path))
        sources: list[tuple[str, Iterator[tuple[int, str, bool]]]] = [
            (os.fspath(path), lines_of(stream)) for path, stream in zip(paths, streams, strict=True)
        ]
        sources += [(name, lines_of_text(text)) for name, text in texts]
        sources += [(name, lines_of(stream)) for name, stream in fed]
        return _book(sources)
    finally:
        for stream in streams:
            stream.close()


def _book(sources: Iterable[tuple[str, Iterator[tuple[int, str, bool]]]]) -> LogBook:
    found = _Collector()
    names: list[str] = []
    for file, (name, numbered) in enumerate(sources):
        names.append(name)
        raw: list[tuple[int, str]] = []
        found.shapes = _Shapes()
        for piece in pieces(_cleaned(numbered, raw, found.shapes)):
            found.take(file, piece)
        found.dropped += found.shapes.counts()
        found.events += [*code.events(raw, file), *code_calls.events(raw, file), *answer_lines.events(raw, file)]
    found.events.sort(key=lambda e: (e.file, e.line))
    events, labels = relabel(found.events, found.labels)
    known = stated(events)
    contracts = dumps(events, known.platform, known.toolkit)
    counts = Counter(label.label for label in labels) + found.dropped
    book = LogBook(
        names=tuple(names), events=tuple(events), contract=contracts[0].contract if contracts else None,
        dumps=tuple(contracts), lines=tuple(labels), counts=dict(counts), runtime=known.runtime,
        platform=known.platform, version=known.version, toolkit=known.toolkit, driver=known.driver, said="\n".join(found.said),
    )  # fmt: skip
    if book.runtime is None and book.contract is not None:
        book = replace(book, runtime=book.contract.runtime)
    return book


def _cleaned(numbered: Iterator[tuple[int, str, bool]], raw: list[tuple[int, str]], shapes: _Shapes) -> Iterator[Line]:
    """Cleaned lines. raw gets the first ones too: code is looked for in them. Those of a shape seen enough are left out."""
    passed_over = False
    for number, text, own in numbered:
        if passed_over and not own:
            continue  # read only as what the line before may go on in
        passed_over = own and shapes.enough(text)
        if passed_over and len(raw) >= MAX_CODE:
            continue
        line = clean(text, number, own)
        if len(raw) < MAX_CODE and own and line.text:
            raw.append((number, line.text[:MAX_CODE_LINE]))
        if line.text and not passed_over:
            yield line
