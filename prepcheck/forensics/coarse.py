"""Which pose, in which reading: every view and every pose reduced to some 64 x 64 gray blocks and correlated.

A circular cross-correlation of standardized blocks is blind to the order of three channels and to any affine value
map, and its peak gives the displacement; so one small Fourier product compares one reading with one pose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from prepcheck.core.geometry import Box
from prepcheck.forensics.model import BufferSpec, Elements, Expected, Floats, Geometry
from prepcheck.forensics.poses import EXCHANGING, TURNS, Pose, cover_crop, full_box, letterbox_places, turned
from prepcheck.forensics.views import View

BLOCKS = 64
_SHARES = (1.0, 0.965, 0.95, 0.935, 0.9, 0.875)
"""Parts of the covering picture that a centre crop keeps: all, or as the evaluation of ImageNet models has it (resize to
232, 236, 240, 248 or 256, crop 224; torchvision's and timm's settings)."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A pose and its blocks, standardized; inside: blocks wholly inside the box of a letterbox, None where all are."""

    pose: Pose
    blocks: Floats
    inside: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A reading and a pose that correlate; dx, dy in pixels of the view, to the nearest block."""

    view: View
    pose: Pose
    score: float
    dx: int
    dy: int


def factor(size: tuple[int, int]) -> int:
    """Pixels along the side of a block."""
    return max(1, -(-max(size) // BLOCKS))


def blocks(picture: Elements, f: int, rows: tuple[int, ...] | None = None) -> tuple[Floats, int]:
    """(gray blocks of f x f pixels, how many rows of blocks are known). Two rows of pixels stand for each block.

    rows: whole rows known of each channel; channels that are not known at all are left out.
    """
    height, width, channels = picture.shape
    known = rows or (height,) * channels
    full = max(known)
    use = [c for c in range(channels) if known[c] == full]
    deep, wide = max(1, height // f), max(1, width // f)
    top, left = margins((height, width), f)
    total = np.zeros((deep, wide), np.float32)
    lines = sorted({min(f // 3, height - 1), min(f - 1 - f // 3, height - 1)})
    for line in lines:
        part = picture[top + line : top + deep * f : f][:deep, left : left + wide * f]
        for c in use:
            values = part[:, :, c].astype(np.float32)
            if picture.dtype.kind == "f":
                values = np.clip(np.nan_to_num(values, copy=False, nan=0.0), -1e6, 1e6)
            total += values.reshape(deep, wide, -1).mean(axis=2)
    return (total / (len(lines) * max(1, len(use)))).astype(np.float32), max(0, full - top) // f


def margins(size: tuple[int, int], f: int) -> tuple[int, int]:
    """Rows and columns in front of the blocks: they lie in the middle, so that a turned picture has the same blocks."""
    return (size[0] % f // 2 if size[0] >= f else 0, size[1] % f // 2 if size[1] >= f else 0)


def standardized(gray: Floats) -> Floats:
    """Mean 0, norm 1; all 0 where the blocks are (nearly) equal. Values far out are pulled in."""
    low, inner_low, inner_high, high = np.quantile(gray, (0.005, 0.05, 0.95, 0.995))
    reach = 1.5 * (inner_high - inner_low)
    if reach > 0:  # foreign bytes read as floats are far beyond
        low, high = max(low, inner_low - reach), min(high, inner_high + reach)
    x = np.clip(gray, low, high) if high > low else gray
    x = x.astype(np.float64)
    x = x - x.mean()
    norm = float(np.sqrt((x * x).sum()))
    limit = 1e-6 * max(1e-6, float(np.abs(x).max())) * x.size
    out: Floats = (x / norm if norm > limit else np.zeros_like(x)).astype(np.float32)
    return out


def references(expected: Expected, spec: BufferSpec) -> dict[tuple[int, int], Bank]:
    """Blocks of every pose, by their shape. Poses beyond the expected pixels are made of a reduced source."""
    f = factor(spec.size)
    base = expected.pixels if expected.pixels.ndim == 3 else expected.pixels[0]
    out: dict[tuple[int, int], list[Reference]] = {}

    def add(pose: Pose, gray: Floats) -> None:
        inside = _inside(pose, spec, f)
        out.setdefault((gray.shape[0], gray.shape[1]), []).append(Reference(pose, standardized(gray), inside))

    frames = [base, *(p if p.ndim == 3 else p[0] for _, p in expected.previous)]
    for k, frame in enumerate(frames):
        gray, _ = blocks(frame, f)
        for turn in TURNS:
            add(Pose(source=k, turn=turn), np.ascontiguousarray(turned(gray, turn)).astype(np.float32))
    small, reduced = _reduced(expected)
    for turn in TURNS:
        lying = np.ascontiguousarray(turned(small, turn)).astype(np.float32)
        source = expected.image.shape[:2]
        size = (source[1], source[0]) if turn in EXCHANGING else (source[0], source[1])
        for geometry in geometries(size, spec, turn):
            add(Pose(turn_source=turn, geometry=geometry), _placed(lying, reduced, size, spec.size, geometry, f))
    return {shape: Bank(found) for shape, found in out.items()}


def _inside(pose: Pose, spec: BufferSpec, f: int) -> NDArray[np.bool_] | None:
    geometry = pose.geometry or spec.geometry
    box = geometry.box
    if pose.source or geometry.kind != "letterbox" or box is None or (box.w, box.h) == spec.size[::-1]:
        return None
    sides = []
    for start, length, size, margin in zip(
        (box.y, box.x), (box.h, box.w), spec.size, margins(spec.size, f), strict=True
    ):
        first = np.arange(max(1, size // f)) * f + margin
        sides.append((first >= start) & (first + f <= start + length))
    mask = np.array(turned(sides[0][:, None] & sides[1], pose.turn), dtype=bool)
    return mask if int(mask.sum()) >= 24 else None


def geometries(source: tuple[int, int], spec: BufferSpec, turn: str) -> Iterator[Geometry]:
    """Ways to fit a source (height, width) into the frame, the expected one left out where it adds nothing."""
    height, width = spec.size
    whole = Box(0, 0, width, height)
    if spec.geometry.kind != "stretch" or turn in EXCHANGING:
        yield Geometry("stretch", whole)
    for share in _SHARES:
        crop = cover_crop(source, spec.size, share)
        if (share < 1 and turn == "none") or (share == 1 and (crop.w, crop.h) != (source[1], source[0])):
            right, low = source[1] - crop.w - crop.x, source[0] - crop.h - crop.y
            # Cropped and then turned: of an odd rest, the odd pixel lies on the other side.
            sides = [(crop.x, crop.y)] if turn == "none" else [(x, y) for x in (crop.x, right) for y in (crop.y, low)]
            for x, y in dict.fromkeys(sides):
                yield Geometry("crop", whole, Box(x, y, crop.w, crop.h))
    fills = list(dict.fromkeys([*([spec.geometry.fill] if spec.geometry.kind == "letterbox" else []), (114,), (0,)]))[
        :2
    ]
    centred, _, first, last = letterbox_places(source, spec.size)
    if (centred.w, centred.h) == (width, height):
        return
    for box in dict.fromkeys((centred, first, last) if turn == "none" else (centred,)):
        for fill in fills:
            if (
                turn == "none"
                and spec.geometry.kind == "letterbox"
                and box == full_box(spec)
                and fill == spec.geometry.fill
            ):
                continue
            yield Geometry("letterbox", box, None, fill)


def _reduced(expected: Expected) -> tuple[Floats, float]:
    """(gray source of at most some 160 pixels a side, source pixels per pixel of it)."""
    image = expected.image
    f = max(1, max(image.shape[:2]) // 160)
    gray, _ = blocks(image, f)
    return gray, float(f)


def _placed(
    small: Floats, f_small: float, source: tuple[int, int], size: tuple[int, int], g: Geometry, f: int
) -> Floats:
    """The blocks of a frame of size (height, width) with the reduced source in it, bilinear between its pixels."""
    box = g.box or Box(0, 0, size[1], size[0])
    crop = g.crop or Box(0, 0, source[1], source[0])
    top, left = margins(size, f)
    small_top, small_left = margins(source, int(f_small))
    y, inside_y, step_y = _positions(size[0] // f or 1, f, box.y - top, box.h, crop.y - small_top, crop.h, f_small)
    x, inside_x, step_x = _positions(size[1] // f or 1, f, box.x - left, box.w, crop.x - small_left, crop.w, f_small)
    out = np.zeros((len(y), len(x)), np.float32)
    # Several samples per block where the reduced source is finer than the blocks.
    ny, nx = min(4, max(1, round(step_y))), min(4, max(1, round(step_x)))
    for j in range(ny):
        for i in range(nx):
            out += _bilinear(small, y + ((j + 0.5) / ny - 0.5) * step_y, x + ((i + 0.5) / nx - 0.5) * step_x)
    out /= ny * nx
    level = float(sum(g.fill)) / len(g.fill)
    return np.where(inside_y[:, None] & inside_x, out, level).astype(np.float32)


def _positions(
    n: int, f: int, start: int, length: int, crop_start: int, crop_length: int, f_small: float
) -> tuple[NDArray[np.floating], NDArray[np.bool_], float]:
    centre = (np.arange(n) + 0.5) * f
    step = crop_length / length
    return (
        ((centre - start) * step + crop_start) / f_small - 0.5,
        (centre >= start) & (centre < start + length),
        step * f / f_small,
    )


def _bilinear(a: Floats, y: NDArray[np.floating], x: NDArray[np.floating]) -> Floats:
    yi, xi = np.floor(y).astype(int), np.floor(x).astype(int)
    fy, fx = (y - yi)[:, None], (x - xi)[None]
    y0, y1 = np.clip(yi, 0, a.shape[0] - 1), np.clip(yi + 1, 0, a.shape[0] - 1)
    x0, x1 = np.clip(xi, 0, a.shape[1] - 1), np.clip(xi + 1, 0, a.shape[1] - 1)
    top = a[y0][:, x0] * (1 - fx) + a[y0][:, x1] * fx
    low = a[y1][:, x0] * (1 - fx) + a[y1][:, x1] * fx
    out: Floats = (top * (1 - fy) + low * fy).astype(np.float32)
    return out


def _correlated(a: Floats, b: Floats) -> float:
    a, b = a - a.mean(), b - b.mean()
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return abs(float((a * b).sum())) / norm if norm > 1e-9 else 0.0


class Bank:
    """The references of one shape, with their spectra."""

    def __init__(self, references: list[Reference]) -> None:
        self.poses = [r.pose for r in references]
        self.stack = np.stack([r.blocks for r in references])
        self.masks = [r.inside for r in references]
        self._spectra: NDArray[np.complex64] | None = None

    def matches(self, view: View, gray: Floats, known: int, f: int) -> list[Match]:
        """Correlation of one reading with every pose: at rest and at the best displacement, where all is known."""
        if known < gray.shape[0] * 0.95:
            return self._partial(view, gray, known)
        if known < gray.shape[0]:  # a row or two cut off by what stands in front
            gray = gray.copy()
            gray[known:] = np.median(gray[:known])
        if self._spectra is None:
            self._spectra = np.conj(np.fft.rfft2(self.stack)).astype(np.complex64)
        here = standardized(gray)
        products = np.fft.irfft2(np.fft.rfft2(here)[None] * self._spectra, s=here.shape)
        flat = np.abs(products).reshape(len(self.poses), -1)
        best = flat.argmax(axis=1)
        out = []
        for i, pose in enumerate(self.poses):
            rest, most = float(flat[i, 0]), float(flat[i, best[i]])
            mask = self.masks[i]
            if mask is not None:  # whatever the bars hold
                rest = _correlated(here[mask], self.stack[i][mask])
            out.append(Match(view, pose, rest, 0, 0))
            if most > rest + 0.02:
                dy, dx = (int(v) for v in np.unravel_index(best[i], here.shape))
                dy, dx = (v - n if v > n // 2 else v for v, n in ((dy, here.shape[0]), (dx, here.shape[1])))
                out.append(Match(view, pose, most, dx * f, dy * f))
        return out + self._by_phase(view, here, products[:1], f)

    def _by_phase(self, view: View, here: Floats, rest: NDArray[np.floating], f: int) -> list[Match]:
        """The first pose displaced as the phases of the spectra say: a smeared border does not hide the peak."""
        cross = np.fft.rfft2(rest[0])
        even = np.fft.irfft2(cross / (np.abs(cross) + 1e-9), s=here.shape)
        dy, dx = (int(v) for v in np.unravel_index(int(even.argmax()), here.shape))
        dy, dx = (v - n if v > n // 2 else v for v, n in ((dy, here.shape[0]), (dx, here.shape[1])))
        if not (dx or dy) or abs(dx) * 2 > here.shape[1] or abs(dy) * 2 > here.shape[0]:
            return []
        height, width = here.shape
        a = here[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)]
        b = self.stack[0][max(0, -dy) : height - max(0, dy), max(0, -dx) : width - max(0, dx)]
        score = _correlated(a, b)
        return [Match(view, self.poses[0], score, dx * f, dy * f)] if score > 0.6 else []

    def _partial(self, view: View, gray: Floats, known: int) -> list[Match]:
        """At rest only, on the rows of blocks that the buffer holds."""
        if known < 2:
            return []
        here = standardized(gray[:known])
        part = self.stack[:, :known]
        part = part - part.mean(axis=(1, 2), keepdims=True)
        norms = np.sqrt((part * part).sum(axis=(1, 2)))
        scores = np.abs((part * here).sum(axis=(1, 2))) / np.maximum(norms, 1e-4)
        return [Match(view, pose, float(score), 0, 0) for pose, score in zip(self.poses, scores, strict=True)]
