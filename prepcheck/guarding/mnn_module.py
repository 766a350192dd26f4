"""MNN.nn modules: the Vars that go into `forward` are checked first, since pymnn checks nothing. No MNN at import."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds_mnn, shapes
from prepcheck.guarding.finding import make
from prepcheck.guarding.mnn_faces import ModuleCalls
from prepcheck.guarding.mnn_state import engine, word_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeGuard

    from numpy.typing import NDArray

    from prepcheck.guarding.finding import GuardFinding
    from prepcheck.guarding.foreign import MnnModule, MnnVar, Run
    from prepcheck.guarding.guard import Guard

_TYPES = {"float": "float32", "double": "float64", "int": "int32", "int64": "int64", "uint8": "uint8"}
"""Names of MNN.expr.dtype → element types."""


def is_var(thing: object) -> TypeGuard[MnnVar]:
    """Whether it is a Var of MNN's, the only thing that a module takes."""
    expr = sys.modules.get("_mnncengine._expr") or engine()._expr
    return isinstance(thing, expr.Var)


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
    if not is_var(var):
        return make(kinds_mnn.MODULE_ARRAY, check.where, {"got": type(var).__name__})
    tensor = check.tensor
    order, kind = word_of(var.data_format), _TYPES.get(word_of(var.dtype), word_of(var.dtype))
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


class GuardedModule(ModuleCalls):
    """A module whose forward, onForward and call are checked first: they raise CheckFailed. Everything else is its own."""

    def __init__(self, target: MnnModule, guard: Guard) -> None:
        self._target = target
        self._guard = guard

    def _run(self, call: Run, given: object) -> object:
        guard = self._guard
        statistics = guard.begin()
        found = check_vars(guard, given)
        if found:
            guard.policy.deliver(found)
            statistics = False  # where findings only warn: what was given may hold nothing that can be read
        arrays = _arrays(given) if statistics else []
        seen = [guard.look(i, a, None) for i, a in enumerate(arrays)]
        late = [f for f in seen if f is not None]
        if late:
            guard.policy.deliver(late)
        try:
            result = call(given)
        except BaseException:
            guard.failed()
            raise
        answers = _arrays(result) if statistics else []
        if answers:
            over_time = guard.compare(arrays, answers, arrays[guard.largest].dtype)
            if over_time:
                guard.policy.deliver(over_time)
        return result

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics of the guard."""
        return self._guard.stats()


def _arrays(given: object) -> list[NDArray[np.generic]]:
    """The content of a Var or of several; what is neither a Var nor an array is left out."""
    items = given if isinstance(given, (list, tuple)) else (given,)
    return [v if isinstance(v, np.ndarray) else _values(v) for v in items if isinstance(v, np.ndarray) or is_var(v)]


def _values(var: MnnVar) -> NDArray[np.generic]:
    if word_of(var.data_format) == "NC4HW4":
        # Var.read gives the packed memory, cut to the logical count
        expr = sys.modules["MNN.expr"]
        var = expr.convert(var, expr.NCHW)
    return np.array(var.read())
