"""ImageProcess without MNN at hand: measured rows, OpenCV's positions, what classify() says of seldom meant calls."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from numpy.typing import NDArray

from prepcheck.errors import UsageError
from prepcheck.pixels.image_process import (
    Destination,
    Effect,
    ImageProcessConfig,
    Matrix,
    Unsupported,
    box_matrix,
    classify,
    convert,
    half_pixel_matrix,
    kind_of,
    reuse_issue,
    scale_translate,
)

RAMP = np.arange(16, dtype=np.uint8)[None, :, None] * 10


def _row(matrix: Matrix | None, **options: object) -> list[float]:
    """The gray ramp of 16 pixels, 10 a pixel, bilinear to 8 pixels."""
    config = ImageProcessConfig("GRAY", "GRAY", filter="bilinear", matrix=matrix, **options)  # type: ignore[arg-type]
    out = convert(config, RAMP, (16, 1), Destination((1, 1, 8, 1), "NHWC", "float32"))
    return [float(v) for v in out.reshape(-1)]


def test_measured_rows_of_the_coordinate_rule() -> None:
    """The rows that MNN 3.6.1 gave."""
    assert _row(scale_translate(2, 1)) == [0, 20, 40, 60, 80, 100, 120, 140]
    assert _row(scale_translate(15 / 7, 1)) == [0, 21, 43, 64, 86, 107, 129, 150]
    assert _row(half_pixel_matrix((16, 1), (8, 1))) == [5, 25, 45, 65, 85, 105, 125, 145]
    assert _row(scale_translate(0.5, 1)) == [0, 5, 10, 15, 20, 25, 30, 35]
    assert _row(None) == [0, 10, 20, 30, 40, 50, 60, 70]


def test_wrap_zero_pads_without_a_blend() -> None:
    """A pixel less than half a step outside at the start of a row keeps the edge, further out it is padding."""
    shifted = scale_translate(2, 1, -2.5)
    assert _row(shifted) == [0, 0, 15, 35, 55, 75, 95, 115]
    assert _row(shifted, wrap="ZERO", padding=114) == [114, 0, 15, 35, 55, 75, 95, 115]
    assert _row(scale_translate(2, 1, -3.0), wrap="ZERO", padding=114) == [114, 114, 10, 30, 50, 70, 90, 110]
    assert _row(scale_translate(2, 1, 1.5), wrap="ZERO", padding=114) == [15, 35, 55, 75, 95, 115, 135, 114]


def test_mean_and_normal_in_the_order_of_the_destination() -> None:
    config = ImageProcessConfig("BGR", "RGB", (1.0, 2.0, 3.0, 0.0), (0.5, 1.0, 2.0, 1.0))
    source = np.array([[[30, 20, 10]]], np.uint8)
    out = convert(config, source, (1, 1), Destination((1, 3, 1, 1), "NCHW", "float32"))
    assert out.dtype == np.float32
    assert out.reshape(-1).tolist() == [4.5, 18.0, 54.0]


def test_padding_is_normalised_too() -> None:
    config = ImageProcessConfig("GRAY", "GRAY", (114.0, 0, 0, 0), (2.0, 1, 1, 1), wrap="ZERO", padding=114)
    config = ImageProcessConfig(**{**_fields(config), "matrix": scale_translate(1, 1, -20)})
    out = convert(config, RAMP, (16, 1), Destination((1, 1, 8, 1), "NHWC", "float32"))
    assert not out.any()


def _fields(config: ImageProcessConfig) -> dict[str, object]:
    return {name: getattr(config, name) for name in config.__slots__}


def test_channels_that_the_format_lacks_are_zero() -> None:
    source = np.full((2, 2, 3), 7, np.uint8)
    config = ImageProcessConfig("RGB", "RGB", mean=(1.0, 1.0, 1.0, 1.0))
    packed = convert(config, source, (2, 2), Destination((1, 3, 2, 2), "NC4HW4", "float32"))
    assert packed.shape == (1, 1, 2, 2, 4)
    assert packed[..., 3].max() == 0
    assert convert(config, source, (2, 2), Destination((1, 4, 2, 2), "NCHW", "float32"))[0, 3].max() == 0
    assert convert(config, source, (2, 2), Destination((1, 2, 2, 4), "NHWC", "float32"))[..., 3].max() == 0
    alpha = convert(ImageProcessConfig("RGB", "RGBA"), source, (2, 2), Destination((1, 2, 2, 4), "NHWC", "uint8"))
    assert alpha[..., 3].min() == 255


def test_nv12_with_padded_rows_is_the_packed_picture() -> None:
    rng = np.random.default_rng(5)
    size, stride = (34, 18), 48
    padded = rng.integers(0, 256, (27, stride), np.uint8)
    packed = np.ascontiguousarray(padded[:, :34])
    for matrix in (None, half_pixel_matrix(size, (13, 9))):
        config = ImageProcessConfig("YUV_NV12", "RGB", matrix=matrix)
        dest = Destination((1, 9, 13, 3), "NHWC", "float32")
        assert np.array_equal(convert(config, padded, size, dest, stride), convert(config, packed, size, dest))


def test_nv21_is_nv12_with_the_chroma_swapped() -> None:
    rng = np.random.default_rng(6)
    luma, chroma = rng.integers(0, 256, (8, 8), np.uint8), rng.integers(0, 256, (4, 4, 2), np.uint8)
    dest = Destination((1, 8, 8, 3), "NHWC", "uint8")
    first = np.concatenate((luma.reshape(-1), chroma.reshape(-1)))
    second = np.concatenate((luma.reshape(-1), chroma[:, :, ::-1].reshape(-1)))
    nv12 = convert(ImageProcessConfig("YUV_NV12", "RGB"), first, (8, 8), dest)
    assert np.array_equal(nv12, convert(ImageProcessConfig("YUV_NV21", "RGB"), second, (8, 8), dest))
    planes = np.concatenate((luma.reshape(-1), chroma[:, :, 0].reshape(-1), chroma[:, :, 1].reshape(-1)))
    assert np.array_equal(nv12, convert(ImageProcessConfig("YUV_I420", "RGB"), planes, (8, 8), dest))


def test_blue_overflows_in_the_vector_part_only() -> None:
    """Y = U = 255: measured, 0 in the SIMD part of a row, 255 in its scalar end."""
    source = np.full(64 * 3, 255, np.uint8)
    source[128:] = np.tile(np.array([255, 128], np.uint8), 32)
    out = convert(ImageProcessConfig("YUV_NV12", "RGB"), source, (64, 2), Destination((1, 2, 64, 3), "NHWC", "uint8"))
    blue = out[0, 0, :, 2]
    assert blue[:32].max() == 0
    assert blue[32:].min() == 255


@pytest.mark.parametrize("dest", [(64, 48), (50, 31), (160, 120), (75, 99)])
def test_half_pixel_matrix_is_opencv_linear(dest: tuple[int, int]) -> None:
    """At most one step from INTER_LINEAR on noise, as measured with MNN; the other usual matrices are far off."""
    cv2 = pytest.importorskip("cv2")
    source = np.random.default_rng(1).integers(0, 256, (96, 128, 3), np.uint8)
    want = cv2.resize(source, dest, interpolation=cv2.INTER_LINEAR).astype(int)

    def worst(matrix: Matrix) -> int:
        config = ImageProcessConfig("BGR", "BGR", filter="bilinear", matrix=matrix)
        got = convert(config, source, (128, 96), Destination((1, dest[1], dest[0], 3), "NHWC", "uint8"))
        return int(np.abs(got[0].astype(int) - want).max())

    assert worst(half_pixel_matrix((128, 96), dest)) <= 1
    assert worst(scale_translate(128 / dest[0], 96 / dest[1])) > 20
    assert worst(scale_translate(127 / (dest[0] - 1), 95 / (dest[1] - 1))) > 20


def test_box_matrix_is_a_letterbox() -> None:
    cv2 = pytest.importorskip("cv2")
    source = np.random.default_rng(2).integers(0, 256, (36, 64, 3), np.uint8)
    config = ImageProcessConfig(
        "RGB", "RGB", filter="bilinear", wrap="ZERO", padding=114, matrix=box_matrix((64, 36), (0, 7, 32, 18))
    )
    got = convert(config, source, (64, 36), Destination((1, 32, 32, 3), "NHWC", "uint8"))[0]
    want = np.full((32, 32, 3), 114, np.uint8)
    want[7:25] = cv2.resize(source, (32, 18), interpolation=cv2.INTER_LINEAR)
    assert np.abs(got.astype(int) - want.astype(int)).max() <= 1
    assert classify(config, (64, 36), Destination((1, 32, 32, 3), "NHWC", "uint8")).effect < Effect.SUSPECT


CASES: list[tuple[str, dict[str, object], Effect]] = [
    ("mnn:I2", {"matrix": scale_translate(0.35, 224 / 480)}, Effect.SUSPECT),
    ("mnn:I2", {"matrix": (0.0, 1.0, 0.0, -1.0, 0.0, 224.0, 0.0, 0.0, 1.0)}, Effect.REFUSED),
    ("mnn:I3", {}, Effect.SUSPECT),
    ("mnn:I4", {"matrix": scale_translate(640 / 224, 480 / 224)}, Effect.SUSPECT),
    ("mnn:I4", {"matrix": scale_translate(639 / 223, 479 / 223)}, Effect.SUSPECT),
    ("mnn:I7", {"filter": "bicubic", "matrix": half_pixel_matrix((640, 480), (224, 224))}, Effect.REFUSED),
    ("mnn:I20", {"source_format": "YUV_I420", "matrix": scale_translate(2, 2)}, Effect.WRONG),
    ("mnn:I21", {"source_format": "YUV_NV12", "filter": "bilinear", "matrix": scale_translate(2, 2)}, Effect.NOTE),
    ("mnn:I22", {"wrap": "REPEAT"}, Effect.SUSPECT),
    ("mnn:I22", {"wrap": "ZERO", "matrix": scale_translate(2.866, 2.147)}, Effect.SUSPECT),
    ("mnn:I22", {"wrap": "ZERO", "matrix": scale_translate(0.0, 2.0)}, Effect.REFUSED),
]


@pytest.mark.parametrize("rule,changes,effect", CASES)
def test_seldom_meant(rule: str, changes: dict[str, object], effect: Effect) -> None:
    config = ImageProcessConfig(**{"source_format": "RGB", "dest_format": "RGB", **changes})  # type: ignore[arg-type]
    verdict = classify(config, (640, 480), Destination((1, 3, 224, 224), "NC4HW4", "float32"))
    issue = verdict.by_rule(rule)
    assert issue is not None
    assert issue.effect == effect


def test_the_exact_matrix_stands_in_the_reason() -> None:
    config = ImageProcessConfig("RGB", "RGB", filter="bilinear", matrix=scale_translate(640 / 224, 480 / 224))
    verdict = classify(config, (640, 480), Destination((1, 3, 224, 224), "NCHW", "float32"))
    assert verdict.matrix_kind == "top_left"
    assert verdict.half_pixel == pytest.approx((2.857142857, 0, 0.928571429, 0, 2.142857143, 0.571428571, 0, 0, 1))
    issue = verdict.by_rule("mnn:I4")
    assert issue is not None
    assert "postTranslate(0.928571429, 0.571428571)" in issue.reason


def test_rounded_half_pixel_matrix_is_right() -> None:
    """A plan states six digits."""
    config = ImageProcessConfig(
        "RGB", "RGB", filter="bilinear", matrix=scale_translate(1.818182, 1.363636, 0.409091, 0.181818)
    )
    verdict = classify(config, (640, 480), Destination((1, 3, 352, 352), "NC4HW4", "float32"))
    assert verdict.matrix_kind == "half_pixel"
    assert verdict.effect == Effect.RIGHT
    assert verdict.issues == ()


def test_border_lost_by_wrap_zero() -> None:
    config = ImageProcessConfig("RGB", "RGB", filter="bilinear", wrap="ZERO", matrix=scale_translate(1.0001, 1.0001))
    dest = Destination((1, 3, 384, 384), "NC4HW4", "float32")
    issue = classify(config, (384, 384), dest).by_rule("mnn:I22")
    assert issue is not None
    assert "right 1 (0.0383 of a source pixel outside), bottom 1" in issue.reason
    out = convert(config, np.full((384, 384, 3), 9, np.uint8), (384, 384), dest)[0, 0]
    assert out[-1].max() == 0
    assert out[:, -1].max() == 0
    assert out[:-1, :-1, :3].min() == 9


def test_source_shorter_than_the_picture_is_an_overrun() -> None:
    config, dest = ImageProcessConfig("RGB", "BGR"), Destination((1, 6, 8, 3), "NHWC", "float32")
    source = np.zeros(8 * 6 * 3 - 1, np.uint8)
    with pytest.raises(Unsupported, match="takes 144 bytes, 143 given") as caught:
        convert(config, source, (8, 6), dest)
    assert caught.value.rule_id == "mnn:I23"
    assert classify(config, (8, 6), dest, stride=-24).effect == Effect.OVERRUN
    assert classify(config, (8, 6), dest, stride=23).effect == Effect.WRONG
    assert classify(config, (8, 6), dest, stride=24).effect == Effect.RIGHT
    # the last row has no padding behind it
    assert classify(config, (8, 6), dest, stride=100, source_bytes=524).effect == Effect.RIGHT
    assert classify(config, (8, 6), dest, stride=100, source_bytes=523).effect == Effect.OVERRUN


def test_stride_that_mnn_does_not_look_at() -> None:
    config, dest = ImageProcessConfig("YUV_I420", "RGB"), Destination((1, 8, 8, 3), "NHWC", "float32")
    verdict = classify(config, (8, 8), dest, stride=16)
    assert verdict.by_rule("mnn:I23") is not None
    assert not verdict.computed
    assert classify(config, (8, 8), dest, stride=8).computed
    nv12 = ImageProcessConfig("YUV_NV12", "RGB")
    assert classify(nv12, (8, 8), dest, stride=16, source_bytes=16 * 11 + 8).computed
    assert classify(nv12, (8, 8), dest, stride=16, source_bytes=16 * 11 + 7).effect == Effect.OVERRUN
    assert classify(nv12, (8, 8), dest, stride=7).effect == Effect.WRONG


def test_python_interface_refuses_short_sources() -> None:
    config = ImageProcessConfig("GRAY", "RGB", filter="bilinear", matrix=half_pixel_matrix((4, 4), (4, 4)))
    issue = classify(config, (4, 4), Destination((1, 4, 4, 3), "NHWC", "float32"), source_bytes=16).by_rule("mnn:I24")
    assert issue is not None
    assert "16 bytes" in issue.reason
    assert "48 elements" in issue.reason


def test_uint8_ignores_mean() -> None:
    config = ImageProcessConfig("RGBA", "BGR", mean=(103.94, 116.78, 123.68, 0), filter="nearest")
    dest = Destination((1, 2, 2, 3), "NHWC", "uint8")
    issue = classify(config, (2, 2), dest).by_rule("mnn:I16")
    assert issue is not None
    assert issue.effect == Effect.SUSPECT
    source = np.arange(16, dtype=np.uint8)
    assert np.array_equal(convert(config, source, (2, 2), dest)[0], source.reshape(2, 2, 4)[:, :, 2::-1])


def test_processor_reuse() -> None:
    floats, small = Destination((1, 3, 4, 4), "NCHW", "float32"), Destination((1, 4, 4, 3), "NHWC", "uint8")
    issue = reuse_issue(floats, small)
    assert issue is not None
    assert (issue.rule_id, issue.effect) == ("mnn:I13", Effect.OVERRUN)
    assert "192 bytes" in issue.reason
    assert reuse_issue(small, floats) is None


@pytest.mark.parametrize(
    "matrix,kind",
    [
        (None, "none"),
        (scale_translate(1, 1), "identity"),
        (scale_translate(-5, 5, 79), "flip"),
        (scale_translate(2, 2, 10, 10), "other"),
        (half_pixel_matrix((80, 60), (16, 12)), "half_pixel"),
        (scale_translate(5, 5), "top_left"),
        (scale_translate(79 / 15, 59 / 11), "corners"),
        (scale_translate(0.2, 0.2), "inverse"),
        ((1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), "not_axis_aligned"),
    ],
)
def test_kinds_of_matrices(matrix: Matrix | None, kind: str) -> None:
    assert kind_of(matrix, (80, 60), (16, 12)) == kind


def test_box_of_an_axis_is_where_the_picture_lies() -> None:
    config = ImageProcessConfig("RGB", "RGB", matrix=box_matrix((1000, 748), (0, 41, 320, 238)))
    verdict = classify(config, (1000, 748), Destination((1, 3, 320, 320), "NCHW", "float32"))
    assert verdict.axes is not None
    assert verdict.axes[0].box == pytest.approx((0, 320))
    assert verdict.axes[1].box == pytest.approx((41, 238))
    mirrored = classify(
        ImageProcessConfig("RGB", "RGB", matrix=scale_translate(-1, 1, 9)),
        (10, 5),
        Destination((1, 5, 10, 3), "NHWC", "float32"),
    )
    assert mirrored.axes is not None
    assert mirrored.axes[0].box == pytest.approx((0, 10))
    assert mirrored.axes[0].overshoot == (0, 0)


BAD_CONFIGS: list[dict[str, object]] = [
    {"source_format": "rgb"},
    {"dest_format": "YUYV"},
    {"filter": "area"},
    {"wrap": "MIRROR"},
    {"padding": 256},
    {"mean": (1.0, 2.0, 3.0)},
    {"normal": (1.0, float("nan"), 1.0, 1.0)},
    {"matrix": (1.0,) * 8},
    {"matrix": (1e39, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)},
]


@pytest.mark.parametrize("changes", BAD_CONFIGS)
def test_configs_that_mnn_does_not_have(changes: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        ImageProcessConfig(**{"source_format": "RGB", "dest_format": "RGB", **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "shape,layout", [((3, 4, 4), "NCHW"), ((1, 3, 4, 4), "CHW"), ((1, 0, 4, 4), "NCHW"), ((1, 3, 4, 1 << 20), "NCHW")]
)
def test_destinations_that_no_picture_has(shape: tuple[int, ...], layout: str) -> None:
    with pytest.raises(UsageError):
        Destination(shape, layout, "float32")


def test_sources_that_are_no_pictures() -> None:
    config, dest = ImageProcessConfig("RGB", "BGR"), Destination((1, 4, 4, 3), "NHWC", "float32")
    wrong: NDArray[np.uint8] = np.zeros((4, 4, 3), np.float32)  # type: ignore[assignment]
    with pytest.raises(UsageError, match="uint8"):
        convert(config, wrong, (4, 4), dest)
    with pytest.raises(UsageError, match="source"):
        classify(config, (0, 4), dest)


def test_huge_matrices_end_in_pixels_or_a_named_refusal() -> None:
    rng = np.random.default_rng(9)
    source = rng.integers(0, 256, (7, 9, 4), np.uint8)
    dest = Destination((1, 6, 600, 4), "NHWC", "float32")
    for _ in range(300):
        values = 10.0 ** rng.uniform(-38, 38, 4) * rng.choice([-1.0, 1.0], 4)
        for wrap in ("CLAMP_TO_EDGE", "ZERO"):
            config = ImageProcessConfig(
                "RGBA", "BGRA", wrap=wrap, filter="bilinear", matrix=scale_translate(*values.tolist())
            )
            with contextlib.suppress(Unsupported):
                assert convert(config, source, (9, 7), dest).shape == dest.shape


def test_judging_loads_no_numpy() -> None:
    import subprocess
    import sys

    code = "import sys; from prepcheck.pixels.image_process import classify; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_padded_counts_are_those_of_the_pixels() -> None:
    """Axis.padded against what convert() fills."""
    rng = np.random.default_rng(11)
    source = np.full((20, 30, 1), 9, np.uint8)
    for _ in range(300):
        scale = rng.uniform(0.2, 3, 2) * rng.choice([-1.0, 1.0, 1.0], 2)
        matrix = scale_translate(*scale.tolist(), *rng.uniform(-30, 40, 2).tolist())
        config = ImageProcessConfig("GRAY", "GRAY", wrap="ZERO", filter="bilinear", matrix=matrix)
        dest = Destination((1, 25, 40, 1), "NHWC", "float32")
        axes = classify(config, (30, 20), dest).axes
        assert axes is not None
        got = convert(config, source, (30, 20), dest)[0, :, :, 0] == 9
        left, right = axes[0].padded(rows=False)
        top, bottom = axes[1].padded(rows=True)
        assert left + right <= 40
        assert top + bottom <= 25
        want = np.zeros_like(got)
        want[top : 25 - bottom, left : 40 - right] = True
        assert np.array_equal(got, want)
