"""What the answers say about the inputs over time: the same bytes answered differently, different pictures answered alike.

Never a complaint where right answers repeat: saturated scores, empty detections, class ids, covered lenses, frozen
streams. The richness of an answer (how many different values it holds that are not at rest) says how unlikely a
repetition is, and how often this network repeated itself before raises the bar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds
from prepcheck.guarding.finding import make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from prepcheck.guarding.compiled import CompiledTensor
    from prepcheck.guarding.content import Sampler
    from prepcheck.guarding.finding import GuardFinding, Value

    Arrays = Sequence[NDArray[np.generic]]

MAX_OUTPUTS = 8
BITS_EACH = 3.0
"""Evidence of one distinct value that is not at rest: an int8 code that stays by chance in one case of eight."""
BITS_CAP = 48.0
NEEDED = 60.0
"""Evidence that makes a stuck answer certain: a chance below 2^-60."""
TOLERANCE = 0.02
"""Difference of two answers to the same bytes that half precision on a GPU explains (MNN's own test allows 1 %)."""


def arrays_of(result: object) -> Arrays:
    """The arrays in what a callable returned (an array, or a list, tuple or dict of arrays); others are left out."""
    if type(result) is list and len(result) == 1 and type(result[0]) is np.ndarray:
        return result
    if isinstance(result, np.ndarray):
        return (result,)
    if isinstance(result, dict):
        result = list(result.values())[:MAX_OUTPUTS]
    if isinstance(result, (list, tuple)):
        return [a for a in result[:MAX_OUTPUTS] if isinstance(a, np.ndarray)]
    return ()


def richness(array: NDArray[np.generic], output: CompiledTensor | None = None) -> int:
    """Different values in (at most 4096 elements of) an answer that are not at rest.

    At rest are the value that fills most of the array, scores at 0 or 1, and codes at either end of the output's range.
    Arrays of up to four integers are class ids or counts: they repeat by nature and count as nothing.
    """
    flat = array.ravel()
    flat = flat[:: max(1, flat.size // 4096)]
    if flat.size == 0 or array.dtype.kind not in "fiu" or (array.dtype.kind != "f" and array.size <= 4):
        return 0
    values, counts = np.unique(flat, return_counts=True)
    keep = counts * 2 <= flat.size if flat.size > 1 else np.ones(values.shape, bool)
    if array.dtype.kind == "f":
        keep &= ~((np.abs(values) < 0.01) | (np.abs(values - 1.0) < 0.01)) & np.isfinite(values)
        if output is not None and output.value_range is not None:
            low, high = output.value_range
            margin = 0.02 * (high - low)
            keep &= (values > low + margin) & (values < high - margin)
    else:
        bits = 8 * array.dtype.itemsize
        low, high = (0, 2**bits - 1) if array.dtype.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        keep &= (values > low + 4) & (values < high - 4) & (values != 0)
    return int(np.count_nonzero(keep))


class AnswerWatch:
    """One thread's stream of inputs and answers. Holds copies of one call's inputs and answers at most."""

    __slots__ = (
        "_answer", "_compared", "_distinct", "_evidence", "_inputs", "_longest", "_outputs",
        "_rest", "_sample", "_streak", "repeated",
    )  # fmt: skip

    def __init__(self) -> None:
        self._inputs: list[NDArray[np.generic]] = []
        self._rest: object = None
        self._outputs: list[NDArray[np.generic]] = []
        self._sample = b""
        self._compared = b""
        self._answer: list[NDArray[np.generic]] = []
        self._distinct = -1
        self._streak = 0
        self._longest = 0
        self._evidence = 0.0
        self.repeated = 0

    def unstable(self, arrays: Arrays, outputs: Arrays, where: str, rest: object = None) -> GuardFinding | None:
        """Compare with the kept call where every input is the same byte by byte (and `rest` is); then keep this call."""
        kept = self._inputs
        same_rest, self._rest = rest == self._rest, rest
        fits = len(kept) == len(arrays) and all(_alike(k, a) for k, a in zip(kept, arrays))  # noqa: B905 (3.7)
        found = None
        if fits:
            if same_rest and all(_same_bytes(k, a) for k, a in zip(kept, arrays)):  # noqa: B905 (3.7)
                found = _difference(self._outputs, outputs, sum(int(a.size) for a in arrays), where)
            for k, a in zip(kept, arrays):  # noqa: B905 (3.7)
                np.copyto(k, a)
        else:
            self._inputs = [np.array(a, order="C") for a in arrays]
        # outputs may be views that the next call overwrites (rknn-toolkit-lite2 2.5.0, reuse_outputs=True)
        self._outputs = [np.array(o) for o in outputs]
        return found

    def stuck(
        self,
        look: bytes,
        dtype: np.dtype[np.generic],
        outputs: Arrays,
        sampler: Sampler,
        declared: Sequence[CompiledTensor],
    ) -> GuardFinding | None:
        """Count clearly different inputs with exactly the same answer.

        look: the bytes of the fixed sample of the largest input, dtype: their type. declared: the contract's outputs.
        """
        sample = sampler.take(outputs[0]).tobytes()
        for output in outputs[1:]:
            sample += sampler.take(output).tobytes()
        if sample != self._sample:
            self._sample = sample
            self._compared = look
            self._distinct = -1
            if self._streak or self._answer:
                self._longest = max(self._longest, self._streak)
                self._streak, self._evidence, self._answer = 0, 0.0, []
            return None
        if self._distinct < 0:
            # one output at rest (no score above the floor, say) makes the whole answer one that repeats by nature:
            # the other may be constant by construction, as prior boxes are
            self._distinct = min(
                richness(o, declared[i] if len(declared) == len(outputs) else None) for i, o in enumerate(outputs)
            )
        before = self._compared
        if self._distinct == 0 or len(before) != len(look) or not _clearly_different(before, look, dtype):
            return None
        self._compared = look
        answer = [_thin(o) for o in outputs]
        if not self._answer or not all(_alike(a, b) and bool((a == b).all()) for a, b in zip(self._answer, answer)):  # noqa: B905
            self._answer = [np.array(a) for a in answer]
            return None
        self._streak = min(self._streak + 1, 1 << 20)
        self.repeated += 1
        bits = min(BITS_CAP, BITS_EACH * self._distinct)
        self._evidence += bits
        if self._evidence < NEEDED or self._streak < max(3, 4 * self._longest):
            return None
        return make(
            kinds.STUCK,
            "outputs",
            {"repeats": self._streak + 1, "distinct": self._distinct, "bits": int(bits)},
        )


def _thin(array: NDArray[np.generic]) -> NDArray[np.generic]:
    """At most 65,536 elements of an answer, evenly."""
    flat = array.reshape(-1)
    return flat[:: max(1, flat.size // 65536)]


def _alike(a: NDArray[np.generic], b: NDArray[np.generic]) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype


def _clearly_different(before: bytes, now: bytes, dtype: np.dtype[np.generic]) -> bool:
    """At least a quarter of the sample moved by 8 levels (of 255, or of the range of real values)."""
    a, b = np.frombuffer(before, dtype).astype(np.float32), np.frombuffer(now, dtype).astype(np.float32)
    span = float(max(a.max(), b.max()) - min(a.min(), b.min()))
    step = 8.0 if dtype.kind != "f" or span > 16.0 else max(span, 0.25) * 8.0 / 255.0
    return 4 * int(np.count_nonzero(np.abs(a - b) >= step)) >= a.size


def _same_bytes(a: NDArray[np.generic], b: NDArray[np.generic]) -> bool:
    if b.flags.c_contiguous and a.nbytes % 8 == 0 and a.flags.c_contiguous:
        return bool((a.reshape(-1).view(np.uint64) == b.reshape(-1).view(np.uint64)).all())
    return bool((a == b).all())


def _difference(before: Arrays, now: Arrays, elements: int, where: str) -> GuardFinding | None:
    if len(before) != len(now):
        return None
    for a, b in zip(before, now):  # noqa: B905 (3.7)
        if a.shape != b.shape or a.dtype.kind not in "fiu" or a.size == 0:
            continue
        x, y = a.astype(np.float64), b.astype(np.float64)
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            continue
        difference = float(np.abs(x - y).max())
        span = float(max(np.abs(x).max(), np.abs(y).max()))
        if difference > TOLERANCE * span and difference > 1e-4:
            values: dict[str, Value] = {"elements": elements, "difference": difference, "range": span}
            return make(kinds.UNSTABLE, where, values)
    return None
