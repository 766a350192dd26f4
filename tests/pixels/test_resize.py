"""Resizing by name: each library is the one asked for, and what happens where one is missing."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from PIL import Image

from prepcheck.errors import UsageError
from prepcheck.pixels.image_process import Unsupported
from prepcheck.pixels.resize import FILTERS, resize
from prepcheck.pixels.rga_scale import rga_resize, zoo_cpu_resize

RNG = np.random.default_rng(8)
PICTURE = RNG.integers(0, 256, (30, 50, 3), np.uint8)
ALL = [(library, name) for library, names in FILTERS.items() for name in names]


@pytest.mark.parametrize("library,name", ALL)
@pytest.mark.parametrize("shape", [(30, 50), (30, 50, 1), (30, 50, 3), (30, 50, 4)])
def test_shape_type_and_names(library: str, name: str, shape: tuple[int, ...]) -> None:
    image = RNG.integers(0, 256, shape, np.uint8)
    done = resize(image, (21, 40), filter=name, library=library)
    assert done.pixels.shape == (40, 21, *shape[2:])
    assert done.pixels.dtype == np.uint8
    assert (done.library, done.wanted, done.filter, done.fell_back) == (library, library, name, False)


@pytest.mark.parametrize("name,flag", [("nearest", 0), ("bilinear", 1), ("bicubic", 2), ("area", 3), ("lanczos", 4)])
def test_opencv_is_opencv(name: str, flag: int) -> None:
    cv2 = pytest.importorskip("cv2")
    want = cv2.resize(PICTURE, (21, 17), interpolation=flag)
    assert np.array_equal(resize(PICTURE, (21, 17), filter=name, library="opencv").pixels, want)
    six = np.concatenate((PICTURE, PICTURE[:, :, ::-1]), axis=2)
    assert np.array_equal(resize(six, (21, 17), filter=name, library="opencv").pixels[:, :, :3], want)


def test_pillow_is_pillow() -> None:
    for name in FILTERS["pillow"]:
        method = Image.Resampling["BOX" if name == "area" else name.upper()]
        want = np.asarray(Image.fromarray(PICTURE).resize((21, 17), method))
        assert np.array_equal(resize(PICTURE, (21, 17), filter=name, library="pillow").pixels, want)
        two = resize(PICTURE[:, :, :2], (21, 17), filter=name, library="pillow").pixels
        assert np.array_equal(two, want[:, :, :2])


def test_mnn_is_one_step_from_opencvs_bilinear() -> None:
    pytest.importorskip("cv2")
    mnn = resize(PICTURE, (33, 19), filter="bilinear", library="mnn").pixels
    opencv = resize(PICTURE, (33, 19), filter="bilinear", library="opencv").pixels
    assert np.abs(mnn.astype(int) - opencv.astype(int)).max() <= 1
    with pytest.raises(Unsupported) as caught:
        resize(PICTURE, (50, 30), filter="bilinear", library="mnn")
    assert caught.value.rule_id == "mnn:I8"


def test_rga_and_zoo() -> None:
    rga = resize(PICTURE, (25, 15), filter="bilinear", library="rga")
    assert np.array_equal(rga.pixels, rga_resize(PICTURE, (25, 15), "rga2", 1))
    assert np.array_equal(
        resize(PICTURE, (25, 15), filter="area", library="rga3").pixels, rga_resize(PICTURE, (25, 15), "rga3")
    )
    assert np.array_equal(
        resize(PICTURE, (25, 15), filter="bilinear", library="zoo").pixels, zoo_cpu_resize(PICTURE, (25, 15))
    )


def test_missing_opencv_is_pillow_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    done = resize(PICTURE, (21, 17), filter="bilinear", library="opencv")
    assert (done.library, done.wanted, done.fell_back) == ("pillow", "opencv", True)
    assert done.reason is not None
    assert "OpenCV cannot be imported" in done.reason
    want = resize(PICTURE, (21, 17), filter="bilinear", library="pillow").pixels
    assert np.array_equal(done.pixels, want)


def test_module_does_not_import_opencv() -> None:
    import subprocess

    code = "import sys, prepcheck.pixels.resize; sys.exit('cv2' in sys.modules or 'PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_named_errors() -> None:
    empty = np.zeros((0, 3, 3), np.uint8)
    for image, size, name, library in (
        (PICTURE, (5, 5), "cubic", "opencv"),
        (PICTURE, (5, 5), "bicubic", "mnn"),
        (PICTURE, (5, 5), "nearest", "rga"),
        (PICTURE, (5, 5), "bilinear", "ffmpeg"),
        (PICTURE, (0, 5), "bilinear", "opencv"),
        (PICTURE, (5, 1 << 20), "bilinear", "opencv"),
        (PICTURE, (32768, 32768), "bilinear", "pillow"),
        (PICTURE.astype(np.float32), (5, 5), "bilinear", "opencv"),
        (PICTURE[None], (5, 5), "bilinear", "opencv"),
        (empty, (5, 5), "bilinear", "opencv"),
        (PICTURE[:, :, :2], (5, 5), "bilinear", "mnn"),
        (PICTURE, (1, 5), "bilinear", "rga"),
    ):
        with pytest.raises(UsageError):
            resize(image, size, filter=name, library=library)  # type: ignore[arg-type]
