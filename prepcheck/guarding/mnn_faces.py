"""MNN's classes with their calls made visible: interpreter, session inputs, own tensors, ImageProcess. No MNN at import.

A face of an interpreter is either a stand-in for an object (`guard(interpreter, …)`) or a subclass (record, `with Guard`);
both share `InterpreterCalls`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, cast

from prepcheck.guarding.hooks import replace_attribute, undo_all
from prepcheck.guarding.mnn_state import ProcessState, Sessions, Slot, alias_of, engine
from prepcheck.guarding.standin import Forwarding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from prepcheck.guarding.foreign import MnnInterpreter, MnnModule, MnnProcess, MnnTensor, Run
    from prepcheck.guarding.hooks import Undo
    from prepcheck.guarding.mnn_state import MnnWatch, SessionState, SessionTensor

_INPUT_CLASSES: dict[str, type[SessionTensor]] = {}


def input_class(base: type[MnnTensor]) -> type[SessionTensor]:
    """The subclass of MNN.Tensor whose objects stand for session inputs; made once."""
    if "Tensor" in _INPUT_CLASSES:
        return _INPUT_CLASSES["Tensor"]

    class SessionInput(base):  # type: ignore[misc, valid-type]  # a base that is known at run time only
        """A session's input; its calls are watched. It is a real MNN.Tensor for every function of MNN."""

        __slots__ = ("_slot", "_watch")

        def copyFrom(self, host: object) -> object:
            return self._watch.copy(self._slot, host, "copyFrom", lambda: base.copyFrom(self, host))

        def copyFromHostTensor(self, host: object) -> object:
            call = lambda: base.copyFromHostTensor(self, host)  # noqa: E731
            return self._watch.copy(self._slot, host, "copyFromHostTensor", call)

        def getNumpyData(self) -> object:
            return self._watch.expose(self._slot, "getNumpyData", lambda: base.getNumpyData(self))

        def getHost(self) -> object:
            return self._watch.expose(self._slot, "getHost", lambda: base.getHost(self))

        def fromNumpy(self, array: object) -> object:
            return self._watch.from_numpy(self._slot, array, lambda: base.fromNumpy(self, array))

    return _INPUT_CLASSES.setdefault("Tensor", SessionInput)


class InterpreterCalls:
    """The calls of an interpreter that are watched. `_sessions` and `_watch` are set by the two kinds of face."""

    _sessions: Sessions
    _watch: MnnWatch

    def createSession(self, *args: object, **kwargs: object) -> object:
        """MNN's own; the session is known from here on."""
        handle = self._sessions.native.createSession(*args, **kwargs)
        if handle is not None:
            state = self._sessions.of(handle, known=True)
            state.config = args[0] if args else kwargs or None
            self._watch.created(state)
        return handle

    def getSessionInput(self, session: object, *name: object) -> MnnTensor | None:
        """MNN's own; the tensor's calls are watched."""
        native = self._sessions.native.getSessionInput(session, *name)
        if native is None:
            return None
        state = self._sessions.of(session)
        if name and isinstance(name[0], str):
            return self._hand(state, name[0], native)
        names = sorted(self._sessions.native.getSessionInputAll(session))
        if len(names) > 1:
            self._watch.unnamed(state, names[0])
        return self._hand(state, names[0] if names else "", native)

    def getSessionInputAll(self, session: object) -> Mapping[str, MnnTensor]:
        """MNN's own; the tensors' calls are watched."""
        natives = self._sessions.native.getSessionInputAll(session)
        state = self._sessions.of(session)
        return {name: self._hand(state, name, native) for name, native in natives.items()}

    def _hand(self, state: SessionState, name: str, native: MnnTensor) -> MnnTensor:
        slot = state.slots.get(name)
        if slot is None:
            slot = state.slots[name] = Slot(state, name, native)
        if slot.alias is None:
            again = self._sessions.native.getSessionInput(state.handle, name)
            # pymnn makes tensors of whatever MNN.Tensor is, which may be a watched class: the input's own base is MNN's
            alias = alias_of(input_class(engine().Tensor), native, again)
            if alias is not None:
                alias._slot, alias._watch = slot, self._watch
            slot.alias = alias
            self._watch.handed(slot)
        return native if slot.alias is None else slot.alias

    def getSessionOutput(self, session: object, *name: object) -> MnnTensor | None:
        """MNN's own."""
        native = self._sessions.native.getSessionOutput(session, *name)
        if native is not None:
            named = name[0] if name and isinstance(name[0], str) else ""
            self._watch.output(self._sessions.of(session), named, native)
        return native

    def getSessionOutputAll(self, session: object) -> Mapping[str, MnnTensor]:
        """MNN's own."""
        natives = self._sessions.native.getSessionOutputAll(session)
        for name, native in natives.items():
            self._watch.output(self._sessions.of(session), name, native)
        return natives

    def resizeTensor(self, tensor: object, shape: object) -> object:
        """MNN's own; resizeSession must follow."""
        call = lambda: self._sessions.native.resizeTensor(tensor, shape)  # noqa: E731
        return self._watch.resize_tensor(self._sessions.slot_at(tensor), shape, call)

    def resizeSession(self, session: object) -> object:
        """MNN's own; what was written before is lost."""
        state = self._sessions.of(session)
        return self._watch.resize_session(state, lambda: self._sessions.native.resizeSession(session))

    def runSession(self, session: object) -> object:
        """MNN's own, after the checks."""
        state = self._sessions.of(session)
        return self._watch.run(state, "runSession", lambda: self._sessions.native.runSession(session))

    def runSessionWithCallBack(self, session: object, *rest: object) -> object:
        """MNN's own, after the checks."""
        call = lambda: self._sessions.native.runSessionWithCallBack(session, *rest)  # noqa: E731
        return self._watch.run(self._sessions.of(session), "runSessionWithCallBack", call)

    def runSessionWithCallBackInfo(self, session: object, *rest: object) -> object:
        """MNN's own, after the checks."""
        call = lambda: self._sessions.native.runSessionWithCallBackInfo(session, *rest)  # noqa: E731
        return self._watch.run(self._sessions.of(session), "runSessionWithCallBackInfo", call)


class WatchedInterpreter(InterpreterCalls, Forwarding):
    """Stands for an interpreter that exists already; everything that is not watched is its own."""

    def __init__(self, target: MnnInterpreter, watch: MnnWatch) -> None:
        self._target = target
        self._watch = watch
        self._sessions = Sessions(target)


def interpreter_class(base: type[MnnInterpreter], watch: MnnWatch) -> type:
    """A subclass of MNN.Interpreter whose objects are watched."""

    class Interpreter(InterpreterCalls, base):  # type: ignore[misc, valid-type]  # a base that is known at run time only
        """MNN.Interpreter, watched."""

        _watched = base, watch  # for whoever watches next

        def __init__(self, *args: object, **kwargs: object) -> None:
            super().__init__(*args, **kwargs)
            self._watch = watch
            self._sessions = Sessions(cast("MnnInterpreter", super(InterpreterCalls, self)))
            self._sessions.model = str(args[0]) if args else None

    return Interpreter


def tensor_class(base: type[MnnTensor], watch: MnnWatch) -> type:
    """A subclass of MNN.Tensor for the tensors that a program makes itself."""

    class Kind(type):
        """Session inputs and other tensors of MNN's own are instances of the watched class too."""

        def __instancecheck__(cls, thing: object) -> bool:
            return isinstance(thing, base)

    class Tensor(base, metaclass=Kind):  # type: ignore[misc, valid-type]  # a base that is known at run time only
        """MNN.Tensor, watched."""

        __slots__ = ()
        _watched = base, watch

        def __init__(self, *args: object) -> None:
            watch.tensor_made(args)
            super().__init__(*args)

        def copyFrom(self, host: object) -> object:
            return watch.own_copy(self, host, "copyFrom", lambda: base.copyFrom(self, host))

        def copyFromHostTensor(self, host: object) -> object:
            return watch.own_copy(self, host, "copyFromHostTensor", lambda: base.copyFromHostTensor(self, host))

        def copyToHostTensor(self, host: object) -> object:
            return watch.read(self, host, lambda: base.copyToHostTensor(self, host))

    return Tensor


class ProcessCalls:
    """The calls of a CVImageProcess that are watched."""

    _state: ProcessState
    _watch: MnnWatch
    _native: MnnProcess

    def setMatrix(self, matrix: object) -> object:
        """MNN's own."""
        self._state.matrix = matrix
        return self._native.setMatrix(matrix)

    def setPadding(self, value: object) -> object:
        """MNN's own."""
        self._state.padding = value
        return self._native.setPadding(value)

    def convert(self, *args: object) -> object:
        """MNN's own, after the checks: convert(array, width, height, stride, tensor)."""
        slot = getattr(args[4], "_slot", None) if len(args) > 4 else None
        call = lambda: self._native.convert(*args)  # noqa: E731
        return self._watch.convert(self._state, args, slot if isinstance(slot, Slot) else None, call)


class WatchedProcess(ProcessCalls, Forwarding):
    """Stands for a CVImageProcess that exists already. How it was configured is not known then."""

    def __init__(self, target: MnnProcess, watch: MnnWatch) -> None:
        self._target = self._native = target
        self._watch = watch
        self._state = ProcessState()


def process_class(base: type[MnnProcess], watch: MnnWatch) -> type:
    """A subclass of MNN.CVImageProcess whose configuration and calls are seen."""

    class CVImageProcess(ProcessCalls, base):  # type: ignore[misc, valid-type]  # a base that is known at run time only
        """MNN.CVImageProcess, watched."""

        _watched = base, watch

        def __init__(self, *args: object) -> None:
            self._state = ProcessState(args[0] if args else {})
            self._watch = watch
            watch.process_made(self._state)
            super().__init__(*args)
            self._native = cast("MnnProcess", super(ProcessCalls, self))

    return CVImageProcess


class ModuleCalls(Forwarding, ABC):
    """Stands for a module of MNN.nn: what runs it is watched, everything else is its own."""

    _target: MnnModule

    def forward(self, given: object) -> object:
        """The module's own, watched."""
        return self._run(self._target.forward, given)

    def onForward(self, given: object) -> object:
        """The module's own, watched."""
        return self._run(self._target.onForward, given)

    def __call__(self, given: object) -> object:
        return self._run(self._target, given)

    @abstractmethod
    def _run(self, call: Run, given: object) -> object:
        """Call the module's own `call` with what it was given (a Var or a list of them)."""


class WatchPair:
    """Two watches as one, for a guard within a record or a record within a guard: the outer one sees the inner one's call."""

    def __init__(self, inner: MnnWatch, outer: MnnWatch) -> None:
        self._inner = inner
        self._outer = outer

    def __getattr__(self, name: str) -> Callable[..., object]:
        inner, outer = getattr(self._inner, name), getattr(self._outer, name)

        def both(*args: object) -> object:
            if name in _TOLD:
                inner(*args)
                return outer(*args)
            return outer(*args[:-1], lambda: inner(*args))

        return both


_TOLD = ("created", "handed", "unnamed", "output", "process_made", "tensor_made")
"""The methods of MnnWatch that are told of something; the others end with the call that they make."""


def watch_classes(module: ModuleType, watch: MnnWatch) -> Undo:
    """Put the watched classes into the module MNN; returns what undoes it.

    Where such classes are there already, the new ones stand on MNN's own again, with both watches: a class that is watched
    twice would have one state for two.
    """
    steps = []
    for name, make in (("Interpreter", interpreter_class), ("Tensor", tensor_class), ("CVImageProcess", process_class)):
        found = getattr(module, name)
        base, inner = vars(found).get("_watched", (found, None))
        both = watch if inner is None else cast("MnnWatch", WatchPair(inner, watch))
        steps.append(replace_attribute(module, name, make(base, both)))
    return undo_all(steps)
