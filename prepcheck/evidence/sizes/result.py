"""What a size explanation is: readings, each an equation with its probability. Frozen, no computation but text."""

from __future__ import annotations

from dataclasses import dataclass

Value = int | float | str
"""What may stand in a named place of a template."""


@dataclass(frozen=True, slots=True)
class Part:
    """One fault of a reading. `message` and `fix` are templates with named places (keys of the translation catalogs)."""

    kind: str
    category: str
    message: str
    fix: str
    values: dict[str, Value]

    def text(self) -> str:
        """The message in English, places filled."""
        return self.message.format_map(self.values)

    def fix_text(self) -> str:
        """The fix in English, places filled."""
        return self.fix.format_map(self.values)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to make the two numbers equal.

    kind: name of the fault, two joined by `+` where it takes two. key: what tells it from other readings of its kind:
    element widths of `dtype`, reduced numbers of items of `batch`, channels, direction of a padding (`pack`: the padded
    side is wanted), block of NC1HWC2, half bytes a pixel of `yuv`, size (where it is a usual one) and half bytes a pixel
    of `frame`, length of a `header`; empty where nothing does. category: of the first fault (interface, categories).
    equation: clauses joined by `; `, each a chain of equal values that the reader can recompute.
    probability: share of all pairs with these two numbers (and these facts) that have this cause, under the stated prior.
    message, fix, values: of the first fault; `parts` holds both where there are two.
    parameters: the numbers of the hypothesis (`batch`, `given_bytes_per_element`, `width`, …).
    fits: whether the equation holds by itself (False for an encoded file: its length obeys no equation).
    """

    kind: str
    key: tuple[Value, ...]
    category: str
    equation: str
    probability: float
    parts: tuple[Part, ...]
    parameters: dict[str, Value]
    fits: bool = True

    @property
    def message(self) -> str:
        """Template of the first fault's message."""
        return self.parts[0].message

    @property
    def fix(self) -> str:
        """Template of the first fault's fix."""
        return self.parts[0].fix

    @property
    def values(self) -> dict[str, Value]:
        """Values for the places of `message` and `fix`."""
        return self.parts[0].values

    def text(self) -> str:
        """What the reading means, in English, all its faults."""
        return " ".join(part.text() for part in self.parts)

    def fix_text(self) -> str:
        """What to change, in English, for all its faults."""
        return " ".join(part.fix_text() for part in self.parts)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said beside the readings: a template and its values."""

    message: str
    values: dict[str, Value]

    def text(self) -> str:
        """The remark in English, places filled."""
        return self.message.format_map(self.values)


@dataclass(frozen=True, slots=True)
class SizeExplanation:
    """All readings of two byte counts, most probable first. Their probabilities and `none_probability` sum to 1.

    best: the first reading, None where "none of these" is more probable than it.
    fits: whether any reading makes the two numbers equal.
    remarks: facts that were set aside, and what equal counts hide.
    """

    got: int
    want: int
    readings: tuple[Reading, ...]
    none_probability: float
    remarks: tuple[Remark, ...] = ()

    @property
    def best(self) -> Reading | None:
        """The most probable reading, or None."""
        if self.readings and self.readings[0].probability >= self.none_probability:
            return self.readings[0]
        return None

    @property
    def fits(self) -> bool:
        """Whether at least one reading makes the two numbers equal."""
        return any(reading.fits for reading in self.readings)

    @property
    def equal(self) -> bool:
        """Whether the two counts are the same, so that the size itself is right."""
        return self.got == self.want
