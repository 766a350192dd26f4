"""How the picture lies in the frame: turned, scaled into a box, cropped, displaced. Each pose can be rendered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from prepcheck.core.geometry import Box, letterbox_box
from prepcheck.forensics.filters import resize
from prepcheck.forensics.model import BufferSpec, Fault, Geometry, Pixels, Value

TURNS: Final = ("none", "flip_h", "flip_v", "rot180", "rot90", "rot270", "transpose", "anti")
"""The eight ways to lay a picture on its axes; rot90 is clockwise. The last four exchange height and width."""
EXCHANGING: Final = frozenset(TURNS[4:])

_TURN_FAULTS: Final[dict[str, tuple[Fault, ...]]] = {
    "none": (),
    "flip_h": (Fault("flipped_horizontal"),),
    "flip_v": (Fault("flipped_vertical"),),
    "rot180": (Fault("rotated", {"degrees": 180}),),
    "rot90": (Fault("rotated", {"degrees": 90}),),
    "rot270": (Fault("rotated", {"degrees": 270}),),
    "transpose": (Fault("transposed"),),
    "anti": (Fault("transposed"), Fault("rotated", {"degrees": 180})),
}


def turned(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], turn: str) -> Pixels:
    """A view of the array with its first two axes turned."""
    views = {
        "none": lambda a: a,
        "flip_h": lambda a: a[:, ::-1],
        "flip_v": lambda a: a[::-1],
        "rot180": lambda a: a[::-1, ::-1],
        "rot90": lambda a: np.rot90(a, -1),
        "rot270": lambda a: np.rot90(a, 1),
        "transpose": lambda a: np.swapaxes(a, 0, 1),
        "anti": lambda a: np.swapaxes(a, 0, 1)[::-1, ::-1],
    }
    out: Pixels = views[turn](array)
    return out


@dataclass(frozen=True, slots=True)
class Pose:
    """turn_source: before the resize. geometry: None = the expected pixels as they are. turn: after the resize.

    source: 0 = this picture, k = the k-th earlier one. dx, dy: displaced right, down; border: what the uncovered
    part holds: a value per channel, `replicate` or `wrap`.
    """

    source: int = 0
    turn_source: str = "none"
    geometry: Geometry | None = None
    resizer: str | None = None
    turn: str = "none"
    dx: int = 0
    dy: int = 0
    border: tuple[int, ...] | str = (0,)

    @property
    def unmoved(self) -> Pose:
        """The same without displacement."""
        return replace(self, dx=0, dy=0, border=(0,))


def place(image: Pixels, size: tuple[int, int], geometry: Geometry, resizer: str) -> Pixels:
    """`image` scaled into its box of a frame of size (height, width)."""
    box = geometry.box or Box(0, 0, size[1], size[0])
    scaled = resize(image, (box.h, box.w), resizer, geometry.crop)
    if (box.h, box.w) == size:
        return scaled
    out = np.empty((*size, image.shape[2]), np.uint8)
    out[:] = np.asarray(geometry.fill, np.uint8)
    out[box.y : box.y + box.h, box.x : box.x + box.w] = scaled
    return out


def moved(pixels: Pixels, dx: int, dy: int, border: tuple[int, ...] | str) -> Pixels:
    """The picture displaced right by dx and down by dy."""
    if not dx and not dy:
        return pixels
    height, width = pixels.shape[:2]
    if border == "wrap":
        return np.roll(pixels, (dy, dx), (0, 1))
    if border == "replicate":
        rows = np.clip(np.arange(height) - dy, 0, height - 1)
        cols = np.clip(np.arange(width) - dx, 0, width - 1)
        return pixels[rows][:, cols]
    out = np.empty_like(pixels)
    out[:] = np.asarray(border, np.uint8)
    if abs(dx) < width and abs(dy) < height:
        out[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = pixels[
            max(0, -dy) : height - max(0, dy), max(0, -dx) : width - max(0, dx)
        ]
    return out


def cover_crop(source: tuple[int, int], size: tuple[int, int], share: float = 1.0) -> Box:
    """The centred part of a source (height, width) with the frame's aspect; share < 1: a smaller part still."""
    height, width = source
    scale = max(size[0] / height, size[1] / width) / share
    w, h = min(width, round(size[1] / scale)), min(height, round(size[0] / scale))
    return Box((width - w) // 2, (height - h) // 2, w, h)


def letterboxes(source: tuple[int, int], size: tuple[int, int]) -> list[Box]:
    """Boxes that implementations give: centred, left or top, right or bottom; sizes rounded, cut, or cut to 4 and 2.

    The last: convert_image_with_letterbox of rknn_model_zoo (width a multiple of 4, height of 2, even offsets).
    """
    height, width = source
    frame = (size[1], size[0])
    centred = letterbox_box((width, height), frame)
    scale = min(size[0] / height, size[1] / width)
    sizes = [(centred.w, centred.h), (int(width * scale), int(height * scale)),
             (int(width * scale) // 4 * 4, int(height * scale) // 2 * 2)]  # fmt: skip
    out: list[Box] = []
    for i, (w, h) in enumerate(sizes):
        w, h = max(1, w), max(1, h)
        left, top = (size[1] - w) // 2, (size[0] - h) // 2
        if i == 2:
            left, top = left // 2 * 2, top // 2 * 2
        places = [(left, top), (size[1] - w - left, size[0] - h - top), (0, 0), (size[1] - w, size[0] - h)]
        out += [Box(x, y, w, h) for x, y in places]
    return list(dict.fromkeys(out))


def letterbox_places(source: tuple[int, int], size: tuple[int, int]) -> tuple[Box, Box, Box, Box]:
    """The box of rounded size: centred, centred with the odd pixel first, left or top, right or bottom."""
    centred = letterbox_box((source[1], source[0]), (size[1], size[0]))
    w, h = centred.w, centred.h
    return (centred, Box(size[1] - w - centred.x, size[0] - h - centred.y, w, h), Box(0, 0, w, h),
            Box(size[1] - w, size[0] - h, w, h))  # fmt: skip


def full_box(spec: BufferSpec) -> Box:
    """The box of the picture in the expected frame."""
    return spec.geometry.box or Box(0, 0, spec.size[1], spec.size[0])


def faults_of(pose: Pose, spec: BufferSpec, source: tuple[int, int], names: tuple[str, ...] = ()) -> tuple[Fault, ...]:
    """The faults that a pose stands for, in the order in which they happen. source: (height, width) of the picture."""
    out: list[Fault] = []
    if pose.source:
        out.append(Fault("stale_buffer", {"same_as": names[pose.source - 1]}))
    out += _TURN_FAULTS[pose.turn_source]
    out += _geometry_faults(pose, spec, source)
    out += _TURN_FAULTS[pose.turn]
    if pose.dx or pose.dy:
        border: Value = pose.border if isinstance(pose.border, str) else _plain(pose.border)
        out.append(Fault("shifted", {"dx": pose.dx, "dy": pose.dy, "border": border}))
    return tuple(out)


def _geometry_faults(pose: Pose, spec: BufferSpec, source: tuple[int, int]) -> list[Fault]:
    got, want = pose.geometry, spec.geometry
    if got is None:
        return []
    box, wanted = got.box or Box(0, 0, spec.size[1], spec.size[0]), full_box(spec)
    if pose.turn_source in EXCHANGING and want.kind == "letterbox":
        # The box that the same letterbox makes of the picture lying on its side.
        centred, _, first, _ = letterbox_places((source[1], source[0]), spec.size)
        wanted = first if (wanted.x, wanted.y) == (0, 0) else centred
    shown: Value = [box.x, box.y, box.w, box.h]
    if got.kind == "crop":
        crop = got.crop or Box(0, 0, 0, 0)
        return [] if want.kind == "crop" and want.crop == got.crop else [
            Fault("center_crop", {"crop": [crop.x, crop.y, crop.w, crop.h]})
        ]  # fmt: skip
    if got.kind == "stretch":
        return [] if want.kind == "stretch" else [Fault("stretched_instead_of_letterbox", {"box": shown})]
    if want.kind != "letterbox":
        return [Fault("letterbox_instead_of_stretch", {"box": shown, "fill": _plain(got.fill)})]
    out = []
    if not same_place(box, wanted):
        out.append(Fault("letterbox_alignment", {"got": [box.x, box.y], "want": [wanted.x, wanted.y], "box": shown}))
    if _plain(got.fill) != _plain(want.fill) and (box.w, box.h) != spec.size[::-1]:
        out.append(Fault("letterbox_fill", {"got": _plain(got.fill), "want": _plain(want.fill)}))
    return out


def same_place(a: Box, b: Box) -> bool:
    """Whether two letterboxes differ only as rounding makes them: sizes by < 4, places by no more than half of that
    and one pixel (rknn_model_zoo cuts the size to multiples of 4 and 2 and makes the offsets even)."""
    dw, dh = abs(a.w - b.w), abs(a.h - b.h)
    if dw >= 4 or dh >= 4:
        return False
    return abs(a.x - b.x) <= (dw + 1) // 2 + 1 and abs(a.y - b.y) <= (dh + 1) // 2 + 1


def _plain(fill: tuple[int, ...]) -> int | list[int]:
    return fill[0] if len(set(fill)) == 1 else list(fill)
