"""What the stand-ins share: whatever they do not watch is their target's own. numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from prepcheck.guarding.guard import Guard


class Forwarding:
    """Every method and attribute that the class does not have is the target's."""

    _target: object

    def __getattr__(self, name: str) -> object:
        return getattr(self.__dict__["_target"], name)


class Mirror(Forwarding):
    """What is set on it is set on the target; its own attributes go into `__dict__`."""

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._target, name, value)


class Counted:
    """The two methods that a stand-in has beyond its target's."""

    _guard: Guard

    def frame(self, picture: object) -> None:
        """Tell which picture this thread's next input is made of."""
        self._guard.frame(np.asarray(picture))

    def stats(self) -> dict[str, object]:
        """Counters and rolling statistics of the guard."""
        return self._guard.stats()


class Standin(Counted, Mirror):
    """A stand-in for an object whose class defines its methods: RKNN, InferenceSession, a TFLite Interpreter."""

    def __init__(self, target: object, guard: Guard) -> None:
        self.__dict__.update(_target=target, _guard=guard)
