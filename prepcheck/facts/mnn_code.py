"""Code of MNN programs that a log shows: what is assigned to a session's configuration, and who writes the input how."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepcheck.core.gpu_mode import GpuMode, Union, decode_gpu_mode, schedule_union
from prepcheck.facts.base import NotApplicable, Thing, lists
from prepcheck.facts.log import LogBook, LogEvent, log_book
from prepcheck.facts.world import World
from prepcheck.records import dataclass

_BACKENDS = {0: "cpu", 1: "metal", 2: "cuda", 3: "opencl", 7: "vulkan"}
"""MNNForwardType by number. Source: MNN MNNForwardType.h."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """One assignment to numThread or mode. typed: as written."""

    field: str
    typed: str
    value: int | None
    where: str


class ScheduleCodeThing(Thing):
    """The assignments of one text to one ScheduleConfig."""

    kind = "mnn_code"

    def __init__(self, world: World, events: list[LogEvent]) -> None:
        super().__init__(world, events[-1].where, "log:schedule")
        self.events = events

    @property
    def assigned(self) -> list[Assigned]:
        """The assignments to numThread and mode, in order."""
        found = [
            Assigned(str(e.fields["field"]), str(e.fields["value"]), e.number("number"), e.where)
            for e in self.events if e.fields.get("field") in ("numThread", "mode")
        ]  # fmt: skip
        if not found:
            raise NotApplicable
        return found

    @property
    def backend(self) -> str | None:
        """The backend that `type` is set to, where it is."""
        types = [e.number("number") for e in self.events if e.fields.get("field") == "type"]
        return _BACKENDS.get(types[-1]) if types and types[-1] is not None else None

    @property
    def union(self) -> Union:
        """The number that is left; NotApplicable where the last value is no constant."""
        values = [(a.field, a.value) for a in self.assigned]
        if values[-1][1] is None:
            raise NotApplicable
        return schedule_union([(name, value) for name, value in values if value is not None])

    @property
    def decoded(self) -> GpuMode:
        """What the backend makes of it."""
        if self.backend is None:
            raise NotApplicable
        return decode_gpu_mode(self.backend, self.union.value)

    @property
    def precision(self) -> int | None:
        """The precision that is set, as a number."""
        found = [e.number("number") for e in self.events if e.fields.get("field") == "precision"]
        return found[-1] if found else None


@lists("mnn_code")
def _codes(world: World) -> Iterator[Thing]:
    book = log_book(world)
    for events in groups(book) if book is not None else []:
        yield ScheduleCodeThing(world, events)


def groups(book: LogBook) -> list[list[LogEvent]]:
    """The assignments of each text; those of a second configuration begin where `type` is assigned again."""
    found: list[list[LogEvent]] = []
    file = -1
    for event in book.all("code_mnn"):
        again = (
            event.fields.get("field") == "type" and found and any(e.fields.get("field") == "type" for e in found[-1])
        )
        if event.file != file or again:
            found.append([])
            file = event.file
        found[-1].append(event)
    return found


@dataclass(frozen=True, slots=True)
class PointerWrite:
    """A write through a session input's host pointer in code. index: of an indexed one; name: of the input, where stated.

    product: the index is a product of two variables, without a sum: most places are never reached.
    """

    event: LogEvent
    variable: str
    name: str | None
    index: str | None

    @property
    def product(self) -> bool:
        """Whether the index multiplies two variables and adds nothing."""
        return (
            self.index is not None and re.fullmatch(r"\s*[A-Za-z_]\w*\s*\*\s*[A-Za-z_]\w*\s*", self.index) is not None
        )


def pointer_writes(book: LogBook) -> list[PointerWrite]:
    """Writes through host() of a variable that getSessionInput gave, in the same text."""
    inputs: dict[tuple[int, str], str | None] = {}
    for event in book.all("code_get_input"):
        variable = event.word("var")
        if variable is not None:
            name = (event.word("name") or "").strip("\"'")
            inputs[event.file, variable] = (
                name if name and name.lower() not in ("nullptr", "null", "0", "none") else None
            )
    found = []
    for event in book.all("code_host_index", "code_host_memcpy"):
        variable = event.word("var")
        if variable is not None and (event.file, variable) in inputs:
            found.append(PointerWrite(event, variable, inputs[event.file, variable], event.word("index")))
    return found


def uses_of(book: LogBook, made: str, used: str) -> list[LogEvent]:
    """The events `used` of a variable that an event `made` of the same text gave."""
    variables = {(e.file, e.word("var")) for e in book.all(made)}
    return [e for e in book.all(used) if (e.file, e.word("var")) in variables]
