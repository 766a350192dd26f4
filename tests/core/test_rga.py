"""RGA arithmetic and the chip table against the figures of the developer guide, written down by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from prepcheck.core.geometry import Box
from prepcheck.core.rga import Job, Surface, between, row_rule, scales_too_much, verdict
from prepcheck.core.rga_formats import FORMATS, format_of_number, image_bytes, rk_format, row_step, ten_bit_row
from prepcheck.data import chips
from prepcheck.data.chips import heap, rga_chip, table


def surface(name: str, width: int, height: int, wstride: int | None = None) -> Surface:
    fmt = rk_format(name)
    assert fmt is not None
    return Surface(fmt, width, height, wstride or width, height, Box(0, 0, width, height))


@pytest.mark.parametrize(
    ("name", "four", "sixteen"),
    [
        ("RGBA_8888", 1, 4), ("RGB_565", 2, 8), ("YUYV_422", 2, 8), ("RGB_888", 4, 16), ("BGR_888", 4, 16),
        ("YCbCr_420_SP", 4, 16), ("YCbCr_422_P", 4, 16), ("YCbCr_400", 4, 16), ("YCbCr_420_SP_10B", 16, 64),
    ],
)  # fmt: skip
def test_row_steps(name: str, four: int, sixteen: int) -> None:
    assert (row_step(FORMATS[name], 4), row_step(FORMATS[name], 16)) == (four, sixteen)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("RGBA_8888", 1_228_800), ("RGB_888", 921_600), ("RGB_565", 614_400), ("YCbCr_420_SP", 460_800),
        ("YCbCr_420_P", 460_800), ("YCbCr_422_SP", 614_400), ("YCbCr_400", 307_200),
        ("YUYV_422", 614_400), ("Y4", 153_600),
    ],
)  # fmt: skip
def test_bytes_of_640x480(name: str, size: int) -> None:
    assert image_bytes(FORMATS[name], 640, 480) == size


def test_ten_bit_rows_are_bytes() -> None:
    assert ten_bit_row(3840) == 4800
    assert image_bytes(FORMATS["YCbCr_420_SP_10B"], 4800, 2160) == 4800 * 2160 * 3 // 2


def test_numbers_of_logs() -> None:
    for number, name in (
        (2560, "YCbCr_420_SP"),
        (512, "RGB_888"),
        (0x700, "BGR_888"),
        (1, "RGBX_8888"),
        (0, "RGBA_8888"),
    ):
        found = format_of_number(number)
        assert found is not None and found.name == name
    assert format_of_number(0x10000) is None
    assert rk_format("RK_FORMAT_YCbCr_422_10b_SP") is FORMATS["YCbCr_422_SP_10B"]
    assert rk_format("RGB888") is None


def test_rows_name_the_next_legal_pitch() -> None:
    rule = row_rule(FORMATS["RGB_888"], 510, 16)
    assert (rule.legal, rule.below, rule.above) == (False, 496, 512)
    widths = (224, 320, 400, 416, 640, 800, 100, 168, 300, 500, 510)
    assert [w for w in widths if row_rule(FORMATS["RGB_888"], w, 16).legal] == [224, 320, 400, 416, 640, 800]


@pytest.mark.parametrize(
    ("source", "dest", "limit", "refused"),
    [(1920, 96, 16, True), (1600, 100, 16, False), (1615, 100, 16, False), (1616, 100, 16, True), (1608, 192, 8, True),
     (96, 1920, 16, True), (100, 1600, 16, False), (1536, 192, 8, False)],
)  # fmt: skip
def test_scaling_is_checked_in_whole_numbers(source: int, dest: int, limit: int, refused: bool) -> None:
    assert scales_too_much(source, dest, limit) is refused


def test_a_size_in_between() -> None:
    assert between((1920, 1080), (96, 54), 16) == (192, 108)
    assert between((100, 100), (2000, 2000), 16) == (1000, 1000)
    assert between((8192, 8192), (2, 2), 16) is None
    for source, dest in (((3000, 2000), (100, 64)), ((64, 48), (1300, 900)), ((1920, 1080), (60, 700))):
        middle = between(source, dest, 16, 4)
        assert middle is not None
        for a, b in (*zip(source, middle, strict=True), *zip(middle, dest, strict=True)):
            assert max(a, b) <= 16 * min(a, b)


def test_which_core_of_rk3588() -> None:
    chip = rga_chip("rk3588")
    assert chip is not None and chip.byte_stride == 16

    def able(src: Surface | None, dst: Surface, *, fill: bool = False) -> set[str]:
        return {c.kind for c in verdict(chip.cores, Job(src, dst, fill)).able}

    rgb = surface("RGB_888", 640, 640)
    assert able(surface("YCbCr_420_SP", 1920, 1080), rgb) == {"rga2", "rga3"}
    assert able(surface("YCbCr_420_P", 1920, 1080), rgb) == {"rga2"}
    assert able(surface("YCbCr_400", 1920, 1080), rgb) == {"rga2"}
    assert able(None, rgb, fill=True) == {"rga2"}
    assert able(surface("RGB_888", 6000, 640), rgb) == {"rga2"}
    assert able(surface("RGB_888", 64, 64), surface("RGB_888", 128, 128)) == {"rga2"}
    assert able(rgb, surface("RGB_888", 5120, 2880)) == {"rga3"}
    assert able(rgb, surface("ARGB_8888", 640, 640)) == {"rga2"}
    assert able(rgb, surface("YCbCr_420_SP_10B", 640, 640)) == {"rga3"}
    assert able(surface("YCbCr_420_P", 4096, 4096), surface("RGB_888", 5120, 2880)) == set()
    assert able(surface("RGB_888", 8192, 2), surface("RGB_888", 2, 2)) == set()
    assert able(surface("RGBA_8888", 640, 640, 8200), rgb) == set()  # rows of 32800 bytes


def test_verdict_names_what_all_cores_lack() -> None:
    chip = rga_chip("rk3588")
    assert chip is not None
    found = verdict(chip.cores, Job(surface("RGB_888", 1920, 1080), surface("RGB_888", 96, 54)))
    assert [(o.core.kind, o.limit) for o in found.common("scale")] == [("rga2", 16), ("rga3", 8)]
    assert found.common("scale")[0].ratio == 20
    assert found.common("format") == []
    assert [o.kind for o in found.why_not("rga3")] == ["scale"]


def test_reach() -> None:
    reach = {name: {c.reach for c in chip.cores} for name, chip in table().chips.items()}
    assert reach["rv1106"] == reach["rv1103"] == reach["rv1103b"] == reach["rk3506"] == {"contiguous"}
    assert reach["rk3568"] == reach["rv1126"] == reach["rk3399pro"] == {"below_4gib"}
    assert reach["rk3588"] == {"below_4gib", "any"}
    assert reach["rk3562"] == reach["rk3576"] == reach["rv1126b"] == {"any"}
    assert rga_chip("rk3588s") is rga_chip("rk3588")
    assert rga_chip("rk9999") is None


def test_heaps() -> None:
    assert heap("/dev/dma_heap/system-uncached-dma32") == heap("system-uncached-dma32")
    known = {name: (h.cached, h.contiguous, h.below_4gib) for name, h in table().heaps.items()}
    assert known["system"] == (True, False, False)
    assert known["system-dma32"] == (True, False, True)
    assert known["rk-dma-heap-cma"] == (True, True, True)
    assert heap("nonsense") is None


def test_a_damaged_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = json.loads(chips.PATH.read_text(encoding="utf-8"))
    changes = [("schema", "x"), ("aliases", {"rk3588": "rk3568"})]
    for key, value in changes:
        path = tmp_path / "chips.json"
        path.write_text(json.dumps({**good, key: value}), encoding="utf-8")
        monkeypatch.setattr(chips, "PATH", path)
        with pytest.raises(ValueError, match=r"chips\.json"):
            table.__wrapped__()


def test_rect_takes_the_place_of_the_image() -> None:
    whole = surface("BGR_888", 1920, 1080)
    part = replace(whole, rect=Box(0, 0, 1608, 1072))
    assert part.work == (1608, 1072)
