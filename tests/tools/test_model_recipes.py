"""Every model in tests/data/models has a recipe, or stands in the list of those that have none; neither package is needed."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS, MODELS = ROOT / "tools", ROOT / "tests" / "data" / "models"
pytestmark = pytest.mark.skipif(not TOOLS.is_dir(), reason="the scripts are not part of the source archive")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch):
    """Import a script of tools/ by name."""
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "data"))
    return importlib.import_module


def named(tool) -> set[str]:
    rknn = {*tool("recipes_rknn").RECIPES, *tool("rknn1_files").RKNN1}
    damaged = tool("damaged_files")
    return {
        *(f"rknn/{name}.rknn" for name in rknn),
        *(f"mnn/{name}.mnn" for name in tool("recipes_mnn").RECIPES),
        *(f"mnn_extra/{name}.mnn" for name in tool("make_mnn").OPTIONS),
        *damaged.made(lambda name: (MODELS / name).read_bytes()),
        *damaged.KEPT,
    }


def test_every_model_has_a_recipe_and_every_recipe_a_model(tool) -> None:
    found = {f"{p.parent.name}/{p.name}" for p in MODELS.glob("*/*") if p.suffix in (".rknn", ".mnn")}
    assert len(found) > 100
    assert named(tool) == found


def test_the_tables_need_neither_package() -> None:
    names = "recipes_rknn, recipes_mnn, rknn1_files, damaged_files, build_rknn_models, build_mnn_models"
    heavy = "{'numpy', 'onnx', 'rknn', 'MNN', '_tools', 'cv2', 'PIL'}"
    code = f"import sys; sys.path.insert(0, {str(TOOLS)!r}); import {names}; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_recipes_name_networks_and_data_that_there_are(tool) -> None:
    rknn, mnn = tool("recipes_rknn"), tool("recipes_mnn")
    for recipe in rknn.RECIPES.values():
        assert recipe.graph in rknn.GRAPHS
        assert recipe.data is None or recipe.data in rknn.DATA
    assert {before for data in rknn.DATA.values() for before in data.before} <= set(rknn.DATA)
    assert {graph.kind for graph in rknn.GRAPHS.values()} <= set(tool("build_rknn_models").KINDS)
    assert {recipe.graph for recipe in mnn.RECIPES.values()} == set(mnn.GRAPHS)
    assert {graph.kind for graph in mnn.GRAPHS.values()} - set(tool("build_mnn_models").KINDS) == {"tensorflow"}


def test_files_of_toolkit_1_are_written_byte_by_byte(tool) -> None:
    module: ModuleType = tool("rknn1_files")
    for name, recipe in module.RKNN1.items():
        assert module.rknn1_bytes(recipe) == (MODELS / "rknn" / f"{name}.rknn").read_bytes(), name


def test_damaged_files_follow_from_the_good_ones(tool) -> None:
    made = tool("damaged_files").made(lambda name: (MODELS / name).read_bytes())
    wrong = [name for name, data in made.items() if data != (MODELS / name).read_bytes()]
    assert not wrong


def test_comparison_sees_a_change(tool) -> None:
    compare = tool("compare_models")
    good = compare.contract(MODELS / "rknn" / "rk3588_u8img_nomean_i8.rknn")
    assert not list(compare.differences(good, good, None))
    other = compare.contract(MODELS / "rknn" / "rk3588_std255_i8.rknn")
    found = [line.partition(":")[0] for line in compare.differences(other, good, 0.35)]
    assert {"inputs.0.scale", "inputs.0.std", "outputs.0.scale"} <= set(found)
    assert "outputs.0.shape" not in found
    near = compare.contract(MODELS / "rknn" / "rk3588_u8img_nomean_i8.rknn")
    near["outputs"][0]["scale"] *= 1.01
    near["inputs"][0]["w_stride"] += 1
    assert len(list(compare.differences(near, good, None))) == 2
    assert len(list(compare.differences(near, good, 0.02))) == 1
