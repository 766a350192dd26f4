"""The main job as a user has it: exit codes, one document always, errors that name the file and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.run import MODELS, SAMPLES, prepcheck, process, report

MODEL = SAMPLES / "03_rv1106_zero_copy" / "model.rknn"
SQUARE = SAMPLES / "03_rv1106_zero_copy" / "square.jpg"
STREET = SAMPLES / "03_rv1106_zero_copy" / "street.jpg"
ALL_MODELS = sorted([*(MODELS / "rknn").glob("*.rknn"), *(MODELS / "mnn").glob("*.mnn")])
FAULTY = {"rk3588_narrow_calibration_i8", "rk3588_nhwc_origin_i8", "rk3588_batch4_i8", "rk3588_batch100_i8",
          "rk3588_onnx_batch4_i8", "v1_batch100_u8_nhwc", "dynbatch_b4", "b2c12_nc4hw4", "onnx_nhwc_dims",
          "rv1106_dynamic_full_i8", "rk3588_vector10_mean_i8"}  # fmt: skip


def image_for(model: Path, folder: Path) -> tuple[Path, list[str]]:
    """A picture of the size that the first image input takes."""
    tensors = report("inspect", model)["contract"]["inputs"]
    for tensor in tensors:
        shape, layout = tensor["shape"], tensor["layout"]
        if len(shape) == 4 and min(shape) > 0:
            axes = dict(zip("NHWC" if layout == "NHWC" else "NCHW", shape, strict=True))
            if axes["C"] in (1, 3, 4):
                mode = {1: "L", 3: "RGB", 4: "RGBA"}[axes["C"]]
                size = (axes["H"], axes["W"], axes["C"])
                pixels = np.random.default_rng(1).integers(0, 256, size, dtype=np.uint8)
                path = folder / "image.png"
                Image.fromarray(pixels[..., 0] if mode == "L" else pixels).save(path)
                return path, [tensor["name"]]
    return SQUARE, []


def test_square_picture_names_the_distortion_and_the_bytes() -> None:
    found = report("validate", MODEL, SQUARE, code=0)
    first = found["findings"][0]
    assert (first["rule"], first["severity"], first["category"]) == ("RS001", "warning", "resize")
    assert "factor of 2" in first["message"]
    assert found["hand_over"][0]["bytes"] == 960000
    assert found["verdict"] == "warning"
    assert report("validate", MODEL, SQUARE, "--strict", code=1)["verdict"] == "warning"
    text = prepcheck("validate", MODEL, SQUARE)
    assert "960000 bytes" in text.stdout
    assert text.stdout.splitlines()[-1].startswith("warning: ")


@pytest.mark.parametrize("model", ALL_MODELS, ids=lambda p: p.stem)
def test_right_picture_gives_no_error(model: Path, tmp_path: Path) -> None:
    image, _ = image_for(model, tmp_path)
    found = report("validate", model, image, code=0)
    loud = [f for f in found["findings"] if f["severity"] != "info"]
    assert not [f for f in loud if f["severity"] == "error"]
    if model.stem not in FAULTY and image != SQUARE:
        assert not loud, loud[0]["message"]


@pytest.mark.parametrize("model", ALL_MODELS, ids=lambda p: p.stem)
def test_init_is_accepted_and_its_gaps_are_the_unknown_list(model: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    assert prepcheck("init", model, "-o", plan).returncode == 0
    text = plan.read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=")
    found = report("validate", "--plan", plan, code=0)
    gaps = [line for line in text.splitlines() if line.startswith("# ? ")]
    assert len(gaps) == len(found["unknown"])
    for gap, unknown in zip(gaps, found["unknown"], strict=True):
        assert gap == f"# ? {unknown['where']} ({unknown['rule']}): {unknown['reason']}; {unknown['supply']}"


def test_model_named_by_a_plan_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "model.rknn").write_bytes(MODEL.read_bytes())
    plan = tmp_path / "model.rknn.prepcheck.yaml"
    assert prepcheck("init", tmp_path / "model.rknn", "-o", plan).returncode == 0
    assert 'model: "model.rknn"' in plan.read_text(encoding="utf-8")
    found = report("validate", tmp_path / "model.rknn", code=0)
    assert found["subject"]["plan"].endswith("model.rknn.prepcheck.yaml")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["validate"], "usage", "nothing to judge"),
        (["validate", "missing.rknn"], "not_found", "missing.rknn"),
        (["validate", str(MODEL), "missing.jpg"], "not_found", "missing.jpg"),
        (["validate", str(MODEL), str(MODEL)], "image", "is no image"),
        (["validate", str(SQUARE)], "wrong_kind", "JPEG"),
        (["validate", str(MODEL), "--plan", "missing.yaml"], "not_found", "missing.yaml"),
        (["validate", str(MODEL), "--select", "XY"], "usage", "XY"),
        (["inspect", "."], "not_found", "folder"),
        (["validate", str(MODEL), "--nonsense"], "usage", "--nonsense"),
        (["nonsense"], "usage", "nonsense"),
    ],
)
def test_refusals_are_one_document(arguments: list[str], code: str, words: str) -> None:
    done = process(*arguments, "--format", "json")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    assert document["verdict"] == "unjudged"
    assert document["error"]["code"] == code
    assert words in document["error"]["message"]
    done = process(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_one_bad_image_does_not_stop_the_others(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"\xff\xd8\xff\xe0 not really")
    found = report("validate", MODEL, STREET, bad, code=1)
    assert [f["rule"] for f in found["findings"] if f["severity"] == "error"] == ["IM001"]


def test_same_input_same_bytes() -> None:
    one, two = (prepcheck("validate", MODEL, SQUARE, "--format", "json").stdout for _ in range(2))
    assert one == two
    assert json.dumps(json.loads(one), indent=1, sort_keys=True, ensure_ascii=False) + "\n" == one


def test_ignore_and_select() -> None:
    assert not [
        f for f in report("validate", MODEL, SQUARE, "--ignore", "RS", code=0)["findings"] if f["rule"] == "RS001"
    ]
    assert {f["rule"][:2] for f in report("validate", MODEL, SQUARE, "--select", "RS", code=0)["findings"]} == {"RS"}


def test_names_cannot_speak_to_the_terminal(tmp_path: Path) -> None:
    plan = tmp_path / "p.yaml"
    plan.write_text(
        'prepcheck: plan/v1\nruntime: rknn\nmodel: {inputs: [{name: "a\\e[31mb\\u202e", layout: NHWC, shape: [1, 8, 8, 3],'
        " dtype: int8, scheme: affine, scale: 1.0, zero_point: -128}]}\n",
        encoding="utf-8",
    )
    done = prepcheck("validate", "--plan", plan)
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "\\x1b" in done.stdout


def test_plans_stay_in_their_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "m.rknn").write_bytes(MODEL.read_bytes())
    plan = inner / "p.yaml"
    plan.write_text("prepcheck: plan/v1\nmodel: ../m.rknn\n", encoding="utf-8")
    assert "leads out" in report("validate", "--plan", plan, code=2)["error"]["message"]
    assert report("validate", "--plan", plan, "--allow-outside", code=0)["contract"]["runtime"] == "rknn"
    (inner / "link.rknn").symlink_to(tmp_path / "m.rknn")
    plan.write_text("prepcheck: plan/v1\nmodel: link.rknn\n", encoding="utf-8")
    assert report("validate", "--plan", plan, code=2)["error"]["code"] == "plan"


def test_an_empty_plan_is_no_right_one(tmp_path: Path) -> None:
    """A plan of its first line is not judged; one with a buffer is."""
    plan = tmp_path / "plan.yaml"
    for text in ("", "observations: []\n"):
        plan.write_text("prepcheck: plan/v1\n" + text)
        done = prepcheck("validate", "--plan", str(plan), "--format", "json")
        report = json.loads(done.stdout)
        assert done.returncode == 2, text
        assert (report["verdict"], report["error"]["code"]) == ("unjudged", "plan")
    plan.write_text("prepcheck: plan/v1\nbuffers: {frame: {shape: [480, 640, 3], dtype: uint8}}\n")
    assert prepcheck("validate", "--plan", str(plan)).returncode == 0


def test_without_libgl_pillow_resizes_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cv2").mkdir()
    (tmp_path / "cv2" / "__init__.py").write_text('raise ImportError("libGL.so.1: cannot open shared object file")\n')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = process("validate", str(MODEL), str(SQUARE), "--format", "json")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    assert [f["severity"] for f in found["findings"] if f["rule"] == "RS009"] == ["info"]
    assert "pillow" in json.dumps(found["path"])


def test_a_megabyte_in_a_key_is_no_megabyte_of_message(tmp_path: Path) -> None:
    for text in (f'prepcheck: "{"x" * 200_000}"\n', f"prepcheck: plan/v1\n{'k' * 500}: 1\n"):
        (tmp_path / "plan.yaml").write_text(text, encoding="utf-8")
        done = prepcheck("validate", "--plan", str(tmp_path / "plan.yaml"), "--format", "json")
        assert done.returncode == 2
        assert len(json.loads(done.stdout)["error"]["message"]) <= 4000
