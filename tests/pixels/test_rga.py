"""RGA's model: filters per axis, factors, the published figures between software scalers, tolerances."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from prepcheck.core.geometry import Box
from prepcheck.core.zoo_letterbox import zoo_letterbox
from prepcheck.errors import UsageError
from prepcheck.pixels.rga import AVERAGE, CUBIC, EXACT, LINEAR, axis_filters, axis_scale, tolerance_for
from prepcheck.pixels.rga_scale import box_resize, difference, rga_match, rga_resize, within, zoo_cpu_resize

NOISE = np.random.default_rng(0).integers(0, 256, (800, 800, 3), np.uint8)


def _smooth(height: int, width: int) -> NDArray[np.uint8]:
    y, x = np.mgrid[0:height, 0:width]
    waves = [np.sin(x / 23 + i) * np.cos(y / 31 - i) + np.sin((x + y) / 57) for i in range(3)]
    return (np.stack(waves, axis=-1) * 60 + 127).astype(np.uint8)


@pytest.mark.parametrize(
    "source,dest,core,interpolation,want",
    [
        ((1920, 1080), (640, 360), "rga2", 0, ("average", "average")),
        ((1920, 1080), (640, 360), "rga2", LINEAR, ("average", "average")),
        ((1920, 1080), (640, 360), "rga2_pro", LINEAR, ("linear", "linear")),
        ((640, 480), (640, 960), "rga2", 0, ("none", "cubic")),
        ((640, 480), (1280, 960), "rga2", LINEAR, ("linear", "linear")),
        ((640, 480), (1280, 960), "rga3", LINEAR, ("cubic", "cubic")),
        ((2560, 480), (2600, 960), "rga2", 0, ("cubic", "linear")),
        ((2560, 480), (1280, 960), "rga2", 0, ("average", "cubic")),
        ((700, 480), (800, 960), "rga2_lite2", CUBIC, ("cubic", "linear")),
        ((320, 240), (640, 480), "rga2_lite3", 0, ("linear", "linear")),
        ((800, 800), (800, 400), "rga2", AVERAGE, ("none", "average")),
    ],
)
def test_filters(
    source: tuple[int, int], dest: tuple[int, int], core: str, interpolation: int, want: tuple[str, str]
) -> None:
    assert axis_filters(source, dest, core, interpolation) == want  # type: ignore[arg-type]


def test_factors() -> None:
    """The driver's 16-bit arithmetic by hand."""
    up = axis_scale(100, 200, "cubic")
    assert up.step == (99 * 65536 // 199) / 65536
    down = axis_scale(800, 400, "average")
    assert down.step == 65536 / (400 * 65536 // 800 + 1)
    assert axis_scale(1920, 640, "average", "rga3").step == 65536 / (639 * 65536 // 1919 + 1)
    assert axis_scale(4, 7, "cubic", "rga3").step == (3 * 65536 // 6 - 1) / 65536
    linear = axis_scale(1000, 300, "linear", "rga2_pro")
    assert (linear.step, linear.shift) == ((1000 * 4096 // 300) / 4096, 0.5)
    for source in range(2, 300):
        factor = 65536 / axis_scale(source, max(1, source // 2), "average").step
        assert factor * (source - 1) <= max(1, source // 2) * 65536


def test_published_figures_on_noise() -> None:
    """800x800 noise to 800x400: 49.4 dB / 4 / .57 for OpenCV's area and linear, 13.8 dB / 127 / 42 for nearest."""
    cv2 = pytest.importorskip("cv2")
    model = rga_resize(NOISE, (800, 400))
    for flag, db, largest, mean in (
        (cv2.INTER_AREA, 49.4, 4, 0.57),
        (cv2.INTER_LINEAR, 49.4, 4, 0.57),
        (cv2.INTER_NEAREST, 13.8, 127, 42.4),
    ):
        found = difference(cv2.resize(NOISE, (800, 400), interpolation=flag), model)
        assert found.psnr == pytest.approx(db, abs=0.06)
        assert found.max_abs == largest
        assert found.mean_abs == pytest.approx(mean, abs=0.1)


def test_zoo_drops_pixels_at_whole_ratios() -> None:
    cv2 = pytest.importorskip("cv2")
    for size in ((800, 400), (400, 400), (200, 160)):
        assert np.array_equal(zoo_cpu_resize(NOISE, size), cv2.resize(NOISE, size, interpolation=cv2.INTER_NEAREST))


def test_zoo_by_hand() -> None:
    """Every pixel by the formula, one at a time."""
    image = NOISE[:7, :9, :2]
    width, height = 13, 5
    got = zoo_cpu_resize(image, (width, height))
    ratio = (np.float32(9) / np.float32(width), np.float32(7) / np.float32(height))
    for y in range(height):
        for x in range(width):
            px, py = np.float32(x) * ratio[0], np.float32(y) * ratio[1]
            x0, y0 = int(px), int(py)
            x1, y1 = x0 - 1 if x0 == 8 else x0 + 1, y0 - 1 if y0 == 6 else y0 + 1
            fx, fy = px - np.float32(x0), py - np.float32(y0)
            for c in range(2):
                a, b, d, e = (np.float32(image[v, u, c]) for v, u in ((y0, x0), (y0, x1), (y1, x0), (y1, x1)))
                one = np.float32(1)
                value = a * (one - fx) * (one - fy) + b * fx * (one - fy) + d * fy * (one - fx) + e * fx * fy
                assert got[y, x, c] == int(value)


def test_enlarging_is_corner_aligned() -> None:
    ramp = np.arange(0, 250, 10, dtype=np.uint8)[None, :, None].repeat(2, 0)
    for interpolation in (LINEAR, CUBIC):
        out = rga_resize(ramp, (49, 2), interpolation=interpolation)[0, :, 0].astype(int)
        assert (out[0], out[-1], out[24]) == (0, 240, 120)
        assert np.abs(out - np.arange(49) * 5).max() <= 1


def test_equal_size_is_a_copy() -> None:
    assert np.array_equal(rga_resize(NOISE, (800, 800)), NOISE)
    assert tolerance_for((800, 800), (800, 800)) == EXACT
    assert rga_match(NOISE, NOISE).verdict == "pass"
    other = NOISE.copy()
    other[3, 3, 1] ^= 1
    assert rga_match(other, NOISE).verdict == "fail"


@pytest.mark.parametrize("core", ["rga2", "rga3"])
@pytest.mark.parametrize("size", [(640, 360), (384, 216), (500, 300)])
def test_legal_results_pass_and_shifted_ones_fail(core: str, size: tuple[int, int]) -> None:
    photo = _smooth(720, 1280)
    legal = rga_resize(photo, size, core)  # type: ignore[arg-type]
    assert rga_match(legal, photo, core).verdict == "pass"  # type: ignore[arg-type]
    biased = np.clip(legal.astype(int) - 1, 0, 255).astype(np.uint8)  # truncation everywhere is still legal
    if core == "rga2" and photo.shape[1] % size[0]:
        assert rga_match(biased, photo, core).verdict == "pass"  # type: ignore[arg-type]
    swapped = legal[:, :, ::-1]
    assert rga_match(swapped, photo, core).verdict == "fail"  # type: ignore[arg-type]


def test_area_stands_in_for_rga() -> None:
    cv2 = pytest.importorskip("cv2")
    photo = _smooth(720, 1280)
    for size in ((640, 360), (300, 300), (1000, 500)):
        area = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
        assert rga_match(area, photo).verdict == "pass"
        assert difference(box_resize(photo, size), area).max_abs <= 1


def test_a_displaced_picture_is_found() -> None:
    photo = _smooth(300, 400)
    big = rga_resize(photo, (800, 600))
    moved = np.roll(big, (1, -2), axis=(0, 1))
    match = within(moved, big, tolerance_for((400, 300), (800, 600)))
    assert match.shift == (-2, 1)
    assert match.verdict == "pass"


def test_difference_by_hand() -> None:
    got, want = np.array([[10, 20], [30, 40]], np.uint8), np.array([[10, 22], [30, 36]], np.uint8)
    found = difference(got, want)
    assert (found.max_abs, found.mean_abs, found.bias) == (4, 1.5, 0.5)
    assert found.psnr == pytest.approx(10 * np.log10(255**2 / 5))
    assert difference(got, got).psnr == float("inf")
    with pytest.raises(UsageError):
        difference(got, want[:1])
    with pytest.raises(UsageError):
        rga_resize(NOISE, (1, 5))


@pytest.mark.parametrize(
    "source,target,box",
    [
        ((800, 800), (800, 400), Box(200, 0, 400, 400)),
        ((1000, 1500), (640, 640), Box(108, 0, 424, 640)),
        ((640, 427), (640, 640), Box(0, 106, 640, 426)),
        ((1920, 1080), (640, 640), Box(0, 140, 640, 360)),
        ((176, 176), (416, 416), Box(2, 0, 412, 416)),
        ((656, 656), (512, 512), Box(2, 0, 508, 512)),
    ],
)
def test_zoo_letterbox(source: tuple[int, int], target: tuple[int, int], box: Box) -> None:
    """The cases measured with the demo's code."""
    assert zoo_letterbox(source, target).box == box
