"""One unit of work: a few samples judged, looked at and summed up as plain values that travel and go into the journal."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from prepcheck.app.sweeping.job import Context, Job
from prepcheck.app.sweeping.records import (
    GRID,
    ArrayLook,
    FailedSample,
    Judged,
    Look,
    NotRun,
    PictureLook,
    SampleRecord,
    SeenSample,
    UnitResult,
)
from prepcheck.app.sweeping.samples import Sample
from prepcheck.errors import PrepcheckError, TooLargeError, UsageError
from prepcheck.facts.world import ImageFacts
from prepcheck.pixels.run import run_steps

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.contract.steps import Step

    Counts = NDArray[np.int64]

MAX_ARRAY_BYTES = 256 << 20
"""An .npy of a sample beyond 256 MiB is not loaded. A choice: a 4K float picture has 100 MB."""

_CONTEXT: list[Context] = []


def run_unit(job: Job, number: int, samples: Sequence[tuple[int, Sample]]) -> UnitResult:
    """Judge the samples of a unit. Every trouble of a sample is part of the result; only bugs raise."""
    context = context_of(job)
    return UnitWork(context, number).run(samples)


def context_of(job: Job) -> Context:
    """The worker's context for a job; it keeps the last one."""
    if not _CONTEXT or _CONTEXT[0].job.key != job.key:
        _single_threaded()
        _keep_memory()
        _CONTEXT[:] = [Context(job)]
    return _CONTEXT[0]


def _single_threaded() -> None:
    """One thread a worker: the pool is the parallelism."""
    try:
        import cv2
    except ImportError:
        return
    cv2.setNumThreads(1)


M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Source: glibc, malloc.h."""


def _keep_memory() -> None:
    """glibc keeps what is freed for the next picture in place of giving it back and taking it anew, page by page.

    Measured: 1280x720 JPEGs, decoded and resized: 9.8 in place of 13.6 ms of CPU time each.
    """
    import ctypes
    import sys

    if not sys.platform.startswith("linux"):
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # another C library
        return
    mallopt(M_MMAP_THRESHOLD, 32 << 20)  # the most that glibc allows on 64 bits
    mallopt(M_TRIM_THRESHOLD, 256 << 20)


class UnitWork:
    """The sums of one unit while it grows."""

    def __init__(self, context: Context, number: int) -> None:
        self.context = context
        self.number = number
        self.ways: list[Judged] = []
        self._known: dict[int, int] = {}
        self.records: list[SampleRecord] = []
        self.histograms: dict[int, Counts] = {}

    def run(self, samples: Sequence[tuple[int, Sample]]) -> UnitResult:
        """All samples, then the unit as plain values."""
        for index, sample in samples:
            self.records.append(self.file_sample(index, sample))
        return self.result()

    def result(self) -> UnitResult:
        """The unit as plain values."""
        return {
            "unit": self.number,
            "ways": self.ways,
            "samples": self.records,
            "histograms": {str(i): h.tolist() for i, h in sorted(self.histograms.items())},
        }

    def file_sample(self, index: int, sample: Sample) -> SampleRecord:
        """One sample of files: headers judged, pixels looked at."""
        from prepcheck.readers.images import OpenImage

        opened: list[tuple[int, OpenImage]] = []
        stat = [stat_of(path) for _, path in sample.files]
        looks: list[Look] = []
        counted: list[tuple[int, Counts]] = []
        try:
            for name, path in sample.files:
                position = self._position(name)
                if path.lower().endswith(".npy"):
                    looks.append(_array(path, position))
                else:
                    opened.append((position, OpenImage(path, input_name=name, max_pixels=self.context.job.max_pixels)))
            way = self.context.way(tuple(image.facts for _, image in opened))
            for position, image in opened:
                pixels = image.pixels(way.colors[position], exif=way.turned[position])
                item, counts = look(position, image.facts, pixels, way.colors[position], way.steps[position])
                looks.append(item)
                if counts is not None:
                    counted.append((position, counts))
        except PrepcheckError as error:
            failed: FailedSample = {"i": index, "stat": stat, "error": [error.code, error.message]}
            return failed
        finally:
            for _, image in opened:
                image.__exit__()
        for position, counts in counted:
            self._add(position, counts)
        return {"i": index, "stat": stat, "way": self._way_number(way.judged), "looks": looks}

    def frame_sample(self, index: int, facts: ImageFacts, pixels: NDArray[np.uint8]) -> None:
        """One frame that is in memory already: H x W x 3 uint8, BGR as OpenCV decodes videos."""
        from prepcheck.pixels.color import reorder

        position = self._position(facts.input)
        way = self.context.way((facts,))
        color = way.colors[position]
        item, counts = look(position, facts, reorder(pixels, "BGR", color), color, way.steps[position])
        if counts is not None:
            self._add(position, counts)
        record: SeenSample = {"i": index, "stat": [], "way": self._way_number(way.judged), "looks": [item]}
        self.records.append(record)

    def _way_number(self, judged: Judged) -> int:
        known = self._known.get(id(judged))
        if known is None:
            known = self._known[id(judged)] = len(self.ways)
            self.ways.append(judged)
        return known

    def _position(self, name: str | None) -> int:
        contract = self.context.world.contract
        if name is None or contract is None:
            return 0
        return next((i for i, t in enumerate(contract.inputs) if t.name == name), 0)

    def _add(self, position: int, counts: Counts) -> None:
        """Counts go into the unit's sums."""
        known = self.histograms.get(position)
        if known is None:
            self.histograms[position] = counts
        elif known.shape == counts.shape:
            self.histograms[position] = counts + known


def look(
    position: int, facts: ImageFacts, pixels: NDArray[np.uint8], color: str, steps: Sequence[Step]
) -> tuple[PictureLook | NotRun, Counts | None]:
    """Run the steps on the pixels: what is remembered of the picture, and its counts where values are still pixels."""
    try:
        done = run_steps(pixels, color, steps)
    except UsageError as error:
        return {"input": position, "size": list(facts.size), "not_run": error.message}, None
    picture = done.picture if done.picture.ndim == 3 else done.picture[:, :, None]
    state = done.states[-1]
    values = state.values if state.quantized is None else None
    counts = count_values(picture)
    total = max(int(counts[0].sum()), 1)
    grid = _grid(picture)
    found: PictureLook = {
        "input": position,
        "size": list(facts.size),
        "means": [round(n / total, 3) for n in (counts @ _values()).tolist()],
        "grid": base64.b64encode(grid.tobytes()).decode(),
        "digest": hashlib.blake2b(counts.tobytes() + grid.tobytes(), digest_size=12).hexdigest(),
    }
    if done.fell_back:
        found["otherwise"] = str(done.fell_back[0].reason)
    as_pixels = values is not None and set(values.a) == {1.0} and set(values.b) == {0.0}
    return found, counts if as_pixels else None


@cache
def _values() -> NDArray[np.int64]:
    import numpy as np

    return np.arange(256, dtype=np.int64)


def count_values(picture: NDArray[np.uint8]) -> Counts:
    """Channels x 256: how often each value occurs in each channel of an H x W x C picture."""
    import numpy as np

    try:
        import cv2
    except ImportError:
        return _count_plainly(picture)
    if picture.shape[0] * picture.shape[1] >= 1 << 24:  # OpenCV counts in float32
        return _count_plainly(picture)
    return np.stack(
        [cv2.calcHist([picture], [c], None, [256], [0, 256]).ravel().astype(np.int64) for c in range(picture.shape[2])]
    )


def _count_plainly(picture: NDArray[np.uint8]) -> Counts:
    import numpy as np

    return np.stack([np.bincount(picture[..., c].ravel(), minlength=256) for c in range(picture.shape[2])])


def _grid(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import numpy as np

    h, w = picture.shape[:2]
    rows = (np.arange(GRID) * 2 + 1) * h // (2 * GRID)
    columns = (np.arange(GRID) * 2 + 1) * w // (2 * GRID)
    return np.ascontiguousarray(picture[rows][:, columns])


def _array(path: str, position: int) -> ArrayLook:
    """What one .npy holds: type, shape, ends of each axis 1 and last, whether whole and finite."""
    import numpy as np

    from prepcheck.readers.arrays import load_array, npy_header, read_bytes

    if os.path.exists(path) and os.path.getsize(path) > MAX_ARRAY_BYTES:
        raise TooLargeError(f"{path}: over {MAX_ARRAY_BYTES} bytes; one sample of a set is smaller")
    data = read_bytes(path)
    head = npy_header(data, path)
    if head is None:
        from prepcheck.errors import WrongKindError

        raise WrongKindError(f"{path}: ends in .npy and is no NumPy array", kind="unknown")
    values = load_array(data, path, None, None)
    found: ArrayLook = {
        "input": position, "array": head[0], "shape": list(head[2]), "low": 0.0, "high": 0.0, "whole": True,
        "finite": True, "channels": {},
    }  # fmt: skip
    if values.size == 0:
        return found
    real = values.astype(np.float64, copy=False)
    found["finite"] = bool(np.isfinite(real).all())
    if not found["finite"]:
        real = np.where(np.isfinite(real), real, 0.0)
    found["low"], found["high"] = float(real.min()), float(real.max())
    found["whole"] = bool(values.dtype.kind != "f" or (real == np.rint(real)).all())
    found["digest"] = hashlib.blake2b(data, digest_size=12).hexdigest()
    axes = {} if real.ndim < 3 else {str(a - real.ndim): a for a in (real.ndim - 3, real.ndim - 1)}
    found["channels"] = {
        name: [
            [float(v) for v in (np.take(real, c, axis).min(), np.take(real, c, axis).max())]
            for c in range(real.shape[axis])
        ]
        for name, axis in axes.items()
        if real.shape[axis] <= 4
    }
    return found


def stat_of(path: str) -> list[int]:
    """[bytes, time of change in ns]: whether a file is the one that a journal tells of. [-1, -1] where it is not there."""
    try:
        found = os.stat(path)
    except OSError:
        return [-1, -1]
    return [found.st_size, found.st_mtime_ns]
