"""Against rknn-toolkit2 itself: which lists it takes, and which scale and zero point it makes of a set."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prepcheck as pc
from tests.cli.run import prepcheck
from tests.sweep.pictures import SMALL, save, texture

PYTHON = os.environ.get("PREPCHECK_RKNN_PYTHON", "")
CHILD = Path(__file__).with_name("toolkit_child.py")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not PYTHON, reason="PREPCHECK_RKNN_PYTHON names no interpreter with rknn-toolkit2 and onnx"),
]
FORMS = {
    "plain": "a.png\nb.jpg\n", "deep": "deep/c.BMP\n", "spaces": "  a.png  \r\n", "blank_between": "a.png\n\n\nb.jpg\n",
    "chw": "chw.npy\n", "nchw": "nchw.npy\n", "mixed": "a.png\nnchw.npy\n", "dot": "./a.png\n",
    "blank_first": "\na.png\n", "comment": "# all\na.png\n", "nhwc": "nhwc.npy\n", "hwc": "hwc.npy\n", "webp": "w.webp\n",
    "two": "a.png a.png\n", "space_in_name": "two words.png\n", "bom": "\ufeffa.png\n", "missing": "nowhere.png\n",
}  # fmt: skip


def pictures(folder: Path) -> None:
    save(folder / "a.png", texture(1))
    save(folder / "b.jpg", texture(2))
    save(folder / "deep" / "c.BMP", texture(3))
    save(folder / "w.webp", texture(4))
    save(folder / "two words.png", texture(5))
    array = texture(6).astype(np.float32)
    np.save(folder / "hwc.npy", array)
    np.save(folder / "nhwc.npy", array[None])
    np.save(folder / "chw.npy", np.ascontiguousarray(array.transpose(2, 0, 1)))
    np.save(folder / "nchw.npy", np.ascontiguousarray(array.transpose(2, 0, 1)[None]))


def toolkit(folder: Path, inputs: int, mean: list[float], std: list[float], *datasets: Path) -> dict[str, Any]:
    argv = [PYTHON, str(CHILD), str(folder), str(inputs), json.dumps(mean), json.dumps(std), *map(str, datasets)]
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


def test_lists_are_refused_where_the_toolkit_refuses_them(tmp_path: Path) -> None:
    pictures(tmp_path / "set")
    lists = {}
    for name, text in FORMS.items():
        lists[name] = tmp_path / "set" / f"{name}.txt"
        lists[name].write_text(text, encoding="utf-8", newline="")
    told = toolkit(tmp_path, 1, [0, 0, 0], [1, 1, 1], *lists.values())
    for name, path in lists.items():
        done = prepcheck(
            "sweep", SMALL, path, "-j", "1", "--format", "json", "--select", "RK4,LY4,IM001", "--calibration"
        )
        assert (done.returncode == 0) == (told[str(path)] == ""), (name, told[str(path)], done.stdout[:300])


@pytest.mark.parametrize(
    ("mean", "std", "top"),
    [([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], 190), ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375], 170)],
)
def test_the_scale_that_is_told_is_the_one_that_comes_out(
    tmp_path: Path, mean: list[float], std: list[float], top: int
) -> None:
    for number in range(3):
        save(tmp_path / f"{number}.png", np.clip(texture(number), 20, top).astype(np.uint8))
    listed = tmp_path / "d.txt"
    listed.write_text("0.png\n1.png\n2.png\n", encoding="utf-8")
    assert toolkit(tmp_path, 1, mean, std, listed) == {str(listed): ""}
    model = tmp_path / "d.txt.rknn"
    tensor = pc.load(model).inputs[0]
    done = prepcheck("sweep", model, listed, "-j", "1", "--format", "json", "--select", "QT401", "--calibration")
    (finding,) = json.loads(done.stdout)["findings"]
    assert finding["evidence"]["scale"] == pytest.approx(tensor.scale, rel=1e-5)
    assert finding["evidence"]["zero_point"] == tensor.zero_point
