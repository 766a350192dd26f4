"""Luma-chroma matrices against the recommendations' published coefficients, OpenCV's and Pillow's own conversions."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from PIL import Image

from prepcheck.core.yuv import GRAY_WEIGHTS, MATRICES

Rows = tuple[tuple[float, float, float], ...]

# ITU-R BT.601-7 §2.5.3 and BT.709-6 §3: quantised Y, C_B, C_R over R'G'B'; JFIF 1.02 for BT.601 in full range. Decoding is
# the inverse. name → ((encode rows), (decode rows), luma of black)
PUBLISHED: dict[str, tuple[Rows, Rows, float]] = {
    "BT601_LIMIT": (
        ((0.256788, 0.504129, 0.097906), (-0.148223, -0.290993, 0.439216), (0.439216, -0.367788, -0.071427)),
        ((1.164384, 0.0, 1.596027), (1.164384, -0.391762, -0.812968), (1.164384, 2.017232, 0.0)),
        16.0,
    ),
    "BT601_FULL": (
        ((0.299, 0.587, 0.114), (-0.168736, -0.331264, 0.5), (0.5, -0.418688, -0.081312)),
        ((1.0, 0.0, 1.402), (1.0, -0.344136, -0.714136), (1.0, 1.772, 0.0)),
        0.0,
    ),
    "BT709_LIMIT": (
        ((0.182586, 0.614231, 0.062007), (-0.100644, -0.338572, 0.439216), (0.439216, -0.398942, -0.040274)),
        ((1.164384, 0.0, 1.792741), (1.164384, -0.213249, -0.532909), (1.164384, 2.112402, 0.0)),
        16.0,
    ),
    "BT709_FULL": (
        ((0.2126, 0.7152, 0.0722), (-0.114572, -0.385428, 0.5), (0.5, -0.454153, -0.045847)),
        ((1.0, 0.0, 1.5748), (1.0, -0.187324, -0.468124), (1.0, 1.8556, 0.0)),
        0.0,
    ),
}


def test_matrices_have_their_names_and_only_libraries_compute_in_integers() -> None:
    assert list(MATRICES) == ["BT601_LIMIT", "BT601_FULL", "BT709_LIMIT", "BT709_FULL", "MNN", "OPENCV"]
    assert {key: m.name for key, m in MATRICES.items()} == {key: key for key in MATRICES}
    assert {key: m.fixed for key, m in MATRICES.items()} == {
        "BT601_LIMIT": None, "BT601_FULL": None, "BT709_LIMIT": None, "BT709_FULL": None, "MNN": "mnn", "OPENCV": "opencv",
    }  # fmt: skip


def test_the_standards_coefficients() -> None:
    for name, (encode, decode, black) in PUBLISHED.items():
        matrix = MATRICES[name]
        assert matrix.offset == black, name
        assert np.asarray(matrix.to_yuv) == pytest.approx(np.asarray(encode), abs=2e-6), name
        assert np.asarray(matrix.to_rgb) == pytest.approx(np.asarray(decode), abs=2e-6), name


def test_encoding_and_decoding_are_inverses() -> None:
    for name, matrix in MATRICES.items():
        product = np.asarray(matrix.to_rgb) @ np.asarray(matrix.to_yuv)
        close = 1e-3 if name == "OPENCV" else 1e-12  # OpenCV began with three decimals
        assert product == pytest.approx(np.eye(3), abs=close), name


def test_mnn_decodes_in_64ths() -> None:
    """MNN 3.6.1 (ImageProcessUtils): R = Y + 73/64·V, G = Y − 25/64·U − 37/64·V, B = Y + 130/64·U; luma of black is 0."""
    matrix = MATRICES["MNN"]
    assert [[64 * c for c in row] for row in matrix.to_rgb] == [[64, 0, 73], [64, -25, -37], [64, 130, 0]]
    assert matrix.offset == 0.0


def test_opencvs_integers() -> None:
    """ITUR_BT_601_* of OpenCV's color_yuv: 20-bit fixed point."""
    matrix = MATRICES["OPENCV"]
    encode = [[269484, 528482, 102760], [-155188, -305135, 460324], [460324, -385875, -74448]]
    assert [[round(c * 2**20) for c in row] for row in matrix.to_yuv] == encode
    assert [[c * 2**20 for c in row] for row in matrix.to_yuv] == encode
    decode = [[1220542, 0, 1673527], [1220542, -409993, -852492], [1220542, 2116026, 0]]
    assert [[c * 2**20 for c in row] for row in matrix.to_rgb] == decode
    assert matrix.offset == 16.0


def test_opencvs_matrix_decodes_as_opencv_does() -> None:
    rng = np.random.default_rng(5)
    yuv = np.concatenate([rng.integers(16, 236, (8, 8)), rng.integers(90, 160, (4, 8))]).astype(np.uint8)
    rgb = cv2.cvtColor(yuv, cv2.COLOR_YUV2RGB_NV12).astype(float)
    chroma = yuv[8:].reshape(4, 4, 2).repeat(2, axis=0).repeat(2, axis=1).astype(float) - 128
    matrix = MATRICES["OPENCV"]
    planes = np.stack([yuv[:8].astype(float) - matrix.offset, chroma[..., 0], chroma[..., 1]], axis=-1)
    mine = np.clip(planes @ np.asarray(matrix.to_rgb).T, 0, 255)
    assert np.abs(mine - rgb).max() <= 0.51


def test_gray_weights() -> None:
    """R2Y, G2Y, B2Y of OpenCV (>> 15), L24 of Pillow's convert (>> 16), MNN's 19, 38, 7 (>> 6)."""
    assert GRAY_WEIGHTS == {
        "opencv": (9798, 19235, 3735, 15),
        "pillow": (19595, 38470, 7471, 16),
        "mnn": (19, 38, 7, 6),
    }


def test_gray_weights_reproduce_opencv_and_pillow() -> None:
    picture = np.random.default_rng(6).integers(0, 256, (32, 64, 3)).astype(np.uint8)
    theirs = {
        "opencv": cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY),
        "pillow": np.asarray(Image.fromarray(picture).convert("L")),
    }
    for name, gray in theirs.items():
        *weights, shift = GRAY_WEIGHTS[name]
        mine = (picture.astype(np.int64) @ np.asarray(weights) + (1 << (shift - 1))) >> shift
        assert np.array_equal(mine, gray), name
