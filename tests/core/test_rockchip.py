"""Tables of Rockchip's NPUs: C2 and row alignment of every chip, as the API guide and compiled models state them."""

from __future__ import annotations

import pytest

from prepcheck.core import rockchip
from prepcheck.core.rockchip import c2, w_stride, width_alignment

# RKNN API guide 1.5.2, table 4-6, and models of rknn-toolkit2 2.5.0: chip → (int8, float16, int16)
C2 = {
    "rk3566": (8, 4, 4), "rk3568": (8, 4, 4), "rk3588": (16, 8, 8), "rk3588s": (16, 8, 8), "rk3562": (16, 8, 8),
    "rk3576": (16, 8, 8), "rv1126b": (16, 8, 8), "rv1103": (16, 8, 8), "rv1106": (16, 8, 8),
    "rv1103b": (8, None, None), "rv1106b": (8, None, None), "rk2118": (None, 4, None),
    "rk1808": (None, None, None), "rk9999": (None, None, None),
}  # fmt: skip


def test_channels_of_a_block() -> None:
    assert {chip: (c2(chip, "int8"), c2(chip, "float16"), c2(chip, "int16")) for chip in C2} == C2
    assert {chip: c2(chip, "uint8") for chip in C2} == {chip: row[0] for chip, row in C2.items()}
    assert all(c2(chip, other) is None for chip in C2 for other in ("float32", "int32", "int64", "bool"))


def test_rows_begin_at_multiples_of_eight_or_sixteen_bytes() -> None:
    """8 bytes on rk3566/68, 16 on every other chip of toolkit 2; told in pixels of one element."""
    for chip in C2:
        wanted: dict[str, int | None] = dict.fromkeys(("float32", "int32", "int64", "int4", "nothing"))
        for dtype, width in (
            ("int8", 1),
            ("uint8", 1),
            ("bool", 1),
            ("float16", 2),
            ("int16", 2),
            ("uint16", 2),
            ("bfloat16", 2),
        ):
            wanted[dtype] = None if chip == "rk1808" else (8 if chip in ("rk3566", "rk3568") else 16) // width
        assert {dtype: width_alignment(chip, dtype) for dtype in wanted} == wanted, chip


def test_pitch_of_a_row() -> None:
    assert [w_stride("rk3566", "int8", w) for w in (1, 8, 9, 224, 225)] == [8, 8, 16, 224, 232]
    assert [w_stride("rk3588", "int8", w) for w in (1, 16, 17, 300)] == [16, 16, 32, 304]
    assert [w_stride("rv1106", "float16", w) for w in (1, 8, 9)] == [8, 8, 16]
    assert w_stride("rk3566", "float16", 5) == 8
    assert {type(width_alignment("rk3588", dtype)) for dtype in ("int8", "float16")} == {int}
    assert w_stride("rk3588", "float32", 300) is None
    assert w_stride("rv1126", "int8", 300) is None


def test_groups_of_chips() -> None:
    assert frozenset({"rk3566", "rk3568"}) == rockchip.RK356X
    assert frozenset({"rv1103", "rv1106", "rv1103b", "rv1106b"}) == rockchip.ZERO_COPY_ONLY
    assert frozenset({"rv1103", "rv1106", "rv1103b", "rv1106b", "rk2118"}) == rockchip.MINI
    assert frozenset({"rk1808", "rk1806", "rk3399pro", "rv1109", "rv1126"}) == rockchip.RKNN1_PLATFORMS


@pytest.mark.parametrize("chip", sorted(rockchip.RKNN1_PLATFORMS))
def test_chips_of_the_first_toolkit_have_no_such_rows(chip: str) -> None:
    assert width_alignment(chip, "int8") is None


def test_tags_of_compiled_graphs() -> None:
    """Root string 1 of models built by rknn-toolkit2 2.5.0 for each target."""
    assert rockchip.NPU_TAGS == {
        "RKNPU lite": ("rk3566", "rk3568"),
        "RKNPU v2": ("rk3588",),
        "RKNPU t4": ("rk3562",),
        "RKNPU f2": ("rk3576",),
        "RKNPU f3": ("rv1126b",),
        "RKNPU t3": ("rv1103", "rv1106"),
        "RKNPU w1": ("rv1103b", "rv1106b"),
        "RKNPU w2": ("rk2118",),
    }
