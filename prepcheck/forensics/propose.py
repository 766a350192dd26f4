"""Readings that the bytes themselves suggest: floats by their exponents, row pitches by autocorrelation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.dtypes import is_float, itemsize
from prepcheck.forensics.model import BufferSpec, Floats, Pixels
from prepcheck.forensics.signatures import header_bytes
from prepcheck.forensics.views import View, expected_view

_SAMPLE = 1 << 18
_ALIKE = 0.9  # correlation of two autocorrelations around a pitch from which on they are of one picture
_BESIDE = 8  # pixels beside a pitch over which they are compared
_LEAST = 0.03  # normalized autocorrelation of row-to-row gradients below which no pitch is proposed


def looks_like(buffer: Pixels, dtype: str, *, big_endian: bool = False, offset: int = 0) -> bool:
    """Whether nearly all elements are numbers of ordinary size: pixels, 0..1 or normalized values, and not all equal."""
    whole = buffer[offset:]
    rows = whole[: len(whole) // 64 * 64].reshape(-1, 64)
    part = rows[:: max(1, len(rows) // 1024)].reshape(-1)  # pieces of 64 bytes from all over the buffer
    if len(part) < 64:
        return False
    kind = {"float32": "f4", "float16": "f2", "int16": "i2", "uint16": "u2"}[dtype]
    values = np.frombuffer(part.tobytes(), np.dtype((">" if big_endian else "<") + kind)).astype(np.float32)
    if not is_float(dtype):
        return True
    size_ok = np.isfinite(values) & ((values == 0) | ((np.abs(values) > 1e-6) & (np.abs(values) < 1e5)))
    return bool(size_ok.mean() > 0.98 and np.unique(values).size > 3)


def readings(buffer: Pixels, spec: BufferSpec) -> Iterator[tuple[str, bool, int]]:
    """(element type, big-endian, bytes to skip to reach the first whole element), the expected one first."""
    yield spec.dtype, False, 0
    wide = itemsize(spec.dtype) > 1
    if wide:
        yield spec.dtype, True, 0
    for dtype in ("float32", "float16"):
        if dtype == spec.dtype:
            continue
        for offset in range(itemsize(dtype)):
            if looks_like(buffer, dtype, offset=offset):
                yield dtype, False, offset
                break
    if wide and is_float(spec.dtype):
        for offset in range(1, itemsize(spec.dtype)):
            if not looks_like(buffer, spec.dtype) and looks_like(buffer, spec.dtype, offset=offset):
                yield spec.dtype, False, offset


def layouts(spec: BufferSpec, buffer: Pixels) -> Iterator[tuple[bool, int]]:
    """(planar, channels stored a pixel), the expected one first; packed ones where as much of the buffer is filling."""
    own = (spec.planar, 1 if spec.planar else spec.stored)
    yield own
    c = spec.channels
    others = [(False, c), (True, 1)]
    if c in (1, 3, 4):
        one = _commonest(buffer)
        others += [(False, 4), *((False, n) for n in (8, 16, 32) if one > 0.8 * (n - c) / n)]
    for other in others:
        if other != own and not (c == 1 and other in ((True, 1), (False, 1)) and own in ((True, 1), (False, 1))):
            yield other


def _phase(buffer: Pixels, step: int, used: int) -> int:
    """Bytes from the start to the first channel of packed pixels of `step` bytes, of which `used` vary and the rest is
    filling; 0 where that is not clear."""
    part = buffer[: min(len(buffer), 1 << 18) // step * step].reshape(-1, step)
    part = part[len(part) // 16 :]  # what stands in front is left out
    if len(part) < 32:
        return 0
    varied = (part == part[len(part) // 2]).mean(axis=0) < 0.98
    starts = [k for k in range(step) if varied[k] and not varied[k - 1]]
    return starts[0] if len(starts) == 1 and int(varied.sum()) <= used else 0


def _commonest(buffer: Pixels) -> float:
    """Share of the commonest byte (of a sample)."""
    part = buffer[:: max(1, len(buffer) // (1 << 16)) | 1]
    return float(np.bincount(part, minlength=256).max() / max(1, len(part)))


def tiers(buffer: Pixels, spec: BufferSpec, picture: Pixels) -> Iterator[list[View]]:
    """Readings worth comparing: the expected one; a luma plane; other layouts, types and sides; other row pitches.

    picture: the expected pixels (height x width x channels).
    """
    base = expected_view(spec)
    seen: set[View] = set()

    def fresh(views: list[View]) -> list[View]:
        out = [v for v in dict.fromkeys(views) if v not in seen]
        seen.update(out)
        return out

    yield fresh([base])
    yield fresh(_luma(spec))
    kinds = list(readings(buffer, spec))
    stated = header_bytes(buffer)
    plain: list[View] = [replace(base, offset=stated)] if stated else []
    for dtype, big, offset in kinds:
        for planar, stored in layouts(spec, buffer):
            step = (1 if planar else stored) * itemsize(dtype)
            view = replace(base, dtype=dtype, big_endian=big, offset=offset, planar=planar, stored=stored,
                           pitch=base.width * step)  # fmt: skip
            if stored > spec.channels and (phase := _phase(buffer, step, spec.channels * itemsize(dtype))):
                plain.append(replace(view, offset=offset + phase))
            plain += [view, replace(view, pitch=(spec.w_stride or base.width) * step)]
            if base.height != base.width:
                plain.append(view.exchanged)
            if stored == 4 and spec.channels == 3 and not spec.layout.startswith("NC"):
                plain += [replace(v, first=1) for v in plain[-3:] if v.stored == 4 and v.height == base.height]
    yield fresh(plain)
    yield fresh([v for dtype, big, offset in kinds for v in _pitched(buffer, spec, picture, dtype, big, offset)])


def _pitched(
    buffer: Pixels, spec: BufferSpec, picture: Pixels, dtype: str, big: bool, offset: int
) -> Iterator[View]:  # fmt: skip
    base = expected_view(spec)
    elements = _elements(buffer, dtype, big, offset)
    size = itemsize(dtype)
    by_step: dict[int, NDArray[np.float32]] = {}
    wide: dict[
        int, NDArray[np.float32]
    ] = {}  # gradients over 8 pixels stand out of noise better, but peak less sharply
    for planar, stored in layouts(spec, buffer):
        step = 1 if planar else stored
        if step not in by_step:
            by_step[step] = _row_correlation(elements, step, 1)
            wide[step] = _row_correlation(elements, step, 8)
        view = replace(
            base,
            dtype=dtype,
            big_endian=big,
            offset=offset,
            planar=planar,
            stored=stored,
            pitch=base.width * step * size,
        )
        row = base.width * step
        found = pitch_candidates(by_step[step], row) + pitch_candidates(wide[step], row)[:1]
        if step in (1, spec.channels):
            own = _row_correlation(_flat(picture, planar=step == 1), step, 1)
            found += pitch_of_the_picture(by_step[step], own, row, step)
        for pitch in dict.fromkeys(found):
            yield replace(view, pitch=pitch * size)
        if base.height != base.width:
            for pitch in pitch_candidates(by_step[step], base.height * step)[:1]:
                yield replace(view.exchanged, pitch=pitch * size)


def _luma(spec: BufferSpec) -> list[View]:
    """The luma of a YUV frame: a plane of its own, or every other byte."""
    base = expected_view(spec)
    if itemsize(spec.dtype) != 1 or spec.channels != 3:
        return []
    return [
        replace(base, dtype="uint8", channels=1, stored=stored, first=first, planar=False, pitch=base.width * stored)
        for stored, first in ((1, 0), (2, 0), (2, 1))
    ]


def _elements(buffer: Pixels, dtype: str, big_endian: bool, offset: int) -> Floats:
    size = itemsize(dtype)
    part = buffer[offset : offset + _SAMPLE * size]
    part = part[: len(part) // size * size]
    kind = {
        1: "u1" if dtype == "uint8" else "i1",
        2: "f2" if is_float(dtype) else "i2",
        4: "f4" if is_float(dtype) else "i4",
    }[size]
    values = np.frombuffer(part.tobytes(), np.dtype((">" if big_endian else "<") + kind)).astype(np.float32)
    return np.clip(np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0), -1e5, 1e5)


def pitch_candidates(lags: NDArray[np.float32], row: int) -> list[int]:
    """Row pitches in elements other than `row` (0.6 .. 2.6 rows) at which rows resemble their neighbours at least as much.

    lags: autocorrelation of the horizontal gradients.
    """
    low, high = max(8, int(row * 0.6)), min(int(row * 2.6) + 2, len(lags) - 2)
    if high <= low:
        return []
    base = float(lags[row]) if row < len(lags) else 0.0
    found: list[int] = []
    for lag in low + np.argsort(lags[low : high + 1])[::-1][:6]:
        peak = float(lags[lag])
        if peak < _LEAST or peak < base:
            break
        half = int(lag) // 2
        if lag % 2 == 0 and half >= low and float(lags[half]) > 0.6 * peak:
            found.append(half)  # two rows resemble each other as well
        found.append(int(lag))
    return [lag for lag in dict.fromkeys(found) if lag != row][:4]


def pitch_of_the_picture(lags: NDArray[np.float32], own: NDArray[np.float32], row: int, step: int) -> list[int]:
    """The pitch around which the buffer's autocorrelation looks as the expected picture's does around `row`.

    Slanted edges make another pixel of the next row the most alike, in the picture as in the buffer: the highest lag alone
    is then that pixel's, and not the pitch. [] where the two are not alike, or the pitch is `row`.
    """
    reach = _BESIDE * step
    low, high = max(reach, int(row * 0.6)), min(int(row * 2.6), len(lags) - reach - 1)
    if high <= low or row < reach or row + reach >= len(own):
        return []
    wanted = own[row - reach : row + reach + 1]
    around = np.lib.stride_tricks.sliding_window_view(lags[low - reach : high + reach + 1], 2 * reach + 1)
    wanted = wanted - wanted.mean()
    norms = around.std(axis=1) * np.sqrt(around.shape[1]) * float(np.sqrt(wanted @ wanted))
    alike = (around @ wanted) / np.maximum(norms, 1e-9)
    best = int(alike.argmax())
    return [low + best] if float(alike[best]) >= _ALIKE and low + best != row else []


def _flat(picture: Pixels, *, planar: bool) -> Floats:
    """The first elements of a picture in the order of planes or pixels."""
    ordered = np.moveaxis(picture, 2, 0) if planar else picture
    return ordered.reshape(-1)[:_SAMPLE].astype(np.float32)


def _row_correlation(values: Floats, step: int, over: int) -> NDArray[np.float32]:
    """Autocorrelation of the gradients between pixels `over` apart (`step` elements each), cut to what is usual."""
    gradient = values[step * over :] - values[: -step * over]
    if len(gradient) < 64 or not gradient.any():
        return np.zeros(1, np.float32)
    size = np.abs(gradient[::7])
    levels = [*np.quantile(size, (0.4, 0.6, 0.9)), np.median(size[size > 0]) if size.any() else 0.0]
    # Padding may hold anything: it is kept small.
    limit = 2 * float(next((v for v in levels if v > 0), 0.0)) + 1e-9
    return autocorrelation(np.clip(gradient, -limit, limit))


def autocorrelation(values: Floats) -> NDArray[np.float32]:
    """Circular autocorrelation, 1 at lag 0; zero-padded to a power of two at least twice the lags asked for."""
    n = 1 << max(4, len(values).bit_length())
    spectrum = np.fft.rfft(values - values.mean(), n)
    power = np.fft.irfft(spectrum.real**2 + spectrum.imag**2, n)
    # Lags beyond a third of the values are never asked for: they are not kept.
    out: NDArray[np.float32] = (power[: len(values) // 3 + 1] / max(1e-12, float(power[0]))).astype(np.float32)
    return out
