"""Value maps: which element a pixel value 0..255 becomes, as it should and under each value fault, as tables.

Every fault here acts on each element alone, so one table of channels x 256 is its whole forward form, and hundreds of
them are compared with a sample of the buffer at the price of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.dtypes import integer_range, is_float
from prepcheck.forensics.model import BufferSpec, Fault, Floats

Table = NDArray[np.float64]
Set = tuple[tuple[float, ...], tuple[float, ...]]
PIXEL_SLACK = 2
"""Pixel steps by which correct implementations of the same resize may differ (rounding, fixed point, ±1 codes)."""

KNOWN_SETS: Final[tuple[Set, ...]] = (
    ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375)),  # torchvision: 0.485 0.456 0.406 / 0.229 0.224 0.225, x255
    ((127.5,), (127.5,)),
    ((128.0,), (128.0,)),
    ((127.5,), (128.0,)),
    ((104.0, 117.0, 123.0), (1.0,)),  # Caffe's BGR means
    ((103.94, 116.78, 123.68), (1.0,)),  # MobileNet for Caffe, with 1/0.017 below
    ((103.94, 116.78, 123.68), (58.82,)),
    ((127.5,), (1.0,)),
    ((122.7709, 116.7460, 104.0937), (68.5005, 66.6322, 70.3232)),  # CLIP
    ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),  # 0..1 figures put upon 0..255 pixels
    ((0.5,), (0.5,)),
)
"""Means and standard deviations in common use, in pixel units."""
SCALES: Final = (255.0, 256.0, 128.0, 127.5, 127.0)


@dataclass(frozen=True, slots=True)
class ValueMap:
    """One table. low, high: its envelope over ±PIXEL_SLACK pixel values and the rounding of the element type.

    slope: elements per pixel step, by channel, for measuring distances. All arrays are channels x 256 or channels.
    """

    faults: tuple[Fault, ...]
    table: Floats
    low: Floats
    high: Floats
    slope: Floats
    also: tuple[tuple[str, ...], ...] = ()


def build(faults: tuple[Fault, ...], table: Table, slope: Table, dtype: str) -> ValueMap:
    """A ValueMap from its table (channels x 256); slope: elements per pixel step before clipping or wrapping."""
    return built([(faults, table, slope)], dtype)[0]


def built(chains: list[tuple[tuple[Fault, ...], Table, Table]], dtype: str) -> list[ValueMap]:
    """A ValueMap for each (faults, table, slope), all computed at once."""
    tables, slopes = np.stack([t for _, t, _ in chains]), np.stack([s for _, _, s in chains])
    k, n = PIXEL_SLACK, tables.shape[2]
    padded = np.concatenate([tables[..., :1].repeat(k, 2), tables, tables[..., -1:].repeat(k, 2)], axis=2)
    low, high = tables.copy(), tables.copy()
    for start in range(2 * k + 1):
        np.minimum(low, padded[..., start : start + n], out=low)
        np.maximum(high, padded[..., start : start + n], out=high)
    slack = _rounding(dtype, tables, slopes)
    # A map that clips most of its range is steep in between; its distances are measured by what it can show at all.
    whole = (tables.max(axis=2) - tables.min(axis=2)) / 32
    steps = np.maximum(np.minimum(np.abs(slopes), np.where(whole > 0, whole, np.inf)), 1e-9)
    single = (a.astype(np.float32) for a in (tables, low - slack, high + slack, steps))
    return [ValueMap(c[0], *arrays) for c, *arrays in zip(chains, *single, strict=True)]


def _rounding(dtype: str, table: Table, slope: Table) -> Table:
    """How far a correct element may lie from the table's. ±1 code where a code is a few pixel steps at most (step and
    offset are rounded separately by the runtime); half floats: one part in 1024."""
    if not is_float(dtype):
        return np.where(np.abs(slope) >= 0.3, 1.0, 0.0)[..., None]
    part = {"float16": 2.0**-10, "bfloat16": 2.0**-7}.get(dtype, 2.0**-20)
    return np.abs(table) * part + np.abs(slope)[..., None] * 0.01


def spread(values: tuple[float, ...] | None, channels: int, default: float) -> NDArray[np.float64]:
    """One value per channel as a column; a single one stands for all; missing ones are `default`."""
    given = tuple(values or ())
    if len(given) == 1:
        given = given * channels
    return np.asarray((*given, *([default] * channels))[:channels], np.float64)[:, None]


def cast(
    real: Table, spec: BufferSpec, dtype: str, *, how: str = "rint", wrap: bool = False, limits: str | None = None
) -> Table:
    """Real values to elements of `dtype`: quantized where the spec says so, rounded or cut, clipped or wrapped."""
    edge = integer_range(dtype)
    if edge is None:
        return real
    if spec.scale is not None:
        real = real / spec.scale + spec.zero_point
    codes = np.rint(real) if how == "rint" else np.trunc(real)
    low, high = edge
    if wrap:
        return (codes - low) % (high - low + 1) + low
    if limits is not None:
        inner = integer_range(limits) or edge
        clipped = np.clip(codes, *inner)
        return (clipped - low) % (high - low + 1) + low
    return np.clip(codes, low, high)


@lru_cache(maxsize=16)
def expected_map(spec: BufferSpec, dtype: str | None = None) -> ValueMap:
    """The table of a correct hand-over, elements read as `dtype` (default: the spec's own)."""
    return build(*next(_tables(spec, dtype or spec.dtype)), dtype or spec.dtype)


@lru_cache(maxsize=16)
def hypotheses(spec: BufferSpec, dtype: str, most: int = 2) -> tuple[ValueMap, ...]:
    """Tables of the expected map (first) and of every combination of at most `most` (1 or 2) value faults, simplest
    first."""
    chains: dict[bytes, tuple[tuple[Fault, ...], Table, Table]] = {}
    also: dict[bytes, list[tuple[str, ...]]] = {}
    for faults, table, slope in sorted(_tables(spec, dtype, most), key=lambda t: len(t[0])):
        key = np.round(table, 6).tobytes()
        old = chains.setdefault(key, (faults, table, slope))[0]
        names = tuple(f.name for f in faults)
        known = also.setdefault(key, [])
        if names != tuple(f.name for f in old) and names not in known and len(names) == len(old):
            known.append(names)
    maps = [replace(m, also=tuple(a)) for m, a in zip(built(list(chains.values()), dtype), also.values(), strict=True)]
    # A chain of faults that undoes itself (shifted by half the range, then the sign turned) is no fault.
    return (maps[0], *(m for m in maps[1:] if not _same(m, maps[0])))


def _same(values: ValueMap, expected: ValueMap) -> bool:
    """Whether a map cannot be told from the expected one."""
    inside = (values.table >= expected.low) & (values.table <= expected.high)
    return bool(inside.mean() > 0.98)


def _tables(spec: BufferSpec, dtype: str, most: int = 2) -> Iterator[tuple[tuple[Fault, ...], Table, Table]]:
    pixels = np.repeat(np.arange(256.0)[None], spec.channels, axis=0)
    edge = integer_range(dtype)
    bits = 8 if dtype in ("uint8", "int8") else 0
    for before in ((), (Fault("inverted"),)):
        x = 255 - pixels if before else pixels
        for faults, real in _real_maps(spec, x):
            chain = (*before, *faults)
            if len(chain) > most:
                continue
            units = real / spec.scale if edge is not None and spec.scale is not None else real
            slope = (units.max(axis=1) - units.min(axis=1)) / 255
            for table in _casts(real, spec, dtype, plain=not faults):
                yield chain, table, slope
                if bits and len(chain) < most:
                    yield (*chain, Fault("signed_offset")), _xor(table, dtype), slope


def _xor(table: Table, dtype: str) -> Table:
    low = 0 if dtype == "uint8" else -128
    return (table - low + 128) % 256 + low


def _casts(real: Table, spec: BufferSpec, dtype: str, *, plain: bool) -> Iterator[Table]:
    yield cast(real, spec, dtype)
    if plain or integer_range(dtype) is None:
        return
    yield cast(real, spec, dtype, how="trunc")
    yield cast(real, spec, dtype, how="trunc", wrap=True)
    yield cast(real, spec, dtype, wrap=True)
    if spec.scale is None and dtype == "uint8":
        yield cast(real, spec, dtype, limits="int8")
        yield cast(real, spec, dtype, how="trunc", limits="int8")


def _real_maps(spec: BufferSpec, x: Table) -> Iterator[tuple[tuple[Fault, ...], Table]]:
    """Real values before any quantization: as expected (first), then every fault of normalization."""
    n = spec.channels

    def applied(values: Table, pair: Set) -> Table:
        return (values - spread(pair[0], n, 0.0)) / np.where(spread(pair[1], n, 1.0) == 0, 1.0, spread(pair[1], n, 1.0))

    def fault(name: str, pair: Set) -> tuple[Fault, ...]:
        return (Fault(name, {"mean": list(pair[0]), "std": list(pair[1])}),)

    own: Set | None = (spec.mean or (0.0,), spec.std or (1.0,)) if spec.mean or spec.std else None
    model: Set | None = (
        (spec.model_mean or (0.0,), spec.model_std or (1.0,)) if spec.model_mean or spec.model_std else None
    )
    host = applied(x, own) if own else x
    yield (), host
    for by in SCALES:
        yield (Fault("scaled_0_1", {"by": by}),), host / by
        if own:
            yield (Fault("scaled_0_1", {"by": by}),), applied(x / by, own)
            yield (Fault("not_normalized"), Fault("scaled_0_1", {"by": by})), x / by
    if own:
        yield (Fault("not_normalized"),), x
    known = tuple(dict.fromkeys(s for s in (own, model, *KNOWN_SETS) if s is not None and not _trivial(s)))
    for pair in known:
        if not own and _is_scale(pair):
            continue
        yield fault("normalized_on_host", pair), applied(host, pair)
    for pair in known:
        if own is None or pair == own:
            yield fault("normalized_twice", pair), applied(applied(x, pair), pair)
        # Only a set that somebody meant to apply can be applied the wrong way round.
        if pair in (own, model) or (own is None and model is None):
            if all(m != 0 for m in pair[0]):
                yield fault("mean_std_swapped", pair), applied(x, (pair[1], pair[0]))


def _trivial(pair: Set) -> bool:
    return not any(pair[0]) and all(s == 1 for s in pair[1])


def _is_scale(pair: Set) -> bool:
    return not any(pair[0]) and len(set(pair[1])) == 1
