"""A dataclass that is made five times faster than the standard library's frozen one.

`dataclass(frozen=True)` compiles seven methods for every class: about 0.6 ms each before Python 3.13, and a check of one
image defines more than fifty classes. Here only `__init__` is compiled; equality, hash and repr are shared functions that
read the same fields (`compare`, `hash` and `repr` of `field()` keep their meaning). What is lost: an assignment to a field
is refused by the type checker (which sees the standard decorator), not at run time. What outsiders hold uses the standard
library's own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses
    from operator import attrgetter

    def _values(names: tuple[str, ...]):
        """A function that gives the values of these fields as a tuple, also for none and for one."""
        if not names:
            return lambda _record: ()
        if len(names) == 1:
            one = attrgetter(names[0])
            return lambda record: (one(record),)
        return attrgetter(*names)

    def _equal(self, other: object):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self.__compared__(self) == self.__compared__(other)

    def _hash(self) -> int:
        return hash(self.__hashed__(self))

    def _repr(self) -> str:
        shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
        return f"{type(self).__qualname__}({shown})"

    def dataclass(*, frozen: bool, slots: bool):
        """Decorate a class as `dataclasses.dataclass(frozen=..., slots=...)` does; a frozen one can be hashed."""

        def decorate(cls: type) -> type:
            own = vars(cls)
            made = dataclasses.dataclass(eq=False, repr=False, slots=slots)(cls)
            fields = dataclasses.fields(made)
            made.__compared__ = staticmethod(_values(tuple(f.name for f in fields if f.compare)))
            if "__eq__" not in own:
                made.__eq__ = _equal
            if "__repr__" not in own:
                made.__repr__ = _repr
            if "__hash__" not in own:
                made.__hash__ = _hash if frozen else None
            if frozen:
                hashed = tuple(f.name for f in fields if (f.compare if f.hash is None else f.hash))
                made.__hashed__ = staticmethod(_values(hashed))
            return made

        return decorate
