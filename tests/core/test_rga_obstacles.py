"""Why a core cannot run a job: every check at its border, on a core with small made-up limits, and the text of each reason.

Borders: RGA developer guide (sizes are inclusive, 2 pixels at least) and the kernel driver's integer check of scalings.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from prepcheck.core.geometry import Box
from prepcheck.core.rga import (
    FOUR_GIB,
    SMALLEST,
    Job,
    Obstacle,
    RgaChip,
    RgaCore,
    RowRule,
    Surface,
    Verdict,
    between,
    obstacles,
    row_rule,
    scales_too_much,
    verdict,
)
from prepcheck.core.rga_formats import FORMATS

CORE = RgaCore(
    kind="rga3", name="RGA3", hw_version="3.0", reach="any", in_min=(68, 4), in_max=(800, 600), out_min=(60, 8),
    out_max=(400, 300), scale_max=8, byte_stride=16, max_pitch_bytes=2400,
    inputs=frozenset({"rgb888", "yuv422sp", "yuyv422", "yuv420sp10"}), outputs=frozenset({"rgb888"}), fill=False,
    linear_down=True, bicubic_rows=1996, masks=(1, 2), count=2, confidence="high", source="made up",
)  # fmt: skip
OTHER = replace(
    CORE, kind="rga2", name="RGA2", scale_max=16, byte_stride=4, fill=True, inputs=frozenset({"rgb888", "rgba32"}),
    out_max=(800, 600), max_pitch_bytes=99999,
)  # fmt: skip


def surface(width: int, height: int, name: str = "RGB_888", wstride: int | None = None) -> Surface:
    return Surface(FORMATS[name], width, height, wstride or width, height, Box(0, 0, width, height))


def why(
    src: Surface | None, dst: Surface | None, *, core: RgaCore = CORE, fill: bool = False, turned: bool = False
) -> object:
    return obstacles(core, Job(src, dst, fill, turned))


FITS = surface(100, 100)


def test_constants() -> None:
    assert SMALLEST == 2
    assert FOUR_GIB == 4294967296


def test_a_job_in_the_limits_has_no_obstacle() -> None:
    assert why(FITS, FITS) == []
    assert why(FITS, None) == []
    assert why(None, FITS) == []
    assert why(surface(68, 4), None) == why(surface(800, 600), None) == []
    assert why(None, surface(60, 8)) == why(None, surface(400, 300)) == []


@pytest.mark.parametrize(
    ("width", "height", "wanted"),
    [
        (67, 50, ("small", "width", 67, 68)),
        (2, 50, ("small", "width", 2, 68)),
        (100, 3, ("small", "height", 3, 4)),
        (801, 50, ("large", "width", 801, 800)),
        (100, 601, ("large", "height", 601, 600)),
    ],
)
def test_sizes_of_a_source(width: int, height: int, wanted: tuple[str, str, int, int]) -> None:
    kind, axis, got, limit = wanted
    expected = Obstacle(CORE, kind, "src", axis, got, 0, limit, "")
    assert why(surface(width, height, wstride=100), None) == [expected]


@pytest.mark.parametrize(
    ("width", "height", "wanted"),
    [
        (59, 50, ("small", "width", 59, 60)),
        (100, 7, ("small", "height", 7, 8)),
        (401, 50, ("large", "width", 401, 400)),
        (100, 301, ("large", "height", 301, 300)),
    ],
)
def test_sizes_of_a_destination(width: int, height: int, wanted: tuple[str, str, int, int]) -> None:
    kind, axis, got, limit = wanted
    assert why(None, surface(width, height)) == [Obstacle(CORE, kind, "dst", axis, got, 0, limit, "")]


def test_less_than_two_pixels_is_refused_everywhere_and_no_obstacle_of_a_core() -> None:
    assert why(surface(1, 50), None) == why(None, surface(100, 1)) == []
    assert why(FITS, surface(100, 1)) == []  # nor is its scaling judged
    assert why(surface(100, 100), surface(1, 100)) == []
    assert why(surface(1, 100), FITS) == []


def test_a_source_and_a_destination_have_formats_of_their_own() -> None:
    nv16, rgba = surface(100, 100, "YCbCr_422_SP"), surface(100, 100, "RGBA_8888")
    assert why(nv16, FITS) == []
    assert why(FITS, nv16) == [Obstacle(CORE, "format", "dst", format="YCbCr_422_SP")]
    assert why(rgba, rgba) == [
        Obstacle(CORE, "format", "src", format="RGBA_8888"),
        Obstacle(CORE, "format", "dst", format="RGBA_8888"),
    ]


def test_a_row_may_be_as_long_as_the_limit() -> None:
    """2400 bytes are 800 pixels of RGB888, and 2400 of a 10-bit format, whose wstride is bytes."""
    assert why(surface(100, 100, wstride=800), None) == []
    assert why(surface(100, 100, wstride=801), None) == [Obstacle(CORE, "pitch", "src", "", 2403, 0, 2400, "")]
    assert why(None, surface(100, 100, wstride=900)) == [Obstacle(CORE, "pitch", "dst", "", 2700, 0, 2400, "")]
    assert why(surface(100, 100, "YCbCr_420_SP_10B", 2400), None) == []


def test_a_fill_needs_a_core_that_fills_and_is_never_scaled() -> None:
    assert why(None, FITS, fill=True) == [Obstacle(CORE, "fill")]
    assert why(None, FITS, fill=True, core=OTHER) == []
    far = surface(800, 600)
    assert why(far, surface(60, 8), fill=True, core=OTHER) == []
    assert why(far, surface(60, 8), core=OTHER) == [Obstacle(OTHER, "scale", "", "height", 600, 8, 16, "")]


def test_the_axis_scaled_more_is_named() -> None:
    assert why(surface(800, 600), surface(80, 30)) == [Obstacle(CORE, "scale", "", "height", 600, 30, 8, "")]
    assert why(surface(800, 600), surface(60, 60)) == [Obstacle(CORE, "scale", "", "width", 800, 60, 8, "")]
    assert why(surface(68, 10), surface(400, 200)) == [Obstacle(CORE, "scale", "", "height", 10, 200, 8, "")]
    assert why(surface(800, 600), surface(100, 75)) == []
    assert why(surface(800, 600), surface(100, 75, "RGB_888", 900)) == [
        Obstacle(CORE, "pitch", "dst", "", 2700, 0, 2400)
    ]


def test_a_turn_may_exchange_the_axes() -> None:
    """800x80 to 80x200: 10 times across as it stands, 4 and 1 times after a quarter turn."""
    tall = surface(80, 200)
    assert why(surface(800, 80), tall) == [Obstacle(CORE, "scale", "", "width", 800, 80, 8)]
    assert why(surface(800, 80), tall, turned=True) == []
    # beyond the limit both ways: the factor after the turn is told
    assert why(surface(800, 600), surface(66, 60), turned=True) == [Obstacle(CORE, "scale", "", "width", 800, 60, 8)]
    # within the limit as it stands: nothing is exchanged
    assert why(surface(800, 80), surface(200, 80), turned=True) == []


def test_rga3_has_no_quarter_turn_of_422() -> None:
    out = replace(CORE, outputs=CORE.inputs)
    nv16, yuyv = surface(100, 80, "YCbCr_422_SP"), surface(100, 80, "YUYV_422")
    turned = surface(80, 100)
    assert why(nv16, turned, turned=True) == [Obstacle(CORE, "turn", "src", format="YCbCr_422_SP")]
    assert why(yuyv, turned, turned=True) == [Obstacle(CORE, "turn", "src", format="YUYV_422")]
    assert why(nv16, turned) == []  # it is scaled, not turned
    assert why(nv16, surface(100, 80), turned=True) == []  # by 180 degrees
    assert why(surface(80, 80, "YCbCr_422_SP"), surface(80, 80), turned=True) == []  # a square does not tell
    assert why(surface(100, 80), turned, turned=True) == []
    assert why(surface(100, 80), surface(80, 100, "YCbCr_422_SP"), turned=True, core=out) == []  # the source counts
    assert why(nv16, surface(80, 90), turned=True) == []
    assert why(nv16, turned, turned=True, core=replace(CORE, kind="rga2")) == []


def test_the_rectangle_is_what_is_judged() -> None:
    part = replace(surface(900, 700, wstride=800), rect=Box(10, 20, 700, 500))
    assert part.work == (700, 500)
    assert why(part, None) == []


SCALED = Obstacle(CORE, "scale", axis="width", got=1608, other=192, limit=8)


@pytest.mark.parametrize(
    ("obstacle", "short"),
    [
        (SCALED, "RGA3: 1608/192 = 8.375 > 8"),
        (replace(SCALED, got=96, other=1920), "RGA3: 1920/96 = 20 > 8"),
        (Obstacle(CORE, "small", "src", "width", 67, limit=68), "RGA3: in width 67 < 68"),
        (Obstacle(CORE, "large", "dst", "height", 301, limit=300), "RGA3: out height 301 > 300"),
        (Obstacle(CORE, "pitch", "src", got=2403, limit=2400), "RGA3: in 2403 > 2400 bytes a row"),
        (Obstacle(OTHER, "turn", "src", format="YUYV_422"), "RGA2: no quarter turn of YUYV_422"),
        (Obstacle(OTHER, "format", "dst", format="Y8"), "RGA2: no out Y8"),
        (Obstacle(CORE, "fill"), "RGA3: no fill"),
        (Obstacle(CORE, "small", "", "width", 67, limit=68), "RGA3:  width 67 < 68"),
    ],
)
def test_an_obstacle_in_a_few_signs(obstacle: Obstacle, short: str) -> None:
    assert obstacle.short == short


def test_what_an_obstacle_says_of_itself() -> None:
    assert SCALED.ratio == replace(SCALED, got=192, other=1608).ratio == 8.375
    assert replace(SCALED, got=0).ratio == float("inf")
    assert replace(SCALED, got=1, other=3).ratio == 3
    names = {side: Obstacle(CORE, "format", side).side_name for side in ("src", "dst", "")}
    assert names == {"src": "source", "dst": "destination", "": "job"}
    bare = Obstacle(CORE, "fill")
    assert (bare.side, bare.axis, bare.got, bare.other, bare.limit, bare.format) == ("", "", 0, 0, 0, "")


def test_a_chip_is_as_strict_as_its_strictest_core() -> None:
    chip = RgaChip("rkx", (OTHER, CORE), "made up")
    assert chip.byte_stride == 16
    assert replace(chip, cores=(OTHER,)).byte_stride == 4
    assert chip.of_kind(None) == (OTHER, CORE)
    assert chip.of_kind("rga3") == (CORE,)
    assert chip.of_kind("rga1") == ()


def test_a_verdict_over_two_cores() -> None:
    found = verdict([OTHER, CORE], Job(surface(100, 100, "RGBA_8888"), surface(500, 50)))
    assert found == Verdict(
        (OTHER, CORE),
        (
            (),
            (Obstacle(CORE, "format", "src", format="RGBA_8888"), Obstacle(CORE, "large", "dst", "width", 500, 0, 400)),
        ),
    )
    assert found.able == (OTHER,)
    assert found.why_not("rga3") == found.obstacles[1]
    assert found.why_not("rga2") == found.why_not("rga1") == ()
    assert found.common("format", "large") == []


def test_what_every_core_lacks() -> None:
    small, large, fmt = (Obstacle(CORE, kind) for kind in ("small", "large", "format"))
    both = Verdict((OTHER, CORE), ((fmt, large), (small, large)))
    assert both.common("large") == [large, large]
    assert both.common("large", "small") == [large, small]  # the first of each core, in the order of the core
    assert both.common("format") == []
    assert both.common("pitch") == []
    assert Verdict((), ()).common("large") == []
    assert both.able == ()


@pytest.mark.parametrize(
    ("source", "dest", "limit", "refused"),
    [(15, 1, 8, False), (16, 1, 8, True), (1, 15, 8, False), (1, 16, 8, True), (7, 1, 4, False), (8, 1, 4, True), (3, 2, 1, True)],
)  # fmt: skip
def test_the_border_of_the_integer_check(source: int, dest: int, limit: int, refused: bool) -> None:
    """source >> log2(limit) > dest: one whole step more than the limit is needed."""
    assert scales_too_much(source, dest, limit) is refused


@pytest.mark.parametrize(
    ("source", "dest", "limit", "step", "middle"),
    [
        ((1920, 1080), (96, 54), 16, 1, (192, 108)),  # twice the destination, then 10 times from the source
        ((1920, 1080), (96, 54), 16, 16, (192, 108)),
        ((1900, 1080), (95, 55), 16, 16, (192, 110)),  # 190 rounded up to 16; the height is even
        ((1000, 1000), (10, 10), 16, 1, (70, 70)),  # 7 is the first factor with 1000 <= 16 · 10 · 7
        ((100, 100), (2000, 2000), 16, 1, (1000, 1000)),
        ((100, 100), (1999, 1999), 16, 8, (1000, 1000)),  # half of 1999, rounded up
        ((10, 10), (1000, 1000), 16, 1, (143, 144)),  # 1000 / 7 rounded up, and even
        ((100, 300), (100, 12), 16, 1, (100, 24)),  # one axis stays
        ((256, 256), (1, 1), 16, 1, (16, 16)),  # exactly the limit twice
        ((258, 256), (1, 1), 16, 1, None),
        ((256, 258), (1, 1), 16, 1, None),
        ((1, 1), (256, 256), 16, 1, (16, 16)),
        ((1, 1), (257, 256), 16, 1, None),
        ((4, 4), (1, 1), 2, 1, (2, 2)),
        ((100, 100), (99, 99), 16, 64, (100, 100)),  # never beyond the source
        ((99, 99), (100, 100), 16, 64, (99, 99)),
        ((100, 100), (10, 10), 1, 1, None),
    ],
)
def test_a_size_between_two(
    source: tuple[int, int], dest: tuple[int, int], limit: int, step: int, middle: tuple[int, int] | None
) -> None:
    assert between(source, dest, limit, step) == middle


def test_each_axis_is_held_to_the_limit_by_itself() -> None:
    assert between((1000, 10), (10, 10), 16) == (70, 10)  # 1000 / 20 would be 50 times
    assert between((10, 1000), (10, 10), 16) == (10, 70)
    assert between((100, 100), (6, 100), 16) == (12, 100)
    assert between((100, 100), (100, 6), 16) == (100, 12)
    assert between((100, 100), (3, 100), 16, 64) is None  # rows of 64 pixels are more than 16 · 3
    assert between((9, 8), (9, 1), 3) is None  # 8 / 2 is 4 times, and so is the second step from 4 to 1


def test_the_width_between_needs_no_step_unless_one_is_given() -> None:
    assert between((1901, 1080), (95, 54), 16) == (190, 108)
    assert between((1901, 1080), (97, 54), 16) == (194, 108)
    assert between((970, 97), (33, 33), 16) == (66, 66)
    assert between((99, 97), (33, 33), 2) == (66, 66)
    assert between((500, 97), (11, 33), 16, 3) == (33, 97)  # factor 3; 99 rows would be beyond the source


@pytest.mark.parametrize(
    ("wstride", "step", "legal", "below", "above"),
    [(510, 16, False, 496, 512), (512, 16, True, 512, 512), (5, 16, False, 0, 16), (513, 16, False, 512, 528), (7, 1, True, 7, 7)],
)  # fmt: skip
def test_pitches_around_a_pitch(wstride: int, step: int, legal: bool, below: int, above: int) -> None:
    rule = RowRule(wstride, step)
    assert (rule.legal, rule.below, rule.above) == (legal, below, above)


def test_the_rule_of_a_format() -> None:
    assert row_rule(FORMATS["RGBA_8888"], 510, 16) == RowRule(510, 4)
    assert row_rule(FORMATS["RGB_888"], 509, 4) == RowRule(509, 4)
