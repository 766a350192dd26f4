"""The same thing said otherwise: the findings stay. Whole commands, from the samples' wrong plans."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prepcheck.contract.yamldoc import parse
from tests.cli.run import MODELS, SAMPLES, prepcheck

PLANS = [
    "01_mnn_ostrack_gpu/wrong.yaml", "01_mnn_ostrack_gpu/right.yaml", "01_mnn_ostrack_gpu/image_limit.yaml", "02_rv1126_batch100/one_image.yaml",
    "02_rv1126_batch100/hundred_images.yaml", "03_rv1106_zero_copy/pixels_as_int8.yaml", "03_rv1106_zero_copy/right.yaml",
]  # fmt: skip
Told = list[tuple[str, str, str, str]]


def told(*arguments: object, cwd: Path | None = None) -> tuple[str, Told, list[tuple[str, str]]]:
    """(verdict, findings, what stays unknown) of a command."""
    done = prepcheck(*arguments, "--format", "json", cwd=cwd)
    found = json.loads(done.stdout)
    assert found["verdict"] != "unjudged", found["error"]
    findings = [(f["rule"], f["severity"], f["where"], f["message"]) for f in found["findings"]]
    return found["verdict"], findings, sorted((u["rule"], u["where"]) for u in found["unknown"])


def document(sample: str) -> dict[str, Any]:
    path = SAMPLES / sample
    value = parse(path.read_text(encoding="utf-8"), path.name).value
    assert isinstance(value, dict)
    return value


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same document with the keys of every table in another order."""
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {k: shuffled(value[k], rng) for k in keys}
    return [shuffled(v, rng) for v in value] if isinstance(value, list) else value


def beside(sample: str, folder: Path) -> Path:
    """A copy of the sample's folder."""
    target = folder / "copy"
    shutil.copytree((SAMPLES / sample).parent, target)
    return target


@pytest.mark.parametrize("sample", PLANS)
def test_order_of_keys_does_not_matter(sample: str, tmp_path: Path) -> None:
    expected = told("validate", "--plan", SAMPLES / sample)
    folder = beside(sample, tmp_path)
    for seed in range(3):
        (folder / "shuffled.json").write_text(json.dumps(shuffled(document(sample), random.Random(seed))))
        assert told("validate", "--plan", folder / "shuffled.json") == expected


@pytest.mark.parametrize("sample", PLANS)
def test_yaml_says_what_json_says(sample: str, tmp_path: Path) -> None:
    folder = beside(sample, tmp_path)
    text = json.dumps(document(sample), indent=1)
    (folder / "p.json").write_text(text)
    (folder / "flow.yaml").write_text(text)  # JSON is YAML as well
    expected = told("validate", "--plan", SAMPLES / sample)
    assert told("validate", "--plan", folder / "p.json") == expected
    assert told("validate", "--plan", folder / "flow.yaml") == expected


@pytest.mark.parametrize("sample", PLANS)
def test_paths_absolute_or_relative(sample: str, tmp_path: Path) -> None:
    folder = beside(sample, tmp_path)
    name = Path(sample).name
    absolute = told("validate", "--plan", folder / name)
    assert told("validate", "--plan", name, cwd=folder) == absolute
    assert told("validate", "--plan", Path("..") / "copy" / name, cwd=folder) == absolute


@pytest.mark.parametrize("sample", PLANS)
def test_names_of_buffers_are_only_names(sample: str, tmp_path: Path) -> None:
    """Buffers are called otherwise, wherever they are named: the same rules find the same, the new name in the text."""
    names = sorted(document(sample).get("buffers", {}))
    new = {name: f"zz_{i}_of_mine" for i, name in enumerate(names)}

    def rename(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {(new.get(k, k) if key == "buffers" else k): rename(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [rename(v, key) for v in value]
        return (
            new.get(value, value)
            if isinstance(value, str) and key in ("buffer", "from", "src", "dst", "to", "with")
            else value
        )

    folder = beside(sample, tmp_path)
    (folder / "renamed.json").write_text(json.dumps(rename(document(sample))))
    verdict, findings, _ = told("validate", "--plan", SAMPLES / sample)
    again, found, _ = told("validate", "--plan", folder / "renamed.json")
    assert again == verdict
    assert [f[:2] for f in found] == [f[:2] for f in findings]


@pytest.mark.parametrize(
    "model",
    [
        "rknn/rk3588_imagenet_i8.rknn",
        "rknn/rv1106_seed_400x800_i8.rknn",
        "mnn/c3_nchw.mnn",
        "rknn/v1_batch100_u8_nhwc.rknn",
    ],
)
def test_the_name_of_a_model_says_nothing(model: str, tmp_path: Path) -> None:
    street = SAMPLES / "03_rv1106_zero_copy" / "street.jpg"
    expected = told("validate", MODELS / model, street)
    other = tmp_path / f"yolo_nhwc_bgr_640{Path(model).suffix}"
    shutil.copy(MODELS / model, other)
    assert told("validate", other, street) == expected
    shutil.copy(street, tmp_path / "bgr_night.jpg")
    verdict, findings, unknown = told("validate", other, tmp_path / "bgr_night.jpg")
    assert (verdict, [f[:3] for f in findings], unknown) == (expected[0], [f[:3] for f in expected[1]], expected[2])


SAME = {"IM011": "RS001"}
"""Of further pictures a rule of its own says what another says of the first one."""


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_order_of_pictures(order: tuple[int, ...]) -> None:
    """Each picture gets the findings that it gets alone, wherever it stands."""
    folder = SAMPLES / "03_rv1106_zero_copy"
    pictures = [folder / n for n in ("street.jpg", "square.jpg", "black.jpg")]
    model = folder / "model.rknn"

    def by_picture(given: list[Path]) -> list[set[str]]:
        found = told("validate", model, *given)[1]
        return [{SAME.get(f[0], f[0]) for f in found if f[2] == f"images[{i}]"} for i in range(len(given))]

    together = by_picture([pictures[i] for i in order])
    assert any(together)
    for place, i in enumerate(order):
        assert together[place] <= {f[0] for f in told("validate", model, pictures[i])[1]}


def test_an_image_that_says_the_same_pixels_in_another_format(tmp_path: Path) -> None:
    from PIL import Image

    source = SAMPLES / "02_rv1126_batch100" / "plate.png"
    model = SAMPLES / "02_rv1126_batch100" / "model.rknn"
    expected = told("validate", model, source)
    with Image.open(source) as picture:
        for form in ("bmp", "png", "tif"):
            picture.save(tmp_path / f"p.{form}")
            found = told("validate", model, tmp_path / f"p.{form}")
            assert (found[0], [f[:3] for f in found[1]], found[2]) == (
                expected[0],
                [f[:3] for f in expected[1]],
                expected[2],
            )


@pytest.mark.parametrize(
    "change",
    [str.upper, lambda t: t.replace("\n", "\r\n"), lambda t: t + "\n\n", lambda t: "> " + t.replace("\n", "\n> ")],
    ids=["case", "crlf", "lines", "quoted"],
)
def test_logs_as_pasted(change: Callable[[str], str]) -> None:
    """Line ends, empty lines and quote marks change nothing; another case may only take findings away."""
    text = (SAMPLES / "02_rv1126_batch100" / "error.txt").read_text(encoding="utf-8")
    expected = told("explain", text)
    found = told("explain", change(text))
    if change is str.upper:
        assert {f[0] for f in found[1]} <= {f[0] for f in expected[1]}
    else:
        assert [f[:2] for f in found[1]] == [f[:2] for f in expected[1]]
        assert found[0] == expected[0]
