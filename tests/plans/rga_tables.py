"""What the generator of right RGA plans knows: figures copied by hand from the developer guide, apart from the product.

Nothing here is imported from prepcheck, so that a wrong figure there shows as a false alarm.
"""

from __future__ import annotations

from dataclasses import dataclass

RGB8 = ("RGB_888", "BGR_888")
RGB32 = ("RGBA_8888", "BGRA_8888", "RGBX_8888", "BGRX_8888")
ALPHA_FIRST = ("ARGB_8888", "ABGR_8888", "XRGB_8888", "XBGR_8888")
RGB16 = ("RGB_565", "BGR_565")
SEMI = ("YCbCr_420_SP", "YCrCb_420_SP", "YCbCr_422_SP", "YCrCb_422_SP")
PLANAR = ("YCbCr_420_P", "YCrCb_420_P", "YCbCr_422_P", "YCrCb_422_P")
PACKED = ("YUYV_422", "UYVY_422", "YVYU_422", "VYUY_422")
GRAY = ("YCbCr_400",)
TEN = ("YCbCr_420_SP_10B", "YCrCb_420_SP_10B")

QUARTERS = {
    **dict.fromkeys(RGB32 + ALPHA_FIRST, 16), **dict.fromkeys(RGB8, 12), **dict.fromkeys(RGB16 + PACKED, 8),
    **dict.fromkeys(("YCbCr_422_SP", "YCrCb_422_SP", "YCbCr_422_P", "YCrCb_422_P"), 8),
    **dict.fromkeys(("YCbCr_420_SP", "YCrCb_420_SP", "YCbCr_420_P", "YCrCb_420_P", *TEN), 6), "YCbCr_400": 4,
}  # fmt: skip
"""Quarters of a byte for each pixel (for 10-bit: for each byte of the pitch)."""

STEP_4 = {
    **dict.fromkeys(RGB32 + ALPHA_FIRST, 1), **dict.fromkeys(RGB16 + PACKED, 2), **dict.fromkeys(RGB8, 4),
    **dict.fromkeys(SEMI + PLANAR + GRAY, 4), **dict.fromkeys(TEN, 16),
}  # fmt: skip
"""Row step in pixels where rows begin at multiples of four bytes (alignment table, RGA2)."""
STEP_16 = {
    **dict.fromkeys(RGB32 + ALPHA_FIRST, 4), **dict.fromkeys(RGB16 + PACKED, 8), **dict.fromkeys(RGB8, 16),
    **dict.fromkeys(SEMI + PLANAR + GRAY, 16), **dict.fromkeys(TEN, 64),
}  # fmt: skip
"""The same for sixteen bytes (alignment table, RGA3)."""

YUV = frozenset(SEMI + PLANAR + PACKED + GRAY + TEN)
COLOR = {
    "RGB_888": "RGB", "BGR_888": "BGR", "RGBA_8888": "RGBA", "BGRA_8888": "BGRA", "YCbCr_420_SP": "NV12",
    "YCrCb_420_SP": "NV21", "YCbCr_420_P": "I420", "YUYV_422": "YUYV", "YCbCr_400": "GRAY",
}  # fmt: skip


@dataclass(frozen=True)
class Core:
    """One core by the guide's tables."""

    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    least: int
    most_in: int
    most_out: int
    ratio: int
    fill: bool
    low_only: bool


_RGB = RGB8 + RGB32 + ALPHA_FIRST + RGB16
ENHANCE = Core(
    "rga2",
    _RGB + SEMI + PLANAR + PACKED + GRAY + TEN,
    _RGB + SEMI + PLANAR + PACKED + GRAY,
    2,
    8192,
    4096,
    16,
    True,
    True,
)
OLD_ENHANCE = Core("rga2", _RGB + SEMI + PLANAR + TEN, _RGB + SEMI + PLANAR + PACKED, 2, 8192, 4096, 16, True, True)
FREE_ENHANCE = Core("rga2", ENHANCE.inputs, ENHANCE.outputs, 2, 8192, 4096, 16, True, False)
PRO = Core("rga2", ENHANCE.inputs, ENHANCE.outputs, 2, 8192, 8192, 16, True, False)
LITE1 = Core("rga2", _RGB + SEMI + PLANAR + TEN, _RGB + SEMI + PLANAR, 2, 8192, 4096, 8, True, True)
RGA3 = Core(
    "rga3", _RGB + SEMI + PACKED + TEN, RGB8 + RGB32 + RGB16 + SEMI + PACKED + TEN, 68, 8176, 8128, 8, False, False
)


@dataclass(frozen=True)
class Chip:
    """A chip: its cores, the bytes at which rows begin, whether memory must be contiguous."""

    cores: tuple[Core, ...]
    rows: int = 4
    contiguous: bool = False


CHIPS = {
    "rv1103": Chip((FREE_ENHANCE,), contiguous=True), "rv1106": Chip((FREE_ENHANCE,), contiguous=True),
    "rv1109": Chip((ENHANCE,)), "rv1126": Chip((ENHANCE,)), "rk3566": Chip((ENHANCE,)), "rk3568": Chip((ENHANCE,)),
    "rk3399": Chip((OLD_ENHANCE,)), "rk3399pro": Chip((OLD_ENHANCE,)), "rk1808": Chip((LITE1,)),
    "rk3562": Chip((FREE_ENHANCE,)), "rk3528": Chip((FREE_ENHANCE,)), "rk3576": Chip((PRO,)), "rv1126b": Chip((PRO,)),
    "rk3588": Chip((ENHANCE, RGA3), rows=16),
}  # fmt: skip

LOW = ("system-dma32", "system-uncached-dma32", "cma", "cma-uncached")
ANYWHERE = ("system", "system-uncached")
CONTIGUOUS = ("rk-dma-heap-cma", "cma", "cma-uncached")


def size_of(name: str, wstride: int, hstride: int) -> int:
    """Bytes of an image."""
    return -(-wstride * hstride * QUARTERS[name] // 4)


def step_of(name: str, rows: int) -> int:
    """Pixels of which a pitch is a multiple."""
    return (STEP_16 if rows == 16 else STEP_4)[name]
