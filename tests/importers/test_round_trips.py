"""What is exported and imported again is what it was; the command line of import."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.readers.model import read_model
from tests.cli.run import MODELS, ROOT, prepcheck, process, report
from tests.importers.files import FILES, from_text

RKNN = sorted((MODELS / "rknn").glob("*.rknn"))
HF = (
    "hf/vit_old_extractor.json",
    "hf/clip_shortest_edge.json",
    "hf/pose_pixels_means.json",
    "hf/sam_pad.json",
    "hf/convnext_crop_pct.json",
)


def test_rknn_config() -> None:
    tried = 0
    for path in RKNN:
        contract: Contract = read_model(path)
        done = prepcheck("export", path, "--to", "rknn-config")
        if done.returncode != 0:
            assert any(t.mean is None for t in contract.inputs), done.stderr
            continue
        found = from_text(done.stdout, "config.py").plan
        build = found["model"]["build"]  # type: ignore[index, call-overload]
        for key in ("mean", "std"):
            want = [getattr(t, key) for t in contract.inputs]
            assert [len(v) for v in build[key]] == [len(v) for v in want]  # type: ignore[index, call-overload, arg-type, union-attr]
            assert [*chain(*build[key])] == pytest.approx([*chain(*want)], abs=1e-5)  # type: ignore[index, call-overload]
        tried += 1
    assert tried > 15


@pytest.mark.parametrize("name", HF)
def test_preprocessor_config(name: str, tmp_path: Path) -> None:
    """A plan completed for a model that normalises nothing itself says the same steps after a round trip, and the file again."""
    model = MODELS / "mnn" / "c3_nchw.mnn"
    first = tmp_path / "one.prepcheck.yaml"
    assert prepcheck("import", FILES / name, "--model", model, "-o", first).returncode == 0
    once = exported(model, first, tmp_path / "once.json")
    second = tmp_path / "two.prepcheck.yaml"
    done = prepcheck("import", tmp_path / "once.json", "--model", model, "-o", second)
    assert done.returncode == 0, done.stderr
    assert exported(model, second, tmp_path / "twice.json") == once
    original = json.loads((FILES / name).read_text(encoding="utf-8"))
    for key in ("image_mean", "image_std"):
        assert json.loads(once)[key] == original[key]


def exported(model: Path, plan: Path, to: Path) -> str:
    done = prepcheck("export", model, "--plan", plan, "--to", "preprocessor-config")
    assert done.returncode == 0, done.stderr
    to.write_text(done.stdout, encoding="utf-8")
    return done.stdout


@pytest.mark.parametrize("training", [
    {"color": "RGB", "range": [0, 1], "mean": [0.485, 0.456, 0.406], "std": [0.229, 0.224, 0.225]},
    {"color": "BGR", "range": [-1, 1]},
    {"color": "BGR", "range": [0, 255], "mean": [104, 117, 123], "std": [1, 1, 1]},
])  # fmt: skip
def test_modelinfo(training: dict[str, object], tmp_path: Path) -> None:
    model = MODELS / "mnn" / "c3_nchw.mnn"
    plan = tmp_path / "p.yaml"
    plan.write_text(f"prepcheck: plan/v1\nmodel: {{training: {json.dumps(training)}}}\n", encoding="utf-8")
    done = prepcheck("export", model, "--plan", plan, "--to", "modelinfo")
    assert done.returncode == 0, done.stderr
    found = from_text(done.stdout, "m.modelinfo").plan["model"]
    contract = read_model(model)
    for tensor, written in zip(contract.inputs, found["inputs"], strict=True):  # type: ignore[index, call-overload, arg-type]
        assert (tensor.name, tensor.shape, tensor.dtype) == (written["name"], written["shape"], written["dtype"])  # type: ignore[index, call-overload]
    told = found["training"][contract.inputs[0].name]  # type: ignore[index, call-overload]
    assert told["color"] == training["color"]  # type: ignore[index, call-overload]
    assert values(told) == pytest.approx(values(training), abs=1e-6)  # type: ignore[arg-type]


def values(training: dict[str, object]) -> list[float]:
    """What pixels 0 and 255 become, channel by channel."""
    from prepcheck.contract.plan import Training
    from prepcheck.facts.path_values import trained_values

    goal = trained_values(Training.model_validate(training))
    assert goal is not None
    a, b = (list(v) * (3 if len(v) == 1 else 1) for v in (goal.a, goal.b))
    return [*b, *(255 * x + y for x, y in zip(a, b, strict=True))]


def test_modelinfo_of_an_rknn_leaves_pixels_alone() -> None:
    done = prepcheck("export", MODELS / "rknn" / "rk3588_imagenet_i8.rknn", "--to", "modelinfo")
    assert "ranges=0.0,255.0" in done.stdout
    assert "caps=PLACEHOLDER" in done.stdout


def test_what_the_format_has_no_word_for(tmp_path: Path) -> None:
    plan, model = tmp_path / "p.yaml", MODELS / "mnn" / "c3_nchw.mnn"
    assert prepcheck("import", FILES / "ultralytics" / "detect.yaml", "--model", model, "-o", plan).returncode == 0
    done = prepcheck("export", model, "--plan", plan, "--to", "preprocessor-config")
    assert done.returncode == 2
    assert "no word for the letterbox to 640x384 (center, fill 114)" in done.stderr


@pytest.mark.parametrize("name", ["hf/clip_shortest_edge.json", "ultralytics/detect.yaml"])
def test_a_completed_plan_is_judged_without_false_alarm(name: str, tmp_path: Path) -> None:
    """The .rknn has mean and std inside: the application hands over pixels, and nothing is normalised twice."""
    from PIL import Image

    Image.new("RGB", (64, 48), (10, 20, 30)).save(tmp_path / "a.png")
    model = MODELS / "rknn" / "rk3588_imagenet_i8.rknn"
    plan = tmp_path / "p.yaml"
    assert prepcheck("import", FILES / name, "--model", model, "-o", plan).returncode == 0
    found = report("validate", model, tmp_path / "a.png", "--plan", plan, "--allow-outside")
    assert not [f for f in found["findings"] if f["rule"] in ("NM004", "NM005")] or name.startswith("ultralytics")
    assert any(f["rule"] == "SZ010" for f in found["findings"])  # the models here are 36x20


def test_command(tmp_path: Path) -> None:
    listed = prepcheck("import")
    assert listed.returncode == 0
    assert "rknn-config" in listed.stdout
    out = tmp_path / "p.yaml"
    assert prepcheck("import", FILES / "rknn" / "classifier_constants.py", "-o", out).returncode == 0
    assert prepcheck("import", FILES / "rknn" / "classifier_constants.py", "-o", out).returncode == 2
    done = prepcheck("import", FILES / "rknn" / "classifier_constants.py", "-o", out, "--force")
    assert "BGR" in done.stderr
    wrong = prepcheck("import", FILES / "hf" / "clip_shortest_edge.json", "--from", "modelinfo")
    assert wrong.returncode == 2
    assert "is not GStreamer" in wrong.stderr
    other = prepcheck("import", FILES / "mnn" / "gray.json", "--model", MODELS / "rknn" / "rk3588_imagenet_i8.rknn")
    assert other.returncode == 2
    assert "for mnn" in other.stderr


def test_a_foreign_file_in_the_place_of_a_plan() -> None:
    model = MODELS / "rknn" / "rk3588_imagenet_i8.rknn"
    for name, title in (("hf/sam_pad.json", "Hugging Face"), ("ultralytics/detect.yaml", "Ultralytics")):
        done = prepcheck("validate", model, "--plan", FILES / name)
        assert done.returncode == 2
        assert f"it is {title}" in done.stderr
        assert "prepcheck import" in done.stderr
    done = prepcheck("validate", model, "--plan", FILES / "rknn" / "detector.py")
    assert done.returncode == 2


def test_a_file_that_would_end_the_process_is_not_run(tmp_path: Path) -> None:
    done = process("import", FILES / "rknn" / "detector.py", cwd=ROOT)
    assert done.returncode == 0
    assert "mean: [[0, 0, 0]]" in done.stdout
