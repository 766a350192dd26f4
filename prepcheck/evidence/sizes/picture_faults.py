"""Faults of pictures, in bytes: a frame that was not resized, planes of YUV, rows and planes of a padded buffer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import cast

from prepcheck.core.layouts import round_up
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.frames import Picture, formats, grouped, half_bytes, picture_expression, pictures
from prepcheck.evidence.sizes.hits import Hit
from prepcheck.evidence.sizes.lists import sizes
from prepcheck.evidence.sizes.result import Value
from prepcheck.evidence.sizes.shapes import Candidate, Tensors
from prepcheck.evidence.sizes.table import normal, table
from prepcheck.evidence.sizes.tensor_faults import image_share


def frame(given: int, wanted: int, tensors: Tensors, width: int, alone: bool) -> Iterator[Hit]:
    """A camera frame where the resized picture is wanted. width: bytes of an element given (YUV: of a byte).

    alone: the only fault; beside another one the prior has frames of listed sizes only.
    """
    found = grouped(given, "frame" if width == 1 else "frame_wide", alone)
    for seen in _images(tensors, wanted) if found else ():
        for picture in found:
            yield _frame(picture, picture.height, seen, picture.prob * seen.prob / image_share(), "frame")


def _images(tensors: Tensors, count: int) -> list[Candidate]:
    """The images of `count` elements whatever their channels, one for each layout that was stated."""
    found: dict[str | None, Candidate] = {}
    for c in (3, 1, 4):
        for seen in tensors.images(count, c):
            other = found.get(seen.layout)
            if other is not None:
                seen = max(seen, other, key=lambda each: each.prob)._replace(prob=seen.prob + other.prob)
            found[seen.layout] = seen
    return list(found.values())


def _frame(picture: Picture, rows: int, seen: Candidate, prob: float, fault: str) -> Hit:
    ends = sorted((picture.width, picture.height)) if picture.listed else []
    key: tuple[Value, ...] = (*ends, picture.half)
    values: dict[str, Value] = {
        "given_width": picture.width, "given_height": picture.height, "format": picture.format, "height": picture.height, "rows": rows,
        "wanted_width": seen.w, "wanted_height": seen.h,
    }  # fmt: skip
    side = picture_expression(picture.width, rows, picture.half)
    return Hit(fault, key, prob, side, None, values, seen)


def decoder_frame(given: int, wanted: int, tensors: Tensors, width: int) -> Iterator[Hit]:
    """The same frame with the plane height that the decoder gave it (1920x1088 for 1080p)."""
    shares = formats("frame" if width == 1 else "frame_wide")
    for name, share in shares.items():
        half = half_bytes()[name]
        if 2 * given % half:
            continue
        for (w, h), rows, prob in _aligned_frames().get(2 * given // half, ()):
            for seen in _images(tensors, wanted):
                picture = Picture(w, h, name, half, True, prob * share)
                yield _frame(picture, rows, seen, picture.prob * seen.prob / image_share(), "frame+height_align")


@cache
def _height_steps() -> dict[int, float]:
    steps = normal(cast("dict[str, float]", table().section("height_align")["align"]))
    return {int(step): share for step, share in steps.items()}


@cache
def _aligned_frames() -> dict[int, list[tuple[tuple[int, int], int, float]]]:
    """Pixels of a listed frame with aligned height → (size, rows, P)."""
    found: dict[int, list[tuple[tuple[int, int], int, float]]] = {}
    for step, share in _height_steps().items():
        scale = share / _share(listed=True, height=step)
        for (w, h), prob in pictures().listed.items():
            rows = round_up(h, step)
            if rows != h:
                found.setdefault(w * rows, []).append(((w, h), rows, prob * scale))
    return found


@cache
def _share(listed: bool, width: str = "1", height: int = 1) -> float:
    """P(a picture that the alignment of rows and height changes): of listed sizes, or of all (any size is aligned with
    1/step)."""
    known = pictures().listed
    changed = {size: p for size, p in known.items() if width == "1" or _pitch(width, size[0]) != size[0]}
    total = sum(p for (_, h), p in changed.items() if height == 1 or h % height)
    if listed:
        return total / sum(known.values())
    rows = 1.0 if width == "1" or not width.isdigit() else 1 - 1 / int(width)
    planes = 1.0 if height == 1 else 1 - 1 / height
    return total + (1 - sum(known.values())) * rows * planes


def _pitch(rule: str, width: int) -> int:
    """Row pitch in pixels under one of the rules of the table."""
    if rule == "mpp-rk3588":
        return round_up(width, 256) | 256
    if rule == "mpp-rk3576":
        return (round_up(width, 128) | 128) + 64
    return round_up(width, int(rule))


def yuv_tensor(given: int, wanted: int, tensors: Tensors) -> Iterator[Hit]:
    """A YUV frame of the right size where RGB is wanted."""
    for half, share in _halves("yuv_tensor").items():
        if given * 6 != wanted * half:
            continue
        for seen in tensors.images(wanted, 3, even=True):
            prob = share * seen.prob / (sizes().channels[3] * sizes().share_of_images(2, 2))
            values: dict[str, Value] = {
                "given_format": _format(half), "wanted_format": "RGB", "width": seen.w, "height": seen.h,
            }  # fmt: skip
            side = picture_expression(seen.w, seen.h, half)
            yield Hit("yuv_tensor", (half, 6), prob, side, None, values, seen)


def _format(half: int) -> str:
    """The name of a pixel format of so many half bytes."""
    return next(name for name, count in half_bytes().items() if count == half)


@cache
def _halves(section: str) -> dict[int, float]:
    rows = normal({key: cast("float", share) for key, share in table().section(section).items() if key != "basis"})
    return {int(half): share for half, share in rows.items()}


_WITHOUT_CHANNELS = ("NV12", "YUYV", "GRAY")
"""Pixel formats whose shape is stated as height and width alone."""


def _buffers(count: int, facts: Facts, kinds: dict[str, float]) -> Iterator[Picture]:
    """Pictures of `count` bytes: of the stated height and width, or of any."""
    if facts.layout not in (None, "HW", "HWC"):
        return
    if facts.shape is None:
        flat = facts.layout == "HW"
        stated = {name: share for name, share in kinds.items() if flat == (name in _WITHOUT_CHANNELS)}
        yield from pictures().of(count, stated if facts.layout else kinds)
        return
    shape = facts.shape
    if len(shape) not in (2, 3) or (facts.layout and len(facts.layout) != len(shape)):
        return
    h, w = shape[:2]
    for name, share in kinds.items():
        half = half_bytes()[name]
        named = name in _WITHOUT_CHANNELS if len(shape) == 2 else half == 2 * shape[2]
        if named and w * h * half == 2 * count:
            yield Picture(w, h, name, half, (w, h) in pictures().listed, share * max(pictures().prob(w, h), 1e-12))


def yuv_planes(given: int, wanted: int, facts: Facts) -> Iterator[Hit]:
    """A buffer for NV12 that holds other planes: the luma plane alone, RGB, 4:2:2."""
    for half, share in _halves("yuv_planes").items():
        if given * 3 != wanted * half:
            continue
        for picture in _buffers(wanted, facts, {"NV12": 1.0}):
            side = picture_expression(picture.width, picture.height, half)
            shown = "Y (the luma plane alone)" if half == 2 else _format(half)
            values: dict[str, Value] = {
                "given_format": shown,
                "wanted_format": "NV12",
                "width": picture.width,
                "height": picture.height,
            }
            yield Hit("yuv_planes", (half, 3), share * picture.prob, side, picture.expression, values)


@cache
def _pitch_rules() -> dict[str, float]:
    return normal(cast("dict[str, float]", table().section("pitch")["align"]))


def buffer_padding(given: int, wanted: int, facts: Facts) -> Iterator[Hit]:
    """Rows at a pitch, planes at an aligned height, or both, on one side of a picture buffer."""
    tight, padded, way = (given, wanted, "pack") if given < wanted else (wanted, given, "unpack")
    if padded > 8 * tight:
        return
    ways = {fault: table().number(fault, way) / 100 for fault in ("pitch", "height_align")}
    for picture in _buffers(tight, facts, formats("buffer")):
        if 2 * padded % picture.half:
            continue
        pixels = 2 * padded // picture.half
        for rows in {round_up(picture.height, step) for step in (1, *_height_steps())}:
            pitch, rest = divmod(pixels, rows)
            share, fault = _padding_share(picture.width, pitch, picture.height, rows) if not rest else (0.0, "")
            if share:
                yield _padded(picture, pitch, rows, way, ways[fault.partition("+")[0]] * share * picture.prob, fault)


@lru_cache(maxsize=4096)
def _padding_share(width: int, pitch: int, height: int, rows: int) -> tuple[float, str]:
    """(P(this pitch and plane height | a picture of this size and the fault that changes them), that fault)."""
    rules = [rule for rule in _pitch_rules() if _pitch(rule, width) == pitch != width]
    steps = [step for step in _height_steps() if round_up(height, step) == rows != height]
    if pitch == width:
        return sum(_height_steps()[step] / _share(listed=False, height=step) for step in steps), "height_align"
    if rows == height:
        return sum(_pitch_rules()[rule] / _share(listed=False, width=rule) for rule in rules), "pitch"
    both = [(rule, step) for rule in rules for step in steps]
    share = sum(_pitch_rules()[r] * _height_steps()[s] / _share(listed=False, width=r, height=s) for r, s in both)
    return share, "pitch+height_align"


def _padded(picture: Picture, pitch: int, rows: int, way: str, prob: float, fault: str) -> Hit:
    wide = picture_expression(pitch, rows, picture.half)
    sides = (picture.expression, wide) if way == "pack" else (wide, picture.expression)
    values: dict[str, Value] = {
        "width": picture.width,
        "height": picture.height,
        "pitch": pitch,
        "rows": rows,
        "format": picture.format,
    }
    return Hit(fault, (way,), prob, *sides, values)
