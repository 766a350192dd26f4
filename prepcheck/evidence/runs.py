"""Runs and their answers: out of logs (the demo's predictions, the toolkit's top five) and out of what the user says."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from prepcheck.contract.plan import Observation
from prepcheck.core.answer_text import MAX_NUMBERS, Answer, parse
from prepcheck.errors import UsageError
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.world import World
from prepcheck.records import dataclass

_IMAGE = re.compile(r"[^\s\"'<>|]+\.(?:jpe?g|png|bmp|webp|npy)\b", re.IGNORECASE)
_PAIR = re.compile(r"(\w+)\s*[=:]\s*(\"[^\"]*\"|\[[^\]]*\]|[^\s,;]+)")
ANSWER_KINDS = ("zoo_class", "zoo_topk", "mobilenet_row", "top_row")
_MOST_BYTES = 1 << 26
"""Bytes of a file with one answer: 4 million numbers of 16 characters."""
START_KINDS = ("zoo_predictions", "top5", "top5_head")


@dataclass(frozen=True, slots=True)
class Run:
    """One run with its answer.

    where: simulator, board, board_from_pc, program, or None. image: its name, where known; size: (width, height) of the
    picture read. classes, scores: as printed, best first. file: index of the text, None for what the user said.
    """

    where: str | None
    image: str | None
    scores: tuple[float, ...]
    classes: tuple[int, ...] = ()
    size: tuple[int, int] | None = None
    file: int | None = None
    line: int | None = None
    result: str | None = None
    build: str | None = None
    model: str | None = None
    backend: str | None = None
    run: int | None = None
    note: str = ""

    @property
    def best(self) -> int | None:
        """The class with the highest score."""
        if self.classes and self.scores:
            return self.classes[max(range(len(self.scores)), key=self.scores.__getitem__)]
        return None

    def by_class(self) -> dict[int, float]:
        """Score of each class (of each place, where no classes are printed)."""
        keys = self.classes or tuple(range(len(self.scores)))
        return dict(zip(keys, self.scores, strict=False))


@dataclass(frozen=False, slots=True)
class _Open:
    where: str | None = None
    image: str | None = None
    size: tuple[int, int] | None = None
    rows: list[LogEvent] = field(default_factory=list)


def runs_of(book: LogBook) -> list[Run]:
    """Every run whose answer the texts print, in order."""
    found: list[Run] = []
    for file in range(len(book.names) or 1):
        found += _of_file(book, file)
    return found


def _of_file(book: LogBook, file: int) -> Iterator[Run]:
    events = [e for e in book.events if e.file == file]
    images = {label.line: m for label in book.lines if label.file == file and (m := _image(label.text))}
    at = _Open()
    marks = sorted({*(e.line for e in events), *images})
    by_line: dict[int, list[LogEvent]] = {}
    for e in events:
        by_line.setdefault(e.line, []).append(e)
    for line in marks:
        if line in images:
            yield from _close(at, file)
            at.image = images[line]
        printed = any(e.kind in ANSWER_KINDS for e in by_line.get(line, ()))
        for e in by_line.get(line, ()):
            if e.kind == "answer" and not printed:
                yield from _close(at, file)
                yield _written(e)
            elif e.kind in START_KINDS:
                yield from _close(at, file)
            elif e.kind in ANSWER_KINDS:
                at.rows.append(e)
            elif e.kind == "simulator":
                yield from _close(at, file)
                at.where = "simulator"
            elif e.kind == "zoo_run":
                at.where = "board"
            elif e.kind == "zoo_read":
                w, h = e.number("w"), e.number("h")
                at.size = (w, h) if w and h else None
    yield from _close(at, file)


def _written(event: LogEvent) -> Run:
    """The run behind an answer that a person wrote down."""
    scores, classes = event.fields.get("scores"), event.fields.get("classes")
    return Run(
        where=event.word("place"), image=event.word("image"),
        scores=tuple(float(n) for n in scores if not isinstance(n, str)) if isinstance(scores, list) else (),
        classes=tuple(n for n in classes if isinstance(n, int)) if isinstance(classes, list) else (),
        file=event.file, line=event.line, run=event.number("run"),
    )  # fmt: skip


def _image(text: str) -> str | None:
    found = _IMAGE.search(text)
    return os.path.basename(found[0].replace("\\", "/")) if found else None


def _close(at: _Open, file: int) -> Iterator[Run]:
    if at.rows:
        scores, classes = [], []
        for e in at.rows:
            score, cls = e.fields.get("score"), e.fields.get("class")
            if isinstance(score, (int, float)):
                scores.append(float(score))
                if isinstance(cls, int):
                    classes.append(cls)
        yield Run(at.where, at.image, tuple(scores), tuple(classes), at.size, file, at.rows[0].line)
        at.rows = []
        at.size = None


def stated_runs(world: World) -> list[Run]:
    """What the user says: observations of the plan and of the command line, answers of the command line."""
    found = [_of_document(o) for o in (world.plan.observations if world.plan else ())]
    found += [parse_observation(str(text)) for text in world.extra.get("observations", ())]
    for number, text in enumerate(world.extra.get("answers", ())):
        answer = read_answer(str(text)) if str(text).strip().strip("[]") else Answer((), ())
        found.append(Run("board", f"image {number + 1}", answer.values, answer.classes, run=number + 1))
    return found


def _of_document(o: Observation) -> Run:
    return Run(
        where=o.where, image=o.image, scores=tuple(o.answer or ()), result=o.result, build=o.build, model=o.model,
        backend=o.backend, run=o.run, note=o.note or "",
    )  # fmt: skip


def parse_observation(text: str) -> Run:
    """`where=board result=wrong image=a.jpg run=1 answer=[0.99,0.01] note="…"` → a run. Raises UsageError."""
    given = {key.lower(): value.strip('"') for key, value in _PAIR.findall(text)}
    known = {"where", "result", "image", "run", "answer", "build", "model", "backend", "note"}
    unknown = sorted(set(given) - known)
    if unknown or not given:
        raise UsageError(
            f"observation {text!r}: write it as `where=board result=wrong image=a.jpg answer=[0.99,0.01]`; known: "
            f"{', '.join(sorted(known))}"
        )
    allowed = {
        "where": ("simulator", "board", "board_from_pc", "program"),
        "result": ("right", "wrong"),
        "build": ("quantized", "float", "hybrid"),
    }
    for key, values in allowed.items():
        if key in given and given[key] not in values:
            raise UsageError(f"observation: {key}={given[key]} is not one of {', '.join(values)}")
    return Run(
        where=given.get("where"), image=given.get("image"), scores=parse_answer(given.get("answer", "")),
        result=given.get("result"), build=given.get("build"), model=given.get("model"), backend=given.get("backend"),
        run=int(given["run"]) if given.get("run", "").isdigit() else None, note=given.get("note", ""),
    )  # fmt: skip


def read_answer(text: str) -> Answer:
    """`0.9994,0.0006`, `[0.99 0.01]`, `282:0.41,281:0.2`, or those of a file of that name (text, or .npy). Raises UsageError."""
    given = text
    if not re.fullmatch(r"[\s,;:0-9eE.+\[\]-]+", text) and os.path.isfile(text):
        with open(text, "rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"answer {text}: more than {_MOST_BYTES} bytes; give the numbers of one answer")
        if data.startswith(b"\x93NUMPY"):
            return _of_array(text, data)
        given = data.decode("utf-8", "replace")
    try:
        return parse(given)
    except ValueError as error:
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise UsageError(f"answer {shown!r}: {error}") from None


def _of_array(name: str, data: bytes) -> Answer:
    import numpy as np

    from prepcheck.readers.arrays import load_array

    array = load_array(data, name, None, None)
    if array.dtype.kind not in "fiu" or array.size > MAX_NUMBERS:
        raise UsageError(f"answer {name}: {array.dtype} {list(array.shape)} holds no numbers of an answer")
    values = np.asarray(array, np.float64).reshape(-1)
    if not np.isfinite(values).all():
        raise UsageError(f"answer {name}: it holds NaN or infinity: the answer itself is broken")
    whole = array.dtype.kind != "f"
    part = 0.5 * 2.0 ** {2: -10, 4: -23}.get(array.itemsize, -52) if not whole else 0.0
    halves = [0.5] * values.size if whole else (np.abs(values) * part).tolist()
    return Answer(tuple(values.tolist()), tuple(halves))


def parse_answer(text: str) -> tuple[float, ...]:
    """The numbers of an answer (see `read_answer`); none of an empty text. Raises UsageError."""
    return read_answer(text).values if text.strip().strip("[]") else ()


def groups_by_image(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """Runs by the image that they saw."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        if run.image is not None:
            found.setdefault(run.image, []).append(run)
    return found
