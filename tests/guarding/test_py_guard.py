"""The single-file guard: the same findings as the package's, on every Python from 3.7 that is here, without prepcheck.

PREPCHECK_PYTHONS names more interpreters that have numpy, separated by the path separator.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prepcheck.errors import CheckFailed, PlanError
from prepcheck.guarding.finding import GuardReport
from prepcheck.guarding.guard import Guard
from prepcheck.guarding.proxies import guard
from prepcheck.guarding.py_guard import py_guard
from tests.guarding.contracts import mnn, rknn
from tests.guarding.faults import FAULTS

HERE = Path(__file__).resolve().parent
MINORS = range(7, 14)


@functools.lru_cache(maxsize=1)
def interpreters() -> dict[str, tuple[str, bool]]:
    """Version ("3.7") → interpreter, and whether it has numpy. Looks at PREPCHECK_PYTHONS, this one, pyenv, PATH."""
    candidates = [p for p in os.environ.get("PREPCHECK_PYTHONS", "").split(os.pathsep) if p] + [sys.executable]
    candidates += sorted(map(str, (Path.home() / ".pyenv" / "versions").glob("3.*/bin/python")))
    candidates += [f"/usr/bin/python3.{minor}" for minor in MINORS]
    found: dict[str, tuple[str, bool]] = {}
    code = (
        "import sys\nv='%d.%d'%sys.version_info[:2]\ntry:\n import numpy\n print(v,1)\nexcept ImportError:\n print(v,0)"
    )
    for path in candidates:
        if not os.path.exists(path):
            continue
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False, timeout=60)
        words = done.stdout.split()
        if len(words) == 2 and not found.get(words[0], ("", False))[1]:
            found[words[0]] = (path, words[1] == "1")
    return found


def interpreter(minor: int, numpy: bool) -> str:
    path, has = interpreters().get(f"3.{minor}", ("", False))
    if not path:
        pytest.skip(f"no Python 3.{minor} on this machine")
    if numpy and not has:
        pytest.skip(f"Python 3.{minor} here has no numpy (name one that has in PREPCHECK_PYTHONS)")
    return path


def loaded(text: str) -> dict[str, Any]:
    """The names of the file, imported as a module."""
    module = types.ModuleType("model_guard_under_test")
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    exec(compile(text, "model_guard.py", "exec"), module.__dict__)
    return module.__dict__


@pytest.fixture(scope="module", params=["rknn", "mnn"])
def text(request: pytest.FixtureRequest) -> str:
    return py_guard(rknn() if request.param == "rknn" else mnn(), "model.rknn", "model_guard")


def test_it_is_python_37_and_imports_nothing_else(text: str) -> None:
    tree = ast.parse(text, feature_version=(3, 7))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {a.name.split(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    assert names <= {*sys.stdlib_module_names, "numpy"}
    assert "prepcheck." not in "".join(
        line for line in text.splitlines(True) if line.lstrip().startswith(("import", "from"))
    )
    assert "noqa" not in text
    assert "type: ignore" not in text


@pytest.mark.parametrize("minor", MINORS)
def test_it_compiles(minor: int, text: str, tmp_path: Path) -> None:
    (tmp_path / "model_guard.py").write_text(text, encoding="utf-8")
    code = "import ast,sys;ast.parse(open(sys.argv[1],encoding='utf-8').read());compile(open(sys.argv[1],encoding='utf-8').read(),'g','exec')"
    done = subprocess.run(
        [interpreter(minor, numpy=False), "-W", "error", "-c", code, str(tmp_path / "model_guard.py")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def cases() -> list[dict[str, Any]]:
    """Arrays and the rule that the package's own guard names for them (None = right), for one contract."""
    found = []
    for name, fault in FAULTS.items():
        case = fault(np.random.default_rng([1, len(name)]))
        if case.contract != rknn() or case.target.__name__ != "RKNNLite":
            continue
        calls = [*case.good, case.bad]
        found.append({"name": name, "calls": calls, "rule": case.rules[0]})
    return found


@pytest.mark.parametrize("minor", MINORS)
def test_it_finds_the_same(minor: int, tmp_path: Path) -> None:
    python = interpreter(minor, numpy=True)
    (tmp_path / "model_guard.py").write_text(py_guard(rknn()), encoding="utf-8")
    want = []
    for k, case in enumerate(cases()):
        arrays: dict[str, Any] = {}
        plan = []
        for n, call in enumerate(case["calls"]):
            row: dict[str, Any] = {key: value for key, value in call.items() if key not in ("inputs", "frame")}
            given = call["inputs"]
            if isinstance(given, np.ndarray):
                row["bare"] = f"{n}"
                arrays[f"{n}"] = given
            else:
                row["inputs"] = [f"{n}_{i}" if a is not None else None for i, a in enumerate(given)]
                arrays.update({f"{n}_{i}": a for i, a in enumerate(given) if a is not None})
            if "frame" in call:
                row["frame"] = f"{n}_frame"
                arrays[f"{n}_frame"] = call["frame"]
            plan.append(row)
        np.savez(tmp_path / f"{k}.npz", **arrays)
        want.append({"name": case["name"], "rule": case["rule"], "calls": plan})
    assert len(want) >= 15
    (tmp_path / "plan.json").write_text(json.dumps(want), encoding="utf-8")
    done = subprocess.run(
        [python, "-W", "error", str(HERE / "board_program.py"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == ["ok", str(len(want))]


MNN_PROGRAM = """
import sys
import numpy as np
import MNN
import plain_guard as g
net = g.guard(MNN.Interpreter(sys.argv[1]))
session = net.createSession()
tensor = net.getSessionInput(session)
rules = []
def call(step):
    try:
        step()
        rules.append("ok")
    except g.CheckFailed as error:
        rules.append(error.report.findings[0].rule)
data = np.random.RandomState(0).rand(1, 3, 8, 10).astype(np.float32)
host = MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe)
call(lambda: net.runSession(session))
call(lambda: tensor.copyFrom(host))
call(lambda: net.runSession(session))
call(lambda: net.runSession(session))
call(lambda: tensor.copyFrom(data))
with g.Guard(g.CONTRACT):
    other = MNN.Interpreter(sys.argv[1])
    call(lambda: other.runSession(other.createSession()))
assert not [m for m in sys.modules if m.split(".")[0] == "prepcheck"]
open("rules.txt", "w").write(" ".join(rules))
"""


def test_it_guards_mnn_too(tmp_path: Path) -> None:
    pytest.importorskip("MNN", reason="MNN is not installed")
    (tmp_path / "plain_guard.py").write_text(py_guard(mnn()), encoding="utf-8")
    (tmp_path / "program.py").write_text(MNN_PROGRAM, encoding="utf-8")
    model = HERE.parent / "data" / "models" / "mnn" / "c3_nchw.mnn"
    done = subprocess.run(
        [sys.executable, "program.py", str(model)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rules.txt").read_text() == "GD040 ok ok GD042 GD050 GD040"


def test_front_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "g.py").write_text(py_guard(rknn(), module="g"), encoding="utf-8")
    good = np.random.default_rng(0).integers(0, 256, (1, 48, 64, 3), dtype=np.uint8)
    np.save(tmp_path / "good.npy", good)
    np.save(tmp_path / "bad.npy", good[0])
    (tmp_path / "text.npy").write_text("x", encoding="utf-8")
    for arguments, code, words in (
        (["good.npy"], 0, "ok"), (["bad.npy"], 1, "GD003"), ([], 2, "one .npy for each input: images"), (["text.npy"], 2, ""),
    ):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "g.py", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        assert words in done.stdout


def test_the_contract_in_it_is_the_contract(text: str) -> None:
    namespace = loaded(text)
    document = rknn() if namespace["CONTRACT"].runtime == "rknn" else mnn()
    assert namespace["CONTRACT"].document() == Guard(document).contract.document()


def test_what_cannot_be_written_down_is_refused() -> None:
    contract = rknn()
    contract["inputs"][0]["scale"] = float("nan")
    with pytest.raises(PlanError, match=r"contract\.inputs\.scale: nan cannot be exported"):
        py_guard(contract)
    with pytest.raises(PlanError):
        py_guard({"inputs": []})


def test_a_name_cannot_break_out_of_the_file() -> None:
    contract = rknn(name='a"""\\\nimport os\n"""')
    text = py_guard(contract, model='x""" + y', module="m")
    namespace = loaded(text)
    assert namespace["CONTRACT"].inputs[0].name == contract["inputs"][0]["name"]


def test_same_messages_as_the_package(text: str) -> None:
    namespace = loaded(text)
    if namespace["CONTRACT"].runtime != "rknn":
        pytest.skip("the array cases are RKNN's")
    for case in cases():
        targets: list[Any] = [guard(_lite(), rknn()), namespace["guard"](_lite())]
        texts = []
        for guarded in targets:
            try:
                for call in case["calls"]:
                    rest = dict(call)
                    if "frame" in rest:
                        guarded.frame(rest.pop("frame"))
                    guarded.inference(**rest)
            except (CheckFailed, namespace["CheckFailed"]) as error:
                report = error.report
                assert isinstance(report, (GuardReport, namespace["GuardReport"]))
                texts.append(str(error))
        assert len(texts) == 2, case["name"]
        assert texts[0] == texts[1]


def _lite() -> Any:
    from tests.guarding.contracts import RKNNLite

    return RKNNLite()
