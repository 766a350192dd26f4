"""Matrix, filter, wrap, stride: where the pixels come from and what is seldom meant.

Measured on MNN 3.6.1 (x86-64), see matrix.py for the half-pixel shift.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process.config import (
    PIXEL_BYTES,
    YUV_SOURCES,
    Destination,
    ImageProcessConfig,
    Matrix,
    source_nbytes,
)
from prepcheck.pixels.image_process.effect import Effect, Issue
from prepcheck.pixels.image_process.matrix import Axis, Kind, axes, half_pixel_matrix

Size = tuple[int, int]

MAX_POSITION = float(1 << 24)
"""From here on float32 does not hold every integer."""


def sampling_issues(
    config: ImageProcessConfig, kind: Kind, source: Size, dest: Size, identity: bool
) -> Iterator[Issue]:
    """Everything that follows from matrix, filter and wrap. kind: what the matrix does."""
    if kind == "not_axis_aligned":
        yield Issue(
            "mnn:I2", Effect.REFUSED, "rotation, skew and perspective are not modelled: scale and translate only"
        )
        return
    yield from _matrix(kind, config.matrix, source, dest)
    yield from _filter(config, identity)
    if config.matrix is not None:
        both = axes(config.matrix, source, dest)
        far = max(abs(p) for a in both for p in (a.first, a.last))
        if not far < MAX_POSITION:
            yield Issue(
                "mnn:I2",
                Effect.REFUSED,
                f"the matrix reaches source position {far:.6g}, where float32 has no pixels left",
            )
            return
        if config.wrap == "ZERO" and any(a.scale == 0 for a in both):
            yield Issue(
                "mnn:I22", Effect.REFUSED, "wrap ZERO needs the inverse of the matrix, and a scale of 0 has none"
            )
        yield from _edges(config, both)
    if config.wrap == "REPEAT":
        yield Issue("mnn:I22", Effect.SUSPECT, "REPEAT does the same as CLAMP_TO_EDGE")


def _matrix(kind: Kind, matrix: Matrix | None, source: Size, dest: Size) -> Iterator[Issue]:
    if source == dest:
        return
    sizes = f"{source[0]}x{source[1]} to {dest[0]}x{dest[1]}"
    if kind in ("none", "identity"):
        does = (
            "the top left corner is cut out" if source[0] >= dest[0] and source[1] >= dest[1] else "nothing is scaled"
        )
        yield Issue("mnn:I3", Effect.SUSPECT, f"{sizes} without a scaling matrix: {does}")
        return
    want = half_pixel_matrix(source, dest)
    exact = f"setScale({want[0]:.9g}, {want[4]:.9g}) then postTranslate({want[2]:.9g}, {want[5]:.9g})"
    if kind == "inverse" and matrix is not None:
        yield Issue(
            "mnn:I2",
            Effect.SUSPECT,
            f"the matrix maps destination to source, so {sizes} takes the scale {want[0]:.6g}, {want[4]:.6g}; "
            f"{matrix[0]:.6g}, {matrix[4]:.6g} is the inverse",
        )
    elif kind in ("top_left", "corners"):
        name = "source/destination" if kind == "top_left" else "(source-1)/(destination-1)"
        yield Issue(
            "mnn:I4",
            Effect.SUSPECT,
            f"the scale {name} without the half-pixel shift differs from OpenCV's resize; equal to it: {exact}",
        )


def _filter(config: ImageProcessConfig, identity: bool) -> Iterator[Issue]:
    source, to = config.source_format, config.dest_format
    if config.filter == "bicubic":
        yield Issue("mnn:I7", Effect.REFUSED, "BICUBIC is NEAREST in MNN 3.6.1 and a real filter in newer sources")
    if source == "YUV_I420" and not identity:
        yield Issue("mnn:I20", Effect.WRONG, "I420 is right only without a matrix and without enlargement")
    if source in YUV_SOURCES:
        if config.filter == "bilinear" and not identity:
            yield Issue("mnn:I21", Effect.NOTE, f"{source} is always sampled NEAREST, whatever the filter")
        if to != "GRAY":
            yield Issue(
                "mnn:I19",
                Effect.NOTE,
                "full-range coefficients 1.14, 0.39, 0.58, 2.03; OpenCV's video-range conversion differs by up to 34",
            )
    elif to == "GRAY" and source != "GRAY":
        yield Issue("mnn:I18", Effect.NOTE, "GRAY is (19R + 38G + 7B) >> 6, up to 3 below OpenCV's")
    if config.filter == "bilinear" and not identity and PIXEL_BYTES.get(source) == 4:
        yield Issue("mnn:I6", Effect.NOTE, "4-channel bilinear truncates on x86: about 0.4 darker than rounding")


def _edges(config: ImageProcessConfig, both: tuple[Axis, Axis]) -> Iterator[Issue]:
    low = max(max(a.overshoot) for a in both)
    if config.wrap != "ZERO":
        if low >= 1:
            yield Issue(
                "mnn:I22",
                Effect.SUSPECT,
                f"the matrix leaves the source by {low:.6g} pixels: its edge is smeared outwards",
            )
        return
    lost = [
        (count, edge, over)
        for axis, names in zip(both, (("left", "right"), ("top", "bottom")), strict=True)
        for count, edge, over in zip(axis.padded(rows=names[0] == "top"), names, _ends(axis), strict=True)
        if count and over < 1
    ]
    if lost:
        text = ", ".join(f"{edge} {count} ({over:.4g} of a source pixel outside)" for count, edge, over in lost)
        yield Issue(
            "mnn:I22",
            Effect.SUSPECT,
            f"wrap ZERO makes a border of the picture {config.padding}: {text}; CLAMP_TO_EDGE keeps it",
        )


def _ends(axis: Axis) -> tuple[float, float]:
    """The overshoot at the start and at the end of the destination."""
    return axis.overshoot if axis.scale >= 0 else axis.overshoot[::-1]


def source_issues(
    config: ImageProcessConfig, size: Size, dest: Destination, stride: int, source_bytes: int | None, identity: bool
) -> Iterator[Issue]:
    """Stride and length of the source. stride: bytes a row, 0 = packed; source_bytes: what the caller holds."""
    yuv = config.source_format in YUV_SOURCES
    row = 2 * ((size[0] + 1) // 2) if yuv else size[0] * PIXEL_BYTES[config.source_format]
    if stride < 0:
        yield Issue("mnn:I23", Effect.OVERRUN, f"a stride of {stride} reads in front of the source")
        return
    if config.source_format == "YUV_I420":  # refused wherever MNN samples; its copying path knows packed planes only
        if identity and stride not in (0, size[0]):
            yield Issue("mnn:I23", Effect.WRONG, f"I420 is read packed: a stride of {stride} bytes is not looked at")
        stride = 0
    elif 0 < stride < row:
        yield Issue("mnn:I23", Effect.WRONG, f"rows of {row} bytes overlap at a stride of {stride}")
    if source_bytes is None:
        return
    need = source_nbytes(config.source_format, size, stride)
    if source_bytes < need:
        yield Issue(
            "mnn:I23",
            Effect.OVERRUN,
            f"{config.source_format} of {size[0]}x{size[1]} at {stride or row} bytes a row takes {need} bytes, "
            f"{source_bytes} given: MNN reads behind them",
        )
    logical = dest.dims.elements
    if source_bytes < logical:
        yield Issue(
            "mnn:I24",
            Effect.NOTE,
            f"MNN's Python interface refuses a source of {source_bytes} bytes for a destination of {logical} elements",
        )
