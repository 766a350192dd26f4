"""What a sweep is about: a folder, a glob, a list file or a toolkit's dataset.txt → samples in a fixed order.

A line of a list is one sample with one file for each input. Read as rknn-toolkit2 reads its `dataset=` file (measured:
2.5.0): parts are separated by spaces (not by tabs), relative paths begin at the list's own folder, blank lines are
passed over unless the first line is one, `#` is no comment, the endings are .jpg .jpeg .png .bmp .npy in any case.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from prepcheck.contract.contract import Contract
from prepcheck.errors import EmptyFileError, NotFoundError, TooLargeError, UsageError, WrongKindError
from prepcheck.facts.sample_set import LineProblem
from prepcheck.facts.world import image_input

IMAGE_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".gif", ".tif", ".tiff", ".ppm", ".pgm", ".jp2", ".avif")
"""Endings that are taken from a folder as images."""
TOOLKIT_ENDINGS = (".jpg", ".jpeg", ".png", ".bmp", ".npy")
"""What rknn-toolkit2 reads for calibration, in any case (measured: 2.5.0; others raise `Unsupport file`)."""
MAX_LIST_BYTES = 64 << 20
"""A list of paths beyond 64 MiB is refused."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One run's worth of files: (input name or None, path as shown). line: of the list, from 1; None without a list."""

    files: tuple[tuple[str | None, str], ...]
    line: int | None = None

    @property
    def name(self) -> str:
        """What reports call it."""
        return " ".join(path for _, path in self.files)


@dataclass(slots=True)
class Found:
    """The samples of a path. kind: folder, glob, list, file. passed_over: files of a folder that are neither image nor array."""

    kind: str
    samples: list[Sample]
    passed_over: int = 0
    problems: list[LineProblem] = field(default_factory=list)


def find(paths: Sequence[str], contract: Contract) -> Found:
    """The samples behind one or more paths, in a fixed order.

    Raises NotFoundError, EmptyFileError (nothing there), UsageError and what reading a list raises.
    """
    if not paths:
        raise UsageError("nothing to sweep: give a folder, a glob, a list file or images")
    parts = [_find(path, contract) for path in paths]
    kinds = {p.kind for p in parts}
    whole = Found(
        kinds.pop() if len(kinds) == 1 else "several",
        [s for p in parts for s in p.samples],
        sum(p.passed_over for p in parts),
        [x for p in parts for x in p.problems],
    )
    if not whole.samples and not whole.problems:
        over = f" ({whole.passed_over} other files there)" if whole.passed_over else ""
        raise EmptyFileError(f"{', '.join(paths)}: no image and no .npy file{over}")
    return whole


def _find(path: str, contract: Contract) -> Found:
    owner = _one_input(contract)
    if os.path.isdir(path):
        names, over = _walk(path)
        return Found("folder", [Sample(((owner, n),)) for n in names], over)
    if os.path.exists(path):
        if path.lower().endswith((*IMAGE_ENDINGS, ".npy")):
            return Found("file", [Sample(((owner, path),))])
        if not os.path.isfile(path):
            raise WrongKindError(
                f"{path}: is a pipe, socket or device; give a folder, a glob or a file", kind="unknown"
            )
        return read_list(path, contract)
    if any(c in path for c in "*?["):
        names = sorted(n for n in glob.glob(path, recursive=True) if os.path.isfile(n))
        if not names:
            raise NotFoundError(f"{path}: no file matches")
        known = [n for n in names if n.lower().endswith((*IMAGE_ENDINGS, ".npy"))]
        return Found("glob", [Sample(((owner, n),)) for n in known], len(names) - len(known))
    raise NotFoundError(f"{path}: no such file or folder")


def _one_input(contract: Contract) -> str | None:
    """The input that single files are for: the picture's, where the model has several."""
    if len(contract.inputs) <= 1:
        return None
    owner = image_input(contract)
    return owner.name if owner is not None else None


def _walk(folder: str) -> tuple[list[str], int]:
    found: list[str] = []
    over = 0
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in names:
            if name.startswith("."):
                continue
            if name.lower().endswith((*IMAGE_ENDINGS, ".npy")):
                found.append(os.path.join(here, name))
            else:
                over += 1
    return sorted(found, key=lambda n: n.split(os.sep)), over


def read_list(path: str, contract: Contract) -> Found:
    """A list of files. What the toolkit would refuse or misread is noted, and read as it was meant where that is plain."""
    text = _text(path)
    found = Found("list", [])
    if text.startswith("\ufeff"):
        found.problems.append(LineProblem("byte_order_mark", 1, text[1:40].split("\n")[0].strip()))
        text = text[1:]
    lines = text.splitlines()
    if lines and not lines[0].strip() and any(line.strip() for line in lines):
        found.problems.append(LineProblem("blank_first_line", 1, ""))
    base = os.path.dirname(path)
    names = [t.name for t in contract.inputs]
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line:
            continue
        if line.startswith("#"):
            found.problems.append(LineProblem("comment", number, line[:80]))
            continue
        pieces, problems = _pieces(line, number, base, len(names))
        found.problems += problems
        if len(pieces) != len(names):
            found.problems.append(LineProblem("inputs", number, line[:200], len(pieces), len(names)))
            continue
        found.problems += [
            LineProblem("ending", number, p)
            for p in pieces
            if not p.lower().endswith(TOOLKIT_ENDINGS) and not p.startswith("#")
        ]
        owners = names if len(names) > 1 else [None]
        found.samples.append(Sample(tuple(zip(owners, (os.path.join(base, p) for p in pieces), strict=True)), number))
    if not found.samples and not found.problems:
        raise EmptyFileError(f"{path}: lists no file")
    return found


def _pieces(line: str, number: int, base: str, inputs: int) -> tuple[list[str], list[LineProblem]]:
    """The files of a line: as the toolkit splits it, or as it was meant where its parts do not exist but the whole does."""
    pieces = [p for p in line.split(" ") if p]
    if all(os.path.exists(os.path.join(base, p)) for p in pieces):
        return pieces, []
    if len(pieces) > 1 and inputs == 1 and os.path.exists(os.path.join(base, line)):
        return [line], [LineProblem("space", number, line[:200])]
    for sign, kind in (("\t", "tab"), (",", "comma")):
        parts = [p.strip() for p in line.split(sign)]
        if len(parts) > 1 and all(p and os.path.exists(os.path.join(base, p)) for p in parts):
            return parts, [LineProblem(kind, number, line[:200])]
    quoted = line.strip("\"'")
    if quoted != line and os.path.exists(os.path.join(base, quoted)):
        return [quoted], [LineProblem("quotes", number, line[:200])]
    return pieces, []


def _text(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            data = stream.read(MAX_LIST_BYTES + 1)
    except OSError as error:
        raise NotFoundError(f"{path}: cannot be read ({error.strerror})") from None
    if not data:
        raise EmptyFileError(f"{path}: the list is empty (0 bytes)")
    if len(data) > MAX_LIST_BYTES:
        raise TooLargeError(f"{path}: over {MAX_LIST_BYTES} bytes; a list of paths is a short text")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if not text or "\0" in text:
        raise WrongKindError(
            f"{path}: is no folder, no image by its ending and no UTF-8 list of paths", kind="unknown"
        ) from None
    return text


def choose(samples: Sequence[Sample], *, limit: int | None, sample: int | None, seed: int) -> list[int]:
    """Indices of the samples to judge, ascending: the first `limit`, or `sample` of them drawn with `seed`."""
    import random

    kept: Sequence[int] = range(len(samples))
    if sample is not None and sample < len(samples):
        kept = sorted(random.Random(seed).sample(kept, sample))
    return list(kept[:limit] if limit is not None else kept)


def units(chosen: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """The indices in runs of `size`: the units of work, which do not depend on how many workers there are."""
    for start in range(0, len(chosen), size):
        yield tuple(chosen[start : start + size])
