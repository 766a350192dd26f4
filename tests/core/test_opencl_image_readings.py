"""Readings of an image's size, worked out by hand, and the limits of the OpenCL images' rules.

The equations are those of MNN's OpenCL backend (OpenCLRunningUtils, execution/image/*): a tensor is ceil(C/4)·W by N·H, a
filter ic by kx·ky·ceil(oc/4), a depthwise filter kx·ky by ceil(oc/4), Winograd F(2) takes (k + 1)² for k². How usual
kernels and channel numbers are is the module's own choice; the numbers stand here so that a change of it is seen.
"""

from __future__ import annotations

import pytest

from prepcheck.core.opencl_image import (
    GpuImage,
    ImageReading,
    depthwise_image,
    explain_image,
    filter_image,
    tensor_image,
    winograd_applies,
    winograd_image,
)

KERNELS = {
    1.0: [(1, 1), (3, 3)],
    0.9: [(16, 16)],
    0.8: [(5, 5), (7, 7), (14, 14)],
    0.7: [(4, 4)],
    0.6: [(32, 32), (8, 8), (2, 2)],
    0.4: [(9, 9), (11, 11)],
    0.3: [(6, 6), *((1, k) for k in (3, 5, 7, 9, 11, 15, 21)), *((k, 1) for k in (3, 5, 7, 9, 11, 15, 21))],
    0.2: [(13, 13), (12, 12), (10, 10), (15, 15), (31, 31)],
    0.1: [(20, 20), (24, 24), (28, 28)],
}
CHANNELS = {
    8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 512, 576, 640, 768, 960,
    1024, 1152, 1280, 1408, 1536, 1664, 1792, 2048, 2304, 2560, 3072, 4096,
}  # fmt: skip


def filters(width: int, height: int) -> dict[tuple[int, int] | None, float]:
    """Plausibility of every reading as a plain filter, by kernel."""
    return {r.kernel: r.plausibility for r in explain_image(width, height) if r.what == "filter"}


def test_how_usual_each_kernel_is() -> None:
    """A filter of 3 input channels and one group of outputs, both usual: the kernel alone decides. All 35 in one height."""
    height = 3**4 * 5 * 7 * 11 * 13 * 31 * 1024 * 49 * 25 * 121 * 13 * 31  # a multiple of every kernel's taps
    assert {r.kernel for r in explain_image(3, height) if r.what == "filter"} == {
        k for ks in KERNELS.values() for k in ks
    }
    for usual, kernels in KERNELS.items():
        for kernel in kernels:
            assert filters(3, kernel[0] * kernel[1])[kernel] == usual, kernel


def test_how_usual_each_channel_number_is() -> None:
    """A 1x1 filter of one group of outputs: the input channels alone decide. Multiples of 4 mean width - 3 .. width."""
    for width in range(1, 4200):
        if width in CHANNELS or width in (1, 3, 4):
            wanted = 1.0 if width <= 2048 else 0.6
        elif width <= 4096:
            wanted = 0.5 if width % 32 == 0 else 0.3
        else:
            wanted = 0.1
        assert filters(width, 1) == {(1, 1): wanted}, width
    assert [filters(width, 1)[1, 1] for width in (16384, 16385, 16388)] == [0.1, 0.02, 0.02]


def test_a_large_kernel_behind_many_channels_is_ten_times_less_usual() -> None:
    assert filters(4, 64)[8, 8] == 0.6  # 1..4 channels: an image
    assert filters(8, 64)[8, 8] == 0.06
    assert filters(5, 64)[8, 8] == 0.018  # 0.6 · 0.3 for 5 channels · 0.1
    assert filters(8, 49)[7, 7] == 0.8
    assert (filters(8, 9)[9, 1], filters(8, 9)[1, 9]) == (0.03, 0.3)  # the width counts
    # 10x10, 5 channels, 16385..16388 outputs: 0.2 · 0.3 · 0.02 · 0.1 = 0.00012, four digits are kept
    assert filters(5, 409700)[10, 10] == 0.0001


def tensor(width: int, height: int, shape: tuple[int, int, int, int], plausibility: float, words: str) -> ImageReading:
    return ImageReading(
        "tensor", width, height, None, None, (shape[1] - 3, shape[1]), shape, plausibility, words
    )  # fmt: skip


def test_every_reading_of_20_x_8() -> None:
    assert explain_image(20, 8) == (
        tensor(20, 8, (8, 80, 1, 1), 0.5, "width ceil(80/4)·1 = 20, height 8·1 = 8"),
        ImageReading(
            "filter", 20, 8, (1, 1), (17, 20), (29, 32), None, 0.3,
            "width 20 = input channels rounded up to a multiple of 4, height 1·1·ceil(32/4) = 8",
        ),
        tensor(20, 8, (1, 4, 8, 20), 0.3, "width ceil(4/4)·20 = 20, height 1·8 = 8"),
        ImageReading(
            "filter", 20, 8, (2, 2), (17, 20), (5, 8), None, 0.18,
            "width 20 = input channels rounded up to a multiple of 4, height 2·2·ceil(8/4) = 8",
        ),
    )  # fmt: skip


def test_every_reading_of_25_x_7() -> None:
    """25 = 5·5: a depthwise filter of 25..28 channels. No multiple of 4: the channels of a filter are exactly 25."""
    plain = "width 25 = input channels, height "
    assert explain_image(25, 7) == (
        tensor(25, 7, (7, 100, 1, 1), 0.5, "width ceil(100/4)·1 = 25, height 7·1 = 7"),
        tensor(25, 7, (1, 4, 7, 25), 0.3, "width ceil(4/4)·25 = 25, height 1·7 = 7"),
        ImageReading(
            "depthwise_filter", 25, 7, (5, 5), (25, 28), (25, 28), None, 0.192,
            "width 5·5 = 25, height ceil(28/4) = 7",
        ),
        ImageReading("filter", 25, 7, (1, 1), (25, 25), (25, 28), None, 0.09, plain + "1·1·ceil(28/4) = 7"),
        ImageReading("filter", 25, 7, (1, 7), (25, 25), (1, 4), None, 0.09, plain + "1·7·ceil(4/4) = 7"),
        ImageReading("filter", 25, 7, (7, 1), (25, 25), (1, 4), None, 0.09, plain + "7·1·ceil(4/4) = 7"),
    )  # fmt: skip


def test_winograd_readings_of_64_x_144() -> None:
    """144 = 4·4·9 = 6·6·4: a 3x3 filter to 33..36 channels, or a 5x5 filter to 13..16."""
    words = "width 64 = input channels rounded up to a multiple of 4, height "
    assert [r for r in explain_image(64, 144) if r.what == "winograd_filter"] == [
        ImageReading("winograd_filter", 64, 144, (5, 5), (61, 64), (13, 16), None, 0.7, words + "6·6·ceil(16/4) = 144"),
        ImageReading(
            "winograd_filter", 64, 144, (3, 3), (61, 64), (33, 36), None, 0.21, words + "4·4·ceil(36/4) = 144"
        ),
    ]
    assert {r.kernel for r in explain_image(64, 48) if r.what == "winograd_filter"} == {(3, 3)}
    assert {r.kernel for r in explain_image(64, 180) if r.what == "winograd_filter"} == {(5, 5)}
    assert not [r for r in explain_image(66, 144) if r.what == "winograd_filter"]


def test_depthwise_readings() -> None:
    def found(width: int, height: int) -> dict[tuple[int, int] | None, float]:
        return {r.kernel: r.plausibility for r in explain_image(width, height) if r.what == "depthwise_filter"}

    assert found(1, 8) == {}  # 1x1: nothing depthwise about it
    assert found(9, 8) == {(3, 3): 0.8, (1, 9): 0.24, (9, 1): 0.24}
    assert found(8, 8) == {}


def tensors(width: int, height: int) -> list[tuple[tuple[int, int, int, int] | None, float]]:
    """Shape and plausibility of every reading as a tensor, the flat one (two axes) last."""
    every = [r for r in explain_image(width, height) if r.what == "tensor"]
    return sorted(((r.shape, r.plausibility) for r in every), key=lambda s: (s[0] or ())[0:1] + (s[0] or ())[2:])


@pytest.mark.parametrize(
    ("width", "height", "wanted"),
    [
        # rows as long as columns where the width is a multiple of the height; else the longest row up to 4 heights
        (32, 8, [((1, 16, 8, 8), 0.8), ((1, 4, 8, 32), 0.3), ((8, 128, 1, 1), 0.5)]),
        (33, 8, [((1, 12, 8, 11), 0.3), ((8, 132, 1, 1), 0.5)]),
        (74, 8, [((1, 148, 8, 2), 0.3), ((8, 296, 1, 1), 0.5)]),  # 2 is a quarter of the height: the shortest row
        (37, 8, [((8, 148, 1, 1), 0.5)]),  # rows of 1 or 37 are no picture
        (5, 1, [((1, 20, 1, 1), 0.8), ((1, 20, 1, 1), 0.5)]),
        (8, 8, [((1, 4, 8, 8), 0.8), ((1, 8, 8, 4), 0.3), ((8, 32, 1, 1), 0.5)]),
        # more than 2048 channels are less usual
        (512, 1, [((1, 2048, 1, 1), 0.8), ((1, 2048, 1, 1), 0.5), ((1, 512, 1, 4), 0.3)]),
        (1026, 2, [((1, 2052, 2, 2), 0.48), ((1, 684, 2, 6), 0.3), ((2, 4104, 1, 1), 0.3)]),
        # a flat one with more than 1024 rows is hardly any
        (7, 1024, [((1024, 28, 1, 1), 0.5)]),
        (7, 1025, [((1025, 28, 1, 1), 0.05)]),
        # nor is a picture of more than 8192 rows; rows are tried up to 4096 beyond the shortest
        (8192, 8192, [((1, 4, 8192, 8192), 0.8), ((1, 8, 8192, 4096), 0.3), ((8192, 32768, 1, 1), 0.05)]),
        (8193, 8193, [((1, 4, 8193, 8193), 0.04), ((1, 12, 8193, 2731), 0.015), ((8193, 32772, 1, 1), 0.05)]),
        (28192, 40000, [((1, 8, 40000, 14096), 0.015), ((40000, 112768, 1, 1), 0.05)]),
        (28194, 40000, [((40000, 112776, 1, 1), 0.05)]),
        (1178, 9, [((1, 152, 9, 31), 0.3), ((9, 4712, 1, 1), 0.3)]),
        # 521 groups of four channels in rows of 2: more than 2048 channels are less usual
        (1042, 8, [((1, 2084, 8, 2), 0.18), ((8, 4168, 1, 1), 0.3)]),
    ],
)
def test_tensor_readings(width: int, height: int, wanted: list[tuple[tuple[int, int, int, int], float]]) -> None:
    assert sorted(tensors(width, height)) == sorted(wanted)


def test_the_least_plausibility_is_kept_itself() -> None:
    assert [r.plausibility for r in explain_image(20, 8, least=0.3)] == [0.5, 0.3, 0.3]
    assert explain_image(1, 0) == explain_image(0, 1) == ()
    assert explain_image(1, 1) != ()


def test_an_image_is_beyond_a_limit_on_either_axis() -> None:
    image = GpuImage("tensor", "x", 100, 50)
    assert not image.exceeds((100, 50))
    assert image.exceeds((99, 50))
    assert image.exceeds((100, 49))
    assert (image.index, image.rule, image.sure, image.shape, image.kernel, image.ic, image.oc) == (
        None, None, True, (), None, 0, 0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shape", "layout", "size"),
    [
        ((5, 9), "NCHW", (3, 5)),  # two axes: N and C
        ((9, 0), "NCHW", (1, 9)),
        ((2, 9, 7), "NCHW", (3, 14)),
        ((2, 9, 7), "NHWC", (7, 18)),  # N, H, W and one channel
        ((2, 5, 6, 7, 3, 2), "NCHW", (2 * 7 * 3 * 2, 2 * 6)),
        ((2, 5, 6, 7, 3, 2), "NHWC", (11 * 6, 2 * 5)),  # ceil(42/4) = 11
        ((2, 0, 0, 3), "NHWC", (1, 2)),
    ],
)
def test_more_tensors(shape: tuple[int, ...], layout: str, size: tuple[int, int]) -> None:
    assert tensor_image(shape, layout) == size


def test_a_tensor_is_nchw_where_nothing_else_is_said() -> None:
    assert tensor_image((1, 8, 10, 3)) == (6, 10)


def test_filters_of_kernels_that_are_no_squares() -> None:
    assert filter_image(5, 9, (3, 7), rounded=True) == (8, 63)
    assert depthwise_image(9, (3, 7)) == (21, 3)
    assert winograd_image(5, 9, 3) == (8, 48)


@pytest.mark.parametrize(
    ("ic", "oc", "kernel", "output", "least"),
    [
        # least: the largest of (4·ceil(ic/4)·ceil(w/2), (k+1)²·ceil(h/2)) and (4·(k+1)²·ceil(w/2), ceil(ic/4)·ceil(h/2))
        (128, 64, (3, 3), (10, 6), (640, 96)),
        (125, 64, (3, 3), (9, 5), (640, 96)),
        (32, 256, (3, 3), (10, 6), (320, 48)),
        (33, 256, (3, 3), (9, 5), (320, 48)),
        (64, 32, (3, 3), (10, 6), (320, 48)),
        (64, 64, (5, 5), (10, 6), (720, 108)),
        (256, 256, (5, 5), (7, 30), (1024, 960)),
    ],
)
def test_winograd_needs_both_its_images_to_fit(
    ic: int, oc: int, kernel: tuple[int, int], output: tuple[int, int], least: tuple[int, int]
) -> None:
    assert winograd_applies(ic, oc, kernel, output, least)
    assert not winograd_applies(ic, oc, kernel, output, (least[0] - 1, least[1]))
    assert not winograd_applies(ic, oc, kernel, output, (least[0], least[1] - 1))


@pytest.mark.parametrize(
    ("ic", "oc", "kernel", "output", "applies"),
    [
        (32, 32, (3, 3), (100, 100), True),
        (31, 32, (3, 3), (100, 100), False),
        (32, 31, (3, 3), (100, 100), False),
        # below 32 channels: oc·w·h // (ic·k) of at most 5 (179 // 30 = 5, 180 // 30 = 6)
        (10, 1, (3, 3), (179, 1), True),
        (10, 1, (3, 3), (180, 1), False),
        (10, 2, (3, 3), (10, 9), False),
        (10, 2, (3, 3), (9, 9), True),
        (10, 1, (5, 5), (299, 1), True),
        (10, 1, (5, 5), (300, 1), False),
        (1, 1, (3, 3), (1, 1), True),
        (1, 0, (3, 3), (1, 1), False),
        (64, 64, (3, 5), (10, 10), False),
        (64, 64, (7, 7), (10, 10), False),
    ],
)
def test_winograd_needs_channels_or_few_pixels(
    ic: int, oc: int, kernel: tuple[int, int], output: tuple[int, int], applies: bool
) -> None:
    assert winograd_applies(ic, oc, kernel, output, (1 << 20, 1 << 20)) is applies
