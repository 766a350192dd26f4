"""What is known of MNN's sessions and of their inputs: the states that the guard and the recorder both follow."""

from __future__ import annotations

import ctypes
import sys
import threading
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType
    from typing import Protocol, TypeGuard

    from numpy.typing import NDArray

    from prepcheck.guarding.foreign import MnnInterpreter, MnnTensor

    Call = Callable[[], object]

    class MnnWatch(Protocol):
        """What looks at MNN's calls. `call` is the real one; each method returns what it returned, or raises."""

        def created(self, session: SessionState) -> None: ...
        def handed(self, slot: Slot) -> None: ...
        def copy(self, slot: Slot, host: object, api: str, call: Call) -> object: ...
        def expose(self, slot: Slot, api: str, call: Call) -> object: ...
        def from_numpy(self, slot: Slot, array: object, call: Call) -> object: ...
        def resize_tensor(self, slot: Slot | None, shape: object, call: Call) -> object: ...
        def resize_session(self, session: SessionState, call: Call) -> object: ...
        def run(self, session: SessionState, api: str, call: Call) -> object: ...
        def unnamed(self, session: SessionState, name: str) -> None: ...
        def convert(self, process: ProcessState, args: tuple[object, ...], slot: Slot | None, call: Call) -> object: ...
        def process_made(self, process: ProcessState) -> None: ...
        def tensor_made(self, args: tuple[object, ...]) -> None: ...
        def own_copy(self, tensor: MnnTensor, host: object, api: str, call: Call) -> object: ...
        def output(self, session: SessionState, name: str, native: MnnTensor) -> None: ...
        def read(self, tensor: MnnTensor, host: object, call: Call) -> object: ...

    class SessionTensor(MnnTensor, Protocol):
        """A session's input as the program gets it: MNN.Tensor's own class beneath one that is watched."""

        _slot: Slot
        _watch: MnnWatch


HOST_BACKENDS = (0, 13)
"""MNNForwardType of sessions whose memory the CPU can look into: CPU and CPU_EXTENSION (AVX2, fp16)."""
_HEAD = object.__basicsize__
_WORD = ctypes.sizeof(ctypes.c_void_p)


def engine() -> ModuleType:
    """pymnn's extension module, which must have been imported by the program."""
    return sys.modules["_mnncengine"]


def is_tensor(thing: object) -> TypeGuard[MnnTensor]:
    """Whether it is an MNN.Tensor, the only thing that pymnn's copies take."""
    pymnn = sys.modules.get("_mnncengine")
    return pymnn is not None and isinstance(thing, pymnn.Tensor)


def like_tensor(thing: object) -> TypeGuard[MnnTensor]:
    """Whether it has a tensor's methods, whatever made it."""
    return hasattr(thing, "getShape")


T = TypeVar("T")


def unless_refused(step: Callable[[], T]) -> T | None:
    """What a call of pymnn gives; None where it said no. Every other exception is a fault, which nobody may swallow.

    pymnn sets plain `Exception`, and TypeError for arguments of no known form; where it sets one and returns a value all
    the same, CPython raises SystemError; ValueError is numpy's, of axes that are not known yet (all seen, MNN 3.6.1).
    """
    try:
        return step()
    except Exception as error:  # nothing narrower: pymnn raises Exception itself
        if type(error) not in (Exception, SystemError, TypeError, ValueError):
            raise
        return None


def word_of(value: object) -> str:
    """The last word of an enumeration's member, as `NCHW` of `data_format.NCHW`."""
    return str(value).rsplit(".", 1)[-1]


def pointer_of(tensor: object) -> int:
    """The address of the C++ tensor behind a pymnn handle: the word after the object's head.

    Source: measured on MNN 3.6.1 (PyMNNTensor is head, pointer, owner; `Tensor.__basicsize__` 32): two handles of one
    tensor hold the same word there. `alias_of` checks it before it relies on it.
    """
    return ctypes.c_void_p.from_address(id(tensor) + _HEAD).value or 0


def alias_of(cls: type[SessionTensor], native: MnnTensor, again: object) -> SessionTensor | None:
    """A handle of class `cls` (a subclass of MNN.Tensor) for the same C++ tensor as `native`, which does not own it.

    A handle of another class is the only way to see the calls on a tensor: pymnn's types cannot be changed, and an object
    that merely imitates a tensor makes `host.copyFrom(it)` crash, since pymnn does not check the argument.
    again: a second handle of the same tensor, to check the memory layout of handles. None where the layout is not the
    known one; the caller then goes without.
    """
    if (
        type(native).__basicsize__ != _HEAD + 2 * _WORD
        or not pointer_of(native)
        or pointer_of(native) != pointer_of(again)
    ):
        return None
    owner = ctypes.c_int.from_address(id(native) + _HEAD + _WORD).value
    alias = cls.__new__(cls)
    if owner != 0 or pointer_of(alias) != 0:
        return None
    ctypes.c_void_p.from_address(id(alias) + _HEAD).value = pointer_of(native)
    return alias


def own_class(tensor: MnnTensor) -> type[MnnTensor]:
    """MNN's own class of a tensor, beneath those that are watched: for calls that are not the program's."""
    return type(tensor).__mro__[-2]


def array_of(tensor: MnnTensor) -> NDArray[np.generic] | None:
    """A tensor's memory as an array; None where pymnn cannot name its type (int8) or it is not allocated.

    For such a type getNumpyData returns with an exception set, which surfaces somewhere else: it must not be called.
    """
    if tensor.getDataType() is None:
        return None
    view = unless_refused(lambda: own_class(tensor).getNumpyData(tensor))
    return view if isinstance(view, np.ndarray) and view.size else None


class Slot:
    """One input of one session.

    status: `unknown` (the session was made before anybody watched), `never`, `written`, `resized`, `consumed`.
    seen: whether the last write went through a call that was watched. exposed: the program holds its host pointer.
    before, after: samples of the memory just before and after the last run; poison: after it was filled on purpose.
    """

    __slots__ = (
        "after", "alias", "before", "by", "checked", "exposed", "name", "native", "poison", "position", "seen", "session",
        "status",
    )  # fmt: skip

    def __init__(self, session: SessionState, name: str, native: MnnTensor) -> None:
        self.session = session
        self.name = name
        self.native = native
        self.alias: SessionTensor | None = None
        self.position = -1
        self.status = "never" if session.known else "unknown"
        self.by = ""
        self.seen = False
        self.exposed = False
        self.checked = False
        self.before: bytes | None = None
        self.after: bytes | None = None
        self.poison: bytes | None = None

    def shape(self) -> tuple[int, ...]:
        """The session tensor's shape now."""
        return tuple(int(d) for d in self.native.getShape())

    def view(self) -> NDArray[np.generic] | None:
        """The session's memory as an array; None where it cannot be looked into (GPU, int8, not allocated).

        For an NC4HW4 input this is the packed memory under the logical shape.
        """
        if not self.session.host:
            return None
        return array_of(self.native)

    def wrote(self, api: str) -> None:
        """A write was seen."""
        self.status, self.by, self.seen = "written", api, True


class SessionState:
    """One session. known: created while watched. pending: the shape of a resizeTensor that no resizeSession followed."""

    __slots__ = ("config", "handle", "host", "known", "number", "pending", "runs", "sessions", "slots")

    def __init__(self, sessions: Sessions, handle: object, known: bool, host: bool, number: int) -> None:
        self.sessions = sessions
        self.handle = handle
        self.known = known
        self.host = host
        self.number = number
        self.slots: dict[str, Slot] = {}
        self.pending: str | None = None
        self.runs = 0
        self.config: object = None

    def outputs(self) -> Mapping[str, MnnTensor]:
        """The outputs by name; empty where they cannot be looked into (GPU) or this pymnn cannot list them."""
        ask = getattr(self.sessions.native, "getSessionOutputAll", None)
        if not self.host or ask is None:
            return {}
        found: Mapping[str, MnnTensor] | None = unless_refused(lambda: ask(self.handle))
        return found or {}


class Sessions:
    """The sessions of one interpreter. MNN keeps a session until its interpreter goes, so this table does too.

    native: the interpreter by MNN's own methods.
    """

    def __init__(self, native: MnnInterpreter) -> None:
        self.native = native
        self.lock = threading.Lock()
        self.table: dict[int, SessionState] = {}
        self.model: str | None = None

    def of(self, handle: object, known: bool = False) -> SessionState:
        """The state of a session handle, made on first sight."""
        state = self.table.get(id(handle))
        if state is None or state.handle is not handle:
            with self.lock:
                state = SessionState(self, handle, known, self._host(handle), len(self.table))
                self.table[id(handle)] = state
        return state

    def _host(self, handle: object) -> bool:
        ask = getattr(self.native, "getSessionInfo", None)
        if ask is None:
            return False  # an older pymnn: nothing is looked into
        # None: no session's handle; the call that it was given to says so
        return unless_refused(lambda: ask(handle, 2)) in HOST_BACKENDS

    def slot_at(self, tensor: object) -> Slot | None:
        """The slot of a tensor handle, by the address of the C++ tensor."""
        if tensor is None:
            return None
        at = pointer_of(tensor)
        with self.lock:
            slots = [s for state in self.table.values() for s in state.slots.values()]
        return next((s for s in slots if s.alias is tensor or s.native is tensor or pointer_of(s.native) == at), None)


class ProcessState:
    """One CVImageProcess. config: the dictionary it was made with, None where that was not seen. matrix: whether one was set."""

    __slots__ = ("config", "matrix", "padding")

    def __init__(self, config: object = None) -> None:
        self.config = config
        self.matrix: object = None
        self.padding: object = None
