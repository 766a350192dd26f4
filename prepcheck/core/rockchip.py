"""C2 and the width alignment of Rockchip NPUs, by platform and element type. Standard library only.

Sources: measured on models of rknn-toolkit2 2.5.0 for 18 platform × dtype pairs, and RKNN API guide 1.5.2 table 4-6
(C2). rk3566/68 int16 is from the guide alone.
"""

from __future__ import annotations

from typing import Final

from prepcheck.core.dtypes import BITS
from prepcheck.core.layouts import round_up

RK356X: Final = frozenset({"rk3566", "rk3568"})
ZERO_COPY_ONLY: Final = frozenset({"rv1103", "rv1106", "rv1103b", "rv1106b"})
"""Chips whose runtime (librknnmrt) has no rknn_inputs_set. Source: RKNN API guide 1.5.2 §5.1 and later, RV1103/RV1106."""
MINI: Final = frozenset({"rv1103", "rv1106", "rv1103b", "rv1106b", "rk2118"})
"""Chips that run mini containers only (toolkit log: "only support mini rknn model")."""
RKNN1_PLATFORMS: Final = frozenset({"rk1808", "rk1806", "rk3399pro", "rv1109", "rv1126"})
"""Chips of rknn-toolkit 1. rv1126b is a chip of toolkit 2."""

_C2: Final[dict[str, dict[str, int]]] = {
    "rk3566": {"int8": 8, "float16": 4, "int16": 4},
    "rk3588": {"int8": 16, "float16": 8, "int16": 8},
    "rv1103b": {"int8": 8},
    "rk2118": {"float16": 4},
}
_SAME_AS: Final = {"rk3568": "rk3566", "rv1106b": "rv1103b"}
_LIKE_RK3588: Final = frozenset({"rk3588", "rk3588s", "rk3562", "rk3576", "rv1126b", "rv1103", "rv1106"})


def c2(platform: str, dtype: str) -> int | None:
    """Channels in one block of NC1HWC2; None where it was neither measured nor documented."""
    key = "rk3588" if platform in _LIKE_RK3588 else _SAME_AS.get(platform, platform)
    return _C2.get(key, {}).get("int8" if dtype == "uint8" else dtype)


def width_alignment(platform: str, dtype: str) -> int | None:
    """Pixels to which rows of a native NHWC input are padded: 8 bytes on rk3566/68, 16 on every other RKNN2 chip.

    int8: 8 or 16 pixels, float16 and int16: 4 or 8. None for other element widths and for rknn-toolkit 1's chips.
    """
    if platform in RKNN1_PLATFORMS or BITS.get(dtype, 0) not in (8, 16):
        return None
    return (8 if platform in RK356X else 16) // (BITS[dtype] // 8)


def w_stride(platform: str, dtype: str, width: int) -> int | None:
    """Row pitch in pixels of a native NHWC input of `width` pixels."""
    step = width_alignment(platform, dtype)
    return None if step is None else round_up(width, step)


NPU_TAGS: Final[dict[str, tuple[str, ...]]] = {
    "RKNPU lite": ("rk3566", "rk3568"),
    "RKNPU v2": ("rk3588",),
    "RKNPU t4": ("rk3562",),
    "RKNPU f2": ("rk3576",),
    "RKNPU f3": ("rv1126b",),
    "RKNPU t3": ("rv1103", "rv1106"),
    "RKNPU w1": ("rv1103b", "rv1106b"),
    "RKNPU w2": ("rk2118",),
}
"""Tag of the compiled graph (root string 1 of a .rknn) → chips that run it. Source: measured, builds of rknn-toolkit2 2.5.0
for each target."""
