"""Guard: the checks of one contract, before every run and over time, for any callable. numpy and the standard library.

Immutable after construction but for counters under a lock; what is remembered between two calls is kept for each thread.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import threading
from typing import TYPE_CHECKING

import numpy as np

from prepcheck.errors import UsageError
from prepcheck.guarding import kinds
from prepcheck.guarding.answers import AnswerWatch, arrays_of
from prepcheck.guarding.checks import InputCheck, Recall
from prepcheck.guarding.compiled import CompiledContract
from prepcheck.guarding.finding import make
from prepcheck.guarding.policy import Policy, switched_off
from prepcheck.guarding.profiles import profile_for
from prepcheck.guarding.stats import RollingStats

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType

    from numpy.typing import NDArray

    from prepcheck.guarding.finding import GuardFinding
    from prepcheck.guarding.policy import OnFail

    Array = NDArray[np.generic]


class _Stream(threading.local):
    """What one thread remembers between two calls; it is freed with the thread."""

    def __init__(self, inputs: int) -> None:
        self.recalls = [Recall() for _ in range(inputs)]
        self.answers = AnswerWatch()
        self.frame: Array | None = None
        self.statistics = False


class Guard:
    """Checks what is handed to a model, by its contract.

    contract: a contract document (dict), what `prepcheck.load` returns, or a CompiledContract.
    on_fail: `"raise"` (CheckFailed before the run), `"warn"` (GuardWarning), or a callable that takes each finding.
    every: statistics are taken on calls 0 and 1 of every `every` calls; 1 = on all.
    entry: the entry point's name (`rknn-toolkit2`, `rknn-toolkit-lite2`, `rknn-toolkit`, `mnn`, `rknn`, `generic`).
    stateful: the network has a memory, so the same input may be answered differently.
    Raises PlanError for a contract that names no shape or type, UsageError for a wrong argument.
    """

    def __init__(
        self,
        contract: object,
        on_fail: OnFail = "raise",
        every: int = 16,
        *,
        entry: str | None = None,
        stateful: bool = False,
    ) -> None:
        if isinstance(every, bool) or not isinstance(every, int) or every < 1:
            raise UsageError(f"every is {every!r}: a whole number of calls, 1 or more")
        self.contract = CompiledContract.of(contract)
        try:
            self.profile = profile_for(self.contract, entry)
        except KeyError:
            raise UsageError(f"entry is {entry!r}: no entry point that prepcheck knows") from None
        self.every = every
        self.stateful = stateful
        self.off = switched_off()
        self.policy = Policy(on_fail)
        runtime = self.contract.runtime
        self.inputs = tuple(InputCheck(t, i, runtime, self.profile) for i, t in enumerate(self.contract.inputs))
        self._names = {t.name: i for i, t in enumerate(self.contract.inputs) if t.name}
        sizes = [c.tensor.size or int(np.prod([max(d, 1) for d in c.tensor.shape])) for c in self.inputs]
        self.largest = sizes.index(max(sizes))
        self._calls = itertools.count()
        self._stream = _Stream(len(self.inputs))
        self._lock = threading.Lock()
        self._stats = tuple(RollingStats(c.where, c.tensor.scale) for c in self.inputs)
        self._raised = [0]
        self._undo: list[Callable[[], None]] = []

    def for_entry(self, entry: str) -> Guard:
        """The same guard (counters, statistics, policy) with the checks of one entry point."""
        other = copy.copy(self)
        other.profile = profile_for(self.contract, entry)
        runtime = self.contract.runtime
        other.inputs = tuple(InputCheck(t, i, runtime, other.profile) for i, t in enumerate(self.contract.inputs))
        return other

    # -- before a run ---------------------------------------------------------------------------------------------

    def check(
        self, *arrays: object, frame: Array | None = None, layout: str | None = None, **named: object
    ) -> tuple[GuardFinding, ...]:
        """Check the inputs of one run, in the contract's order or by name; call it just before the run.

        frame: the picture that this input was made of (the crop, where it was cropped first); with it a buffer that was
        never filled or still holds the picture before is seen at once. layout: of the arrays, where it is not the
        default (`NHWC` for pictures on RKNN, the file's on MNN).
        Returns the findings; raises CheckFailed for an error under `on_fail="raise"`.
        """
        if self.off:
            return ()
        if named:
            arrays = self._ordered(arrays, named)
        found = self.inspect(arrays, frame, (layout,) * len(self.inputs))
        if found:
            self.policy.deliver(found)
        return tuple(found)

    def frame(self, picture: Array) -> None:
        """Tell the picture that this thread's next input is made of (for calls that have no place for it)."""
        self._stream.frame = picture

    def begin(self) -> bool:
        """Count one run; whether this one takes statistics."""
        self._stream.statistics = statistics = next(self._calls) % self.every < 2
        return statistics

    def look(self, position: int, array: Array, frame: Array | None) -> GuardFinding | None:
        """What the content of one input says, its structure being right. Used where the runtime's own tensor is at hand."""
        check, stream = self.inputs[position], self._stream
        if frame is None and position == self.largest:
            frame, stream.frame = stream.frame, None
        finding = check.content(array, stream.recalls[position], frame)
        if finding is None and stream.statistics:
            with self._lock:
                finding = self._stats[position].update(array, check.domain, check.codes and array.dtype.kind == "i")
        return finding

    def last_sample(self, position: int) -> bytes:
        """The bytes of the sample that this thread's last look at an input took."""
        return self._stream.recalls[position].sample

    def inspect(
        self, arrays: Sequence[object], frame: Array | None = None, layouts: Sequence[str | None] | None = None
    ) -> list[GuardFinding]:
        """The findings of one call, without delivering them. layouts: one for each input, None = the default."""
        self.begin()
        stream = self._stream
        if frame is None:
            frame, stream.frame = stream.frame, None
        if len(arrays) != len(self.inputs):
            return [self.count_finding(len(arrays))]
        found: list[GuardFinding] = []
        for position, (check, array) in enumerate(zip(self.inputs, arrays)):  # noqa: B905 (3.7)
            made_of = frame if position == self.largest else None  # masks and ids are not made of the picture
            finding = self._one(check, array, position, made_of, layouts[position] if layouts else None, stream)
            if finding is not None:
                found.append(finding)
        return found

    def _one(
        self, check: InputCheck, array: object, position: int, frame: Array | None, layout: str | None, stream: _Stream
    ) -> GuardFinding | None:
        if not isinstance(array, np.ndarray):
            if isinstance(array, (bytes, bytearray, memoryview)):
                return check.flat(memoryview(array).nbytes, bytes(memoryview(array).cast("B")[:16]))
            if not hasattr(array, "__array__") or self.profile.name.startswith("rknn-"):
                return check.not_an_array(array)
            array = np.asarray(array)  # a tensor of another library, in the memory that it has
        finding = check.structure(array, layout)
        if finding is not None and finding.severity == "error":
            return finding
        seen = check.content(array, stream.recalls[position], frame)
        if seen is None and stream.statistics:
            with self._lock:
                seen = self._stats[position].update(array, check.domain, check.codes and array.dtype.kind == "i")
        return finding if seen is None else seen

    def count_finding(self, got: int) -> GuardFinding:
        """The finding for a wrong number of inputs."""
        names = ", ".join(c.tensor.name or f"input {i}" for i, c in enumerate(self.inputs))
        return make(kinds.INPUT_COUNT, "inputs", {"got": got, "want": len(self.inputs), "names": names})

    def _ordered(self, arrays: tuple[object, ...], named: dict[str, object]) -> tuple[object, ...]:
        unknown = sorted(set(named) - set(self._names))
        if unknown:
            raise UsageError(
                "check() got inputs {}; the contract's are {}".format(
                    ", ".join(unknown), ", ".join(sorted(self._names))
                )
            )
        slots = list(arrays) + [None] * (len(self.inputs) - len(arrays))
        for name, array in named.items():
            slots[self._names[name]] = array
        return tuple(slots)

    # -- after a run ----------------------------------------------------------------------------------------------

    def answered(self, arrays: Sequence[object], result: object, rest: object = None) -> tuple[GuardFinding, ...]:
        """What the answer to the arrays that were just checked says. result: an array, or a list or dict of arrays.

        rest: what else the answer depends on (a threshold, say), by equality; answers are compared where it is the same.
        """
        if self.off:
            return ()
        found = self.observe(arrays, result, rest)
        if found:
            self.policy.deliver(found)
        return tuple(found)

    def observe(self, arrays: Sequence[object], result: object, rest: object = None) -> list[GuardFinding]:
        """The findings over time that one answer gives, without delivering them."""
        outputs = arrays_of(result)
        if not outputs or len(arrays) != len(self.inputs):
            return []
        inputs = [a for a in arrays if isinstance(a, np.ndarray)]
        if len(inputs) != len(arrays):
            return []
        return self.compare(inputs, outputs, inputs[self.largest].dtype, rest)

    def compare(
        self,
        inputs: Sequence[Array] | None,
        outputs: Sequence[Array],
        dtype: np.dtype[np.generic] | None,
        rest: object = None,
    ) -> list[GuardFinding]:
        """What outputs say about this thread's run. inputs: all of them, or None where they are not at hand; dtype: of the
        largest input, whose sample the last look took; None where no look was taken."""
        stream = self._stream
        found: list[GuardFinding] = []
        recall = stream.recalls[self.largest]
        if dtype is not None and recall.sample and not recall.repeats:
            check = self.inputs[self.largest]
            stuck = stream.answers.stuck(recall.sample, dtype, outputs, check.sampler, self.contract.outputs)
            if stuck is not None:
                found.append(stuck)
        if inputs is not None and stream.statistics and not self.stateful:
            unstable = stream.answers.unstable(inputs, outputs, "outputs", rest)
            if unstable is not None:
                found.append(unstable)
        return found

    def others(
        self, arrays: Sequence[object], args: tuple[object, ...], kwargs: dict[str, object]
    ) -> list[object] | None:
        """The arguments of a call besides the model's inputs: plain values as they are, everything else by identity."""
        if not self._stream.statistics or len(args) + len(kwargs) == len(arrays):
            return None
        mine = {id(a) for a in arrays}
        values = [*args, *(kwargs[k] for k in sorted(kwargs))]
        plain = (int, float, str, bytes, bool, type(None))
        return [v if isinstance(v, plain) else id(v) for v in values if id(v) not in mine]

    def failed(self) -> None:
        """Count a guarded call that raised."""
        with self._lock:
            self._raised[0] += 1

    # -- around a callable ----------------------------------------------------------------------------------------

    def wrap(
        self, *names: str, frame: str | None = None, layout: str | None = None
    ) -> Callable[[Callable[..., object]], Callable[..., object]]:
        """Decorate a callable: its parameters `names` (one for each input of the contract, in order) are checked first.

        frame: the parameter that holds the source picture. Raises UsageError where the callable has no such parameter.
        """
        if len(names) != len(self.inputs):
            raise UsageError(f"wrap() got {len(names)} parameter names; the contract has {len(self.inputs)} inputs")

        def decorate(function: Callable[..., object]) -> Callable[..., object]:
            if self.off:
                return function
            places = _places(function, names + ((frame,) if frame else ()))

            def before(args: tuple[object, ...], kwargs: dict[str, object]) -> list[object]:
                values = [_argument(args, kwargs, place) for place in places]
                picture = values.pop() if frame else None
                self.check(*values, frame=picture if isinstance(picture, np.ndarray) else None, layout=layout)
                return values

            if inspect.iscoroutinefunction(function):

                @functools.wraps(function)
                async def later(*args: object, **kwargs: object) -> object:
                    arrays = before(args, kwargs)
                    try:
                        result = await function(*args, **kwargs)
                    except BaseException:
                        self.failed()
                        raise
                    self.answered(arrays, result, self.others(arrays, args, kwargs))
                    return result

                return later

            @functools.wraps(function)
            def now(*args: object, **kwargs: object) -> object:
                arrays = before(args, kwargs)
                try:
                    result = function(*args, **kwargs)
                except BaseException:
                    self.failed()
                    raise
                self.answered(arrays, result, self.others(arrays, args, kwargs))
                return result

            return now

        return decorate

    def __enter__(self) -> Guard:
        """Guard every RKNN, RKNNLite and MNN object that is made or used inside the block; restored at its end."""
        from prepcheck.guarding.proxies import patch_all

        if not self.off:
            self._undo.append(patch_all(self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._undo:
            self._undo.pop()()

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics, JSON-able: calls, findings by rule, each input's extremes, mean and std."""
        with self._lock:
            inputs = {c.where: s.summary() for c, s in zip(self.inputs, self._stats)}  # noqa: B905 (3.7)
            raised = self._raised[0]
        recalls = self._stream.recalls
        for check, recall in zip(self.inputs, recalls):  # noqa: B905 (3.7)
            inputs[check.where].update(repeats=recall.repeats, constant=recall.constants)
        # itertools.count has no look; its text is `count(n)`
        calls = int(repr(self._calls)[6:-1])
        return {
            "calls": calls,
            "off": self.off,
            "raised_inside": raised,
            "findings": self.policy.counts(),
            "inputs": inputs,
            "same_answer": self._stream.answers.repeated,
        }


def _places(function: Callable[..., object], names: Sequence[str]) -> list[tuple[str, int]]:
    parameters = list(inspect.signature(function).parameters.values())
    known = [p.name for p in parameters]
    spread = any(p.kind is p.VAR_KEYWORD for p in parameters)
    places = []
    for name in names:
        if name in known and parameters[known.index(name)].kind not in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            keyword_only = parameters[known.index(name)].kind is inspect.Parameter.KEYWORD_ONLY
            places.append((name, -1 if keyword_only else known.index(name)))
        elif spread:
            places.append((name, -1))
        else:
            called = getattr(function, "__name__", "the callable")
            raise UsageError("{} has no parameter {!r}; it has {}".format(called, name, ", ".join(known) or "none"))
    return places


def _argument(args: tuple[object, ...], kwargs: dict[str, object], place: tuple[str, int]) -> object:
    name, position = place
    if name in kwargs:
        return kwargs[name]
    return args[position] if 0 <= position < len(args) else None
