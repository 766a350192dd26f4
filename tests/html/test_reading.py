"""What the network gets of bytes: read back to the pixels that made them, and misread as the runtime would misread them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from prepcheck.app.report_pictures import views_of
from prepcheck.app.report_reading import made, told, value_scale, values_read
from prepcheck.contract.plan import Plan
from prepcheck.facts.world import World, make_world
from prepcheck.forensics.model import BufferSpec
from prepcheck.render.html.model import Views
from prepcheck.render.html.pictures import HEAT, encode, heat_map, heat_top
from tests.html.build import HEIGHT, IMAGENET, WIDTH, card, contract, plan, save

MEAN, STD = (123.675, 116.28, 103.53), (58.395, 57.12, 57.375)
PLAIN = BufferSpec("uint8", "NHWC", (1, HEIGHT, WIDTH, 3), model_mean=MEAN, model_std=STD)
FORMS = {
    "pixels": PLAIN,
    "pitch": replace(PLAIN, w_stride=WIDTH + 16),
    "planar": replace(PLAIN, layout="NCHW", shape=(1, 3, HEIGHT, WIDTH)),
    "planar, pitch": replace(PLAIN, layout="NCHW", shape=(1, 3, HEIGHT, WIDTH), w_stride=WIDTH + 8),
    "packed": replace(PLAIN, layout="NC4HW4", shape=(1, 3, HEIGHT, WIDTH)),
    "halves": replace(PLAIN, dtype="float16"),
    "host": BufferSpec("float32", "NHWC", (1, HEIGHT, WIDTH, 3), mean=MEAN, std=STD, model_mean=(0.0,), model_std=(1.0,)),
    "codes": BufferSpec(
        "int8", "NHWC", (1, HEIGHT, WIDTH, 3), mean=MEAN, std=STD, scale=0.018658, zero_point=-14
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_right_buffer_is_read_back_to_its_pixels(form: str) -> None:
    spec = FORMS[form]
    scale = value_scale(spec, contract().inputs[0], None)
    values = values_read(spec, made(card(), spec))
    assert values.shape == card().shape
    slack = 0.018658 * 58.4 if form == "codes" else 0.2  # one code; half floats
    assert np.abs(replace(scale, held=None).pixels(values) - card()).max() <= slack + (1.2 if form == "codes" else 0)
    right = (card().astype(np.float64) - MEAN) / STD
    if form != "codes":
        assert np.allclose(values, right, atol=0.01)


def test_a_buffer_that_ends_early_is_nothing_from_there() -> None:
    data = made(card(), PLAIN)[: 40 * WIDTH * 3]
    values = values_read(PLAIN, data)
    assert np.isfinite(values[:40]).all()
    assert np.isnan(values[40:]).all()


def world(**changes: Any) -> World:
    stated = {**plan(dtype="UINT8"), **changes}
    return make_world(contract=contract(), plan=Plan.model_validate(stated), declared=True)


def call(**fields: Any) -> list[dict[str, Any]]:
    return [{"api": "rknn_inputs_set", "inputs": [{"index": 0, "buffer": "x", "fmt": "NHWC", **fields}]}]


def test_pixels_declared_as_codes_wrap() -> None:
    spec = told(world(calls=call(type="INT8", pass_through=0)), 0, PLAIN)
    assert (spec.dtype, spec.scale, spec.zero_point, spec.model_mean) == ("int8", 0.018658, -14, None)
    values = values_read(spec, made(card(), PLAIN))
    signed = card().astype(np.int16)
    signed[signed > 127] -= 256
    assert np.allclose(values, (signed + 14) * 0.018658)


def test_planes_are_read_as_they_are_declared() -> None:
    spec = told(world(calls=call(type="UINT8", fmt="NCHW", pass_through=0)), 0, PLAIN)
    assert spec.planar
    assert not np.allclose(values_read(spec, made(card(), PLAIN)), values_read(PLAIN, made(card(), PLAIN)))


def test_what_is_declared_right_is_read_right() -> None:
    assert told(world(calls=call(type="UINT8", pass_through=0)), 0, PLAIN) == PLAIN


def views(tmp_path: Any, given: World, **more: Any) -> Views:
    from prepcheck.app.report_pictures import Given

    found, _ = views_of(given, 0, Given(save(tmp_path), **more))
    assert found is not None
    return found


def test_the_effect_of_exchanged_channels(tmp_path: Any) -> None:
    found = views(tmp_path, world(), buffer=np.ascontiguousarray(card()[..., ::-1]))
    assert found.right is not None
    assert found.seen is not None
    assert found.effect is not None
    assert np.array_equal(found.right, card())
    assert np.abs(found.seen.astype(int) - card()[..., ::-1]).max() <= 1
    apart = (card().astype(float) - card()[..., ::-1]) ** 2
    assert found.effect.psnr == pytest.approx(10 * np.log10(255**2 / apart.mean()), abs=0.1)
    assert found.effect.levels == pytest.approx(found.effect.levels_right, abs=8)


def test_the_effect_of_no_normalisation_is_cut_off(tmp_path: Any) -> None:
    """Floats 0..255 declared right, handed to a runtime that applies nothing: nearly all lie beyond 2.63."""
    bare = contract(mean=[0.0, 0.0, 0.0], std=[1.0, 1.0, 1.0])
    stated = plan(training=IMAGENET, dtype="UINT8")
    found = views(tmp_path, make_world(contract=bare, plan=Plan.model_validate(stated), declared=True))
    assert found.effect is not None
    assert found.effect.cut == pytest.approx(float((card() > 2.63).mean()), abs=0.02)
    assert found.effect.cut_right == pytest.approx(0, abs=0.01)
    assert found.effect.levels == 4  # 0, 1, 2 and the end
    assert found.histogram is not None
    assert found.histogram.in_network
    assert found.histogram.held == (-2.127012, 2.630778)
    for channel in found.histogram.channels:
        assert channel.right.sum() == channel.seen.sum() == HEIGHT * WIDTH


def test_the_heat_map_rises_in_luminance() -> None:
    luminance = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in HEAT]
    assert all(b > a + 8 for a, b in pairwise(luminance))


def test_a_single_wrong_pixel_stays_visible_in_a_large_heat_map() -> None:
    difference = np.zeros((1600, 1600), np.float32)
    difference[801, 77] = 200
    difference[:3] = np.nan
    picture = heat_map(difference, 255.0)
    assert picture.shape[:2] == (800, 800)
    assert (picture[400, 38] > 150).any()
    assert tuple(picture[0, 0]) == (128, 128, 128)
    assert heat_top(difference) == 8.0
    assert heat_top(np.full((4, 4), 128, np.float32)) == 255.0
    assert heat_top(np.full((4, 4), np.nan, np.float32)) == 255.0


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 4000, 3), (300, 7, 3), (700, 900, 3)])
def test_any_picture_fits_its_budget(shape: tuple[int, int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, shape, np.uint8)
    found = encode(noise, 30_000)
    assert len(found.uri) < 30_000 * 4 / 3 + 200 or shape[0] * shape[1] <= 24_000
    assert (found.width, found.height) == (shape[1], shape[0])


def converted(tmp_path: Any, matrix: dict[str, Any] | None, **more: Any) -> Views:
    """The page's pictures of an MNN input that ImageProcess writes from the card enlarged twice."""
    from prepcheck.app.report_pictures import Given

    image = save(tmp_path, card().repeat(2, axis=0).repeat(2, axis=1))
    model = contract(
        layout="NC4HW4", shape=[1, 3, HEIGHT, WIDTH], dtype="float32", scale=None, zero_point=None, value_range=None,
        mean=None, std=None, scheme=None, size=None,
    )  # fmt: skip
    fields = {
        "source_format": "RGB",
        "dest_format": "RGB",
        "normal": [1 / 255] * 3,
        "matrix": matrix,
        "source": "frame",
    }
    stated = {
        "prepcheck": "plan/v1", "runtime": "mnn", "backend": "cpu",
        "model": {"training": {"color": "RGB", "range": [0, 1], "resize": "stretch"}},
        "buffers": {"frame": {"dtype": "uint8", "shape": [2 * HEIGHT, 2 * WIDTH, 3], "layout": "HWC", "color": "RGB"}},
        "calls": [{"api": "ImageProcess.convert", "tensor": "images", **fields, **more}, {"api": "runSession"}],
    }  # fmt: skip
    model = model.model_copy(update={"runtime": "mnn", "quantized": False})
    found, _ = views_of(make_world(contract=model, plan=Plan.model_validate(stated), declared=True), 0, Given(image))
    assert found is not None
    assert found.effect is not None
    return found


def test_image_process_with_the_right_matrix(tmp_path: Any) -> None:
    found = converted(tmp_path, {"scale": [2, 2], "translate": [0, 0]})
    assert found.seen is not None
    assert np.array_equal(found.seen, card())
    assert found.effect is not None
    assert found.effect.psnr > 30


def test_image_process_with_the_matrix_inverted_sees_a_corner(tmp_path: Any) -> None:
    found = converted(tmp_path, {"scale": [0.5, 0.5], "translate": [0, 0]}, filter="nearest")
    assert found.seen is not None
    assert found.effect is not None
    rows, columns = ((np.arange(n) * 0.5 + 0.5).astype(int) // 2 for n in (HEIGHT, WIDTH))  # rounded, then halved
    corner = card()[rows][:, columns]
    assert np.mean(found.seen == corner) > 0.98
    assert found.effect.psnr < 15


def test_image_process_told_the_wrong_order(tmp_path: Any) -> None:
    found = converted(tmp_path, {"scale": [2, 2], "translate": [0, 0]}, source_format="BGR")
    assert found.seen is not None
    assert np.array_equal(found.seen, card()[..., ::-1])


def test_what_codes_hold_decides_nothing_where_the_normalisation_is_not_stated(tmp_path: Any) -> None:
    """An MNN model quantised inside that holds ±1, raw pixels on the usual path: cut off, but not called wrong."""
    model = contract(layout="NCHW", shape=[1, 3, HEIGHT, WIDTH], dtype="float32", mean=None, std=None, zero_point=0,
                     scale=0.00787, value_range=[-0.9994, 0.9994], size=None)  # fmt: skip
    model = model.model_copy(update={"runtime": "mnn"})
    stated = {
        "prepcheck": "plan/v1", "runtime": "mnn",
        "steps": [{"decode": {"library": "pillow", "color": "RGB"}}, {"cast": {"dtype": "float32"}}, {"transpose": {"to": "NCHW"}}],
    }  # fmt: skip
    given = make_world(contract=model, plan=Plan.model_validate(stated), declared=True)
    found = views(tmp_path, given, buffer=np.ascontiguousarray(np.moveaxis(card(), -1, 0).astype(np.float32)))
    assert found.effect is not None
    assert found.effect.psnr == np.inf
    assert found.effect.cut == pytest.approx(float((card() > 1.0).mean()), abs=0.01)
    assert found.effect.cut_right is None
    assert found.effect.levels_right is None
    assert found.seen is not None
    assert np.array_equal(found.seen, card())


def test_a_large_input_is_compared_at_every_so_many_pixels(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from prepcheck.app import report_pictures

    whole = views(tmp_path, world(), buffer=np.ascontiguousarray(card()[..., ::-1]))
    monkeypatch.setattr(report_pictures, "COMPARED", HEIGHT * WIDTH // 5)
    part = views(tmp_path, world(), buffer=np.ascontiguousarray(card()[..., ::-1]))
    assert part.seen is not None
    assert whole.effect is not None
    assert part.effect is not None
    assert part.seen.shape == (-(-HEIGHT // 3), WIDTH // 3, 3)
    assert part.effect.psnr == pytest.approx(whole.effect.psnr, abs=1.5)
    short = values_read(PLAIN, made(card(), PLAIN)[: 40 * WIDTH * 3], 3)
    assert np.isfinite(short[:14]).all()
    assert np.isnan(short[14:]).all()


def test_pictures_of_a_giant_input_are_not_made(tmp_path: Any) -> None:
    from prepcheck.app.report_pictures import Given

    giant = contract(shape=[1, 30000, 30000, 3], size=None)
    given = make_world(contract=giant, plan=Plan.model_validate(plan(dtype="UINT8")), declared=True)
    found, notes = views_of(given, 0, Given(save(tmp_path)))
    assert found is None
    assert notes[0].values["n"] == 900_000_000
