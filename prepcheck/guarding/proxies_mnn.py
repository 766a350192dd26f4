"""`guard` for MNN's objects, and the patch of MNN behind `with Guard(…)`. No MNN at import."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from prepcheck.guarding.mnn_faces import WatchedInterpreter, WatchedProcess, watch_classes
from prepcheck.guarding.mnn_guard import GuardWatch
from prepcheck.guarding.mnn_module import GuardedModule
from prepcheck.guarding.standin import Counted

if TYPE_CHECKING:
    from types import ModuleType

    from prepcheck.guarding.foreign import MnnInterpreter, MnnModule, MnnProcess
    from prepcheck.guarding.guard import Guard
    from prepcheck.guarding.hooks import Undo


class GuardedInterpreter(Counted, WatchedInterpreter):
    """An MNN.Interpreter whose sessions are guarded: copies and runs are checked first."""

    def __init__(self, target: MnnInterpreter, guard: Guard) -> None:
        super().__init__(target, GuardWatch(guard))
        self._guard = guard


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
        return GuardedInterpreter(cast("MnnInterpreter", target), guard)
    if kind == "CVImageProcess":
        return WatchedProcess(cast("MnnProcess", target), GuardWatch(guard))
    return GuardedModule(cast("MnnModule", target), guard)


def patch_mnn(module: ModuleType, guard: Guard) -> Undo:
    """Guard MNN's classes; returns what undoes it."""
    return watch_classes(module, GuardWatch(guard))
