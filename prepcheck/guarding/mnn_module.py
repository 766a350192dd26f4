"""MNN.nn modules: the Vars that go into `forward` are checked first, since pymnn checks nothing. No MNN at import."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds_mnn, shapes
from prepcheck.guarding.finding import make

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from prepcheck.guarding.finding import GuardFinding
    from prepcheck.guarding.guard import Guard

_TYPES = {"float": "float32", "double": "float64", "int": "int32", "int64": "int64", "uint8": "uint8"}
"""Names of MNN.expr.dtype → element types."""


def _word(value: object) -> str:
    return str(value).rsplit(".", 1)[-1]


def check_vars(guard: Guard, given: object) -> list[GuardFinding]:
    """What is wrong with the argument of `forward` (one Var) or `onForward` (a list of them)."""
    if isinstance(given, (list, tuple)):
        items: Sequence[object] = given
    else:
        items = (given,)
    if len(items) != len(guard.inputs):
        return [guard.count_finding(len(items))]
    found = [_one(guard, i, item) for i, item in enumerate(items)]
    return [f for f in found if f is not None]


def _one(guard: Guard, position: int, var: object) -> GuardFinding | None:
    check = guard.inputs[position]
    engine = sys.modules.get("_mnncengine._expr") or sys.modules["_mnncengine"]._expr
    if not isinstance(var, engine.Var):
        return make(kinds_mnn.MODULE_ARRAY, check.where, {"got": type(var).__name__})
    tensor = check.tensor
    order, kind = _word(var.data_format), _TYPES.get(_word(var.dtype), _word(var.dtype))
    shape = tuple(int(d) for d in var.shape)
    layout = "NHWC" if order == "NHWC" else "NCHW"
    four = len(tensor.shape) == 4
    want = shapes.permuted(tensor.shape, tensor.layout, layout) if four else tensor.shape
    if not shapes.matches(shape, want):
        diagnosis, values = shapes.diagnose(shape, want, layout if four else "UNDEFINED", check.item, tensor)
        return make(diagnosis, check.where, values)
    if kind != tensor.dtype:
        return make(kinds_mnn.MODULE_DTYPE, check.where, {"got": kind, "want": tensor.dtype})
    if four and tensor.layout == "NC4HW4" and order != "NC4HW4":
        return make(kinds_mnn.MODULE_LAYOUT, check.where, {"got": order})
    return None


class GuardedModule:
    """A module whose forward, onForward and call are checked first. Everything else is its own."""

    def __init__(self, target: object, guard: Guard) -> None:
        self.__dict__.update(_target=target, _guard=guard)

    def forward(self, given: object) -> object:
        """The module's own `forward`. Raises CheckFailed before it."""
        return self._run(self._target.forward, given)  # type: ignore[attr-defined]

    def onForward(self, given: object) -> object:
        """The module's own `onForward`. Raises CheckFailed before it."""
        return self._run(self._target.onForward, given)  # type: ignore[attr-defined]

    def __call__(self, given: object) -> object:
        return self._run(self._target, given)

    def _run(self, call: object, given: object) -> object:
        guard = self._guard
        statistics = guard.begin()
        found = check_vars(guard, given)
        if found:
            guard.policy.deliver(found)
        items = list(given) if isinstance(given, (list, tuple)) else [given]
        arrays = [_values(v) for v in items] if statistics else []
        seen = [guard.look(i, a, None) for i, a in enumerate(arrays)]
        late = [f for f in seen if f is not None]
        if late:
            guard.policy.deliver(late)
        try:
            result = call(given)  # type: ignore[operator]
        except BaseException:
            guard.failed()
            raise
        if statistics:
            answers = [_values(v) for v in (result if isinstance(result, (list, tuple)) else [result])]
            over_time = guard.compare(arrays, answers, arrays[guard.largest].dtype)
            if over_time:
                guard.policy.deliver(over_time)
        return result

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics of the guard."""
        return self._guard.stats()

    def __getattr__(self, name: str) -> object:
        return getattr(self.__dict__["_target"], name)

    _target: object
    _guard: Guard


def _values(var: object) -> NDArray[np.generic]:
    if isinstance(var, np.ndarray):
        return var
    order = _word(var.data_format)  # type: ignore[attr-defined]
    if order == "NC4HW4":
        # Var.read gives the packed memory, cut to the logical count
        expr = sys.modules["MNN.expr"]
        var = expr.convert(var, expr.NCHW)
    return np.array(var.read())  # type: ignore[attr-defined]
