"""Format pair, element type and channels of the destination: what convert() does to its memory.

Measured on MNN 3.6.1 (x86-64) with host tensors. Why: NCHW goes through a temporary NC4HW4 tensor that starts
uninitialised and is copied over the destination whole, NHWC and NC4HW4 are written in place; an unsupported pair leaves
the colour conversion out, so that a sampler (matrix given, enlargement, 4:2:0 source) puts raw source bytes there.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import BITS, nbytes
from prepcheck.pixels.image_process.config import (
    FLOAT_PAIRS,
    PIXEL_BYTES,
    UINT8_PAIRS,
    YUV_SOURCES,
    Destination,
    ImageProcessConfig,
)
from prepcheck.pixels.image_process.effect import Effect, Issue


def store_issues(config: ImageProcessConfig, dest: Destination, identity: bool) -> Iterator[Issue]:
    """Everything that follows from formats, dtype, layout and channels. identity: MNN takes its copying path."""
    yield from _batch(dest)
    if dest.dtype not in ("float32", "uint8"):
        yield _other_dtype(dest)
        return
    pair = (config.source_format, config.dest_format)
    if pair not in (FLOAT_PAIRS if dest.dtype == "float32" else UINT8_PAIRS):
        yield _pair(config, dest, identity)
        return
    yield from _uint8(config, dest, identity) if dest.dtype == "uint8" else _float(config, dest)


def _unwritten(dest: Destination) -> tuple[Effect, str]:
    if dest.layout == "NCHW":
        return Effect.GARBAGE, "the destination is overwritten with uninitialised memory"
    return Effect.NOTHING, "the destination keeps what it held"


def _batch(dest: Destination) -> Iterator[Issue]:
    n = dest.dims.n
    if n > 1:
        rest = "overwritten with uninitialised memory" if dest.layout == "NCHW" else "left untouched"
        effect = Effect.GARBAGE if dest.layout == "NCHW" else Effect.WRONG
        yield Issue("mnn:I11", effect, f"of a batch of {n} only image 0 is written, the other {n - 1} are {rest}")


def _other_dtype(dest: Destination) -> Issue:
    if dest.dtype in ("float16", "bfloat16"):
        got, want = 4 * dest.elements, 2 * dest.elements
        return Issue(
            "mnn:I12",
            Effect.OVERRUN,
            f"float32 values ({got} bytes) are written over a {dest.dtype} destination ({want} bytes)",
        )
    room = nbytes(dest.dtype, dest.elements) if dest.dtype in BITS else 0
    return Issue(
        "mnn:I12",
        Effect.WRONG,
        f"a {dest.dtype} destination ({room} bytes) gets nothing or single bytes; float32 and uint8 are converted",
    )


def _pair(config: ImageProcessConfig, dest: Destination, identity: bool) -> Issue:
    source, to = config.source_format, config.dest_format
    if (source, to) in UINT8_PAIRS:
        return Issue("mnn:I14", Effect.WRONG, f"{source} to {to} writes bytes over the float32 destination: uint8 only")
    raw = source in YUV_SOURCES or (not identity and PIXEL_BYTES[source] in (1, 3, 4) and source in _SAMPLED)
    if not raw:
        effect, what = _unwritten(dest)
        return Issue("mnn:I14", effect, f"MNN has no conversion from {source} to {to}: {what}, the code is 0")
    lanes = dest.dims.c if dest.layout == "NHWC" else 4
    room = lanes * (BITS[dest.dtype] // 8)
    need = 1.5 if source in YUV_SOURCES else float(PIXEL_BYTES[source])
    effect = Effect.OVERRUN if need > room else Effect.WRONG
    return Issue(
        "mnn:I14",
        effect,
        f"MNN has no conversion from {source} to {to}: the {source} bytes themselves ({need:g} a pixel) are written "
        f"into the {dest.dtype} memory ({room} bytes a pixel), the code is 0",
    )


_SAMPLED = frozenset({"RGBA", "BGRA", "RGB", "BGR", "GRAY"})


def _uint8(config: ImageProcessConfig, dest: Destination, identity: bool) -> Iterator[Issue]:
    c, pixel = dest.dims.c, PIXEL_BYTES[config.dest_format]
    if config.source_format == config.dest_format and identity:
        effect, what = _unwritten(dest)
        yield Issue(
            "mnn:I8",
            effect,
            f"uint8 {config.dest_format} to the same format without a matrix and without enlargement: {what}",
        )
    elif dest.layout != "NHWC" and pixel != 4:
        yield Issue(
            "mnn:I9",
            Effect.WRONG,
            f"{pixel}-byte pixels are written into the 4 bytes a pixel of uint8 {dest.layout}: the picture is scrambled",
        )
    elif dest.layout == "NHWC":
        yield from _nhwc_room(config.dest_format, c, pixel)
    else:
        yield from _planes(config.dest_format, c, pixel, dest)
    if config.mean != (0.0, 0.0, 0.0, 0.0) or config.normal != (1.0, 1.0, 1.0, 1.0):
        yield Issue(
            "mnn:I16", Effect.SUSPECT, "mean and normal have no effect on a uint8 destination: values stay 0..255"
        )


def _float(config: ImageProcessConfig, dest: Destination) -> Iterator[Issue]:
    c, pixel = dest.dims.c, PIXEL_BYTES[config.dest_format]
    if dest.layout != "NHWC":
        yield from _planes(config.dest_format, c, pixel, dest)
    elif c == 4 and pixel < 4:
        yield Issue(
            "mnn:I10", Effect.NOTE, f"channels {pixel}..3 of the destination are 0, {config.dest_format} has {pixel}"
        )
    else:
        yield from _nhwc_room(config.dest_format, c, pixel)


def _nhwc_room(to: str, c: int, pixel: int) -> Iterator[Issue]:
    if c < pixel:
        yield Issue(
            "mnn:I10",
            Effect.OVERRUN,
            f"{to} writes {pixel} channels a pixel into an NHWC destination of {c}: every row runs into the next, the "
            "last one behind the tensor",
        )
    elif c > pixel:
        yield Issue(
            "mnn:I10",
            Effect.WRONG,
            f"{to} writes {pixel} channels a pixel, packed, into rows of {c}: the picture is misplaced",
        )


def _planes(to: str, c: int, pixel: int, dest: Destination) -> Iterator[Issue]:
    if c > 4:
        effect, what = (Effect.GARBAGE, "uninitialised") if dest.layout == "NCHW" else (Effect.WRONG, "not written")
        yield Issue("mnn:I12", effect, f"channels 4..{c - 1} of the destination are {what}: at most 4 are converted")
    elif c < pixel:
        effect = Effect.NOTE if (pixel, c) == (4, 3) else Effect.SUSPECT
        yield Issue("mnn:I10", effect, f"only the first {c} of the {pixel} channels of {to} fit the destination")
    elif c > pixel:
        yield Issue("mnn:I10", Effect.SUSPECT, f"channels {pixel}..{c - 1} of the destination are 0: {to} has {pixel}")
