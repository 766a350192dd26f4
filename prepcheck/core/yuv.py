"""Luma-chroma arithmetic: the coefficients behind the names of the matrices. Standard library only.

A matrix is named `BT601_LIMIT`, `BT601_FULL`, `BT709_LIMIT`, `BT709_FULL`, `MNN` or `OPENCV`. R, G, B and Y, U, V are
0..255, U and V around 128. Limited range: luma 16..235, chroma 16..240. Sources: ITU-R BT.601-7 and BT.709-6 (K_R, K_B);
MNN: measured on MNN 3.6.1, bit-exact; OpenCV: fixed-point coefficients of its colour conversion, BT.601 limited,
measured bit-exact against OpenCV 5.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Row = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class YuvMatrix:
    """Coefficients of one convention.

    to_yuv: rows Y, U, V over R, G, B; to_rgb: rows R, G, B over (Y − offset), (U − 128), (V − 128). offset: the luma of
    black. fixed: None, or the way a library computes it in integers (`mnn`, `opencv`).
    """

    name: str
    to_yuv: tuple[Row, Row, Row]
    to_rgb: tuple[Row, Row, Row]
    offset: float
    fixed: str | None = None


def _standard(name: str, kr: float, kb: float, limited: bool) -> YuvMatrix:
    kg = 1 - kr - kb
    luma, chroma = (219 / 255, 224 / 255) if limited else (1.0, 1.0)
    du, dv = 2 * (1 - kb), 2 * (1 - kr)
    to_yuv = (
        (kr * luma, kg * luma, kb * luma),
        (-kr / du * chroma, -kg / du * chroma, (1 - kb) / du * chroma),
        ((1 - kr) / dv * chroma, -kg / dv * chroma, -kb / dv * chroma),
    )
    to_rgb = (
        (1 / luma, 0.0, dv / chroma),
        (1 / luma, -du * kb / kg / chroma, -dv * kr / kg / chroma),
        (1 / luma, du / chroma, 0.0),
    )
    return YuvMatrix(name, to_yuv, to_rgb, 16.0 if limited else 0.0)


def _mnn() -> YuvMatrix:
    """MNN's decoder 73/64, 25/64, 37/64, 130/64 (it has no encoder: the inverse stands for one)."""
    rv, gu, gv, bu = 73 / 64, 25 / 64, 37 / 64, 130 / 64
    kb, kr = gu / bu, gv / rv  # G = Y − gu·U − gv·V with U = (B − Y)/bu, V = (R − Y)/rv
    whole = 1 + kb + kr
    y = (kr / whole, 1 / whole, kb / whole)
    u = (-y[0] / bu, -y[1] / bu, (1 - y[2]) / bu)
    v = ((1 - y[0]) / rv, -y[1] / rv, -y[2] / rv)
    return YuvMatrix("MNN", (y, u, v), ((1.0, 0.0, rv), (1.0, -gu, -gv), (1.0, bu, 0.0)), 0.0, "mnn")


def _opencv() -> YuvMatrix:
    """OpenCV's 20-bit coefficients: the nearest floats; `fixed` says that integers are used."""
    unit = float(1 << 20)
    encode = ((269484, 528482, 102760), (-155188, -305135, 460324), (460324, -385875, -74448))
    decode = ((1220542, 0, 1673527), (1220542, -409993, -852492), (1220542, 2116026, 0))
    return YuvMatrix("OPENCV", _scaled(encode, unit), _scaled(decode, unit), 16.0, "opencv")


def _scaled(rows: tuple[tuple[int, int, int], ...], unit: float) -> tuple[Row, Row, Row]:
    first, second, third = ((r[0] / unit, r[1] / unit, r[2] / unit) for r in rows)
    return (first, second, third)


MATRICES: Final[dict[str, YuvMatrix]] = {
    m.name: m
    for m in (
        _standard("BT601_LIMIT", 0.299, 0.114, True),
        _standard("BT601_FULL", 0.299, 0.114, False),
        _standard("BT709_LIMIT", 0.2126, 0.0722, True),
        _standard("BT709_FULL", 0.2126, 0.0722, False),
        _mnn(),
        _opencv(),
    )
}
"""Every matrix by name. Current librga converts with BT601_LIMIT unless told; old ones YUV→RGB with BT709_LIMIT (FAQ Q2.13)."""

GRAY_WEIGHTS: Final[dict[str, tuple[int, int, int, int]]] = {
    "opencv": (9798, 19235, 3735, 15),
    "pillow": (19595, 38470, 7471, 16),
    "mnn": (19, 38, 7, 6),
}
"""Integer weights of R, G, B and the shift; OpenCV and Pillow round half up, MNN truncates. Measured, bit-exact."""
