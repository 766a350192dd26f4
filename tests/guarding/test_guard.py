"""Guard around callables: wrap, check, context manager, on_fail, switch."""

from __future__ import annotations

import asyncio
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from prepcheck.errors import CheckFailed, UsageError
from prepcheck.guarding.finding import GuardFinding, GuardReport
from prepcheck.guarding.guard import Guard
from prepcheck.guarding.policy import GuardWarning
from prepcheck.guarding.proxies import GuardedCallable, guard
from tests.guarding.contracts import RKNN, RKNNLite, answer, picture, rknn

GOOD = picture(np.random.default_rng(0))[None]


def rules(error: CheckFailed) -> list[str]:
    assert isinstance(error.report, GuardReport)
    return [f.rule for f in error.report.findings]


def feed(call: Callable[[Any], Any], arrays: list[Any]) -> None:
    """Call with one array after the other."""
    for array in arrays:
        call(array)


# -- wrap, check, callable ------------------------------------------------------------------------------------------


def test_wrap_by_position_keyword_and_default() -> None:
    calls: list[str] = []

    @Guard(rknn()).wrap("array")
    def infer(name: str, array: Any = None, *, more: int = 0) -> Any:
        """Says hello."""
        calls.append(name)
        return answer(array)

    infer("a", GOOD)
    infer("b", array=GOOD, more=2)
    with pytest.raises(CheckFailed):
        infer("c", GOOD[0])
    with pytest.raises(CheckFailed) as caught:
        infer("d")
    assert rules(caught.value) == ["GD002"]
    assert calls == ["a", "b"]
    assert infer.__doc__ == "Says hello."


def test_wrap_takes_the_frame_from_a_parameter() -> None:
    contract, rng = rknn(), np.random.default_rng(1)
    ran = []

    @Guard(contract).wrap("array", frame="frame")
    def infer(array: Any, frame: Any) -> None:
        ran.append(1)

    infer(GOOD, picture(rng, 96, 128))
    with pytest.raises(CheckFailed) as caught:
        infer(GOOD, picture(rng, 96, 128))
    assert rules(caught.value) == ["GD027"]
    with pytest.raises(CheckFailed) as caught:
        infer(np.zeros_like(GOOD), frame=picture(rng, 96, 128))
    assert rules(caught.value) == ["GD026"]
    assert len(ran) == 1


def test_wrap_a_coroutine() -> None:
    @Guard(rknn()).wrap("array")
    async def infer(array: Any) -> Any:
        return answer(array)

    assert asyncio.run(infer(GOOD)).shape == (1, 10)  # type: ignore[arg-type]
    with pytest.raises(CheckFailed):
        asyncio.run(infer(GOOD[0]))  # type: ignore[arg-type]


def test_wrap_names_what_the_callable_has() -> None:
    with pytest.raises(UsageError, match=r"infer has no parameter 'input'; it has array"):

        @Guard(rknn()).wrap("input")
        def infer(array: Any) -> None: ...

    with pytest.raises(UsageError, match="2 parameter names; the contract has 1 inputs"):
        Guard(rknn()).wrap("a", "b")


def test_check_by_name_and_layout() -> None:
    checked = Guard(rknn())
    assert checked.check(images=GOOD) == ()
    assert checked.check(np.ascontiguousarray(GOOD.transpose(0, 3, 1, 2)), layout="NCHW") == ()
    with pytest.raises(UsageError, match="image; the contract's are images"):
        checked.check(image=GOOD)
    with pytest.raises(CheckFailed) as caught:
        checked.check()
    assert rules(caught.value) == ["GD001"]


@pytest.mark.parametrize(
    ("data", "rule", "words"),
    [
        (GOOD.tobytes(), None, ""),
        (GOOD.tobytes()[:-1], "GD011", "9215 - 9216 = -1 bytes apart"),
        (GOOD.astype(np.float32).tobytes(), "GD011", "36864 / 9216 elements = 4 bytes each: these are float32"),
        (bytes(48 * 80 * 3), "GD011", "the size with row padding (rows of 80 pixels)"),
        (bytes(48 * 64 * 4), "GD011", "12288 / 9216 = 4 / 3: one channel too many"),
        (memoryview(bytes(9216 * 3)), "GD011", "factor 3"),
        (b"\xff\xd8\xff" + bytes(600), "GD028", "JPEG"),
    ],
)
def test_flat_buffers(data: Any, rule: str | None, words: str) -> None:
    found: list[GuardFinding] = []
    Guard(rknn(), on_fail=found.append).check(data)
    assert [f.rule for f in found] == ([rule] if rule else [])
    assert not found or words in str(found[0])


def test_flat_buffer_of_one_picture_for_a_batch() -> None:
    """The second seed situation: 32,400 bytes for 3,240,000."""
    contract = rknn((100, 90, 120, 3), runtime="rknn1", dtype="uint8")
    with pytest.raises(CheckFailed, match=r"32,400 bytes given, 3,240,000 wanted") as caught:
        Guard(contract).check(bytes(32400))
    assert "3240000 / 32400 = 100: one picture for a batch of 100" in str(caught.value)


def test_dynamic_shapes_and_odd_ranks() -> None:
    contract = rknn()
    contract["inputs"][0]["dynamic"] = [[1, 48, 64, 3], [1, 96, 128, 3]]
    checked = Guard(contract)
    assert checked.check(np.zeros((1, 96, 128, 3), np.uint8)) == ()
    with pytest.raises(CheckFailed, match="none of the 2 shapes") as caught:
        checked.check(np.zeros((1, 50, 64, 3), np.uint8))
    assert rules(caught.value) == ["GD036"]
    with pytest.raises(CheckFailed) as caught:
        Guard(rknn()).check(np.zeros((1, 1, 48, 64, 3), np.uint8))
    assert rules(caught.value) == ["GD010"]
    vector = rknn()
    vector["inputs"][0].update(
        layout="UNDEFINED", shape=[1, 10], dtype="float32", value_range=None, mean=None, std=None
    )
    assert Guard(vector).check(np.zeros((1, 10), np.float32)) == ()
    with pytest.raises(CheckFailed, match=r"shape \(10, 1\) given, \(1, 10\) wanted"):
        Guard(vector).check(np.zeros((10, 1), np.float32))


def test_the_frame_is_that_of_the_largest_input() -> None:
    contract, rng = rknn(), np.random.default_rng(2)
    contract["inputs"] = [*rknn((1, 24, 32, 1), name="mask")["inputs"], *rknn(name="picture")["inputs"]]
    checked, mask = Guard(contract), np.full((1, 24, 32, 1), 255, np.uint8)
    for _ in range(5):
        assert checked.check(mask, picture(rng)[None], frame=picture(rng, 96, 128)) == ()
    with pytest.raises(CheckFailed) as caught:
        checked.check(mask, np.zeros((1, 48, 64, 3), np.uint8), frame=picture(rng, 96, 128))
    assert rules(caught.value) == ["GD026"]


def test_tensors_of_other_libraries() -> None:
    class Tensor:
        def __init__(self, data: Any) -> None:
            self.data = data

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return self.data

    checked = Guard(rknn())
    assert checked.check(Tensor(GOOD)) == ()
    with pytest.raises(CheckFailed) as caught:
        checked.check(Tensor(GOOD[0]))
    assert rules(caught.value) == ["GD003"]
    with pytest.raises(CheckFailed) as caught:
        guard(RKNN(), rknn()).inference([Tensor(GOOD)])  # type: ignore[attr-defined]
    assert rules(caught.value) == ["GD002"]


def test_several_inputs() -> None:
    contract = rknn()
    contract["inputs"] = [*rknn(name="left")["inputs"], *rknn((1, 24, 32, 1), name="mask")["inputs"]]
    mask = np.zeros((1, 24, 32, 1), np.uint8)
    target = RKNN()
    guarded: Any = guard(target, contract)
    guarded.inference(inputs=[GOOD, mask])
    with pytest.raises(CheckFailed) as caught:
        guarded.inference(inputs=[mask, GOOD])
    assert isinstance(caught.value.report, GuardReport)
    assert len(caught.value.report.findings) == 2
    assert caught.value.report.findings[1].where == "inputs[1] (mask)"
    with pytest.raises(CheckFailed):
        guarded.inference(inputs=[GOOD])
    assert target.runs == 1


@pytest.mark.parametrize("array", [GOOD[:, ::2].repeat(2, 1)[:, ::-1], np.asfortranarray(GOOD), GOOD[..., ::-1]])
def test_views_are_refused_where_a_pointer_is_taken(array: Any) -> None:
    with pytest.raises(CheckFailed) as caught:
        Guard(rknn()).check(array)
    assert rules(caught.value) == ["GD014"]
    assert Guard(rknn(), entry="rknn-toolkit2").check(array) == ()
    with pytest.warns(GuardWarning, match="GD014"):
        Guard(rknn(), entry="rknn-toolkit-lite2").check(array)


def test_any_callable_with_inputs_first() -> None:
    guarded: Any = guard(lambda x, scale=1: answer(x) * scale, rknn())
    assert isinstance(guarded, GuardedCallable)
    guarded(GOOD, scale=2)
    guarded(GOOD, scale=3)  # another answer to the same input, since something else changed too
    with pytest.raises(CheckFailed):
        guarded(GOOD[0])
    assert guarded.stats()["calls"] == 3


def test_other_targets_are_refused() -> None:
    for target, word in ((RKNN, "RKNN'"), (3, "int"), ("model.rknn", "str")):
        with pytest.raises(UsageError, match=word):
            guard(target, rknn())


def test_wrong_settings() -> None:
    for options, word in (({"on_fail": "stop"}, "on_fail"), ({"every": 0}, "every"), ({"entry": "tflite"}, "entry")):
        with pytest.raises(UsageError, match=word):
            Guard(rknn(), **options)  # type: ignore[arg-type]


# -- the vendors' classes -------------------------------------------------------------------------------------------


def test_the_stand_in_is_the_target_for_everything_else() -> None:
    target = RKNN()
    guarded: Any = guard(target, rknn())
    guarded.release()
    guarded.note = "x"
    assert target.released
    assert target.note == "x"  # type: ignore[attr-defined]
    assert guarded.note == "x"
    with pytest.raises(AttributeError):
        guarded.nothing


def test_what_the_simulator_takes_and_the_board_refuses() -> None:
    with pytest.warns(GuardWarning, match="RKNNLite on the board refuses"):
        guard(RKNN(), rknn()).inference(inputs=[GOOD[0]])  # type: ignore[attr-defined]
    with pytest.raises(CheckFailed):
        guard(RKNNLite(), rknn()).inference(inputs=[GOOD[0]])  # type: ignore[attr-defined]


def test_none_is_reported_and_exceptions_pass() -> None:
    class Refusing(RKNN):
        def inference(self, inputs: Any, *rest: Any, **more: Any) -> Any:
            if more.get("data_format") == "nhwc":
                raise RuntimeError("inside")
            return None

    guarded: Any = guard(Refusing(), rknn())
    with pytest.raises(CheckFailed) as caught:
        guarded.inference([GOOD])
    assert rules(caught.value) == ["GD034"]
    with pytest.raises(RuntimeError, match="inside"):
        guarded.inference([GOOD], data_format="nhwc")
    assert guarded.stats()["raised_inside"] == 1


def test_with_block_guards_classes_and_restores_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for root, cls in (("rknn", RKNN), ("rknnlite", RKNNLite)):
        module = types.ModuleType(f"{root}.api")
        copy = type(cls.__name__, (), dict(cls.__dict__))
        setattr(module, cls.__name__, copy)
        monkeypatch.setitem(sys.modules, f"{root}.api", module)
        before = copy.__dict__["inference"]
        target = copy()
        with Guard(rknn()) as checked:
            target.inference([GOOD])
            copy().inference(inputs=[GOOD])
            with pytest.raises(CheckFailed):
                target.inference([GOOD[:, :4]])
            assert checked.stats()["calls"] == 3
        assert copy.__dict__["inference"] is before
        target.inference([GOOD[:, :4]])


def test_with_block_guards_what_is_imported_inside(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "rknnlite" / "api"
    package.mkdir(parents=True)
    (tmp_path / "rknnlite" / "__init__.py").write_text("", encoding="utf-8")
    (package / "__init__.py").write_text(
        "class RKNNLite:\n    def inference(self, inputs):\n        return [inputs[0][..., 0]]\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("rknnlite", "rknnlite.api"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with Guard(rknn()):
        from rknnlite.api import RKNNLite as Imported

        with pytest.raises(CheckFailed):
            Imported().inference([GOOD[0]])
    Imported().inference([GOOD[0]])
    for name in ("rknnlite", "rknnlite.api"):
        sys.modules.pop(name, None)


def test_asynchronous_answers_are_not_compared() -> None:
    class Late(RKNN):
        def inference(self, inputs: Any, *rest: Any, **more: Any) -> Any:
            self.runs += 1
            return [np.full((1, 10), self.runs, np.float32)]

    guarded: Any = guard(Late(), rknn())
    guarded.init_runtime(async_mode=True)
    for _ in range(5):
        guarded.inference([GOOD])
    plain: Any = guard(Late(), rknn())
    with pytest.raises(CheckFailed, match="GD030"):
        feed(lambda x: plain.inference([x]), [GOOD] * 5)


# -- on_fail and the switch -----------------------------------------------------------------------------------------


def test_warn_lets_the_call_run() -> None:
    target = RKNN()
    guarded: Any = guard(target, rknn(), on_fail="warn")
    with pytest.warns(GuardWarning, match="GD005"):
        guarded.inference([np.ascontiguousarray(GOOD.transpose(0, 3, 1, 2))])
    assert target.runs == 1


def test_warnings_do_not_flood() -> None:
    checked = Guard(rknn(), on_fail="warn")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(250):
            checked.check(GOOD[0])
    assert len(seen) == 3
    assert checked.stats()["findings"] == {"error": {"GD003": 250}, "warning": {}}


def test_a_callable_gets_each_finding() -> None:
    found: list[GuardFinding] = []
    target = RKNN()
    guarded: Any = guard(target, rknn(), on_fail=found.append)
    guarded.inference([GOOD.astype(">f4")])
    assert [f.rule for f in found] == ["GD013"]
    assert target.runs == 1


@pytest.mark.parametrize("value", ["off", "0", "OFF", "false"])
def test_switched_off(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREPCHECK_GUARD", value)
    target = RKNN()
    off: Any = guard(target, rknn())
    off.frame(GOOD)
    off.note = 1
    assert off.inference([GOOD[0]]) is not None
    assert (target.runs, target.note) == (1, 1)  # type: ignore[attr-defined]
    assert off.stats()["off"] is True
    assert guard(lambda x: x, rknn())(3) == 3  # type: ignore[operator]
    checked = Guard(rknn())
    assert checked.check(None) == ()

    def infer(x: Any) -> Any:
        return x

    assert checked.wrap("x")(infer) is infer
    with checked:
        pass
    assert checked.stats()["off"] is True


def test_not_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREPCHECK_GUARD", "on")
    with pytest.raises(CheckFailed):
        Guard(rknn()).check(None)
