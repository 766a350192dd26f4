"""Facts that pasted text states: lines of runtimes, each with its label, and what they say together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from prepcheck.contract.contract import Contract
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.world import World

Field = None | bool | int | float | str | list[int] | list[float] | list[str]

LABELS = ("fact", "finding", "follow_up", "harmless", "not_understood")
"""What a machine line is: a fact (a tensor dump, a version), a finding (an error), a follow-up of another line, a line
that means nothing bad, or one that is not understood."""


@dataclass(frozen=True, slots=True)
class LogEvent:
    """One machine line (or one block of lines) that a pattern knows.

    kind: id of the pattern. fields: what it states. line: number in its text, from 1. file: index of the text.
    proves: what the line shows about the program, where that is known (printed before the act, program stops on failure).
    """

    kind: str
    label: str
    file: int
    line: int
    text: str
    fields: Mapping[str, Field] = field(default_factory=dict)
    runtime: str | None = None
    proves: str | None = None

    @property
    def where(self) -> str:
        """`log:12`; `log2:12` in the second text."""
        return f"log:{self.line}" if self.file == 0 else f"log{self.file + 1}:{self.line}"


@dataclass(frozen=True, slots=True)
class LogBook:
    """Everything that the given texts state. names: of the texts. contract: put together from tensor dumps.

    good: indexes of texts that come from a run that worked, where two runs are compared.
    """

    names: tuple[str, ...] = ()
    events: tuple[LogEvent, ...] = ()
    contract: Contract | None = None
    runtime: str | None = None
    platform: str | None = None
    version: str | None = None
    toolkit: str | None = None
    good: frozenset[int] = frozenset()

    def all(self, *kinds: str) -> list[LogEvent]:
        """The events of the given kinds, in order."""
        return [e for e in self.events if e.kind in kinds]

    def first(self, *kinds: str) -> LogEvent | None:
        """The first event of the given kinds."""
        return next((e for e in self.events if e.kind in kinds), None)


class LogThing(Thing):
    """One understood line. `name` is the pattern's id: rules are over `log:in_size` and the like."""

    kind = "log"

    def __init__(self, world: World, event: LogEvent, book: LogBook) -> None:
        super().__init__(world, event.where, f"log:{event.kind}")
        self.event = event
        self.book = book
        self.name = event.kind

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the line states."""
        return self.event.fields

    @property
    def is_first(self) -> bool:
        """Whether no earlier line of this kind states the same (the same failure is often printed several times)."""
        same = [e for e in self.book.events if e.kind == self.event.kind and dict(e.fields) == dict(self.event.fields)]
        return not same or same[0] is self.event

    @property
    def log_contract(self) -> Contract:
        """The contract that tensor dumps in the text state, else the model's."""
        found = self.book.contract or self.world.contract
        if found is None:
            raise NotApplicable
        return found

    @property
    def log_version(self) -> str:
        """The runtime's version that the text states."""
        if self.book.version is None:
            raise NotApplicable
        return self.book.version

    @property
    def log_platform(self) -> str:
        """The chip that the text or the user states."""
        found = self.world.platform or self.book.platform
        if found is None:
            raise NotApplicable
        return found


class LogBookThing(Thing):
    """All texts together, for rules that need several lines at once."""

    kind = "logbook"

    def __init__(self, world: World, book: LogBook) -> None:
        super().__init__(world, "log")
        self.book = book

    @property
    def log_contract(self) -> Contract:
        """The contract that tensor dumps in the text state, else the model's."""
        found = self.book.contract or self.world.contract
        if found is None:
            raise NotApplicable
        return found


def log_book(world: World) -> LogBook | None:
    """The log book of a world, where texts were given."""
    for item in world.extra.get("log", ()):
        if isinstance(item, LogBook):
            return item
    return None


@lists("log")
def _lines(world: World) -> Iterator[Thing]:
    book = log_book(world)
    if book is not None:
        for event in book.events:
            yield LogThing(world, event, book)


@lists("logbook")
def _books(world: World) -> Iterator[Thing]:
    book = log_book(world)
    if book is not None:
        yield LogBookThing(world, book)
