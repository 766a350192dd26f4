"""`guard(target, contract)`: the guarded stand-in for whatever runs a model, and the patches behind `with Guard(…)`."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

from prepcheck.errors import UsageError
from prepcheck.guarding.compiled import CompiledContract
from prepcheck.guarding.guard import Guard
from prepcheck.guarding.hooks import patch_modules, replace_attribute
from prepcheck.guarding.mnn_faces import (
    WatchedInterpreter,
    WatchedProcess,
    interpreter_class,
    process_class,
    tensor_class,
)
from prepcheck.guarding.mnn_guard import GuardWatch
from prepcheck.guarding.mnn_module import GuardedModule
from prepcheck.guarding.policy import switched_off
from prepcheck.guarding.rknn_proxy import GuardedRknn, entry_of, patch_class

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from prepcheck.guarding.policy import OnFail


class GuardedInterpreter(WatchedInterpreter):
    """An MNN.Interpreter whose sessions are guarded: copies and runs are checked first."""

    def __init__(self, target: object, guard: Guard) -> None:
        super().__init__(target, GuardWatch(guard))
        self._guard = guard

    def frame(self, picture: object) -> None:
        """Tell which picture this thread's next input is made of."""
        import numpy as np

        self._guard.frame(np.asarray(picture))

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics of the guard."""
        return self._guard.stats()


class GuardedCallable:
    """Any callable whose first arguments are the model's inputs, in the contract's order."""

    def __init__(self, target: Callable[..., object], guard: Guard) -> None:
        self._target = target
        self._guard = guard
        functools.update_wrapper(self, target, updated=())

    def __call__(self, *args: object, **kwargs: object) -> object:
        guard = self._guard
        count = len(guard.inputs)
        arrays = list(args[:count])
        if len(args) == 1 and isinstance(args[0], (list, tuple)) and len(args[0]) == count:
            arrays = list(args[0])
        arrays += [kwargs[t.name] for t in guard.contract.inputs[len(arrays) :] if t.name in kwargs]
        guard.check(*arrays)
        try:
            result = self._target(*args, **kwargs)
        except BaseException:
            guard.failed()
            raise
        guard.answered(arrays, result)
        return result

    def frame(self, picture: object) -> None:
        """Tell which picture this thread's next input is made of."""
        import numpy as np

        self._guard.frame(np.asarray(picture))

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics of the guard."""
        return self._guard.stats()

    def __getattr__(self, name: str) -> object:
        return getattr(self.__dict__["_target"], name)


def guard(
    target: object, contract: object, on_fail: OnFail = "raise", every: int = 16, *, stateful: bool = False
) -> object:
    """A stand-in for `target` with the same methods, whose runs are checked first.

    target: rknn.api.RKNN, rknnlite.api.RKNNLite (`inference` is checked), MNN.Interpreter (copies and `runSession`),
    MNN.CVImageProcess (`convert`), an MNN.nn module (`forward`), or any callable whose first arguments are the inputs.
    contract: as for Guard, or a Guard, which is then shared (an Interpreter and its CVImageProcess, say).
    With PREPCHECK_GUARD=off the target itself is returned.
    Raises UsageError for a target that is none of these, PlanError for a contract without shapes.
    """
    if switched_off():
        return target
    names = {base.__name__ for base in type(target).__mro__}
    roots = {base.__module__.split(".")[0] for base in type(target).__mro__}
    mnn = bool(roots & {"MNN", "_mnncengine"}) or bool(names & {"Interpreter", "CVImageProcess", "_Module"})
    if names & {"RKNN", "RKNNLite"} and callable(getattr(target, "inference", None)):
        runtime = contract.contract.runtime if isinstance(contract, Guard) else CompiledContract.of(contract).runtime
        return GuardedRknn(target, _guard(contract, on_fail, every, entry_of(type(target), runtime), stateful))
    if mnn and "Interpreter" in names:
        return GuardedInterpreter(target, _guard(contract, on_fail, every, "mnn", stateful))
    if mnn and "CVImageProcess" in names:
        return WatchedProcess(target, GuardWatch(_guard(contract, on_fail, every, "mnn", stateful)))
    if mnn and "_Module" in names:
        return GuardedModule(target, _guard(contract, on_fail, every, "mnn", stateful))
    if inspect.isclass(target) or not callable(target):
        raise UsageError(
            "guard() got %s: an RKNN, RKNNLite, MNN.Interpreter, MNN.CVImageProcess or MNN.nn object, or a callable is needed"
            % (target if inspect.isclass(target) else type(target).__name__)
        )
    return GuardedCallable(target, _guard(contract, on_fail, every, None, stateful))


def _guard(contract: object, on_fail: OnFail, every: int, entry: str | None, stateful: bool) -> Guard:
    if isinstance(contract, Guard):
        return contract
    return Guard(contract, on_fail, every, entry=entry, stateful=stateful)


def patch_all(guard: Guard) -> Callable[[], None]:
    """Guard the classes of every runtime that is or will be imported; returns what undoes it."""

    def rknn(module: ModuleType) -> Callable[[], None]:
        entry = entry_of(module.RKNN, guard.contract.runtime)
        return patch_class(module.RKNN, guard.for_entry(entry))

    def lite(module: ModuleType) -> Callable[[], None]:
        return patch_class(module.RKNNLite, guard.for_entry("rknn-toolkit-lite2"))

    def mnn(module: ModuleType) -> Callable[[], None]:
        watch = GuardWatch(guard.for_entry("mnn"))
        undo = [
            replace_attribute(module, "Interpreter", interpreter_class(module.Interpreter, watch)),
            replace_attribute(module, "Tensor", tensor_class(module.Tensor, watch)),
            replace_attribute(module, "CVImageProcess", process_class(module.CVImageProcess, watch)),
        ]

        def restore() -> None:
            for step in undo:
                step()

        return restore

    if guard.contract.runtime == "mnn":
        return patch_modules({"MNN": mnn})
    return patch_modules({"rknn.api": rknn, "rknnlite.api": lite})
