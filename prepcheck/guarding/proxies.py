"""`guard(target, contract)`: the guarded stand-in for whatever runs a model, and the patches behind `with Guard(…)`."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

from prepcheck.errors import UsageError
from prepcheck.guarding.compiled import CompiledContract
from prepcheck.guarding.guard import Guard
from prepcheck.guarding.hooks import patch_modules
from prepcheck.guarding.policy import switched_off
from prepcheck.guarding.rknn_proxy import GuardedRknn, entry_of, patch_class
from prepcheck.guarding.standin import Counted, Forwarding, Mirror

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from prepcheck.guarding.policy import OnFail


class SwitchedOff(Mirror):
    """What `guard` returns under PREPCHECK_GUARD=off: the target's own attributes and calls, and the guard's without effect."""

    def __init__(self, target: object) -> None:
        self.__dict__["_target"] = target

    def frame(self, picture: object) -> None:
        """Nothing: no check looks at it."""

    def stats(self) -> dict[str, object]:
        """Only that the guard is off."""
        return {"calls": 0, "off": True, "raised_inside": 0, "findings": {"error": {}, "warning": {}}, "inputs": {}}

    def __call__(self, *args: object, **kwargs: object) -> object:
        return self._target(*args, **kwargs)

    _target: Callable[..., object]


class GuardedCallable(Counted, Forwarding):
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
        guard.answered(arrays, result, guard.others(arrays, args, kwargs))
        return result

    _target: Callable[..., object]


def guard(
    target: object, contract: object, on_fail: OnFail = "raise", every: int = 16, *, stateful: bool = False
) -> object:
    """A stand-in for `target` with the same methods, whose runs are checked first.

    target: rknn.api.RKNN, rknnlite.api.RKNNLite (`inference` is checked), MNN.Interpreter (copies and `runSession`),
    MNN.CVImageProcess (`convert`), an MNN.nn module (`forward`), onnxruntime's InferenceSession (`run`), a TensorFlow Lite
    Interpreter (`set_tensor`, `invoke`), or any callable whose first arguments are the inputs.
    contract: as for Guard, or a Guard, which is then shared (an Interpreter and its CVImageProcess, say).
    With PREPCHECK_GUARD=off nothing is checked; frame() and stats() are still there.
    Raises UsageError for a target that is none of these, PlanError for a contract without shapes.
    """
    if switched_off():
        return SwitchedOff(target)
    shared = contract if isinstance(contract, Guard) else None
    compiled = shared.contract if shared is not None else CompiledContract.of(contract)

    def made(entry: str | None) -> Guard:
        return shared if shared is not None else Guard(compiled, on_fail, every, entry=entry, stateful=stateful)

    names = {base.__name__ for base in type(target).__mro__}
    if names & {"RKNN", "RKNNLite"} and callable(getattr(target, "inference", None)):
        return GuardedRknn(target, made(entry_of(type(target), compiled.runtime)))
    if compiled.runtime == "mnn":
        from prepcheck.guarding.proxies_mnn import mnn_kind, wrap_mnn

        if mnn_kind(target) is not None:
            return wrap_mnn(target, made("mnn"))
    if compiled.runtime in ("onnx", "tflite", "generic"):
        from prepcheck.guarding.session_proxy import session_kind, wrap_session

        kind = session_kind(target)
        if kind is not None and not inspect.isclass(target):
            return wrap_session(target, made(kind))
    if inspect.isclass(target) or not callable(target):
        raise UsageError(
            f"guard() got {target if inspect.isclass(target) else type(target).__name__} and the contract of a {compiled.runtime} model: an RKNN, RKNNLite, MNN.Interpreter, MNN.CVImageProcess, MNN.nn, "
            "InferenceSession or TFLite Interpreter object of that runtime, or a callable is needed"
        )
    return GuardedCallable(target, made(None))


def patch_all(guard: Guard) -> Callable[[], None]:
    """Guard the classes of every runtime that is or will be imported; returns what undoes it."""

    def rknn(module: ModuleType) -> Callable[[], None]:
        return patch_class(module.RKNN, guard.for_entry(entry_of(module.RKNN, guard.contract.runtime)))

    def lite(module: ModuleType) -> Callable[[], None]:
        return patch_class(module.RKNNLite, guard.for_entry("rknn-toolkit-lite2"))

    if guard.contract.runtime == "mnn":
        from prepcheck.guarding.proxies_mnn import patch_mnn

        return patch_modules({"MNN": lambda module: patch_mnn(module, guard.for_entry("mnn"))})
    return patch_modules({"rknn.api": rknn, "rknnlite.api": lite})
