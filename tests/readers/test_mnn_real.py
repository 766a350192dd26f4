"""The reader against the real MNN: inputs, layouts, and the shape of every tensor that is told."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_graph import MnnGraph, read_graph
from prepcheck.readers.mnn_testdir import write_testdir
from prepcheck.wire.source import Source

HERE = Path(__file__).parent
MODELS = HERE.parent / "data" / "models"
VENDOR = HERE.parents[2] / "shared" / "vendor_models"
HAVE_MNN = importlib.util.find_spec("MNN") is not None
pytestmark = [pytest.mark.mnn, pytest.mark.skipif(not HAVE_MNN, reason="the MNN package is not installed")]

RUNNABLE = sorted(p for folder in ("mnn", "mnn_extra") for p in (MODELS / folder).glob("*.mnn"))
SIZES = {"dynhw_nchw": {"input": [1, 3, 8, 8]}}
SESSION_TYPES = {"float32": "Float", "int32": "Int", "uint8": "Uint8", "int8": None}  # Python has no int8 type: None
MODULE_TYPES = {"float32": "float", "int32": "int", "uint8": "uint8", "int8": "int8"}


def read(model: Path) -> tuple[Contract, MnnGraph]:
    with Source.open(model) as source:
        return read_mnn(source, str(model)), read_graph(source, SIZES.get(model.stem, {}))


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """Model → what MNN says of it. One process for all: its import costs more than the questions."""
    folder = tmp_path_factory.mktemp("mnn")
    questions = []
    for model in [*RUNNABLE, *sorted(VENDOR.glob("*.mnn"))]:
        contract, graph = read(model)
        outputs = [t.name for t in contract.outputs] if model in RUNNABLE else []  # the others have no weights to load
        question = {
            "model": str(model),
            "sizes": SIZES.get(model.stem, {}),
            "save": graph.tensor_names,
            "outputs": outputs,
        }
        questions.append(question)
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    target = folder / "answers.jsonl"
    command = [sys.executable, str(HERE / "mnn_session_child.py"), str(target), str(folder / "questions.json")]
    subprocess.run(command, capture_output=True, timeout=100, check=False)
    answers = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    return {answer["model"]: answer for answer in answers}


@pytest.mark.parametrize("model", RUNNABLE, ids=lambda p: p.stem)
def test_inputs_and_shapes_are_those_of_a_session(model: Path, said: dict[str, dict]) -> None:
    sizes, real = SIZES.get(model.stem, {}), said[str(model)]
    contract, graph = read(model)

    wanted = {t.name: [sizes.get(t.name or "", t.shape), SESSION_TYPES[t.dtype or ""]] for t in contract.inputs}
    assert real["inputs"] == wanted
    assert real["first"][0] == min(t.name or "" for t in contract.inputs)  # the alphabetically first, not the file's
    assert [row[0] for row in real["module"]] == [t.name for t in contract.inputs]
    for row, tensor in zip(real["module"], contract.inputs, strict=True):
        assert row[1:] == [tensor.shape, MODULE_TYPES[tensor.dtype or ""], tensor.layout]
    for tensor in contract.outputs:
        assert tensor.name in real["tensors"]

    told = {graph.tensor_names[i]: list(shape.axes) for i, shape in graph.shapes.items()}
    both = told.keys() & real["tensors"].keys()
    assert {name: told[name] for name in both} == {name: real["tensors"][name] for name in both}
    assert len(both) == len(real["tensors"])


@pytest.mark.skipif(not VENDOR.is_dir(), reason="no folder with the vendors' models beside the checkout")
@pytest.mark.parametrize("name,unknown", [("MobileNetV2_224", 2), ("mobilenetV3", 0), ("squeezenetv1.1", 0)])
def test_shapes_of_vendors_models(name: str, unknown: int, said: dict[str, dict]) -> None:
    model = VENDOR / f"{name}.mnn"
    graph, real = read(model)[1], said[str(model)]["tensors"]
    told = {graph.tensor_names[i]: list(shape.axes) for i, shape in graph.shapes.items()}
    assert {name: told[name] for name in told if name in real} == {name: real[name] for name in told if name in real}
    assert len(real.keys() - told.keys()) == unknown


@pytest.mark.parametrize("factor,verdict", [(1.0, "TEST_SUCCESS"), (1.05, "TESTERROR")])
def test_the_converter_reads_a_written_folder(factor: float, verdict: str, tmp_path: Path) -> None:
    """`--testdir`, with numbers in N, C, H, W order; 5 % off in the answer is beyond its limit of 1 %."""
    if importlib.util.find_spec("_tools") is None:
        pytest.skip("this MNN package has no converter")
    entry = json.loads((MODELS / "mnn" / "expected.json").read_text(encoding="utf-8"))["c3_nc4hw4"]
    values = [((i * 7 + 3) % 23 - 11) / 8 for i in range(240)]
    answer = [v * factor for v in entry["runtime"]["outputs"]["output"]["values"]]
    write_testdir(str(tmp_path / "test"), {"input": ((1, 3, 8, 10), values)}, {"output": answer})
    arguments = ["MNNConvert", "-f", "MNN", "--modelFile", str(MODELS / "mnn" / "c3_nc4hw4.mnn")]
    arguments += ["--MNNModel", str(tmp_path / "out.mnn"), "--testdir", str(tmp_path / "test")]
    script = f"import _tools; _tools.mnnconvert({arguments!r})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=100, check=False
    )
    assert verdict in done.stdout + done.stderr
