"""The hypotheses: every fault of the vocabulary with a few typical values of its parameters, for one hand-over.

What the parameters are is settled by the contract, the plan and the picture (alignments of the width, boxes of a
letterbox, the model's own mean and std); where only the device knows them (how many rows were filled), a few usual ones
stand for all. One fault at a time: chains of faults are not tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from prepcheck.core.dtypes import integer_range, is_float
from prepcheck.core.geometry import Box
from prepcheck.core.layouts import round_up
from prepcheck.forensics.answers.priors import AS_PLANNED
from prepcheck.forensics.colour import MIXES, Mix
from prepcheck.forensics.filters import FAMILY, legal_for
from prepcheck.forensics.model import BufferSpec, Fault, Geometry, Value
from prepcheck.forensics.poses import Pose, cover_crop, faults_of, letterbox_places
from prepcheck.forensics.values import KNOWN_SETS, ValueMap
from prepcheck.forensics.values import hypotheses as value_maps


@dataclass(frozen=True, slots=True)
class Place:
    """Where a picture of any size lies: `stretch`, `crop` (of `share` of what covers), or a letterbox `centred`, `first`
    (left or top), `last` (right or bottom), or where it should be (`own`), with bars of `fill` (None: the plan's)."""

    kind: str
    fill: int | None = None
    share: float = 1.0

    def geometry(self, spec: BufferSpec, source: tuple[int, int]) -> Geometry:
        """For one picture. source: its (height, width)."""
        if self.kind == "stretch":
            return Geometry("stretch", Box(0, 0, spec.size[1], spec.size[0]))
        if self.kind == "crop":
            return Geometry("crop", None, cover_crop(source, spec.size, self.share))
        own = spec.geometry
        fill = own.fill if self.fill is None else (self.fill,)
        if self.kind == "own":
            return replace(own, fill=fill)
        centred, _, first, last = letterbox_places(source, spec.size)
        return Geometry("letterbox", {"centred": centred, "first": first, "last": last}[self.kind], None, fill)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the submitted bytes come about; what is not set is as it should be.

    previous: the frame before. place: where the picture lies in the frame, by its own size. table: the value map. layout, stored: memory order and channels of a pixel in it.
    alpha: order of four channels. pitch: pixels from row to row. header: foreign bytes in front. rows, rest: right up to a
    row, then this pixel value (None: the frame before). constant: one element value. raw: `file` (the image file's bytes)
    or a YUV format.
    """

    previous: bool = False
    mix: Mix | None = None
    pose: Pose = field(default_factory=Pose)
    place: Place | None = None
    swap: bool = False
    table: ValueMap | None = field(default=None, compare=False)
    dtype: str | None = None
    byteswap: bool = False
    layout: str | None = None
    stored: int = 0
    alpha: str | None = None
    pitch: int | None = None
    header: int = 0
    rows: int | None = None
    rest: int | None = None
    constant: float | None = None
    raw: str | None = None


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A fault of the vocabulary (or `as_planned`) with its parameters, and the recipe that makes it."""

    name: str
    evidence: dict[str, Value]
    recipe: Recipe

    @property
    def label(self) -> str:
        """Name and parameters, as a report shows them."""
        told = ", ".join(f"{k} {v}" for k, v in self.evidence.items() if k in _TOLD and v is not None)
        return f"{self.name} ({told})" if told else self.name


_TOLD = ("degrees", "box", "fill", "got", "want", "crop", "dx", "dy", "filter", "by", "mean", "std", "bytes", "rows", "rest",
         "value", "format", "used", "order", "c2", "values", "at")  # fmt: skip
_SETS = (KNOWN_SETS[0], KNOWN_SETS[1], KNOWN_SETS[9])
"""Mean and std that are tried besides the plan's own: ImageNet's in pixel units, 127.5, ImageNet's in units of 0..1."""
_ALIGNMENTS = (16, 32, 64)
"""Pixels that rows are padded to: RKNN 8 to 16, RGA and decoders 16, 32 or 64 (shared references rga, rknn-runtime)."""
_HEADERS = (54, 128)
"""Bytes before the pixels: of a BMP file, of an .npy file."""


def hypotheses_for(
    spec: BufferSpec, source: tuple[int, int], *, previous: bool, file_format: str | None
) -> list[Hypothesis]:
    """All of them, `as_planned` first.

    source: (height, width) of the first picture: parameters are in its units. previous: an earlier frame is known for
    some image. file_format: of the image file, None where it is not known.
    """
    out = [Hypothesis(AS_PLANNED, {}, Recipe())]
    for name, evidence, recipe in _all(spec, source, previous, file_format):
        out.append(Hypothesis(name, evidence, recipe))
    return out


_Item = tuple[str, dict[str, Value], Recipe]


def _all(spec: BufferSpec, source: tuple[int, int], previous: bool, file_format: str | None) -> Iterator[_Item]:
    yield from _turns(spec)
    yield from _places(spec, source)
    yield from _shifts(spec)
    yield from _colours(spec)
    yield from _values(spec)
    yield from _layouts(spec)
    yield from _bytes(spec, previous, file_format)


def _turns(spec: BufferSpec) -> Iterator[_Item]:
    yield "flipped_vertical", {}, Recipe(pose=Pose(turn="flip_v"))
    yield "flipped_horizontal", {}, Recipe(pose=Pose(turn="flip_h"))
    yield "transposed", {}, Recipe(pose=Pose(turn="transpose"))
    yield "rotated", {"degrees": 180}, Recipe(pose=Pose(turn="rot180"))
    for turn, degrees in (("rot90", 90), ("rot270", 270)):
        # Turned before the resize (a phone's picture); after it, the rows have another length unless it is a square.
        yield "rotated", {"degrees": degrees, "at": "source"}, Recipe(pose=Pose(turn_source=turn))
        if spec.size[0] != spec.size[1]:
            yield "rotated", {"degrees": degrees, "at": "model size"}, Recipe(pose=Pose(turn=turn))


def _places(spec: BufferSpec, source: tuple[int, int]) -> Iterator[_Item]:
    own = spec.geometry
    found: list[Place] = []
    if own.kind == "letterbox":
        found.append(Place("stretch"))
        found += [Place("own", fill) for fill in (0, 114, 128, 255) if {fill} != set(own.fill)]
        found += [Place("centred"), Place("first"), Place("last")]
    else:
        found += [Place(kind, fill) for kind in ("centred", "first") for fill in (114, 0)]
    found += [Place("crop"), Place("crop", share=0.875)]  # 0.875: 224 of 256, as networks are validated on ImageNet
    for place in found:
        geometry = place.geometry(spec, source)
        whole = geometry.crop is not None and (geometry.crop.h, geometry.crop.w) == source
        full = geometry.box is not None and (geometry.box.h, geometry.box.w) == spec.size
        if whole or (full and own.kind != "letterbox"):
            continue
        named = faults_of(Pose(geometry=geometry), spec, source)
        if len(named) == 1:
            yield named[0].name, dict(named[0].evidence), Recipe(place=place)
    if spec.filter is not None:
        tried = set()
        for resizer, family in FAMILY.items():
            if family not in tried and not legal_for(spec.filter, resizer):
                tried.add(family)
                yield "wrong_interpolation", {"filter": family}, Recipe(pose=Pose(resizer=resizer))


def _shifts(spec: BufferSpec) -> Iterator[_Item]:
    h, w = spec.size
    for dx, dy in ((1, 0), (0, 1), (2, 2), (w // 8, 0), (0, h // 8), (-(w // 8), 0), (0, -(h // 8))):
        if dx or dy:
            border: tuple[int, ...] | str = "replicate" if abs(dx) + abs(dy) == 1 else (0,)
            yield "shifted", {"dx": dx, "dy": dy}, Recipe(pose=Pose(dx=dx, dy=dy, border=border))


def _colours(spec: BufferSpec) -> Iterator[_Item]:
    if spec.channels < 3:
        return
    yield "channels_swapped", {}, Recipe(swap=True)
    for mix in MIXES:
        usual = mix.gray in (None, "luma") and (
            mix.encode is None or mix.encode == ("BT601", True) or mix.name != "uv_swapped"
        )
        if usual:
            fault = mix.fault()
            yield fault.name, dict(fault.evidence), Recipe(mix=mix)


def _values(spec: BufferSpec) -> Iterator[_Item]:
    own = {(s.mean, s.std) for s in (spec,)} | {(spec.model_mean, spec.model_std)} | set(_SETS)
    wanted = [{"mean": list(m), "std": list(s)} for m, s in own if m is not None and s is not None]
    for made in value_maps(spec, spec.dtype):
        if len(made.faults) != 1:
            continue
        fault = made.faults[0]
        if fault.name == "scaled_0_1" and fault.evidence.get("by") not in (255.0, 128.0):
            continue
        if fault.name in ("normalized_on_host", "normalized_twice") and fault.evidence not in wanted:
            continue
        yield fault.name, dict(fault.evidence), Recipe(table=made)


def _layouts(spec: BufferSpec) -> Iterator[_Item]:
    if spec.channels > 1:
        if spec.layout in ("NHWC", "HWC"):
            yield "planar_instead_of_interleaved", {}, Recipe(layout="NCHW")
        elif spec.planar:
            yield "interleaved_instead_of_planar", {}, Recipe(layout="NHWC")
    if spec.layout == "NC4HW4":
        yield "nc4hw4_packing", {"direction": "plain", "layout": "NCHW", "c2": 4}, Recipe(layout="NCHW")
        yield "nc4hw4_packing", {"direction": "plain", "layout": "NHWC", "c2": 4}, Recipe(layout="NHWC")
    elif spec.planar and spec.channels != 4:
        yield "nc4hw4_packing", {"direction": "packed", "c2": 4}, Recipe(layout="NC4HW4", stored=4)
    if spec.layout == "NC1HWC2":
        yield "nc1hwc2_packing", {"direction": "plain", "layout": "NHWC", "c2": spec.stored}, Recipe(layout="NHWC")
        yield "nc1hwc2_packing", {"direction": "plain", "layout": "NCHW", "c2": spec.stored}, Recipe(layout="NCHW")
    elif spec.layout in ("NHWC", "HWC") and spec.itemsize == 1:
        for c2 in (8, 16):
            yield "nc1hwc2_packing", {"direction": "packed", "c2": c2}, Recipe(layout="NC1HWC2", stored=c2)
    if spec.layout in ("NHWC", "HWC") and spec.channels == 3:
        letters = (spec.color, spec.color[::-1])
        for order in (letters[0] + "A", letters[1] + "A", "A" + letters[0]):
            yield "alpha_channel", {"order": order}, Recipe(alpha=order)


def _bytes(spec: BufferSpec, previous: bool, file_format: str | None) -> Iterator[_Item]:
    for dtype in ("float32", "float16"):
        if dtype != spec.dtype:
            yield f"{dtype}_bytes", {"values": "as planned"}, Recipe(dtype=dtype)
            if not is_float(spec.dtype):
                for made in value_maps(spec, dtype):
                    if len(made.faults) == 1 and made.faults[0] == Fault("scaled_0_1", {"by": 255.0}):
                        yield f"{dtype}_bytes", {"values": "divided by 255"}, Recipe(dtype=dtype, table=made)
    if spec.itemsize > 1:
        yield "byte_order", {}, Recipe(byteswap=True)
    yield from _pitches(spec)
    for count in _HEADERS:
        yield "header_offset", {"bytes": count}, Recipe(header=count)
    h = spec.size[0]
    for rows in dict.fromkeys(max(1, r) for r in (h // 10, h // 4, h // 2, h * 3 // 4)):
        yield "partial_fill", {"rows": rows, "rest": 0}, Recipe(rows=rows, rest=0)
    low, high = integer_range(spec.dtype) or (0, 255)
    for value in dict.fromkeys((0, min(128, high), min(255, high), low)):
        yield "constant_buffer", {"value": value}, Recipe(constant=value)
    if previous:
        yield "stale_buffer", {"same_as": "the image before"}, Recipe(previous=True)
        yield "partial_fill", {"rows": h // 2, "rest": "previous"}, Recipe(rows=h // 2)
    if file_format is not None:
        yield "encoded_bytes", {"format": file_format}, Recipe(raw="file")
    if spec.itemsize == 1 and spec.channels == 3 and h % 2 == 0 and spec.size[1] % 2 == 0:
        for name in ("NV12", "NV21", "I420", "YUYV"):
            yield "yuv_as_rgb", {"format": name}, Recipe(raw=name)


def _pitches(spec: BufferSpec) -> Iterator[_Item]:
    w, own = spec.size[1], spec.w_stride or spec.size[1]
    step = (1 if spec.planar else spec.stored) * spec.itemsize
    tried = {w} | {p for p in (round_up(w, a) for a in _ALIGNMENTS) if p <= 2 * w}
    if len(tried) == 1:  # the width is aligned to all of them: rows as of a buffer that is 16 or 64 pixels wider
        tried |= {w + 16, w + 64}
    for pitch in sorted(tried - {own}):
        yield "row_stride", {"got": pitch * step, "want": own * step}, Recipe(pitch=pitch)
