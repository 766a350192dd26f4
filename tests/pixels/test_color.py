"""Colour conversions against OpenCV and Pillow where they are exact, against the standards' numbers elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.core.yuv import MATRICES
from prepcheck.errors import UsageError
from prepcheck.pixels.color import CHANNELS, decode_yuv, encode_yuv, nbytes, reorder
from prepcheck.pixels.image_process import Destination, ImageProcessConfig, convert

RNG = np.random.default_rng(3)
RGB = RNG.integers(0, 256, (48, 64, 3), np.uint8)
STANDARDS = ("BT601_LIMIT", "BT601_FULL", "BT709_LIMIT", "BT709_FULL")


@pytest.mark.parametrize("kind", ["NV12", "NV21", "I420", "YUYV"])
def test_decoding_is_opencvs(kind: str) -> None:
    cv2 = pytest.importorskip("cv2")
    code = getattr(cv2, f"COLOR_YUV2RGB_{'YUY2' if kind == 'YUYV' else kind}")
    shape = (48, 64, 2) if kind == "YUYV" else (72, 64)
    data = RNG.integers(0, 256, shape, np.uint8)
    assert np.array_equal(decode_yuv(data, (64, 48), kind, matrix="OPENCV"), cv2.cvtColor(data, code))


def test_encoding_is_opencvs() -> None:
    cv2 = pytest.importorskip("cv2")
    want = cv2.cvtColor(RGB, cv2.COLOR_RGB2YUV_I420).reshape(-1)
    assert np.array_equal(encode_yuv(RGB, "I420", matrix="OPENCV"), want)


def test_gray_is_opencvs_pillows_and_mnns() -> None:
    cv2 = pytest.importorskip("cv2")
    from PIL import Image

    assert np.array_equal(reorder(RGB, "RGB", "GRAY")[:, :, 0], cv2.cvtColor(RGB, cv2.COLOR_RGB2GRAY))
    assert np.array_equal(reorder(RGB, "BGR", "GRAY")[:, :, 0], cv2.cvtColor(RGB, cv2.COLOR_BGR2GRAY))
    pillow = np.asarray(Image.fromarray(RGB).convert("L"))
    assert np.array_equal(reorder(RGB, "RGB", "GRAY", gray="pillow")[:, :, 0], pillow)
    mnn = convert(ImageProcessConfig("RGB", "GRAY"), RGB, (64, 48), Destination((1, 48, 64, 1), "NHWC", "uint8"))
    assert np.array_equal(reorder(RGB, "RGB", "GRAY", gray="mnn"), mnn[0])


@pytest.mark.parametrize("kind", ["NV12", "NV21"])
def test_mnn_matrix_is_mnns(kind: str) -> None:
    data = RNG.integers(0, 255, 64 * 72, np.uint8)  # without 255: the SIMD overflow is not part of the matrix
    mnn = convert(
        ImageProcessConfig(f"YUV_{kind}", "RGB"), data, (64, 48), Destination((1, 48, 64, 3), "NHWC", "uint8")
    )
    assert np.array_equal(decode_yuv(data, (64, 48), kind, matrix="MNN"), mnn[0])


def test_published_full_range_and_limited_numbers() -> None:
    """JFIF: 1.402, 0.344136, 0.714136, 1.772; BT.709 limited: 1.5748·255/224 and so on; librga's table for 709L."""
    jfif = MATRICES["BT601_FULL"].to_rgb
    assert jfif[0][2] == pytest.approx(1.402)
    assert jfif[1][1:] == pytest.approx((-0.344136, -0.714136), abs=1e-6)
    assert jfif[2][1] == pytest.approx(1.772)
    hd = MATRICES["BT709_LIMIT"].to_yuv
    assert hd[0] == pytest.approx((0.183, 0.614, 0.062), abs=6e-4)
    assert hd[1] == pytest.approx((-0.101, -0.339, 0.439), abs=6e-4)
    assert hd[2] == pytest.approx((0.439, -0.399, -0.040), abs=6e-4)


@pytest.mark.parametrize("name", MATRICES)
def test_directions_are_inverse(name: str) -> None:
    matrix = MATRICES[name]
    product = np.array(matrix.to_rgb) @ np.array(matrix.to_yuv)
    assert np.allclose(product, np.eye(3), atol=1e-3 if name == "OPENCV" else 1e-12)
    assert sum(matrix.to_yuv[1]) == pytest.approx(0, abs=1e-5)


def test_range_is_what_tells_them_apart() -> None:
    black_white = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8).repeat(2, 0)
    assert sorted(set(encode_yuv(black_white, "NV12", matrix="BT601_LIMIT")[:4])) == [16, 235]
    assert sorted(set(encode_yuv(black_white, "NV12", matrix="BT709_FULL")[:4])) == [0, 255]
    limited = np.array([16, 235, 16, 235, 128, 128], np.uint8)
    assert decode_yuv(limited, (2, 2), "NV12", matrix="BT709_LIMIT")[0].tolist() == [[0] * 3, [255] * 3]
    assert decode_yuv(limited, (2, 2), "NV12", matrix="MNN")[0].tolist() == [[16] * 3, [235] * 3]


@given(
    st.integers(1, 9), st.integers(1, 9), st.sampled_from(["NV12", "NV21", "I420", "YUYV"]), st.sampled_from(STANDARDS)
)
def test_one_colour_survives_both_ways(width: int, height: int, kind: str, matrix: str) -> None:
    """Any size, odd ones too; a picture of one colour comes back within the rounding of 8-bit chroma."""
    color = np.array([[[200, 90, 40]]], np.uint8).repeat(height, 0).repeat(width, 1)
    data = encode_yuv(color, kind, matrix=matrix)
    assert data.size == nbytes(kind, (width, height))
    back = decode_yuv(data, (width, height), kind, matrix=matrix)
    assert back.shape == color.shape
    assert np.abs(back.astype(int) - color.astype(int)).max() <= 3


def test_swapped_chroma_exchanges_the_names() -> None:
    data = encode_yuv(RGB, "NV12", matrix="BT601_FULL")
    assert np.array_equal(
        decode_yuv(data, (64, 48), "NV12", matrix="BT601_FULL"),
        decode_yuv(encode_yuv(RGB, "NV21", matrix="BT601_FULL"), (64, 48), "NV21", matrix="BT601_FULL"),
    )


@pytest.mark.parametrize("kind", ["NV12", "NV21", "YUYV"])
def test_padded_rows(kind: str) -> None:
    size, stride = (30, 10), 160
    rows = 10 if kind == "YUYV" else 15
    padded = RNG.integers(0, 256, (rows, stride), np.uint8)
    packed = np.ascontiguousarray(padded[:, : 60 if kind == "YUYV" else 30])
    got = decode_yuv(padded, size, kind, matrix="BT709_LIMIT", stride=stride)
    assert np.array_equal(got, decode_yuv(packed, size, kind, matrix="BT709_LIMIT"))


def test_orders() -> None:
    rgba = RNG.integers(0, 256, (4, 5, 4), np.uint8)
    assert np.array_equal(reorder(rgba, "RGBA", "BGRA"), rgba[:, :, [2, 1, 0, 3]])
    assert np.array_equal(reorder(rgba, "BGRA", "RGB"), rgba[:, :, [2, 1, 0]])
    assert reorder(RGB, "RGB", "BGRA")[:, :, 3].min() == 255
    assert np.array_equal(reorder(RGB[:, :, 0], "GRAY", "RGB"), RGB[:, :, :1].repeat(3, 2))
    for name, channels in CHANNELS.items():
        image = RNG.integers(0, 256, (3, 3, channels), np.uint8)
        assert np.array_equal(reorder(image, name, name), image)


def test_named_errors() -> None:
    data = np.zeros(6, np.uint8)
    for call in (
        lambda: decode_yuv(data[:5], (2, 2), "NV12", matrix="MNN"),
        lambda: decode_yuv(data, (2, 2), "NV12", matrix="BT2020"),
        lambda: decode_yuv(data, (2, 2), "NV16", matrix="MNN"),
        lambda: decode_yuv(data, (0, 2), "NV12", matrix="MNN"),
        lambda: decode_yuv(data, (2, 2), "NV12", matrix="MNN", stride=1),
        lambda: decode_yuv(data, (2, 2), "I420", matrix="MNN", stride=2),
        lambda: encode_yuv(RGB, "YUYV", matrix="OPENCV"),
        lambda: encode_yuv(RGB, "RGB", matrix="MNN"),
        lambda: encode_yuv(RGB[:, :, 0], "NV12", matrix="MNN"),
        lambda: reorder(RGB, "RGB", "NV12"),
        lambda: reorder(RGB, "RGBA", "RGB"),
        lambda: reorder(RGB, "RGB", "GRAY", gray="jpeg"),
        lambda: nbytes("YV12", (2, 2)),
    ):
        with pytest.raises(UsageError):
            call()
