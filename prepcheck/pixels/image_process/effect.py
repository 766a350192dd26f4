"""What can be said of an ImageProcess call: the scale from right to memory overrun, and one statement on it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Effect(IntEnum):
    """From harmless to worst. Up to SUSPECT the bytes are computed; from REFUSED on convert() declines."""

    RIGHT = 0  # nothing to say
    NOTE = 1  # right, and different from other libraries in a way worth knowing
    SUSPECT = 2  # does what it says, which is seldom what was meant
    REFUSED = 3  # MNN does something sensible, not modelled here
    WRONG = 4  # other bytes than the picture's are written
    NOTHING = 5  # the destination keeps what it held
    GARBAGE = 6  # uninitialised memory is written or left where pixels are expected
    OVERRUN = 7  # memory outside the source is read or outside the destination written


@dataclass(frozen=True, slots=True)
class Issue:
    """One statement: the rule it comes from (`mnn:I8`), the effect, the reason in plain words with its numbers."""

    rule_id: str
    effect: Effect
    reason: str

    @property
    def refused(self) -> bool:
        """Whether convert() raises Unsupported for it."""
        return self.effect >= Effect.REFUSED
