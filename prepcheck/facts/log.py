"""Facts that pasted text states: lines of runtimes, each with its label, and what they say together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.world import World
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.core.rga import RgaChip
    from prepcheck.facts.frames_log import LogFrame
    from prepcheck.facts.rga_log import LoggedJob

Field = None | bool | int | float | str | list[int] | list[float] | list[str]

LABELS = ("finding", "fact", "follow_up", "harmless", "not_understood")
"""What a machine line is: a finding (an error), a fact (a tensor dump, a version), a follow-up of another line, a line
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

    def number(self, name: str) -> int | None:
        """A field as a whole number; None where it is absent or none."""
        value = self.fields.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def word(self, name: str) -> str | None:
        """A field as text; None where it is absent or none."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else None

    def numbers(self, name: str) -> tuple[int, ...]:
        """A field as whole numbers (a shape); empty where it is absent or none."""
        value = self.fields.get(name)
        return tuple(v for v in value if isinstance(v, int)) if isinstance(value, list) else ()


@dataclass(frozen=True, slots=True)
class LineLabel:
    """The label of one machine line. last: its last physical line, where it was wrapped. kind: pattern, where one matched."""

    file: int
    line: int
    last: int
    label: str
    kind: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Dump:
    """A contract put together from the tensor lines of one run. file, line: where it begins."""

    file: int
    line: int
    contract: Contract


@dataclass(frozen=True, slots=True)
class SizeReading:
    """One way to make two byte counts equal, found by the size search. Texts are filled already."""

    kind: str
    category: str
    equation: str
    message: str
    fix: str
    probability: float
    parameters: Mapping[str, int | float | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SizeQuestion:
    """Two byte counts that should be equal, and what explains them, most probable first.

    where: the line (`log:4`) or `arguments`. about: what the pair is about, for merging with other findings.
    tensor: the model's input that they belong to, where it is known. none: probability that nothing of it is the cause.
    """

    got: int
    want: int
    where: str
    about: str
    readings: tuple[SizeReading, ...]
    none: float
    tensor: Tensor | None = None
    api: str | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogBook:
    """Everything that the given texts state. names: of the texts. contract: put together from tensor dumps.

    said: the first characters of what people wrote between the lines. good: indexes of texts that come from a run that worked, where two runs are compared. counts: lines of each label.
    """

    names: tuple[str, ...] = ()
    events: tuple[LogEvent, ...] = ()
    contract: Contract | None = None
    runtime: str | None = None
    platform: str | None = None
    version: str | None = None
    toolkit: str | None = None
    driver: str | None = None
    good: frozenset[int] = frozenset()
    dumps: tuple[Dump, ...] = ()
    lines: tuple[LineLabel, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    said: str = ""

    def all(self, *kinds: str) -> list[LogEvent]:
        """The events of the given kinds, in order."""
        return [e for e in self.events if e.kind in kinds]

    def first(self, *kinds: str) -> LogEvent | None:
        """The first event of the given kinds."""
        return next((e for e in self.events if e.kind in kinds), None)

    def firsts(self, *kinds: str) -> list[LogEvent]:
        """The events of the given kinds without those that repeat an earlier one (one failure is often printed thrice)."""
        seen: set[tuple[str, str]] = set()
        kept = []
        for event in self.all(*kinds):
            key = (event.kind, repr(sorted(event.fields.items())))
            if key not in seen:
                seen.add(key)
                kept.append(event)
        return kept

    def near(self, event: LogEvent, *kinds: str, before: int = 40, after: int = 40) -> LogEvent | None:
        """The event of the given kinds in the same text that stands closest, within so many lines; earlier ones first."""
        close = [
            e for e in self.events
            if e.kind in kinds and e.file == event.file and -before <= e.line - event.line <= after and e is not event
        ]  # fmt: skip
        return min(close, key=lambda e: (abs(e.line - event.line), e.line > event.line), default=None)

    def contract_at(self, event: LogEvent) -> Contract | None:
        """The contract of the last dump before an event in its text, else of the text's first, else of any."""
        own = [d for d in self.dumps if d.file == event.file]
        earlier = [d for d in own if d.line <= event.line]
        if earlier:
            return earlier[-1].contract
        return own[0].contract if own else self.contract


class LogThing(Thing):
    """One understood line. `name` is the pattern's id: rules are over `log:in_size` and the like."""

    kind = "log"

    def __init__(self, world: World, event: LogEvent, book: LogBook, first: bool = True) -> None:
        super().__init__(world, event.where, f"log:{event.kind}")
        self.event = event
        self.book = book
        self.name = event.kind
        self.is_first = first

    @property
    def first_event(self) -> LogEvent:
        """The line, where no earlier one of this kind states the same (one failure is often printed several times)."""
        if not self.is_first:
            raise NotApplicable
        return self.event

    @property
    def fields(self) -> Mapping[str, Field]:
        """What the line states."""
        return self.event.fields

    @property
    def log_contract(self) -> Contract:
        """The contract that tensor dumps in the text state, else the model's."""
        found = self.world.contract or self.book.contract_at(self.event)
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
        found = self.world.contract or self.book.contract
        if found is None:
            raise NotApplicable
        return found

    @property
    def log_platform(self) -> str:
        """The chip that the text or the user states."""
        found = self.world.platform or self.book.platform
        if found is None:
            raise NotApplicable
        return found

    @property
    def model_contract(self) -> Contract:
        """The contract of the model file that was given besides the log."""
        if self.world.contract is None:
            raise NotApplicable
        return self.world.contract

    @property
    def frames(self) -> list[LogFrame]:
        """Frames that pasted tools describe."""
        from prepcheck.facts.frames_log import frames

        found = frames(self.book)
        if not found:
            raise NotApplicable
        return found

    @property
    def size_pairs(self) -> list[SizeQuestion]:
        """The byte counts that should be equal, of lines and of the user."""
        return [q for q in self.world.extra.get("sizes", ()) if isinstance(q, SizeQuestion)]

    @property
    def rga_jobs(self) -> list[LoggedJob]:
        """The RGA jobs that the lines show."""
        from prepcheck.facts.rga_log import jobs

        return jobs(self.book)

    @property
    def rga_chip(self) -> RgaChip | None:
        """The RGA of the chip that the text or the user states; None where it is not known."""
        from prepcheck.data.chips import rga_chip

        found = self.world.platform or self.book.platform
        return rga_chip(found) if found is not None else None


class SizePairThing(Thing):
    """Two byte counts that should be equal: of a line, or asked for by the user."""

    kind = "sizepair"

    def __init__(self, world: World, question: SizeQuestion) -> None:
        super().__init__(world, question.where, question.about)
        self.question = question


def log_book(world: World) -> LogBook | None:
    """The log book of a world, where texts were given."""
    for item in world.extra.get("log", ()):
        if isinstance(item, LogBook):
            return item
    return None


@lists("log")
def _lines(world: World) -> Iterator[Thing]:
    book = log_book(world)
    if book is None:
        return
    seen: set[tuple[str, str]] = set()
    for event in book.events:
        key = (event.kind, repr(sorted(event.fields.items())))
        yield LogThing(world, event, book, key not in seen)
        seen.add(key)


@lists("logbook")
def _books(world: World) -> Iterator[Thing]:
    book = log_book(world)
    if book is not None:
        yield LogBookThing(world, book)


@lists("sizepair")
def _pairs(world: World) -> Iterator[Thing]:
    for item in world.extra.get("sizes", ()):
        if isinstance(item, SizeQuestion):
            yield SizePairThing(world, item)
