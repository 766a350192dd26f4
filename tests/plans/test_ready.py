"""Ready plans: each is a valid plan, fits a model of its size without a complaint for every runtime, and names what differs."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image

from prepcheck.app import ready
from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.contract import Contract
from prepcheck.contract.loading import load_plan
from prepcheck.contract.plan import Plan, Training
from prepcheck.contract.report import Report
from prepcheck.errors import PrepcheckError
from prepcheck.facts.path_values import trained_values
from tests.cli.run import MODELS, ROOT, prepcheck, report

NAMES = sorted(ready.names())
SINGLE = [n for n in NAMES if n != "ostrack"]
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "schemas" / "plan.schema.json").read_text(encoding="utf-8"))
)
TYPES = {"rknn": "int8", "rknn-f16": "float16", "mnn": "float32", "onnx": "float32", "tflite": "uint8"}

PAIRS = [
    pytest.param(name, runtime, marks=[pytest.mark.slow] if j and (i + j) % 4 else [], id=f"{name}-{runtime}")
    for i, name in enumerate(SINGLE) for j, runtime in enumerate(TYPES)
]  # fmt: skip
"""Every plan for .rknn int8, every fourth for each other runtime; all of them with -m slow."""


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """640x480, by its header alone: nothing here looks at a pixel."""
    path = tmp_path_factory.mktemp("ready") / "a.png"
    Image.new("RGB", (640, 480)).save(path)
    return path


@cache
def plan_of(name: str) -> Plan:
    return load_plan(ready.path_of(name))


def size_of(plan: Plan) -> tuple[int, int]:
    """Width and height that the steps end in."""
    assert isinstance(plan.steps, list)
    found = (0, 0)
    for step in plan.steps:
        arguments = step.resize or step.letterbox or step.crop
        size = getattr(arguments, "center", None) or getattr(arguments, "size", None) if arguments is not None else None
        if size:
            found = (size[0], size[1])
    return found


def lists(training: Training) -> tuple[list[float], list[float]]:
    """What config() has to get: (x - mean) / std in pixels."""
    goal = trained_values(training)
    assert goal is not None
    n = 3 // len(goal.a)
    return [-b / a for a, b in zip(goal.a, goal.b, strict=True)] * n, [1 / a for a in goal.a] * n


def contract_of(plan: Plan, runtime: str, *, size: tuple[int, int] | None = None, inside: bool = True) -> Contract:
    width, height = size or size_of(plan)
    kind, dtype = runtime.partition("-")[0], TYPES[runtime]
    nhwc = kind in ("rknn", "tflite")
    shape = [1, height, width, 3] if nhwc else [1, 3, height, width]
    tensor: dict[str, Any] = {
        "index": 0,
        "name": "images",
        "layout": "NHWC" if nhwc else "NCHW",
        "shape": shape,
        "dtype": dtype,
    }
    training = plan.model.training if plan.model else None
    assert isinstance(training, Training)
    goal = trained_values(training)
    assert goal is not None
    low, high = goal.range()
    if dtype in ("int8", "uint8"):
        scale = (high - low) / 250
        tensor |= {"scheme": "affine", "scale": scale, "zero_point": round((-126 if dtype == "int8" else 2) - low / scale),
                   "value_range": [low, high]}  # fmt: skip
    if kind == "rknn":
        mean, std = lists(training) if inside else ([0.0] * 3, [1.0] * 3)
        tensor |= {"mean": mean, "std": std, "rgb2bgr": False, "w_stride": (width + 15) // 16 * 16}
    body = {
        "runtime": kind,
        "inputs": [tensor],
        "platforms": ["rk3588"] if kind == "rknn" else None,
        "toolkit": "2.3.2",
    }
    return Contract.model_validate(body)


def judged(name: str, contract: Contract, picture: Path) -> Report:
    return validate(Request(model=contract, images=[(None, picture)], plan=name))


def loud(found: Report) -> list[str]:
    return [f"{f.rule} {f.severity}: {f.message}" for f in found.findings if f.severity != "info"]


def test_there_are_many() -> None:
    assert len(NAMES) >= 40
    assert not set(ready.aliases()) & set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_is_a_plan_with_its_sources(name: str) -> None:
    plan = plan_of(name)
    value = dict(ready.document(name))
    SCHEMA.validate(value)
    assert plan.about is not None
    assert plan.about.title
    assert plan.about.sources
    assert all(s.url.startswith("https://") and s.says and s.confidence for s in plan.about.sources)
    text = ready.path_of(name).read_text(encoding="utf-8")
    comments = " ".join(line.removeprefix("# ") for line in text.splitlines() if line.startswith("# "))
    assert "Usual mistakes" in comments
    assert max(map(len, (line for line in text.splitlines() if line.startswith("#")))) <= 120


@pytest.mark.parametrize(("name", "runtime"), PAIRS)
def test_a_model_of_its_size_gets_no_complaint(name: str, runtime: str, picture: Path) -> None:
    found = judged(name, contract_of(plan_of(name), runtime), picture)
    quiet = (
        [m for m in loud(found) if not m.startswith(("RS001", "RS009"))]
        if plan_of(name).postprocess is None
        else loud(found)
    )
    assert [m for m in quiet if not allowed(name, m)] == []


def allowed(name: str, message: str) -> bool:
    """A plan that stretches is told that it does, and so is training."""
    plan = plan_of(name)
    training = plan.model.training if plan.model else None
    assert isinstance(training, Training)
    return training.resize == "stretch" and message.startswith("RS001 warning")


@pytest.mark.parametrize("name", ["yolov8", "mobilenet-v2", "retinaface", "arcface", "ppocr-rec"])
def test_an_rknn_without_mean_and_std_gets_values_of_the_host(name: str, picture: Path) -> None:
    plan = plan_of(name)
    found = judged(name, contract_of(plan, "rknn-f16", inside=False), picture)
    assert [m for m in loud(found) if not allowed(name, m)] == []
    steps = [s.step for s in found.path["images"]]
    assert "scale" in steps or "normalize" in steps


@pytest.mark.parametrize("name", SINGLE)
def test_another_size_is_named(name: str, picture: Path) -> None:
    plan = plan_of(name)
    width, height = size_of(plan)
    other = (width + 3, height + 5)
    rules = [
        f.rule for f in judged(name, contract_of(plan, "rknn", size=other), picture).findings if f.severity == "error"
    ]
    assert rules in (["SZ010"], ["RS004"])  # both name the two sizes


@pytest.mark.parametrize("name", [n for n in SINGLE if plan_of(n).about.multiple_of])  # type: ignore[union-attr]
def test_a_size_that_the_network_takes_is_followed(name: str, picture: Path) -> None:
    plan = plan_of(name)
    step = plan.about.multiple_of if plan.about else None
    assert step is not None
    size = (10 * step, 6 * step)
    found = judged(name, contract_of(plan, "onnx", size=size), picture)
    assert [m for m in loud(found) if "error" in m] == []


@pytest.mark.parametrize(
    "name", [n for n in SINGLE if plan_of(n).model.training.mean or plan_of(n).model.training.range != [0, 255]]
)  # type: ignore[union-attr]
def test_lists_of_another_network_are_named(name: str, picture: Path) -> None:
    """The model was converted with other lists than the network wants."""
    plan = plan_of(name)
    contract = contract_of(plan, "rknn")
    tensor = contract.inputs[0].model_copy(update={"mean": [30.0, 30.0, 30.0], "std": [900.0, 900.0, 900.0]})
    found = judged(name, contract.model_copy(update={"inputs": [tensor]}), picture)
    assert any(m.startswith(("NM", "QT")) for m in loud(found))


def test_two_pictures(tmp_path: Path) -> None:
    for n, name in ((128, "t.png"), (256, "s.png")):
        Image.effect_noise((n, n), 90).convert("RGB").save(tmp_path / name)
    tensors = [{"index": i, "name": n, "layout": "NCHW", "shape": [1, 3, s, s], "dtype": "float32"} for i, (n, s) in enumerate((("template", 128), ("search", 256)))]  # fmt: skip
    contract = Contract.model_validate({"runtime": "mnn", "inputs": tensors})
    images = [("template", tmp_path / "t.png"), ("search", tmp_path / "s.png")]
    found = validate(Request(model=contract, images=images, plan="ostrack"))
    assert loud(found) == []
    assert set(found.path) == {"template", "search"}
    renamed = contract.model_copy(
        update={"inputs": [t.model_copy(update={"name": f"{t.name}_1"}) for t in contract.inputs]}
    )
    with pytest.raises(PrepcheckError, match="rename them in a copy of the plan"):
        validate(Request(model=renamed, plan="ostrack"))


def test_names() -> None:
    assert ready.path_of("YOLOv8").stem == "yolov8"
    assert ready.path_of("yolov8n").stem == "yolov8"
    assert ready.path_of("mobilenet_v2").stem == "mobilenet-v2"
    with pytest.raises(PrepcheckError, match="did you mean yolov8"):
        ready.path_of("yolov88")
    with pytest.raises(PrepcheckError, match="known: arcface"):
        ready.path_of("zzzzzz")
    assert not ready.is_name("a/b")
    assert not ready.is_name("missing.yaml")


def test_command(tmp_path: Path) -> None:
    Image.effect_noise((64, 48), 90).convert("RGB").save(tmp_path / "a.png")
    model = MODELS / "rknn" / "rk3588_std255_i8.rknn"  # 36x20
    found = report("validate", model, tmp_path / "a.png", "--plan", "yolov8", code=1)
    assert found["details"]["ready_plan"]["name"] == "yolov8"
    assert found["subject"]["plan"] == "yolov8"
    wrong = prepcheck("validate", model, "--plan", "yolo-v8")
    assert wrong.returncode == 2
    assert "did you mean yolov8" in wrong.stderr
    assert prepcheck("validate", model, "--plan", "no/such.yaml").returncode == 2
    assert prepcheck("validate", "--plan", "yolov8").returncode == 2


def test_a_plan_to_edit(tmp_path: Path) -> None:
    import shutil

    listed = prepcheck("init", "--plans")
    assert listed.returncode == 0
    assert all(name in listed.stdout for name in NAMES)
    shutil.copy(MODELS / "rknn" / "rk3588_std255_i8.rknn", tmp_path / "m.rknn")
    target = tmp_path / "m.rknn.prepcheck.yaml"
    assert prepcheck("init", tmp_path / "m.rknn", "--ready", "yolov8", "-o", target).returncode == 0
    assert "# Letterbox in the middle" in target.read_text(encoding="utf-8")
    found = report("validate", tmp_path / "m.rknn", code=1)
    assert [f["rule"] for f in found["findings"] if f["severity"] == "error"] == ["SZ010"]  # 36x20 is no size of it
    assert prepcheck("init", tmp_path / "m.rknn", "--ready", "yolov88").returncode == 2


def test_an_export_folder_is_a_model(tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "yolo11n_rknn_model"
    folder.mkdir()
    Image.effect_noise((64, 48), 90).convert("RGB").save(tmp_path / "a.png")
    assert prepcheck("validate", folder, tmp_path / "a.png").returncode == 2
    shutil.copy(MODELS / "rknn" / "rk3588_std255_i8.rknn", folder / "yolo11n-rk3588.rknn")
    (folder / "metadata.yaml").write_text(
        "stride: 4\ntask: detect\nbatch: 1\nimgsz: [20, 36]\nnames: {0: a}\nchannels: 3\n", encoding="utf-8"
    )
    found = report("validate", folder, tmp_path / "a.png", code=0)
    assert [s["step"] for s in found["path"]["images"]] == ["decode", "convert_color", "letterbox", "rknn_inputs_set"]
    (folder / "metadata.yaml").write_text("stride: 32\ntask: detect\nimgsz: [20, 36]\n", encoding="utf-8")
    done = prepcheck("validate", folder, tmp_path / "a.png")
    assert done.returncode == 2
    assert "no multiple of stride 32" in done.stderr
    (folder / "b.rknn").write_bytes(b"RKNN")
    assert "holds 2 models" in prepcheck("validate", folder, tmp_path / "a.png").stderr
