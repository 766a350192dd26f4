"""The recorder for Python programs: stand-ins of the vendors' classes, scripts, what a record holds, what is restored."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prepcheck.errors import NotFoundError, UsageError
from prepcheck.guarding.tracing import record, run_script
from prepcheck.readers.record import record_to_plan
from prepcheck.wire.pcrec import Event, open_record, read_items
from prepcheck.wire.pcrec_write import content_hash
from tests.guarding.contracts import RKNN, RKNNLite

GOOD = np.random.default_rng(0).integers(0, 256, (1, 8, 10, 3), dtype=np.uint8)


def events(path: Path) -> list[Any]:
    with open_record(path) as source:
        return [item.data for item in read_items(source) if isinstance(item, Event)]


@pytest.fixture
def toolkit(monkeypatch: pytest.MonkeyPatch) -> type:
    """A class named RKNN in a module named rknn.api."""
    module = types.ModuleType("rknn.api")
    module.RKNN = type("RKNN", (), dict(RKNN.__dict__))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rknn.api", module)
    return module.RKNN  # type: ignore[attr-defined,no-any-return]


def test_inference_with_arguments_content_and_answer(toolkit: type, tmp_path: Path) -> None:
    net = toolkit()
    before = toolkit.__dict__["inference"]
    with record(tmp_path / "r.pcrec", keep_runs=1):
        net.init_runtime(target="rk3588")
        net.inference([GOOD], "nhwc")
        net.inference(inputs=[GOOD[..., ::-1]], data_format=["nhwc"], inputs_pass_through=[0])
    assert toolkit.__dict__["inference"] is before
    net.inference([GOOD])
    head, init, first, second = events(tmp_path / "r.pcrec")
    assert (head["api"], head["language"]) == ("record", "python")
    assert (init["api"], init["arguments"], init["ret"]) == ("toolkit.init_runtime", {"target": "rk3588"}, 0)
    assert first["arguments"] == {"data_format": "nhwc"}
    array = first["inputs"][0]
    assert (array["shape"], array["dtype"], array["size"], array["contiguous"]) == ([1, 8, 10, 3], "uint8", 240, True)
    assert array["hash"] == content_hash(GOOD.tobytes())
    assert (array["min"], array["max"]) == (GOOD.min(), GOOD.max())
    assert first["ret"] == 0
    assert first["results"][0]["shape"] == [1, 10]
    view = second["inputs"][0]
    assert (view["contiguous"], view["strides"], view["parent_size"]) == (False, [240, 30, 3, -1], 240)
    assert view["hash"] == content_hash(np.ascontiguousarray(GOOD[..., ::-1]).tobytes())
    assert "blob" in array
    assert "blob" not in view
    recorded = record_to_plan(tmp_path / "r.pcrec")
    assert recorded.input_bytes(0, 0) == GOOD.tobytes()


def test_refusals_and_exceptions(toolkit: type, tmp_path: Path) -> None:
    calls = iter([None, ValueError("wrong shape")])

    def inference(self: Any, inputs: Any, data_format: Any = None) -> Any:
        step = next(calls)
        if step is not None:
            raise step
        return None

    toolkit.inference = inference  # type: ignore[attr-defined]
    net = toolkit()
    with record(tmp_path / "r.pcrec"):
        assert net.inference([None]) is None
        with pytest.raises(ValueError, match="wrong shape"):
            net.inference(GOOD)
    _, first, second = events(tmp_path / "r.pcrec")
    assert (first["ret"], first["inputs"], first["results"]) == (-1, [{"type": "NoneType"}], [])
    assert (second["ret"], second["raised"], second["bare"]) == (-1, "ValueError: wrong shape", "ndarray")


def test_values_that_json_has_not(toolkit: type, tmp_path: Path) -> None:
    net = toolkit()
    with record(tmp_path / "r.pcrec"):
        net.inference([np.array([[np.nan, np.inf]], np.float32)])
        net.inference([np.zeros((0, 3), np.float32)])
        net.inference([np.zeros((2, 2), ">f4")])
    _, first, second, third = events(tmp_path / "r.pcrec")
    assert first["inputs"][0]["min"] == "nan"
    assert second["inputs"][0]["size"] == 0
    assert third["inputs"][0]["dtype"] == ">f4"


def test_lite_and_late_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("rknnlite.api")
    copy = type("RKNNLite", (), dict(RKNNLite.__dict__))
    module.RKNNLite = copy  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rknnlite.api", module)
    with record(tmp_path / "r.pcrec"):
        copy().inference([GOOD])
    assert events(tmp_path / "r.pcrec")[1]["library"] == "rknn-toolkit-lite2"


def script(tmp_path: Path, text: str) -> str:
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_script_runs_as_python_would_run_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "helper.py").write_text("WORD = 'beside'\n", encoding="utf-8")
    text = "import sys, helper\nprint(sys.argv[1:], __name__, helper.WORD, __file__)\nsys.exit(3)\n"
    argv, path = list(sys.argv), list(sys.path)
    assert run_script(script(tmp_path, text), ["--x", "1"], tmp_path / "r.pcrec") == 3
    assert capsys.readouterr().out.split() == ["['--x',", "'1']", "__main__", "beside", str(tmp_path / "program.py")]
    assert (sys.argv, sys.path) == (argv, path)
    sys.modules.pop("helper", None)


@pytest.mark.parametrize(("text", "code"), [("", 0), ("raise SystemExit", 0), ("raise SystemExit('bad')", 1)])
def test_exit_codes(text: str, code: int, tmp_path: Path) -> None:
    assert run_script(script(tmp_path, text), [], tmp_path / "r.pcrec") == code


def test_what_a_script_raises_is_in_the_record_and_passes(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        run_script(script(tmp_path, "{}['missing']"), [], tmp_path / "r.pcrec")
    last = events(tmp_path / "r.pcrec")[-1]
    assert (last["api"], last["type"]) == ("exception", "KeyError")
    assert record_to_plan(tmp_path / "r.pcrec").plan["calls"] == []


def test_modules_and_missing_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "named.py").write_text("import sys\nsys.exit(len(sys.argv))\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run_script("named", ["a"], tmp_path / "r.pcrec", module=True) == 2
    with pytest.raises(NotFoundError, match="no such program"):
        run_script(str(tmp_path / "none.py"), [], tmp_path / "r.pcrec")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="without __main__"):
        run_script(str(tmp_path / "folder"), [], tmp_path / "r.pcrec")


def test_how_many_runs_are_kept_comes_from_the_environment(
    toolkit: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREPCHECK_TRACE_BYTES", "2")
    net = toolkit()
    with record(tmp_path / "r.pcrec"):
        for _ in range(4):
            net.inference([GOOD])
    assert ["blob" in e["inputs"][0] for e in events(tmp_path / "r.pcrec")[1:]] == [True, True, False, False]


def test_a_record_cut_anywhere_still_opens(toolkit: type, tmp_path: Path) -> None:
    net = toolkit()
    with record(tmp_path / "r.pcrec"):
        for _ in range(3):
            net.inference([GOOD])
    data = (tmp_path / "r.pcrec").read_bytes()
    runs = []
    for end in range(8, len(data), 37):
        (tmp_path / "cut.pcrec").write_bytes(data[:end])
        runs.append(record_to_plan(tmp_path / "cut.pcrec").runs)
    assert runs == sorted(runs)
    assert set(runs) >= {0, 1, 2}
