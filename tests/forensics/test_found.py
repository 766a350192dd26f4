"""What the wild benchmark once found wrong, each on a generated picture."""

from __future__ import annotations

import io
import random

import cv2
import numpy as np
import pytest
from PIL import Image

from prepcheck.forensics import BufferSpec, diagnose
from prepcheck.forensics import test_card as draw_card
from tests.forensics import wild
from tests.forensics.build import Fault, build
from tests.forensics.catalogue import cover_crop
from tests.forensics.contracts import C2, GRAY, OTHER, Contract
from tests.forensics.judge import expected_for, run
from tests.forensics.photos import scene

NAMED = {c.name: c for c in OTHER}


def _recoded(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], quality: int, subsampling: int) -> bytes:
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", quality=quality, subsampling=subsampling)
    return file.getvalue()


@pytest.mark.parametrize("subsampling", [0, 2])
@pytest.mark.parametrize("quality", [75, 85, 95])
def test_fine_colours_that_an_encoder_takes_away(quality: int, subsampling: int) -> None:
    """Coloured points in a dark sky, and the card's saturated noise: chroma is lost, brightness is not."""
    rng = np.random.default_rng(3)
    sky = np.full((200, 260, 3), 25, np.float32)
    y, x = rng.integers(0, 200, 900), rng.integers(0, 260, 900)
    sky[y, x] = rng.integers(0, 1500, (900, 3))
    stars = np.clip(cv2.GaussianBlur(sky, (0, 0), 0.8), 0, 255).astype(np.uint8)
    contract = Contract("u8-150x200", BufferSpec("uint8", "NHWC", (1, 150, 200, 3)))
    for image in (stars, draw_card(260, 200)):
        again = np.asarray(Image.open(io.BytesIO(_recoded(image, quality, subsampling))).convert("RGB"))
        found = diagnose(expected_for(image, contract), build(again, contract, []))
        assert found.verdict == "ok", (found.faults, found.difference)
        assert found.difference is not None
        assert found.difference.mean > 0


_SLOWLY = ("darker", "sepia", "median", "sharpened", "grain")


@pytest.mark.parametrize(
    "how", ["brighter", "pale", "solarized", *(pytest.param(h, marks=pytest.mark.slow) for h in _SLOWLY)]
)
def test_what_an_encoder_does_not_do_is_not_ok(how: str) -> None:
    contract = Contract("u8-150x200", BufferSpec("uint8", "NHWC", (1, 150, 200, 3)))
    expected = expected_for(scene(), contract)
    found = diagnose(expected, wild.outside(expected.pixels, random.Random(1))[how].tobytes())
    assert found.verdict == "not_explained", (found.faults, found.difference)


@pytest.mark.parametrize("offset", [5, 14, 54, 1078])
@pytest.mark.parametrize("name", ["int8-c2-8", "f16-c2-32"])
def test_bytes_in_front_of_packed_pixels(name: str, offset: int) -> None:
    got = run(scene(), NAMED[name], [{"name": "header_offset", "bytes": offset}])
    assert [(f.name, f.evidence) for f in got.diagnosis.faults] == [("header_offset", {"bytes": offset})]


@pytest.mark.parametrize(
    ("contract", "fault"),
    [
        (NAMED["f32-48x192-gray"], {"name": "nc4hw4_packing", "direction": "packed", "c2": 4}),
        (GRAY, {"name": "nc1hwc2_packing", "direction": "packed", "c2": 8}),
        (NAMED["f16-c2-32"], {"name": "row_stride", "got": 8576, "want": 8192, "_pad": "zero"}),
        (NAMED["f32-64x96-nchw-batch3"], {"name": "header_offset", "bytes": 256}),
        (NAMED["int8-256x448-letterbox"], {"name": "partial_fill", "rows": 216, "rest": "previous", "_previous": True}),
        (NAMED["u8-80x120-batch2"], {"name": "letterbox_instead_of_stretch", "box": [4, 0, 111, 80], "fill": 127}),
        (NAMED["f32-227-caffe"], {"name": "shifted", "dx": -29, "dy": -27, "border": "replicate"}),
        (C2, {"name": "uv_swapped", "_encode": ("BT709", True), "_at": "source"}),
    ],
    ids=lambda v: v["name"] if isinstance(v, dict) else v.name,
)
def test_single_fault(contract: Contract, fault: Fault) -> None:
    got = run(scene(), contract, [fault], previous=scene(3))
    assert got.right, (got.diagnosis.verdict, got.diagnosis.faults)
    assert got.parameters


@pytest.mark.parametrize("share", [1.0, 0.95, 0.875])
def test_crops_of_the_usual_evaluations(share: float) -> None:
    contract = NAMED["u8-72x160-nchw"]
    crop = cover_crop(scene().shape[:2], contract.size, share)
    got = run(scene(), contract, [{"name": "center_crop", "crop": [crop.x, crop.y, crop.w, crop.h]}])
    assert got.diagnosis.fault == "center_crop"
    assert got.parameters


@pytest.mark.parametrize(
    ("turn", "crop"),
    [("flipped_horizontal", (96, 0, 96, 150)), ("flipped_horizontal", (97, 0, 96, 150)), ("flipped_vertical", (96, 0, 96, 150))],
)  # fmt: skip
def test_an_odd_rest_beside_a_crop_that_is_turned(turn: str, crop: tuple[int, int, int, int]) -> None:
    """Of 193 spare columns one more is left over on one side; turned, on the other. Both are tried."""
    image = np.ascontiguousarray(cv2.resize(scene(), (289, 150)))
    contract = Contract("u8-75x48", BufferSpec("uint8", "NHWC", (1, 75, 48, 3)))
    got = run(image, contract, [{"name": "center_crop", "crop": list(crop)}, {"name": turn}])
    assert sorted(f.name for f in got.diagnosis.faults) == sorted(("center_crop", turn))


def test_difference_is_against_the_expected_bytes_whoever_made_the_picture() -> None:
    contract = Contract("u8-150x200", BufferSpec("uint8", "NHWC", (1, 150, 200, 3)))
    found = diagnose(
        expected_for(scene(), contract),
        build(scene(), contract, [{"name": "wrong_interpolation", "filter": "nearest"}]),
    )
    assert (found.verdict, found.implementation) == ("ok", "opencv-nearest")
    assert found.difference is not None
    assert 10 < found.difference.psnr < 45
