"""Image sizes of tensors and filters, and what a size in a log can be."""

from __future__ import annotations

import pytest

from prepcheck.core.opencl_image import (
    depthwise_image,
    explain_image,
    filter_image,
    tensor_image,
    winograd_applies,
    winograd_image,
)


@pytest.mark.parametrize(
    "shape,layout,size",
    [
        ((1, 3, 8, 10), "NCHW", (10, 8)),
        ((1, 5, 8, 10), "NC4HW4", (20, 8)),
        ((2, 12, 6, 5), "NC4HW4", (15, 12)),
        ((1, 8, 10, 3), "NHWC", (10, 8)),
        ((1, 768, 16, 16), "NC4HW4", (3072, 16)),  # the activation behind a 16x16 patch embedding of 256x256
        ((1, 1001), "NCHW", (251, 1)),
        ((7,), "NCHW", (2, 1)),
        ((), "NCHW", (1, 1)),
        ((1, 768, 256), "NCHW", (192, 256)),
        ((1, 4, 2, 3, 5), "NCHW", (15, 2)),  # further axes go into W
        ((1, 4, 2, 3, 5), "NHWC", (8, 4)),  # and into C
        ((0, 3, 8, 8), "NCHW", (8, 8)),
    ],
)
def test_tensors(shape: tuple[int, ...], layout: str, size: tuple[int, int]) -> None:
    assert tensor_image(shape, layout) == size


def test_the_filter_of_the_thread() -> None:
    """Z-Xiong/OSTrack-mnn#1 prints "Alloc Image 3 x 49152"; a newer MNN prints "Alloc Image 4 x 49152"."""
    assert filter_image(3, 768, (16, 16), rounded=False) == (3, 49152)
    assert filter_image(3, 768, (16, 16), rounded=True) == (4, 49152)
    assert 49152 == 16 * 16 * 192


def test_other_filters() -> None:
    assert filter_image(5, 4, (3, 3), rounded=True) == (8, 9)
    assert filter_image(64, 30, (5, 3), rounded=False) == (64, 120)
    assert depthwise_image(960, (5, 5)) == (25, 240)
    assert winograd_image(6, 40, 3) == (8, 160)
    assert winograd_image(64, 64, 5) == (64, 576)


@pytest.mark.parametrize(
    "ic,oc,kernel,output,limit,applies",
    [
        (40, 40, (3, 3), (46, 34), (16384, 16384), True),
        (3, 768, (16, 16), (16, 16), (16384, 16384), False),
        (64, 64, (1, 1), (16, 16), (16384, 16384), False),
        (3, 32, (3, 3), (112, 112), (16384, 16384), False),  # few channels in, many pixels out
        (64, 64, (3, 3), (112, 112), (2048, 2048), False),  # its own images would be too large
        (512, 16, (3, 3), (7, 7), (16384, 16384), True),
        (0, 32, (3, 3), (4, 4), (16384, 16384), False),
    ],
)
def test_when_winograd_is_taken(
    ic: int, oc: int, kernel: tuple[int, int], output: tuple[int, int], limit: tuple[int, int], applies: bool
) -> None:
    assert winograd_applies(ic, oc, kernel, output, limit) is applies


@pytest.mark.parametrize("width,ic", [(3, (3, 3)), (4, (1, 4))])
def test_3_x_49152_is_a_patch_embedding_first(width: int, ic: tuple[int, int]) -> None:
    first, *rest = explain_image(width, 49152)
    assert (first.what, first.kernel, first.in_channels, first.out_channels) == ("filter", (16, 16), ic, (765, 768))
    assert "16·16·ceil(768/4) = 49152" in first.arithmetic
    assert all(r.plausibility < first.plausibility for r in rest)
    tensors = [r for r in rest if r.what == "tensor"]
    assert all(r.plausibility <= 0.05 for r in tensors)  # it is no input


def test_an_activation_is_read_as_one() -> None:
    first = explain_image(3072, 16)[0]
    assert (first.what, first.shape) == ("tensor", (1, 768, 16, 16))


def test_depthwise_and_winograd_readings_are_among_them() -> None:
    assert ("depthwise_filter", (3, 3)) in {(r.what, r.kernel) for r in explain_image(9, 240)}
    assert ("winograd_filter", (3, 3)) in {(r.what, r.kernel) for r in explain_image(64, 256)}


@pytest.mark.parametrize("width", [1, 3, 4, 9, 25, 64, 513, 3072])
@pytest.mark.parametrize("height", [1, 9, 16, 240, 576, 4096, 49152])
def test_every_reading_gives_the_size_back(width: int, height: int) -> None:
    """The equations of a reading, computed forward with its largest channel numbers."""
    readings = explain_image(width, height)
    for r in readings:
        assert 0 <= r.plausibility <= 1
        if r.what == "tensor":
            assert r.shape is not None
            assert tensor_image(r.shape) == (width, height)
            continue
        assert r.kernel is not None
        assert r.in_channels is not None
        assert r.out_channels is not None
        for oc in range(max(1, r.out_channels[0]), r.out_channels[1] + 1):
            if r.what == "depthwise_filter":
                assert depthwise_image(oc, r.kernel) == (width, height)
            elif r.what == "winograd_filter":
                assert winograd_image(r.in_channels[1], oc, r.kernel[0]) == (width, height)
            else:
                assert (width, height) in {
                    filter_image(ic, oc, r.kernel, rounded=new) for ic in r.in_channels for new in (False, True)
                }
    assert [r.plausibility for r in readings] == sorted((r.plausibility for r in readings), reverse=True)


def test_nonsense_and_huge_sizes_end() -> None:
    assert explain_image(0, 5) == ()
    assert explain_image(5, -1) == ()
    assert len(explain_image(10**18, 10**18 + 1)) < 100
    assert explain_image(3, 49152, least=0.5)[-1].plausibility >= 0.5
