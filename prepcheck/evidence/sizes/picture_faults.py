"""Faults of pictures, in bytes: a frame that was not resized, planes of YUV, rows and planes of a padded buffer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import cast

from prepcheck.core.layouts import round_up
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.frames import Picture, formats, half_bytes, picture_expression, pictures
from prepcheck.evidence.sizes.hits import Hit
from prepcheck.evidence.sizes.lists import sizes
from prepcheck.evidence.sizes.result import Value
from prepcheck.evidence.sizes.shapes import Candidate, Tensors
from prepcheck.evidence.sizes.table import normal, table
from prepcheck.evidence.sizes.tensor_faults import image_share


def frame(given: int, wanted: int, tensors: Tensors, width: int) -> Iterator[Hit]:
    """A camera frame where the resized picture is wanted. width: bytes of an element given (YUV: of a byte)."""
    found = list(pictures().grouped(given, formats("frame" if width == 1 else "frame_wide")))
    for seen in _images(tensors, wanted) if found else ():
        for picture in found:
            yield _frame(picture, picture.height, seen, picture.prob * seen.prob / image_share(), "frame")


def _images(tensors: Tensors, count: int) -> Iterator[Candidate]:
    for c in (3, 1, 4):
        yield from tensors.images(count, c)


def _frame(picture: Picture, rows: int, seen: Candidate, prob: float, fault: str) -> Hit:
    ends = sorted((picture.width, picture.height)) if picture.listed else []
    key: tuple[Value, ...] = (*ends, picture.half)
    values: dict[str, Value] = {
        "given_width": picture.width, "given_height": picture.height, "format": picture.format, "height": picture.height, "rows": rows,
        "wanted_width": seen.w, "wanted_height": seen.h,
    }  # fmt: skip
    side = picture_expression(picture.width, rows, picture.half)
    return Hit(fault, key, prob, side, seen.expression, values, seen)


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
    """P(a picture that the alignment changes): of listed sizes, or of all (any size is aligned with 1/step)."""
    known = pictures().listed
    total = sum(p for (w, h), p in known.items() if (round_up(h, height) != h if width == "1" else _pitch(width, w) != w))
    if listed:
        return total / sum(known.values())
    step = height if width == "1" else int(width) if width.isdigit() else 0
    return total + (1 - sum(known.values())) * (1 - 1 / step if step else 1.0)


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
            yield Hit("yuv_tensor", (half, 6), prob, side, seen.expression, values, seen)


def _format(half: int) -> str:
    """The name of a pixel format of so many half bytes."""
    return next(name for name, count in half_bytes().items() if count == half)


@cache
def _halves(section: str) -> dict[int, float]:
    rows = normal({key: cast("float", share) for key, share in table().section(section).items() if key != "basis"})
    return {int(half): share for half, share in rows.items()}


def _buffers(count: int, facts: Facts, kinds: dict[str, float]) -> Iterator[Picture]:
    """Pictures of `count` bytes: of the stated height and width, or of any."""
    if facts.shape is None:
        yield from pictures().of(count, kinds)
        return
    size = _stated_size(facts)
    if size is not None:
        w, h, depth = size
        for name, share in kinds.items():
            half = half_bytes()[name]
            if w * h * half == 2 * count and (depth is None or half == 2 * depth):
                listed = (w, h) in pictures().listed
                yield Picture(w, h, name, half, listed, share * max(pictures().prob(w, h), 1e-12))


def _stated_size(facts: Facts) -> tuple[int, int, int | None] | None:
    """(width, height, channels) of a shape that is a picture: HW, or HWC with 1, 3 or 4 channels."""
    shape = facts.shape or ()
    if len(shape) == 2 and facts.layout in (None, "HW"):
        return shape[1], shape[0], None
    if len(shape) == 3 and facts.layout in (None, "HWC") and shape[2] in (1, 3, 4):
        return shape[1], shape[0], shape[2]
    return None


def yuv_planes(given: int, wanted: int, facts: Facts) -> Iterator[Hit]:
    """A buffer for NV12 that holds other planes: the luma plane alone, RGB, 4:2:2."""
    for half, share in _halves("yuv_planes").items():
        if given * 3 != wanted * half:
            continue
        for picture in _buffers(wanted, facts, {"NV12": 1.0}):
            side = picture_expression(picture.width, picture.height, half)
            shown = "Y (the luma plane alone)" if half == 2 else _format(half)
            values: dict[str, Value] = {"given_format": shown, "wanted_format": "NV12", "width": picture.width, "height": picture.height}
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
        for rows, height_share in _heights(picture.height):
            pitch, rest = divmod(pixels, rows)
            if rest or pitch < picture.width:
                continue
            if pitch == picture.width:
                if rows != picture.height:
                    yield _padded(picture, pitch, rows, way, ways["height_align"] * height_share * picture.prob, "height_align")
                continue
            share = _pitch_share(picture.width, pitch)
            if share:
                fault = "pitch" if rows == picture.height else "pitch+height_align"
                yield _padded(picture, pitch, rows, way, ways["pitch"] * share * height_share * picture.prob, fault)


def _heights(height: int) -> list[tuple[int, float]]:
    """(rows, P of the alignment that makes them among pictures that it changes), first the height itself with 1."""
    found = [(height, 1.0)]
    for step, share in _height_steps().items():
        if height % step:
            found.append((round_up(height, step), share / _share(listed=False, height=step)))
    return found


@lru_cache(maxsize=4096)
def _pitch_share(width: int, pitch: int) -> float:
    """P(a row of `width` pixels has this pitch), over the rules of the table."""
    rules = _pitch_rules().items()
    return sum(share / _share(listed=False, width=rule) for rule, share in rules if _pitch(rule, width) == pitch != width)


def _padded(picture: Picture, pitch: int, rows: int, way: str, prob: float, fault: str) -> Hit:
    wide = picture_expression(pitch, rows, picture.half)
    sides = (picture.expression, wide) if way == "pack" else (wide, picture.expression)
    values: dict[str, Value] = {"width": picture.width, "height": picture.height, "pitch": pitch, "rows": rows, "format": picture.format}
    return Hit(fault, (way,), prob, *sides, values)
