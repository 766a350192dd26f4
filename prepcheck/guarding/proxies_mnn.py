"""`guard` for MNN's objects, and the patch of MNN behind `with Guard(…)`. No MNN at import."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding.hooks import replace_attribute
from prepcheck.guarding.mnn_faces import (
    WatchedInterpreter,
    WatchedProcess,
    interpreter_class,
    process_class,
    tensor_class,
)
from prepcheck.guarding.mnn_guard import GuardWatch
from prepcheck.guarding.mnn_module import GuardedModule

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from prepcheck.guarding.guard import Guard


class GuardedInterpreter(WatchedInterpreter):
    """An MNN.Interpreter whose sessions are guarded: copies and runs are checked first."""

    def __init__(self, target: object, guard: Guard) -> None:
        super().__init__(target, GuardWatch(guard))
        self._guard = guard

    def frame(self, picture: object) -> None:
        """Tell which picture this thread's next input is made of."""
        self._guard.frame(np.asarray(picture))

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics of the guard."""
        return self._guard.stats()


def mnn_kind(target: object) -> str | None:
    """`Interpreter`, `CVImageProcess` or `_Module` for an object of MNN's; None for any other."""
    for base in type(target).__mro__:
        root = base.__module__.split(".")[0]
        if base.__name__ in ("Interpreter", "CVImageProcess", "_Module") and root in ("MNN", "_mnncengine", "builtins"):
            return base.__name__
    return None


def wrap_mnn(target: object, guard: Guard) -> object:
    """The guarded stand-in for an object of which `mnn_kind` tells the kind."""
    kind = mnn_kind(target)
    if kind == "Interpreter":
        return GuardedInterpreter(target, guard)
    if kind == "CVImageProcess":
        return WatchedProcess(target, GuardWatch(guard))
    return GuardedModule(target, guard)


def patch_mnn(module: ModuleType, guard: Guard) -> Callable[[], None]:
    """Guard MNN's classes; returns what undoes it."""
    watch = GuardWatch(guard)
    undo = [
        replace_attribute(module, "Interpreter", interpreter_class(module.Interpreter, watch)),
        replace_attribute(module, "Tensor", tensor_class(module.Tensor, watch)),
        replace_attribute(module, "CVImageProcess", process_class(module.CVImageProcess, watch)),
    ]

    def restore() -> None:
        for step in undo:
            step()

    return restore
