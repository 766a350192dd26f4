"""What the guard swallows of pymnn's exceptions and what it lets through, on stand-ins for pymnn's objects; guard and record at once."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from prepcheck.guarding.guard import Guard
from prepcheck.guarding.mnn_copy import copied_back, poison
from prepcheck.guarding.mnn_module import GuardedModule
from prepcheck.guarding.mnn_state import Sessions, array_of
from prepcheck.guarding.proxies import SwitchedOff, guard
from prepcheck.wire.pcrec import Event, open_record, read_items
from tests.guarding.contracts import RKNN, mnn, rknn
from tests.guarding.test_imports import ROOT, loaded

SHAPE = (1, 3, 8, 10)
REFUSALS = [
    Exception("tensor can not be read as numpy"),
    SystemError("returned a result with an exception set"),
    TypeError("Tensor init require args as belows"),
    ValueError("negative dimensions are not allowed"),
]
FAULTS = [MemoryError(), RuntimeError("x"), AttributeError("x"), IndexError("x"), KeyError("x")]


class Tensor:
    """An MNN.Tensor that raises what it is told to."""

    made: Exception | None = None

    def __init__(self, *args: object) -> None:
        if Tensor.made is not None:
            raise Tensor.made
        self.error: Exception | None = None
        self.data = np.ones(SHAPE, np.float32)
        self.takes = True

    def getShape(self) -> tuple[int, ...]:
        return SHAPE

    def getDataType(self) -> object:
        return "float"

    def getDimensionType(self) -> int:
        return 1

    def getNumpyData(self) -> object:
        if self.error is not None:
            raise self.error
        return self.data

    def copyToHostTensor(self, host: Tensor) -> bool:
        host.data[...] = self.data
        return True

    def copyFrom(self, host: Tensor) -> bool:
        if self.takes:
            self.data[...] = host.data
        return self.takes


class Var:
    data_format, dtype, shape = "data_format.NCHW", "dtype.float", list(SHAPE)

    def read(self) -> object:
        return np.random.default_rng(0).random(SHAPE, np.float32)


@pytest.fixture(autouse=True)
def pymnn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_mnncengine", SimpleNamespace(Tensor=Tensor, _expr=SimpleNamespace(Var=Var)))  # type: ignore[arg-type]
    monkeypatch.delitem(sys.modules, "_mnncengine._expr", raising=False)
    monkeypatch.setattr(Tensor, "made", None)


class Interpreter:
    """An MNN.Interpreter with one CPU session."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    def getSessionInfo(self, session: object, code: int) -> int:
        if self.error is not None:
            raise self.error
        return 0

    def getSessionOutputAll(self, session: object) -> dict[str, Tensor]:
        if self.error is not None:
            raise self.error
        return {"output": Tensor()}


def sessions(native: object) -> Any:
    return Sessions(native)  # type: ignore[arg-type]


@pytest.mark.parametrize("error", REFUSALS, ids=lambda e: type(e).__name__)
def test_what_pymnn_refuses_is_unknown(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = Tensor()
    tensor.error = error
    assert array_of(tensor) is None
    assert sessions(Interpreter(error)).of("session").host is False
    state = sessions(Interpreter()).of("session")
    state.sessions.native.error = error
    assert state.outputs() == {}
    tensor.error = None
    monkeypatch.setattr(Tensor, "made", error)
    assert copied_back(tensor) is None


@pytest.mark.parametrize("error", FAULTS, ids=lambda e: type(e).__name__)
def test_every_other_exception_is_a_fault(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = Tensor()
    tensor.error = error
    state = sessions(Interpreter()).of("session")
    state.sessions.native.error = error
    monkeypatch.setattr(Tensor, "made", error)
    for call in (
        lambda: array_of(tensor),
        lambda: sessions(Interpreter(error)).of("session"),
        lambda: state.outputs(),
        lambda: copied_back(tensor),
    ):
        with pytest.raises(type(error)) as caught:
            call()
        assert caught.value is error


def test_an_older_pymnn_is_not_looked_into() -> None:
    state = sessions(object()).of("session")
    assert state.host is False
    assert state.outputs() == {}


@pytest.mark.parametrize("takes", [True, False])
def test_the_mark_is_only_known_where_it_arrived(takes: bool) -> None:
    from prepcheck.guarding.mnn_state import Slot

    native = Tensor()
    native.takes = takes
    slot = Slot(sessions(Interpreter()).of("session", known=True), "input", native)
    poison(slot)
    assert (slot.poison is not None) is takes
    assert bool(np.isnan(native.data).all()) is takes


@pytest.mark.parametrize("given", [[], [Var(), Var()], [np.zeros(SHAPE, np.float32)], ["text"], 1.0])
def test_a_module_whose_findings_only_warn_still_runs(given: object) -> None:
    """Statistics are not taken of what was found wrong: there may be nothing to read."""
    found: list[str] = []
    target = SimpleNamespace(onForward=lambda items: ["answer", items])
    guarded = GuardedModule(target, Guard(mnn(), on_fail=lambda f: found.append(f.rule), every=1))  # type: ignore[arg-type]
    assert guarded.onForward(given) == ["answer", given]
    assert len(found) == 1


def test_a_module_answers_with_anything() -> None:
    guarded = GuardedModule(SimpleNamespace(forward=lambda v: {"a": v}), Guard(mnn(), every=1))  # type: ignore[arg-type]
    var = Var()
    assert guarded.forward(var) == {"a": var}


@pytest.mark.parametrize("off", [False, True])
def test_attributes_go_to_the_target(off: bool) -> None:
    target = RKNN()
    guarded: Any = SwitchedOff(target) if off else guard(target, rknn())
    guarded.mine = 3
    assert target.mine == 3  # type: ignore[attr-defined]
    assert guarded.mine == 3
    assert guarded.runs == target.runs
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        guarded.nothing_of_this_name


def test_the_protocols_are_never_loaded() -> None:
    code = "import prepcheck as pc; pc.Guard; pc.guard; pc.record; import prepcheck.guarding.proxies_mnn, prepcheck.guarding.session_proxy"
    assert "prepcheck.guarding.foreign" not in loaded(code)


NESTED = """
import sys
import numpy as np
import MNN
from prepcheck import CheckFailed, Guard, record
from tests.guarding.contracts import mnn
first, second = (record(sys.argv[2]), Guard(mnn())) if sys.argv[3] == "guard" else (Guard(mnn()), record(sys.argv[2]))
own = MNN.Interpreter, MNN.Tensor, MNN.CVImageProcess
with first, second:
    net = MNN.Interpreter(sys.argv[1])
    session = net.createSession()
    tensor = net.getSessionInput(session)
    rules = []
    def call(step):
        try:
            step()
            rules.append("ok")
        except CheckFailed as error:
            rules.append(error.report.findings[0].rule)
    data = np.random.RandomState(0).rand(1, 3, 8, 10).astype(np.float32)
    host = MNN.Tensor((1, 3, 8, 10), MNN.Halide_Type_Float, data, MNN.Tensor_DimensionType_Caffe)
    process = MNN.CVImageProcess({"sourceFormat": MNN.CV_ImageFormat_BGR, "destFormat": MNN.CV_ImageFormat_RGB})
    call(lambda: net.runSession(session))
    call(lambda: tensor.copyFrom(host))
    call(lambda: net.runSession(session))
    call(lambda: net.runSession(session))
assert own == (MNN.Interpreter, MNN.Tensor, MNN.CVImageProcess)
print(*rules, file=sys.stderr)
"""


@pytest.mark.parametrize("inner", ["guard", "record"])
def test_a_guarded_program_can_be_recorded(inner: str, tmp_path: Path) -> None:
    """Both see every call; the guard's own copies are not the program's and stand in no record."""
    if importlib.util.find_spec("MNN") is None:
        pytest.skip("MNN is not installed")
    model = ROOT / "tests" / "data" / "models" / "mnn" / "c3_nchw.mnn"
    done = subprocess.run(
        [sys.executable, "-c", NESTED, str(model), str(tmp_path / "r.pcrec"), inner],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "GD040 ok ok GD042"
    with open_record(tmp_path / "r.pcrec") as source:
        calls = [str(item.data["api"]).replace("mnn.", "", 1) for item in read_items(source) if isinstance(item, Event)]
    refused = ["runSession"] if inner == "record" else []  # the later of the two stands around the earlier
    start = ["record", "createFromFile", "createSession", "getSessionInput", "Tensor.create", "ImageProcess.create"]
    assert calls == [*start, *refused, "copyFromHostTensor", "runSession", *refused]
