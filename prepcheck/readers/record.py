"""A record of calls (`.pcrec`) as a plan: what the program really did, in the words of interface §4.

A record may end anywhere; what is damaged or missing is named in `notes` and left out. Calls that the vocabulary of
plans has no word for (rknn_destroy, imsync, …) are not calls of the plan. What the CPU wrote into memory is not a call:
it is inferred where the content of a memory changed and no device call explains it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from prepcheck.core.rockchip import RKNN1_PLATFORMS, ZERO_COPY_ONLY
from prepcheck.errors import ReadError, UsageError
from prepcheck.readers.record_mnn import MnnReader
from prepcheck.readers.record_parts import Call, Memories, Recorded, RecordedModel, Story, text, whole
from prepcheck.readers.record_rga import RgaReader
from prepcheck.readers.record_rknn import Context, RknnReader, contract_of
from prepcheck.readers.record_toolkit import ToolkitReader
from prepcheck.wire.pcrec import Chunk, Damage, Event, JsonValue, chunk_bytes, open_record, read_items
from prepcheck.wire.source import Source

MAX_CALLS: Final = 4000
"""Calls of a plan that are made of a record; the rest are more frames of the same kind, and only counted."""
MAX_EVENTS: Final = 60_000
"""Events that are read of one record (13 µs each, measured): minutes of a program at 30 frames a second, and a judgement within 2 s."""
MAX_BUFFER: Final = 512 << 20
"""Most bytes of one recorded buffer that are put together."""
_SOC: Final = re.compile(r"rockchip,(r[kv]\d{4}(?:pro|[a-z]?))(?![a-z0-9])")
_OTHER_SOCS: Final = frozenset(("rk3562", "rk3566", "rk3568", "rk3576", "rk3588", "rk3588s", "rv1126b", "rk2118"))


@dataclass(frozen=True, slots=True)
class RecordedPlan:
    """A record as a plan document.

    plan: a plain dict in the form of interface §4 (`model` is the contract that the program queried, where it did).
    inputs, outputs: bytes kept before and after runs. model: what was loaded. runs: how many there were.
    notes: what the record does not hold, in plain words. left_out: calls beyond MAX_CALLS.
    """

    path: str
    plan: dict[str, JsonValue]
    inputs: tuple[Recorded, ...] = ()
    outputs: tuple[Recorded, ...] = ()
    model: RecordedModel = field(default_factory=RecordedModel)
    runs: int = 0
    notes: tuple[str, ...] = ()
    left_out: int = 0

    def bytes_of(self, recorded: Recorded) -> bytes:
        """The bytes of one of `inputs` or `outputs`. Raises ReadError where they are damaged or not all there."""
        with open_record(self.path) as source:
            return _assemble(source, recorded.blob)

    def input_bytes(self, index: int, run: int = 0) -> bytes | None:
        """The bytes handed over for an input before a run (both from 0); None where they were not kept."""
        found = next((r for r in self.inputs if r.tensor == index and r.run == run), None)
        return None if found is None else self.bytes_of(found)


def record_to_plan(path: str | os.PathLike[str], *, context: int = 0) -> RecordedPlan:
    """Read a record. context: which of several loaded models (0 = the one that ran most).

    Raises NotFoundError, EmptyFileError, WrongKindError, UnsupportedVersionError, TooLargeError; UsageError where the
    record has no such model.
    """
    with open_record(path) as source:
        events: list[Event] = []
        notes: list[str] = []
        for item in read_items(source):
            if isinstance(item, Event):
                if len(events) == MAX_EVENTS:
                    notes.append(
                        f"only the first {MAX_EVENTS} events were read; the record goes on at byte {item.offset}"
                    )
                    break
                events.append(item)
            elif isinstance(item, Damage):
                notes.append(item.message)
    return _Reading(os.fspath(path), events, notes).plan(context)


class _Reading:
    """One pass over the events of a record."""

    def __init__(self, path: str, events: list[Event], notes: list[str]) -> None:
        self.path = path
        self.notes = notes
        self.head: Mapping[str, JsonValue] = next((e.data for e in events if e.api == "record"), {})
        self.events = [e.data for e in _without_entered(events, notes)]

    def plan(self, number: int) -> RecordedPlan:
        contexts = _contexts(self.events)
        if number and number >= len(contexts):
            raise UsageError(f"{self.path}: there is no model number {number}: {len(contexts)} were loaded, from 0")
        chosen = contexts[number] if contexts else 0
        if len(contexts) > 1:
            self.notes.append(f"{len(contexts)} models were loaded; the plan is that of number {number} by runs")
        story, memories, context = Story(notes=self.notes), Memories(), Context(chosen)
        rknn, rga = RknnReader(context, memories, story), RgaReader(memories, story)
        mnn, toolkit = MnnReader(memories, story), ToolkitReader(story)
        for event in self.events:
            if _of_context(event, chosen) and not any(reader.take(event) for reader in (rknn, mnn, toolkit)):
                rga.take(event)
        left = max(0, len(story.calls) - MAX_CALLS)
        if left:
            self.notes.append(f"{left} calls after the first {MAX_CALLS} are further frames and not in the plan")
        other = mnn if mnn.used else toolkit if toolkit.used else None
        document = self._document(context, other, memories, story.calls[:MAX_CALLS])
        return RecordedPlan(
            path=self.path, plan=document, inputs=tuple(story.inputs), outputs=tuple(story.outputs),
            model=other.model() if other else RecordedModel(context.path, context.model_size, context.model_hash),
            runs=other.runs if other else context.runs, notes=tuple(story.notes), left_out=left,
        )  # fmt: skip

    def _document(
        self, context: Context, other: MnnReader | ToolkitReader | None, memories: Memories, calls: list[Call]
    ) -> dict[str, JsonValue]:
        document: dict[str, JsonValue] = {"prepcheck": "plan/v1"}
        if other is not None:
            document |= other.document()
        elif any(str(c["api"]).startswith("rknn_") for c in calls):
            document["runtime"] = "rknn1" if context.v1 else "rknn"
            model = contract_of(context)
            if context.version is not None:
                document["version"] = context.version
            if model is not None:
                document["model"] = model
        else:
            document["runtime"] = "rga"
        platform = platform_of(text(self.head.get("board")))
        if platform is not None:
            document.setdefault("platform", platform)
        named = _names_in(calls)
        buffers: dict[str, JsonValue] = {m.name: m.document() for m in memories.all if m.name in named}
        document["buffers"] = buffers | (other.buffers if isinstance(other, ToolkitReader) else {})
        document["calls"] = list[JsonValue](calls)
        return document


def platform_of(compatible: str | None) -> str | None:
    """The SoC in the board's device tree (`/proc/device-tree/compatible`, blanks between entries); None where none is known."""
    known = ZERO_COPY_ONLY | RKNN1_PLATFORMS | _OTHER_SOCS
    found = [name for name in _SOC.findall((compatible or "").lower()) if name in known]
    return found[-1].removesuffix("s") if found and found[-1] == "rk3588s" else found[-1] if found else None


def _without_entered(events: list[Event], notes: list[str]) -> Iterable[Event]:
    """Drop the events before a call whose event after it is there; what never returned stays, and is noted."""
    returned = {(whole(e.data.get("pid")), whole(e.data.get("n"), -1)) for e in events if "phase" not in e.data}
    for event in events:
        if event.data.get("phase") == "enter":
            if (whole(event.data.get("pid")), whole(event.data.get("n"), -1)) in returned:
                continue
            notes.append(f"{event.api} was entered and never returned: the program ended inside it")
        if event.api == "limit":
            notes.append("the recorder stopped at its limit (PREPCHECK_TRACE_MAX); later calls are not recorded")
        elif event.data.get("overflow"):
            notes.append(f"a call of {event.api} had more arguments than an event holds; it is left out")
        elif event.api != "record":
            yield event


def _contexts(events: list[Mapping[str, JsonValue]]) -> list[int]:
    """The contexts of a record, those with most runs first."""
    runs: dict[int, int] = {}
    for event in events:
        number = whole(event.get("ctx"))
        if number:
            runs[number] = runs.get(number, 0) + (event["api"] == "rknn_run")
    return sorted(runs, key=lambda number: -runs[number])


def _of_context(event: Mapping[str, JsonValue], chosen: int) -> bool:
    number = whole(event.get("ctx"))
    return not number or number == chosen


def _names_in(value: JsonValue | list[Call]) -> set[str]:
    """Every buffer that the calls name."""
    if isinstance(value, list):
        return set().union(*(_names_in(item) for item in value)) if value else set()
    if not isinstance(value, dict):
        return set()
    own = {str(v) for k, v in value.items() if k in ("buffer", "from", "source") and isinstance(v, str)}
    return own.union(*(_names_in(v) for v in value.values())) if value else own


def _assemble(source: Source, blob: int) -> bytes:
    """Put the chunks of a buffer together."""
    parts: dict[int, bytes] = {}
    total = 0
    for item in read_items(source):
        if isinstance(item, Chunk) and item.blob == blob:
            data = chunk_bytes(source, item)
            if data is None:
                raise ReadError(f"{source.name}: bytes {item.start} … of a recorded buffer are damaged (CRC).")
            parts[item.start], total = data, item.total
    whole_buffer = b"".join(parts[k] for k in sorted(parts)) if total <= MAX_BUFFER else b""
    if not parts or len(whole_buffer) != total:
        raise ReadError(f"{source.name}: {len(whole_buffer)} of the {total} bytes of a recorded buffer are there.")
    return whole_buffer
