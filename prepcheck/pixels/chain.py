"""The path of a picture, symbolically: which state each step leaves, without touching a pixel.

One state per step: size, channels, colour, element type, layout, the affine map from pixel value (0..255) to the
value now held, and how the picture lies in the frame. Rules read it as facts; `pixels.run` does the same with pixels.
Standard library only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prepcheck.contract.calls import ImageProcessArguments, RgaArguments
from prepcheck.contract.steps import Crop, Decode, Letterbox, Pad, Resize, Step
from prepcheck.core.geometry import Box, center_box, letterbox_box, side_size
from prepcheck.core.layouts import dims_of
from prepcheck.records import dataclass

SAME_RATIO = 1.02
"""Ratios of sides that differ by less come from rounding to whole pixels. A choice."""

CHANNELS = {"RGB": 3, "BGR": 3, "RGBA": 4, "BGRA": 4, "GRAY": 1}


@dataclass(frozen=True, slots=True)
class Affine:
    """value = a · pixel + b, one pair per channel (or one for all)."""

    a: tuple[float, ...] = (1.0,)
    b: tuple[float, ...] = (0.0,)

    def then(self, mean: Sequence[float], std: Sequence[float]) -> Affine | None:
        """This map followed by (x − mean)/std. None where a std is 0 or the lengths do not fit each other."""
        n = max(len(self.a), len(mean), len(std))
        if any(s == 0 for s in std) or any(len(x) not in (1, n) for x in (self.a, mean, std)):
            return None
        a, b, m, s = (_spread(x, n) for x in (self.a, self.b, tuple(mean), tuple(std)))
        return Affine(
            tuple(a[i] / s[i] for i in range(n)),
            tuple((b[i] - m[i]) / s[i] for i in range(n)),
        )

    def scaled(self, by: float, offset: float) -> Affine:
        """This map followed by x·by + offset."""
        return Affine(tuple(x * by for x in self.a), tuple(x * by + offset for x in self.b))

    def reversed(self) -> Affine:
        """The same with the order of three channels turned round."""
        return Affine(self.a[::-1], self.b[::-1])

    def range(self, low: float = 0.0, high: float = 255.0) -> tuple[float, float]:
        """Smallest and largest value over all channels for pixels low..high."""
        ends = [a * x + b for a, b in zip(self.a, self.b, strict=True) for x in (low, high)]
        return (min(ends), max(ends))

    def close_to(self, other: Affine, *, scale: float = 0.05, shift: float = 0.05) -> bool:
        """Whether both maps send 0..255 to nearly the same values: within 5 % of the span, channel by channel."""
        n = max(len(self.a), len(other.a))
        if len(self.a) not in (1, n) or len(other.a) not in (1, n):
            return False
        for a, b, c, d in zip(
            _spread(self.a, n), _spread(self.b, n), _spread(other.a, n), _spread(other.b, n), strict=True
        ):
            span = max(abs(a), abs(c)) * 255 or 1.0
            if abs(a - c) * 255 > scale * span or abs(b - d) > shift * span:
                return False
        return True


def _spread(values: tuple[float, ...], n: int) -> tuple[float, ...]:
    return values * n if len(values) == 1 else values


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the picture after a step; None = unknown. size: (width, height)."""

    size: tuple[int, int] | None = None
    channels: int | None = None
    color: str | None = None
    dtype: str = "uint8"
    layout: str = "HWC"
    values: Affine | None = Affine()
    quantized: tuple[float, int] | None = None  # scale, zero point, once codes stand in place of values
    source_size: tuple[int, int] | None = None
    box: Box | None = None  # where the whole picture lies in the frame, once it was scaled
    geometry: str | None = None  # stretch, letterbox, keep_ratio, crop, matrix: the last step of that kind
    fill: tuple[int, ...] | None = None
    align: str | None = None
    factors: tuple[float, float] | None = None  # how much the picture was scaled so far, across and down
    cropped: bool = False
    bars: bool = False

    @property
    def distortion(self) -> float | None:
        """How much the picture's aspect ratio was changed by all resizes together, as a factor ≥ 1."""
        if self.factors is None:
            return None
        ratio = self.factors[0] / self.factors[1]
        return max(ratio, 1 / ratio)

    @property
    def fitting(self) -> str | None:
        """How the picture came into the frame: stretch, letterbox, crop; whole = nothing added, cut or distorted."""
        if self.distortion is None or self.geometry == "matrix":
            return None
        if self.distortion > SAME_RATIO:
            return "stretch"
        return "letterbox" if self.bars else "crop" if self.cropped else "whole"

    def describe(self) -> str:
        """`640x480 RGB uint8 HWC, 0..255`"""
        size = f"{self.size[0]}x{self.size[1]}" if self.size else "size unknown"
        values = "values unknown"
        if self.values is not None:
            low, high = self.values.range()
            values = f"{low:.4g}..{high:.4g}"
        if self.quantized:
            values = f"codes of {values}"
        return f"{size} {self.color or 'colour unknown'} {self.dtype} {self.layout}, {values}"


def run(steps: Sequence[Step], start: State | None = None) -> list[State]:
    """The states after each step, beginning with the one before the first (length: steps + 1)."""
    states = [start or State()]
    for step in steps:
        states.append(apply(states[-1], step))
    return states


def apply(state: State, step: Step) -> State:
    """The state after one step."""
    if step.decode is not None:
        return _decode(state, step.decode)
    if step.convert_color is not None:
        return _recolor(state, step.convert_color.to)
    if step.resize is not None:
        return _resize(state, step.resize)
    if step.letterbox is not None:
        return _letterbox(state, step.letterbox)
    if step.crop is not None:
        found = crop_box(step.crop, state.size)
        if found is None:
            size = (step.crop.center[0], step.crop.center[1]) if step.crop.center else None
            return replace(state, size=size, box=None, geometry="crop", cropped=True, factors=None)
        x, y, w, h = found
        box = None if state.box is None else replace(state.box, x=state.box.x - x, y=state.box.y - y)
        return replace(state, size=(w, h), box=box, geometry="crop", cropped=state.cropped or (w, h) != state.size)
    if step.pad is not None:
        return _pad(state, step.pad)
    if step.scale is not None:
        values = None if state.values is None else state.values.scaled(step.scale.by, step.scale.offset)
        return replace(state, values=values, dtype=_real(state.dtype))
    if step.normalize is not None:
        values = None if state.values is None else state.values.then(step.normalize.mean, step.normalize.std)
        return replace(state, values=values, dtype=_real(state.dtype))
    if step.quantize is not None:
        q = step.quantize
        return replace(state, dtype=q.dtype, quantized=(q.scale, q.zero_point))
    if step.cast is not None:
        return replace(state, dtype=step.cast.dtype)
    if step.transpose is not None:
        return replace(state, layout=step.transpose.to)
    if step.image_process is not None:
        return image_process(state, step.image_process)
    if step.rga is not None:
        return _rga(state, step.rga)
    return state


def _real(dtype: str) -> str:
    return dtype if dtype.startswith(("float", "bfloat")) else "float32"


def _decode(state: State, a: Decode) -> State:
    size = (a.size[0], a.size[1]) if a.size else state.size
    color = a.color or state.color
    factors = (1.0, 1.0) if size else None
    return State(size=size, source_size=size, color=color, channels=CHANNELS.get(color or ""), factors=factors)


def _recolor(state: State, to: str) -> State:
    channels = CHANNELS.get(to)
    values = state.values
    if values is not None and len(values.a) == 3 and {state.color, to} == {"RGB", "BGR"}:
        values = values.reversed()
    return replace(state, color=to, channels=channels, values=values)


def crop_box(a: Crop, size: tuple[int, int] | None) -> list[int] | None:
    """[left, top, width, height] of a crop; None for one from the middle of a picture of unknown size."""
    if a.box is not None or a.center is None:
        return a.box
    if size is None:
        return None
    box = center_box(size, (a.center[0], a.center[1]))
    return [box.x, box.y, box.w, box.h]


def resized_size(a: Resize, size: tuple[int, int] | None) -> tuple[int, int] | None:
    """(width, height) after a resize; None where it follows from a size that is not known."""
    if a.size is not None:
        return (a.size[0], a.size[1])
    return None if size is None or 0 in size else side_size(size, shorter=a.shorter, longest=a.longest)


def _resize(state: State, a: Resize) -> State:
    size = resized_size(a, state.size)
    kind = "keep_ratio" if a.keep_ratio or a.size is None else "stretch"
    if size is None:
        return replace(state, size=None, box=None, geometry=kind, factors=None)
    if a.size is None:
        return replace(state, size=size, box=Box(0, 0, *size), geometry=kind, factors=_kept(state, *size))
    geometry = state.geometry if state.size == size and state.geometry else kind
    return replace(state, size=size, box=Box(0, 0, *size), geometry=geometry, factors=_scaled(state, *size))


def _kept(state: State, width: int, height: int) -> tuple[float, float] | None:
    """As `_scaled`, where the ratio is kept by the sides' own rounding: one factor for both."""
    found = _scaled(state, width, height)
    if found is None or state.factors is None:
        return None
    factor = max(found[0] / state.factors[0], found[1] / state.factors[1])
    return (state.factors[0] * factor, state.factors[1] * factor)


def _scaled(state: State, width: int, height: int) -> tuple[float, float] | None:
    if state.factors is None or state.size is None or 0 in (*state.size, width, height):
        return None
    return (state.factors[0] * width / state.size[0], state.factors[1] * height / state.size[1])


def _letterbox(state: State, a: Letterbox) -> State:
    size = (a.size[0], a.size[1])
    if not state.size or 0 in (*state.size, *size):
        return replace(
            state, size=size, box=None, geometry="letterbox", fill=_fill(a.fill), align=a.align, factors=None
        )
    box = letterbox_box(state.size, size, align=a.align or "center")
    factor = min(size[0] / state.size[0], size[1] / state.size[1])
    factors = (state.factors[0] * factor, state.factors[1] * factor) if state.factors else None
    return replace(
        state, size=size, box=box, geometry="letterbox", fill=_fill(a.fill), align=a.align or "center", factors=factors,
        bars=state.bars or (box.w, box.h) != size,
    )  # fmt: skip


def _pad(state: State, a: Pad) -> State:
    if state.size is None:
        return state
    size = (state.size[0] + a.left + a.right, state.size[1] + a.top + a.bottom)
    inner = state.box or Box(0, 0, *state.size)
    padded = size != state.size
    geometry = "letterbox" if padded else state.geometry
    align = None
    if padded:
        centered = abs(a.left - a.right) <= 1 and abs(a.top - a.bottom) <= 1
        align = "center" if centered else "top_left" if a.left == 0 and a.top == 0 else None
    return replace(
        state, size=size, box=replace(inner, x=inner.x + a.left, y=inner.y + a.top), geometry=geometry,
        fill=_fill(a.fill) if padded else state.fill, align=align or state.align, bars=state.bars or padded,
    )  # fmt: skip


def _fill(fill: int | list[int] | None) -> tuple[int, ...] | None:
    return None if fill is None else (fill,) if isinstance(fill, int) else tuple(fill)


def mnn_color(name: str | None) -> str | None:
    """MNN's format name as a colour of plans (`YUV_NV12` → `NV12`)."""
    return None if name is None else name.removeprefix("YUV_")


def _convert(real: str | None, said: str | None, to: str | None) -> str | None:
    """The colour order that comes out where `said` → `to` is done to data in the order `real`: a lie stays a lie."""
    if to in ("RGB", "BGR") and real in ("RGB", "BGR") and said in ("RGB", "BGR") and real != said:
        return "BGR" if to == "RGB" else "RGB"
    return to or real


def image_process(state: State, a: ImageProcessArguments) -> State:
    """MNN's ImageProcess: format change, matrix, (x − mean) · normal for float destinations."""
    color = _convert(state.color, mnn_color(a.source_format), mnn_color(a.dest_format))
    dest = a.dest
    dims = dims_of(dest.layout or "NCHW", dest.shape) if dest and dest.shape else None
    size = (dims.w, dims.h) if dims else state.size
    dtype = (dest.dtype if dest else None) or "float32"
    values = state.values
    if dtype.startswith("float") and values is not None and a.normal:
        values = values.then(a.mean or [0.0], [1.0 / n if n else 0.0 for n in a.normal])
    elif dtype.startswith("float") and values is not None and a.mean:
        values = values.then(a.mean, [1.0])
    source = (a.source_size[0], a.source_size[1]) if a.source_size else state.size
    return replace(
        state, size=size, color=color, channels=CHANNELS.get(color or ""), dtype=dtype, values=values,
        layout=(dest.layout if dest else None) or "NCHW", source_size=source or state.source_size, geometry="matrix",
    )  # fmt: skip


_RGA_COLOR = {
    "RGB_888": "RGB", "BGR_888": "BGR", "RGBA_8888": "RGBA", "BGRA_8888": "BGRA", "YCbCr_420_SP": "NV12",
    "YCrCb_420_SP": "NV21", "YCbCr_420_P": "I420", "YUYV_422": "YUYV", "YCbCr_400": "GRAY",
}  # fmt: skip


def rga_color(name: str | None) -> str | None:
    """RGA's format name (without RK_FORMAT_) as a colour of plans; None where plans have no name for it."""
    return _RGA_COLOR.get(name or "")


def _rga(state: State, a: RgaArguments) -> State:
    dst = a.dst
    if dst is None:
        return state
    size = (dst.width, dst.height) if dst.width and dst.height else state.size
    color = rga_color(dst.format) or state.color
    came = a.src.rect[2:] if a.src and a.src.rect else [*(state.size or ())]
    went = dst.rect[2:] if dst.rect else [*(size or ())]
    factors = None
    if state.factors and len(came) == len(went) == 2 and all(n > 0 for n in (*came, *went)):
        factors = (state.factors[0] * went[0] / came[0], state.factors[1] * went[1] / came[1])
    geometry = "stretch" if size != state.size else state.geometry
    return replace(
        state, size=size, color=color, channels=CHANNELS.get(color or ""), geometry=geometry, factors=factors,
        cropped=state.cropped or (a.src is not None and a.src.rect is not None and tuple(came) != state.size),
        bars=state.bars or (dst.rect is not None and tuple(went) != size),
    )  # fmt: skip
