"""Sizes of the OpenCL images that MNN makes of tensors and filters, and the way back from a size in a log.

An image pixel holds four channels. Sources: MNN source/backend/opencl, OpenCLRunningUtils (getImageShape,
tensorShapeFormat), execution/image/{ConvExecution,DepthwiseConvExecution,DeconvExecution,ConvWinograd}.cpp; measured:
the net of Z-Xiong/OSTrack-mnn#1 (patch embedding 3 -> 768, 16x16) on a software OpenCL device: "Alloc Image 4 x 49152"
with the newer rule, where the issue's older build prints "Alloc Image 3 x 49152". Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prepcheck.core.layouts import round_up

Size = tuple[int, int]
"""Width and height of an image in pixels."""


@dataclass(frozen=True, slots=True)
class GpuImage:
    """One image that MNN makes of a model. what: input, tensor or filter. name: of the input, tensor or operator.

    index: of the operator, None for an input. rule: which MNN makes it, `old` or `new` (see filter_image), None = all.
    sure: False where MNN may take another way. shape: of a tensor; kernel, ic, oc: of a filter.
    """

    what: str
    name: str
    width: int
    height: int
    index: int | None = None
    rule: str | None = None
    sure: bool = True
    shape: tuple[int, ...] = ()
    kernel: Size | None = None
    ic: int = 0
    oc: int = 0

    def exceeds(self, limit: Size) -> bool:
        """Whether the device cannot hold it."""
        return self.width > limit[0] or self.height > limit[1]


def blocks(channels: int) -> int:
    """Groups of four channels, the last one padded."""
    return -(-channels // 4)


def tensor_image(shape: Sequence[int], layout: str = "NCHW") -> Size:
    """Image of a tensor: width ceil(C/4)·W, height N·H.

    One axis is C, two are N and C. Axes beyond four are folded into W, with NHWC into C; an axis of 0 counts as 1.
    NC4HW4 is given with its logical NCHW shape. Source: tensorShapeFormat, OpenCLBackend::onAcquire.
    """
    axes = [d or 1 for d in shape]
    if len(axes) < 3:
        n, c = (axes[0], axes[1]) if len(axes) == 2 else (1, axes[0] if axes else 1)
        return blocks(c), n
    axes += [1] * (4 - len(axes))
    folded = 1
    for d in axes[4:]:
        folded *= d
    if layout == "NHWC":
        n, h, w, c = axes[0], axes[1], axes[2], axes[3] * folded
    else:
        n, c, h, w = axes[0], axes[1], axes[2], axes[3] * folded
    return blocks(c) * w, n * h


def filter_image(ic: int, oc: int, kernel: Size, *, rounded: bool) -> Size:
    """Image of a convolution's filter: width ic (newer MNN: rounded up to a multiple of 4), height kx·ky·ceil(oc/4).

    kernel: width, height. For a transposed convolution the older rule holds in both. It is checked against no limit
    before it is allocated, unlike a tensor's image (OpenCLBackend::onCreate).
    """
    return (round_up(ic, 4) if rounded else ic), kernel[0] * kernel[1] * blocks(oc)


def depthwise_image(oc: int, kernel: Size) -> Size:
    """Image of a depthwise filter: width kx·ky, height ceil(oc/4)."""
    return kernel[0] * kernel[1], blocks(oc)


def winograd_image(ic: int, oc: int, kernel: int) -> Size:
    """Image of a filter of a kernel·kernel convolution done by Winograd F(2): alpha = kernel + 1 takes the kernel's place.

    Only 3x3 and 5x5 with stride and dilation 1. Source: ConvWinograd.cpp (UNIT 2).
    """
    return round_up(ic, 4), (kernel + 1) ** 2 * blocks(oc)


def winograd_applies(ic: int, oc: int, kernel: Size, output: Size, limit: Size) -> bool:
    """Whether MNN takes Winograd for a convolution of stride and dilation 1 in image memory.

    output: width and height of the result; limit: largest image, width and height. Source: ConvWinograd::valid (MNN of
    2024 and later; before that 8 channels on either side were enough).
    """
    if kernel not in ((3, 3), (5, 5)) or min(ic, oc) < 1:
        return False
    alpha, wide, high = kernel[0] + 1, -(-output[0] // 2), -(-output[1] // 2)
    source = (round_up(ic, 4) * wide, alpha * alpha * high)
    dest = (alpha * alpha * wide * 4, blocks(ic) * high)
    if max(source[0], dest[0]) > limit[0] or max(source[1], dest[1]) > limit[1]:
        return False
    return (ic >= 32 and oc >= 32) or oc * output[0] * output[1] // (ic * kernel[0]) <= 5


@dataclass(frozen=True, slots=True)
class ImageReading:
    """One way in which an image of this size comes about.

    what: filter, depthwise_filter, winograd_filter or tensor. kernel: width, height. in_channels, out_channels: the
    smallest and largest number that give the size. shape: (N, C, H, W) of a tensor, C being the largest that fits.
    plausibility: 0..1, by how usual the kernel and the channel numbers are (inferred; for ordering only).
    arithmetic: the two equations, in words.
    """

    what: str
    width: int
    height: int
    kernel: Size | None
    in_channels: Size | None
    out_channels: Size | None
    shape: tuple[int, int, int, int] | None
    plausibility: float
    arithmetic: str


_KERNELS: Final[dict[Size, float]] = {
    (1, 1): 1.0,
    (3, 3): 1.0,
    (5, 5): 0.8,
    (7, 7): 0.8,
    (16, 16): 0.9,
    (14, 14): 0.8,
    (32, 32): 0.6,
    (8, 8): 0.6,
    (4, 4): 0.7,
    (2, 2): 0.6,
    (9, 9): 0.4,
    (11, 11): 0.4,
    (13, 13): 0.2,
    (6, 6): 0.3,
    (12, 12): 0.2,
    (10, 10): 0.2,
    (15, 15): 0.2,
    (20, 20): 0.1,
    (24, 24): 0.1,
    (28, 28): 0.1,
    (31, 31): 0.2,
} | {size: 0.3 for k in (3, 5, 7, 9, 11, 15, 21) for size in ((1, k), (k, 1))}
"""How usual a kernel is (inferred: stems and patch embeddings of published networks)."""

_CHANNELS: Final = frozenset(
    {1, 3, 4, 8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 512, 576, 640, 768, 960}
    | {1024, 1152, 1280, 1408, 1536, 1664, 1792, 2048, 2304, 2560, 3072, 4096}
)


def _usual(low: int, high: int) -> float:
    """How usual a channel number between low and high is."""
    if any(low <= c <= high for c in _CHANNELS):
        return 1.0 if high <= 2048 else 0.6
    if high <= 4096:
        return 0.5 if high % 32 == 0 else 0.3
    return 0.1 if high <= 16384 else 0.02


def explain_image(width: int, height: int, *, least: float = 0.0) -> tuple[ImageReading, ...]:
    """Every reading of an image of width x height pixels with a known kernel, the most plausible first.

    `least` leaves out readings below that plausibility. 3 x 49152 gives a 16x16 filter from 3 to 768 channels first.
    """
    if width < 1 or height < 1:
        return ()
    found = [*_filters(width, height), *_depthwise(width, height), *_winograd(width, height), *_tensors(width, height)]
    usual = [reading for reading in found if reading.plausibility >= least]
    return tuple(sorted(usual, key=lambda r: (-r.plausibility, r.what, r.kernel or ())))


def _filters(width: int, height: int) -> Iterator[ImageReading]:
    ic = (width - 3, width) if width % 4 == 0 else (width, width)
    for kernel, usual in _KERNELS.items():
        taps = kernel[0] * kernel[1]
        if height % taps:
            continue
        groups = height // taps
        oc = (4 * groups - 3, 4 * groups)
        plausibility = usual * _usual(*oc) * _usual(*ic)
        if kernel[0] >= 8 and ic[0] > 4:  # kernels this large stand at the image, where there are up to 4 channels
            plausibility *= 0.1
        yield ImageReading(
            "filter",
            width,
            height,
            kernel,
            ic,
            oc,
            None,
            round(plausibility, 4),
            f"width {width} = input channels{' rounded up to a multiple of 4' if ic[0] != ic[1] else ''}, "
            f"height {kernel[0]}·{kernel[1]}·ceil({oc[1]}/4) = {height}",
        )


def _depthwise(width: int, height: int) -> Iterator[ImageReading]:
    oc = (4 * height - 3, 4 * height)
    for kernel, usual in _KERNELS.items():
        if kernel[0] * kernel[1] == width and width > 1:
            yield ImageReading(
                "depthwise_filter",
                width,
                height,
                kernel,
                oc,
                oc,
                None,
                round(0.8 * usual * _usual(*oc), 4),
                f"width {kernel[0]}·{kernel[1]} = {width}, height ceil({oc[1]}/4) = {height}",
            )


def _winograd(width: int, height: int) -> Iterator[ImageReading]:
    for k in (3, 5):
        taps = (k + 1) ** 2
        if width % 4 or height % taps:
            continue
        ic, oc = (width - 3, width), (4 * (height // taps) - 3, 4 * (height // taps))
        yield ImageReading(
            "winograd_filter",
            width,
            height,
            (k, k),
            ic,
            oc,
            None,
            round(0.7 * _usual(*oc) * _usual(*ic), 4),
            f"width {width} = input channels rounded up to a multiple of 4, "
            f"height {k + 1}·{k + 1}·ceil({oc[1]}/4) = {height}",
        )


def _tensors(width: int, height: int) -> Iterator[ImageReading]:
    """A tensor of batch 1 whose rows are as long as its columns, and the flat reading with two axes."""
    if width % height == 0:
        yield _tensor(1, 4 * (width // height), height, height, 0.8 * _usual(1, 4 * (width // height)))
    low, high = max(1, height // 4), min(width, 4 * height)
    for w in range(min(high, low + 4096), low - 1, -1):
        if width % w == 0 and w != height:
            yield _tensor(1, 4 * (width // w), height, w, 0.3 * _usual(1, 4 * (width // w)))
            break
    yield _tensor(height, 4 * width, 1, 1, 0.5 * _usual(1, 4 * width) if height <= 1024 else 0.05)


def _tensor(n: int, c: int, h: int, w: int, plausibility: float) -> ImageReading:
    return ImageReading(
        "tensor",
        blocks(c) * w,
        n * h,
        None,
        None,
        (c - 3, c),
        (n, c, h, w),
        round(plausibility * (1.0 if h <= 8192 else 0.05), 4),
        f"width ceil({c}/4)·{w} = {blocks(c) * w}, height {n}·{h} = {n * h}",
    )
