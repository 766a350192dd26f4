"""`inference()` of rknn-toolkit2, rknn-toolkit (1) and RKNNLite, checked before it runs. numpy.

What each library does with a wrong input is in `profiles` and in the kinds; the arguments are taken by name or position
as the library's own signature says.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds
from prepcheck.guarding.finding import make
from prepcheck.guarding.hooks import replace_attribute, undo_all
from prepcheck.guarding.standin import Standin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prepcheck.guarding.finding import GuardFinding
    from prepcheck.guarding.foreign import Rknn
    from prepcheck.guarding.guard import Guard

_DEFAULT_ORDER = ("inputs", "data_format", "inputs_pass_through", "get_frame_id")


def entry_of(cls: type, runtime: str) -> str:
    """The entry point's name for a class named RKNN or RKNNLite."""
    if any(base.__name__ == "RKNNLite" or base.__module__.split(".")[0] == "rknnlite" for base in cls.__mro__):
        return "rknn-toolkit-lite2"
    return "rknn-toolkit" if runtime == "rknn1" else "rknn-toolkit2"


@functools.lru_cache(maxsize=16)
def parameters_of(function: Callable[..., object]) -> tuple[tuple[str, object], ...]:
    """Names and defaults of the parameters of an `inference` function, without `self`."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return tuple((name, None) for name in _DEFAULT_ORDER)
    named = [(p.name, None if p.default is p.empty else p.default) for p in found if p.kind is p.POSITIONAL_OR_KEYWORD]
    if named and named[0][0] == "self":
        del named[0]
    return tuple(named) if any(name == "inputs" for name, _ in named) else tuple((n, None) for n in _DEFAULT_ORDER)


@functools.lru_cache(maxsize=16)
def silent_defaults(function: Callable[..., object]) -> bool:
    """Whether every default of an `inference` is None or False, as in the toolkits of version 2."""
    return not any(default for _, default in parameters_of(function))


def bound(function: Callable[..., object], args: Sequence[object], kwargs: dict[str, object]) -> dict[str, object]:
    """The arguments of one call by name, defaults filled in where they say something."""
    parameters = parameters_of(function)
    if not args and len(kwargs) == 1 and silent_defaults(function):
        return kwargs
    values = dict(parameters)
    if args:
        for (name, _), value in zip(parameters, args):  # noqa: B905 (3.7)
            values[name] = value
    values.update(kwargs)
    return values


def check_inference(guard: Guard, arguments: dict[str, object]) -> tuple[list[object], list[GuardFinding]]:
    """The arrays of one `inference()` call and what is wrong with it."""
    given = arguments.get("inputs")
    lite = guard.profile.name == "rknn-toolkit-lite2"
    if isinstance(given, np.ndarray):
        if lite:
            hint = "Put it into a list: inference(inputs=[array])."
            values = {"got": "a bare array", "shape": str(guard.inputs[0].tensor.shape), "hint": hint}
            return [], [make(kinds.NOT_AN_ARRAY, "inputs", values)]
        arrays: list[object] = [given]  # the toolkit does the same, with a W line
    elif isinstance(given, (list, tuple)):
        arrays = list(given)
    else:
        return [], [guard.inputs[0].not_an_array(given)]
    data_format, data_type, flags = (arguments.get(k) for k in ("data_format", "data_type", "inputs_pass_through"))
    if data_format is None and data_type is None and flags is None:
        return arrays, guard.inspect(arrays)
    layouts, finding = _layouts(guard, data_format, arrays)
    if finding is not None:
        return arrays, [finding]
    through = _flags(flags, len(arrays))
    found = _types(guard, data_type, arrays)
    if any(through):
        return arrays, found + _pass_through(guard, arrays, through)
    return arrays, found + guard.inspect(arrays, None, layouts)


def _layouts(
    guard: Guard, data_format: object, arrays: Sequence[object]
) -> tuple[list[str | None], GuardFinding | None]:
    names = [data_format] * len(arrays) if data_format is None or isinstance(data_format, str) else data_format
    good = isinstance(names, (list, tuple)) and len(names) == len(arrays)
    layouts: list[str | None] = []
    for i, name in enumerate(names if isinstance(names, (list, tuple)) else ()):
        if name is not None and (not isinstance(name, str) or name.lower() not in ("nhwc", "nchw")):
            good = False
        four = i < len(guard.inputs) and guard.inputs[i].layout in ("NHWC", "NCHW")
        layouts.append(name.upper() if four and isinstance(name, str) else None)
    if good:
        return layouts, None
    return [], make(
        kinds.DATA_FORMAT,
        "inputs",
        {"got": repr(data_format), "count": len(arrays), "want": "'nhwc' or 'nchw' for each"},
    )


def _types(guard: Guard, data_type: object, arrays: Sequence[object]) -> list[GuardFinding]:
    if data_type is None:
        return []
    types = [data_type] * len(arrays) if isinstance(data_type, str) else data_type
    found = []
    for i, (name, array) in enumerate(zip(types if isinstance(types, (list, tuple)) else (), arrays)):  # noqa: B905
        if (
            isinstance(array, np.ndarray)
            and isinstance(name, str)
            and name != array.dtype.name
            and i < len(guard.inputs)
        ):
            found.append(make(kinds.DATA_TYPE, guard.inputs[i].where, {"got": name, "want": array.dtype.name}))
    return found


def _flags(value: object, count: int) -> list[bool]:
    if isinstance(value, (list, tuple)):
        return [bool(v) for v in value][:count] + [False] * (count - len(value))
    return [bool(value)] * count


def _pass_through(guard: Guard, arrays: Sequence[object], through: Sequence[bool]) -> list[GuardFinding]:
    """With pass-through the simulator takes float32 NCHW only; what a board takes depends on its native layout."""
    if guard.profile.name != "rknn-toolkit2":
        return []
    found = []
    for check, array, on in zip(guard.inputs, arrays, through):  # noqa: B905 (3.7)
        if not on or not isinstance(array, np.ndarray):
            continue
        want = check.wanted("NCHW")
        if array.dtype != np.float32 or array.shape != want:
            values = {"got": array.dtype.name, "shape": str(array.shape), "want": str(want)}
            found.append(make(kinds.PASS_THROUGH, check.where, values))
    return found


def guarded_inference(
    guard: Guard, call: Callable[..., object], args: Sequence[object], kwargs: dict[str, object], answers: bool
) -> object:
    """Check the arguments, call, look at the answer. answers: whether the answer belongs to this call's input."""
    arrays, found = check_inference(guard, bound(_function(call), args, kwargs))
    if found:
        guard.policy.deliver(found)
    try:
        result = call(*args, **kwargs)
    except BaseException:
        guard.failed()
        raise
    if result is None:
        guard.policy.deliver([make(kinds.NO_ANSWER, "outputs", {})])
    elif answers:
        guard.answered(arrays, result)
    return result


def _function(call: Callable[..., object]) -> Callable[..., object]:
    """The function below a bound method or a partial, whose signature can be remembered."""
    function: Callable[..., object] = getattr(call, "func", getattr(call, "__func__", call))
    return function


class GuardedRknn(Standin):
    """An RKNN or RKNNLite object whose `inference()` is checked first. Every other method and attribute is its own.

    frame(picture) tells what the next input is made of; stats() gives the guard's counters.
    """

    def __init__(self, target: object, guard: Guard) -> None:
        super().__init__(target, guard)
        self.__dict__["_answers"] = True

    def inference(self, *args: object, **kwargs: object) -> object:
        """The target's own `inference`, with the same arguments and the same answer. Raises CheckFailed before it."""
        return guarded_inference(self._guard, self._target.inference, args, kwargs, self._answers)

    def init_runtime(self, *args: object, **kwargs: object) -> object:
        """The target's own. In asynchronous mode the answer belongs to the frame before, so answers are not compared."""
        self.__dict__["_answers"] = not kwargs.get("async_mode", False)
        return self._target.init_runtime(*args, **kwargs)

    _target: Rknn
    _answers: bool


def patch_class(cls: type[Rknn], guard: Guard) -> Callable[[], None]:
    """Guard `inference` of every object of a class; returns what undoes it."""
    original = cls.inference
    start = getattr(cls, "init_runtime", None)
    late: set[int] = set()

    @functools.wraps(original)
    def inference(self: Rknn, *args: object, **kwargs: object) -> object:
        return guarded_inference(guard, functools.partial(original, self), args, kwargs, id(self) not in late)

    undo = replace_attribute(cls, "inference", inference)
    if start is None:
        return undo

    @functools.wraps(start)
    def init_runtime(self: Rknn, *args: object, **kwargs: object) -> object:
        (late.add if kwargs.get("async_mode", False) else late.discard)(id(self))
        return start(self, *args, **kwargs)

    return undo_all([undo, replace_attribute(cls, "init_runtime", init_runtime)])
