"""A hypothesis run forward: the picture → the bytes submitted → the elements that the model reads from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from prepcheck.core.layouts import round_up
from prepcheck.forensics.answers.hypotheses import Hypothesis, Recipe
from prepcheck.forensics.case import Case
from prepcheck.forensics.colour import mixed_picture, to_yuv
from prepcheck.forensics.filters import FAMILY, legal_for
from prepcheck.forensics.fit import rgb_order
from prepcheck.forensics.model import BufferSpec, Elements, Expected, Geometry, Pixels
from prepcheck.forensics.poses import EXCHANGING, Pose, letterbox_places
from prepcheck.forensics.values import expected_map
from prepcheck.forensics.views import expected_view

_NUMPY = {"float32": "<f4", "float16": "<f2", "uint8": "u1", "int8": "i1", "int16": "<i2", "uint16": "<u2", "int32": "<i4",
          "uint32": "<u4", "int64": "<i8", "float64": "<f8"}  # fmt: skip
_AGREE = 6.0  # mean pixel steps by which a resize of the source may miss the expected picture to stand for it


class Renderer:
    """One picture under every hypothesis.

    expected: of the first slot where there is a batch. file: the bytes of the image file. second: a second opinion on
    every hypothesis: another legal resizer than the plan's, and other values for what nobody can know (the bytes between
    rows and in front, what is left in a half-filled buffer, how a YUV encoder samples colour).
    """

    def __init__(self, expected: Expected, file: bytes = b"", *, second: bool = False) -> None:
        spec = expected.spec
        self.spec = replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec
        case = Case(expected, self.spec, np.zeros(0, np.uint8))
        self.case = case
        self.file = file
        self.second = second
        self.changed = False
        if second and (resizer := self._second_resizer()) is not None:
            pixels = case.whole(Pose(resizer=resizer))
            self.changed = True
            self.case = Case(replace(expected, pixels=pixels), self.spec, np.zeros(0, np.uint8))

    @property
    def follows(self) -> bool:
        """Whether the expected picture is a plain resize of the source, so that it can be placed otherwise."""
        case = self.case
        if not case.scaled:
            return True
        again = case.whole(Pose(resizer=case.resizer)).astype(np.float32)
        return float(np.abs(again - case.base).mean()) < _AGREE

    def _second_resizer(self) -> str | None:
        """Another legal implementation of the resize that differs from the plan's; None where nothing is resized."""
        if not self.case.scaled or not self.follows:
            return None
        own = self.case.resizer
        for name in ("pillow-bilinear", "opencv-bilinear", *FAMILY):
            if name != own and FAMILY[name] == FAMILY[own] and legal_for(self.spec.filter, name):
                return name
        return None

    def elements(self, hypothesis: Hypothesis) -> Elements | None:
        """H x W x C elements as the model reads them; None where this picture cannot be taken that way.

        Of a second opinion: None too where it would be the first one again.
        """
        recipe = hypothesis.recipe
        if (recipe.previous or (recipe.rows is not None and recipe.rest is None)) and len(self.case.frames) < 2:
            return None
        if _from_source(recipe) and not self.follows:
            return None
        if recipe.raw == "file" and not self.file:
            return None
        if self.second and not self.changed and not _unknowable(recipe):
            return None
        data = self._submitted(recipe)
        need = self.spec.nbytes
        data = data[:need] if len(data) >= need else np.concatenate([data, np.zeros(need - len(data), np.uint8)])
        return np.ascontiguousarray(expected_view(self.spec).read(data)[0])

    def _submitted(self, recipe: Recipe) -> Pixels:
        spec = self.spec
        if recipe.raw == "file":
            return np.frombuffer(self.file[: spec.nbytes], np.uint8)
        if recipe.constant is not None:
            return np.full(spec.nbytes // spec.itemsize, recipe.constant, _NUMPY[spec.dtype]).view(np.uint8)
        pixels = self._pixels(recipe, int(recipe.previous))
        if recipe.raw is not None:
            return _yuv(pixels[..., list(rgb_order(spec))], recipe.raw, first=self.second)
        elements = self._valued(recipe, pixels)
        if recipe.rows is not None:
            elements = elements.copy()
            if recipe.rest is None:
                elements[recipe.rows :] = self._valued(recipe, self._pixels(recipe, 1))[recipe.rows :]
            else:
                elements[recipe.rows :] = (elements.max() // 3) if self.second else recipe.rest
        if recipe.byteswap:
            elements = elements.byteswap()
        laid = _laid(elements, recipe, spec, garbage=self.second)
        if not recipe.header:
            return laid
        front = _foreign(laid, recipe.header, spec) if self.second else np.zeros(recipe.header, np.uint8)
        return np.concatenate([front, laid])

    def _pixels(self, recipe: Recipe, source: int) -> Pixels:
        pose = self._pose(recipe)
        pixels = self.case.whole(replace(pose, source=source) if source else pose)
        if recipe.mix is not None:
            at = list(rgb_order(self.spec))
            pixels = pixels.copy()
            mix = replace(recipe.mix, blocks=2) if self.second and recipe.mix.encode else recipe.mix
            pixels[..., at] = mixed_picture(np.ascontiguousarray(pixels[..., at]), mix)
        if recipe.swap:
            pixels = np.ascontiguousarray(pixels[..., [2, 1, 0, *range(3, pixels.shape[2])]])
        return pixels

    def _pose(self, recipe: Recipe) -> Pose:
        """The pose for this picture: boxes and crops are those of its own size."""
        pose, spec, source = recipe.pose, self.spec, self.case.source
        if recipe.place is not None:
            return replace(pose, geometry=recipe.place.geometry(spec, source))
        if pose.turn_source == "none":
            return pose
        own = spec.geometry
        if own.kind != "letterbox":
            return replace(pose, geometry=Geometry())
        centred, _, first, _ = letterbox_places(source[::-1] if pose.turn_source in EXCHANGING else source, spec.size)
        at_corner = own.box is not None and (own.box.x, own.box.y) == (0, 0)
        return replace(pose, geometry=Geometry("letterbox", first if at_corner else centred, None, own.fill))

    def _valued(self, recipe: Recipe, pixels: Pixels) -> Elements:
        dtype = recipe.dtype or self.spec.dtype
        table = (recipe.table or expected_map(self.spec, dtype)).table
        out = np.empty(pixels.shape, _NUMPY[dtype])
        for c in range(pixels.shape[2]):
            out[..., c] = table[c].astype(_NUMPY[dtype])[pixels[..., c]]
        return out


def _from_source(recipe: Recipe) -> bool:
    """Whether the picture is resized anew for it."""
    return recipe.place is not None or recipe.pose.turn_source != "none" or recipe.pose.resizer is not None


def _unknowable(recipe: Recipe) -> bool:
    """Whether a part of the bytes is anybody's guess."""
    return (
        recipe.header > 0 or recipe.pitch is not None or (recipe.rows is not None and recipe.rest is not None)
        or (recipe.mix is not None and recipe.mix.encode is not None) or (recipe.raw is not None and recipe.raw != "file")
    )  # fmt: skip


def _foreign(own: Elements, count: int, spec: BufferSpec) -> Elements:
    """Elements that belong to nobody: noise where any byte is a value, else pixels of the picture itself."""
    if spec.itemsize == 1 and own.dtype.itemsize == 1:
        return np.random.default_rng(11).integers(0, 256, count, dtype=np.uint8).view(own.dtype)
    return np.resize(own[::-1], count)


def _laid(elements: Elements, recipe: Recipe, spec: BufferSpec, *, garbage: bool) -> Pixels:
    """Elements in the memory order that is submitted, row padding (zeros or garbage) included, as bytes."""
    layout = recipe.layout or spec.layout
    height, width, channels = elements.shape
    if recipe.alpha is not None:
        opaque = np.full((height, width, 1), 255).astype(elements.dtype)
        colours = elements if recipe.alpha.replace("A", "") == spec.color else elements[..., ::-1]
        elements = np.concatenate([opaque, colours] if recipe.alpha[0] == "A" else [colours, opaque], axis=2)
        channels = 4
    if layout in ("NC4HW4", "NC1HWC2"):
        stored = round_up(channels, recipe.stored or spec.stored)
        padded = np.zeros((height, width, stored), elements.dtype)
        padded[..., :channels] = elements
        elements, channels = padded, stored
    planar = layout in ("NCHW", "CHW")
    rows = elements.transpose(2, 0, 1).reshape(-1, width) if planar else elements.reshape(height, width * channels)
    own = spec.w_stride if (height, width) == spec.size and recipe.layout is None else None
    pitch = (recipe.pitch or own or width) * (1 if planar else channels)
    if pitch > rows.shape[1]:
        out = np.zeros((rows.shape[0], pitch), rows.dtype)
        out[:, : rows.shape[1]] = rows
        if garbage and recipe.pitch is not None:
            spare = (rows.shape[0], pitch - rows.shape[1])
            out[:, rows.shape[1] :] = _foreign(rows.reshape(-1), spare[0] * spare[1], spec).reshape(spare)
        rows = out
    return np.ascontiguousarray(rows).reshape(-1).view(np.uint8)


def _yuv(rgb: Pixels, name: str, *, first: bool) -> Pixels:
    """The bytes of a YUV frame of the picture (BT.601, limited range, as cameras and decoders give for small sizes).

    first: colour of the first pixel of each square (as OpenCV takes it), else the mean.
    """
    matrix, offset = to_yuv("BT601", True)
    yuv = np.clip(np.rint(rgb.astype(np.float32) @ matrix.T.astype(np.float32) + offset.astype(np.float32)), 0, 255)
    y = yuv[..., 0].astype(np.uint8)
    pairs = yuv[:, 0::2, 1:] if first else (yuv[:, 0::2, 1:] + yuv[:, 1::2, 1:]) / 2
    if name == "YUYV":
        out = np.empty((*y.shape, 2), np.uint8)
        out[..., 0] = y
        out[:, 0::2, 1], out[:, 1::2, 1] = (np.rint(pairs[..., i]).astype(np.uint8) for i in (0, 1))
        return out.reshape(-1)
    squares = np.rint(pairs[0::2] if first else (pairs[0::2] + pairs[1::2]) / 2).astype(np.uint8)
    u, v = squares[..., 0].reshape(-1), squares[..., 1].reshape(-1)
    if name == "I420":
        return np.concatenate([y.reshape(-1), u, v])
    both = np.stack([u, v] if name == "NV12" else [v, u], axis=1)
    return np.concatenate([y.reshape(-1), both.reshape(-1)])
