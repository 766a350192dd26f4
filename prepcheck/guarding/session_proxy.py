"""onnxruntime's InferenceSession and TensorFlow Lite's Interpreter, checked before they run. numpy and the standard library.

Told by their methods, not by their classes: `run` with `get_inputs`, or `set_tensor` with `invoke` and `get_input_details`
(tensorflow, tflite_runtime and ai_edge_litert have the same). Neither package is imported. Measured: onnxruntime 1.32 and
ai-edge-litert 2.3 refuse another type or shape themselves, in their own words; both copy views rightly.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np

from prepcheck.guarding import kinds
from prepcheck.guarding.finding import make
from prepcheck.guarding.standin import Standin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prepcheck.guarding.finding import GuardFinding
    from prepcheck.guarding.foreign import OnnxSession, TfliteInterpreter
    from prepcheck.guarding.guard import Guard


def session_kind(target: object) -> str | None:
    """`onnxruntime` or `tensorflow-lite` for an object that has their methods, else None."""

    def has(*names: str) -> bool:
        return all(callable(getattr(target, name, None)) for name in names)

    if has("run", "get_inputs", "get_outputs"):
        return "onnxruntime"
    return "tensorflow-lite" if has("set_tensor", "invoke", "get_input_details", "get_tensor") else None


def wrap_session(target: object, guard: Guard) -> object:
    """The guarded stand-in for a session or an interpreter."""
    return GuardedSession(target, guard) if session_kind(target) == "onnxruntime" else GuardedInterpreter(target, guard)


def array_of(value: object) -> object:
    """A numpy array where the value is one, or an OrtValue that holds one; else the value itself."""
    if isinstance(value, np.ndarray):
        return value
    numpy = getattr(value, "numpy", None)
    return numpy() if callable(numpy) and callable(getattr(value, "data_type", None)) else value


class GuardedSession(Standin):
    """An InferenceSession whose `run()` is checked first. `run_with_iobinding` is its own: its memory is not seen."""

    def run(self, output_names: object, input_feed: Mapping[str, object], *args: object, **kwargs: object) -> object:
        """The session's own `run`. Raises CheckFailed before it."""
        guard = self._guard
        arrays, found = check_feed(guard, input_feed)
        if found:
            guard.policy.deliver(found)
        try:
            result = self._target.run(output_names, input_feed, *args, **kwargs)
        except BaseException:
            guard.failed()
            raise
        if arrays:
            guard.answered(arrays, result)
        return result

    _target: OnnxSession


def check_feed(guard: Guard, feed: Mapping[str, object]) -> tuple[list[object], list[GuardFinding]]:
    """The arrays of one `run()` in the contract's order, and what is wrong with them."""
    wanted = [t.name or str(i) for i, t in enumerate(guard.contract.inputs)]
    if not hasattr(feed, "keys"):
        return [], [guard.inputs[0].not_an_array(feed)]
    names = [str(k) for k in feed.keys()]  # noqa: SIM118
    if sorted(names) != sorted(wanted):
        values = {"got": ", ".join(names) or "none", "want": ", ".join(wanted)}
        return [], [make(kinds.INPUT_NAME, "inputs", values)]
    arrays = [array_of(feed[name]) for name in wanted]
    return arrays, guard.inspect(arrays)


class _Cycle(threading.local):
    """What one thread has set since its last run."""

    def __init__(self) -> None:
        self.arrays: dict[int, object] = {}
        self.ever: set[int] = set()
        self.last: list[object] = []


class GuardedInterpreter(Standin):
    """A TensorFlow Lite Interpreter: `set_tensor()` is checked, `invoke()` asks that every input was ever set.

    Signature runners and `tensor()` views are its own: their memory is not seen.
    """

    def __init__(self, target: object, guard: Guard) -> None:
        super().__init__(target, guard)
        self.__dict__.update(_cycle=_Cycle(), _places=None)

    def set_tensor(self, tensor_index: int, value: object) -> object:
        """The interpreter's own `set_tensor`. Raises CheckFailed before it."""
        guard, cycle = self._guard, self._cycle
        position = self._position(tensor_index)
        if position is not None:
            if not cycle.arrays:
                guard.begin()
            found = self._look(position, value)
            if found is not None:
                guard.policy.deliver([found])
            cycle.arrays[position] = value
            cycle.ever.add(position)
        return self._target.set_tensor(tensor_index, value)

    def invoke(self) -> object:
        """The interpreter's own `invoke`. Raises CheckFailed where an input was never set."""
        guard, cycle = self._guard, self._cycle
        missing = [i for i in range(len(guard.inputs)) if i not in cycle.ever]
        if missing:
            names = ", ".join(guard.contract.inputs[i].name or str(i) for i in missing)
            guard.policy.deliver([make(kinds.NEVER_SET, "inputs", {"names": names, "count": len(missing)})])
        cycle.last = [cycle.arrays[i] for i in sorted(cycle.arrays)] if len(cycle.arrays) == len(guard.inputs) else []
        cycle.arrays = {}
        try:
            return self._target.invoke()
        except BaseException:
            guard.failed()
            raise

    def get_tensor(self, tensor_index: int, *args: object) -> object:
        """The interpreter's own `get_tensor`; the first output read after a run is looked at."""
        result = self._target.get_tensor(tensor_index, *args)
        cycle = self._cycle
        if cycle.last and self._position(tensor_index) is None:
            arrays, cycle.last = cycle.last, []
            self._guard.answered(arrays, result)
        return result

    def _look(self, position: int, value: object) -> GuardFinding | None:
        check = self._guard.inputs[position]
        if not isinstance(value, np.ndarray):
            if not hasattr(value, "__array__"):
                return check.not_an_array(value)
            value = np.asarray(value)
        finding = check.structure(value)
        if finding is not None and finding.severity == "error":
            return finding
        return self._guard.look(position, value, None) or finding

    def _position(self, tensor_index: object) -> int | None:
        """Which of the contract's inputs a tensor index is; None for an output or another tensor."""
        places = self.__dict__["_places"]
        if places is None:
            details = self._target.get_input_details()
            places = self.__dict__["_places"] = {d["index"]: i for i, d in enumerate(details)}
        found = places.get(tensor_index)
        return found if found is not None and found < len(self._guard.inputs) else None

    _target: TfliteInterpreter
    _cycle: _Cycle
