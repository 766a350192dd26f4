"""Which pictures are said to be in the other channel order: twins and outliers, and all the look-alikes that are not."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from prepcheck.app.sweeping.colour import odd_ones
from prepcheck.app.sweeping.unit import look
from prepcheck.facts.world import ImageFacts
from tests.forensics.photos import photos
from tests.sweep.pictures import texture

U8 = NDArray[np.uint8]
FACTS = ImageFacts(name="x", format="png", size=(36, 20), mode="RGB", bits=8, frames=1, orientation=None)


def odd(pictures: list[U8]) -> list[tuple[str, str | None]]:
    looks = [(str(i), look(0, FACTS, p, "RGB", [])[0]) for i, p in enumerate(pictures)]
    run = [(n, x) for n, x in looks if "means" in x]
    assert len(run) == len(pictures)
    found, _ = odd_ones(run)
    return [(o.name, o.twin) for o in found]


def jpeg(picture: U8, quality: int) -> U8:
    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, "JPEG", quality=quality)
    return np.asarray(Image.open(stream))


def camera(count: int, seed: int) -> list[U8]:
    """Frames of one camera under warm light: one scene, other noise and a little more or less light each time."""
    rng = np.random.default_rng(seed)
    scene = texture(seed, (128, 96)).astype(np.float64) * 0.6 + np.array([70.0, 40.0, 5.0])
    frames = [scene * rng.uniform(0.97, 1.03) + rng.normal(0, 4, scene.shape) for _ in range(count)]
    return [np.clip(f, 0, 255).astype(np.uint8) for f in frames]


def swapped(picture: U8) -> U8:
    return np.ascontiguousarray(picture[..., ::-1])


def all_photos() -> list[U8]:
    found = [cv2.resize(p, (160, 120), interpolation=cv2.INTER_AREA) for p in photos().values()]
    if not found:
        pytest.skip("no photos: scikit-image and scikit-learn are not installed")
    return found


@pytest.mark.parametrize("quality", [60, 75, 95])
def test_the_same_picture_in_both_orders(quality: int) -> None:
    pictures = camera(5, 1)
    assert odd([*pictures, jpeg(swapped(pictures[2]), quality)]) == [("5", "2")]


@pytest.mark.parametrize("seed", range(4))
def test_one_of_a_camera_in_the_other_order(seed: int) -> None:
    pictures = camera(40, seed)
    pictures[17] = swapped(pictures[17])
    ((name, _),) = odd(pictures)
    assert name == "17"
    pictures[17] = np.roll(pictures[17], 40, axis=1)  # it moved: none of the others is the same picture
    assert odd(pictures) == [("17", None)]


def test_half_in_each_order() -> None:
    pictures = camera(30, 2)
    found = odd([*pictures[:20], *(swapped(p) for p in pictures[20:])])
    assert {name for name, _ in found} == {str(i) for i in range(20, 30)}
    assert all(int(twin or 0) < 20 for _, twin in found)


@pytest.mark.parametrize("seed", range(4))
def test_a_camera_alone_is_right(seed: int) -> None:
    assert odd(camera(40, seed)) == []


def test_mixed_pictures_prove_nothing() -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        pictures = [
            texture(int(rng.integers(1 << 30)), (64, 48), tint=tuple(rng.integers(-60, 61, 3).tolist())) for _ in range(60)
        ]  # fmt: skip
        assert odd(pictures) == []


def test_photos_prove_nothing() -> None:
    pictures = all_photos()
    cuts = [np.ascontiguousarray(p[y : y + 60, x : x + 80]) for p in pictures for y in (0, 60) for x in (0, 80)]
    assert odd([*pictures, *cuts]) == []


def test_photos_and_their_twins() -> None:
    pictures = [p for p in all_photos() if np.abs(p.astype(int) - p[..., ::-1]).mean() > 12]
    both = [*pictures, *(jpeg(swapped(p), 90) for p in pictures)]
    wanted = [(str(i + len(pictures)), str(i)) for i in range(len(pictures))]
    found = odd(both)
    assert set(found) <= set(wanted)
    assert len(found) >= 0.8 * len(wanted)  # a JPEG with coarse chroma may be too far away to be proved the same


def test_a_bluer_scene_is_no_exchange() -> None:
    pictures = camera(40, 5)
    pictures[3] = texture(99, (128, 96), tint=(-45, 30, 20))
    assert odd(pictures) == []


def test_gray_and_few() -> None:
    gray = [np.repeat(texture(i, (64, 48))[..., :1], 3, axis=2) for i in range(30)]
    assert odd(gray) == []
    assert odd(gray[:1]) == []
    assert odd([]) == []
