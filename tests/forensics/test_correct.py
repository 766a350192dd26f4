"""Correct buffers are ok: equal ones, other implementations' ones, other legal hand-overs; and what stays open is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from prepcheck.core.geometry import Box
from prepcheck.forensics import BufferSpec, Expected, diagnose
from prepcheck.forensics import test_card as draw_card
from prepcheck.forensics.filters import FAMILY, axes_of, resize, sample
from tests.forensics import legal
from tests.forensics.build import build, elements, laid_out
from tests.forensics.catalogue import outside
from tests.forensics.contracts import SMALL, Contract
from tests.forensics.judge import expected_for
from tests.forensics.photos import scene


@pytest.mark.parametrize("how", legal.NAMES)
@pytest.mark.parametrize("contract", (SMALL[0], SMALL[1], SMALL[5]), ids=lambda c: c.name)
def test_other_implementations_are_ok(contract: Contract, how: str) -> None:
    expected = expected_for(scene(), contract)
    found = diagnose(expected, legal.buffer(scene(), contract, how, np.random.default_rng(2)))
    assert found.verdict == "ok", (found.faults, found.difference)
    assert found.difference is not None
    assert found.difference.psnr > 25


def test_difference_is_measured() -> None:
    contract = SMALL[0]
    found = diagnose(
        expected_for(scene(), contract), legal.buffer(scene(), contract, "jpeg-85", np.random.default_rng(2))
    )
    assert found.difference is not None
    assert 25 < found.difference.psnr < 60
    assert 0 < found.difference.mean < 6


def test_named_filter_makes_another_one_a_fault_and_an_unnamed_one_does_not() -> None:
    data = build(scene(), SMALL[0], [{"name": "wrong_interpolation", "filter": "nearest"}])
    named = diagnose(expected_for(scene(), SMALL[0]), data)
    assert named.fault == "wrong_interpolation"
    assert named.evidence["filter"] == "nearest"
    free = legal.plain(SMALL[0])
    unnamed = diagnose(expected_for(scene(), free), data)
    assert unnamed.verdict == "ok"
    assert unnamed.implementation == "opencv-nearest"


def test_legal_handovers_come_before_faults() -> None:
    base = BufferSpec("uint8", "NHWC", (1, 90, 100, 3), label="uint8 NHWC")
    contract = Contract("u8", base)
    others = (
        replace(base, w_stride=112, label="rows of 112 pixels"),
        replace(base, dtype="int8", scale=1.0, zero_point=-128, label="int8 codes"),
        replace(base, dtype="float16", label="float16"),
        replace(base, dtype="float32", label="float32"),
    )
    expected = replace(expected_for(scene(), contract), handovers=others)
    for spec in (base, *others):
        px = expected.pixels
        data = laid_out(elements(px, spec, []), spec, [], np.random.default_rng(0)).tobytes()
        found = diagnose(expected, data)
        assert (found.verdict, found.handover) == ("ok", spec.label)
    alone = diagnose(replace(expected, handovers=()), (expected.pixels ^ 0x80).tobytes())
    assert alone.fault == "signed_offset"


def test_arrays_are_taken_by_their_type() -> None:
    base = BufferSpec("uint8", "NHWC", (1, 90, 100, 3), label="uint8")
    other = replace(base, dtype="float32", label="float32")
    expected = replace(expected_for(scene(), Contract("u8", base)), handovers=(other,))
    found = diagnose(expected, expected.pixels.astype(np.float32)[None])
    assert (found.verdict, found.handover) == ("ok", "float32")
    big = diagnose(expected, expected.pixels.astype(">f4"))
    assert big.verdict == "ok"  # an array knows its byte order


def test_what_a_picture_cannot_show_is_said() -> None:
    contract = SMALL[1]
    gray = np.repeat(scene()[..., :1], 3, axis=2)
    found = diagnose(
        expected_for(gray, contract), build(gray, contract, [{"name": "gray_replicated", "from": "green"}])
    )
    assert found.verdict == "ok"
    assert "gray_replicated" in found.cannot_show
    assert "flipped_vertical" not in found.cannot_show
    flat = np.full((200, 300, 3), 90, np.uint8)
    nothing = diagnose(expected_for(flat, contract), build(flat, contract, [{"name": "flipped_vertical"}]))
    assert nothing.verdict == "cannot_tell"
    assert {"flipped_vertical", "rotated", "shifted"} <= set(nothing.cannot_show)
    card = draw_card(320, 240)
    shown = diagnose(expected_for(card, SMALL[0]), build(card, SMALL[0], []))
    assert shown.verdict == "ok"
    assert not {
        "channels_swapped",
        "gray_replicated",
        "flipped_vertical",
        "flipped_horizontal",
        "rotated",
        "inverted",
    } & set(shown.cannot_show)


def test_two_names_for_the_same_bytes_are_both_given() -> None:
    half = scene()[:, :250]
    mirrored = np.concatenate([half, half[:, ::-1]], axis=1)
    contract = Contract("u8-120x160", BufferSpec("uint8", "NHWC", (1, 120, 160, 3)))
    found = diagnose(expected_for(mirrored, contract), build(mirrored, contract, [{"name": "rotated", "degrees": 180}]))
    classes = {(found.fault,), *found.alternatives}
    assert ("rotated",) in classes
    assert ("flipped_vertical",) in classes


@pytest.mark.slow
def test_faults_outside_the_vocabulary_are_not_explained() -> None:
    contract = Contract("u8-200x260", BufferSpec("uint8", "NHWC", (1, 200, 260, 3)))
    expected = expected_for(scene(), contract)
    wrong = {}
    for name, spoilt in outside(expected.pixels).items():
        found = diagnose(expected, spoilt.tobytes())
        if found.verdict != "not_explained":
            wrong[name] = (found.verdict, found.faults, found.difference)
    assert wrong == {}


def test_unrelated_picture_is_said_to_be_one() -> None:
    contract = SMALL[0]
    found = diagnose(expected_for(scene(), contract), build(scene(5), contract, []))
    assert found.fault == "different_image"
    correlation = found.evidence["correlation"]
    assert isinstance(correlation, float)
    assert correlation < 0.9


def test_effect_is_measured() -> None:
    contract = SMALL[1]
    found = diagnose(expected_for(scene(), contract), build(scene(), contract, [{"name": "not_normalized"}]))
    assert found.effect is not None
    assert found.effect.saturated > 0.5
    assert found.effect.distinct < found.effect.distinct_expected


def test_grid_of_a_resizer_equals_its_library() -> None:
    image = scene()
    rows, cols = np.arange(3, 90, 7), np.arange(2, 120, 11)
    for name in FAMILY:
        if name.split("-")[0] not in ("opencv", "pillow") or name == "pillow-nearest":
            continue
        made = sample(image, axes_of(name, Box(0, 0, image.shape[1], image.shape[0]), (97, 131), rows, cols))
        whole = resize(image, (97, 131), name)[rows][:, cols]
        assert np.abs(made - whole).max() <= 3, name


def test_expected_takes_batches_of_different_pictures() -> None:
    contract = SMALL[6]
    spec = contract.spec
    pixels = np.stack([expected_for(scene(k), contract).pixels for k in range(4)])
    expected = Expected(scene(), "RGB", pixels, spec)
    good = pixels.tobytes()
    assert diagnose(expected, good).verdict == "ok"
    half = bytearray(good)
    half[len(good) // 2 :] = bytes(len(good) // 2)
    found = diagnose(expected, bytes(half))
    assert found.fault == "batch_partial"
    assert found.evidence["filled"] == 2


def test_a_fault_must_explain_more_than_none_does() -> None:
    """Dark pictures with the noise of an encoder: chains of value faults that undo each other are no explanation."""
    dark = (scene().astype(np.float32) * 0.35).astype(np.uint8)
    dark[:, :200] = 0
    contract = Contract("u8-120x200", BufferSpec("uint8", "NHWC", (1, 120, 200, 3)))
    for how in ("jpeg-95", "jpeg-85", "decoder"):
        found = diagnose(expected_for(dark, contract), legal.buffer(dark, contract, how, np.random.default_rng(4)))
        assert (found.verdict, found.faults) == ("ok", ()), how
