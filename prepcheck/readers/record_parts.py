"""What the readers of a record share: numbers of the C interfaces by name, memories and their names, calls in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from prepcheck.wire.pcrec import JsonValue

C_TYPES: Final = (
    "FLOAT32", "FLOAT16", "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "BOOL", "INT4", "BFLOAT16",
)  # fmt: skip
"""rknn_tensor_type by number. Source: rknn_api.h 1.x (first five) and RKNN API reference 2.3.2, rknn_tensor_type."""
C_FORMATS: Final = ("NCHW", "NHWC", "NC1HWC2", "UNDEFINED")
"""rknn_tensor_format by number. Source: RKNN API reference 2.3.2, rknn_tensor_format."""
INIT_FLAGS: Final = {
    0x1: "PRIOR_MEDIUM", 0x2: "PRIOR_LOW", 0x4: "ASYNC_MASK", 0x8: "COLLECT_PERF_MASK", 0x10: "MEM_ALLOC_OUTSIDE",
    0x20: "SHARE_WEIGHT_MEM", 0x40: "FENCE_IN_OUTSIDE", 0x80: "FENCE_OUT_OUTSIDE", 0x100: "COLLECT_MODEL_INFO_ONLY",
    0x200: "INTERNAL_ALLOC_OUTSIDE", 0x400: "EXECUTE_FALLBACK_PRIOR_DEVICE_GPU", 0x800: "ENABLE_SRAM",
    0x1000: "SHARE_SRAM", 0x2000: "DISABLE_PROC_HIGH_PRIORITY", 0x4000: "DISABLE_FLUSH_INPUT_MEM_CACHE",
    0x8000: "DISABLE_FLUSH_OUTPUT_MEM_CACHE", 0x10000: "MODEL_BUFFER_ZERO_COPY",
}  # fmt: skip
"""Bits of rknn_init's flag. Source: RKNN API reference 2.3.2, rknn_init."""
MEM_FLAGS: Final = {0x1: "MEMORY_CACHEABLE", 0x2: "MEMORY_NON_CACHEABLE", 0x4: "MEMORY_TRY_ALLOC_SRAM"}
"""Bits of rknn_create_mem2's flags. Source: RKNN API reference 2.3.2, rknn_create_mem2."""

Call = dict[str, JsonValue]
"""One call in the form of a plan (interface §4.1 – §4.3)."""


_LIMIT: Final = 1 << 64
"""Numbers of the C interfaces have at most 64 bits; a larger one is damage, and would cost floats their range."""


def whole(value: JsonValue, otherwise: int = 0) -> int:
    """A number of an event as int; a "0x..." text too. `otherwise` where it is neither, or has more than 64 bits."""
    found = optional(value)
    if found is not None:
        return found
    if isinstance(value, str) and value[:2] == "0x" and len(value) <= 18:
        try:
            return int(value, 16)
        except ValueError:
            return otherwise
    return otherwise


def optional(value: JsonValue) -> int | None:
    """A whole number of at most 64 bits, or None where the event has none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and -_LIMIT < value < _LIMIT else None


def real(value: JsonValue) -> float | None:
    """A finite number, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1e300 < value < 1e300:
        return None
    return float(value)


def text(value: JsonValue) -> str | None:
    """A text, or None."""
    return value if isinstance(value, str) else None


def table(value: JsonValue) -> Mapping[str, JsonValue]:
    """A JSON object, empty where it is none."""
    return value if isinstance(value, dict) else {}


def tables(value: JsonValue) -> list[Mapping[str, JsonValue]]:
    """The objects of a list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def integers(value: JsonValue) -> list[int]:
    """The whole numbers of a list."""
    found = [optional(v) for v in value] if isinstance(value, list) else []
    return [v for v in found if v is not None]


def named(names: Sequence[str], number: JsonValue) -> str | None:
    """The name of an enumerator; None for a number that no header has."""
    at = optional(number)
    return names[at] if at is not None and 0 <= at < len(names) else None


def bits(names: Mapping[int, str], number: int) -> list[JsonValue]:
    """The names of the bits that are set."""
    return [name for bit, name in names.items() if number & bit]


@dataclass(slots=True)
class Memory:
    """One piece of memory. hash: the content when it was last seen; seen: whether it ever was; wrote: by whom since."""

    name: str
    kind: str | None = None
    size: int | None = None
    fd: int | None = None
    virt: int = 0
    heap: str | None = None
    cached: bool | None = None
    address: int | None = None
    handle: int | None = None
    hash: str | None = None
    by_device: bool = False
    alive: bool = True

    def document(self) -> dict[str, JsonValue]:
        """The entry of the plan's `buffers`."""
        known = {"heap": self.heap, "cached": self.cached, "address": self.address, "capacity": self.size}
        memory: dict[str, JsonValue] = {"kind": self.kind, **{k: v for k, v in known.items() if v is not None}}
        entry: dict[str, JsonValue] = {"memory": memory}
        if self.size is not None and self.kind != "virtual":
            entry["size"] = self.size
        return entry


@dataclass(slots=True)
class Memories:
    """All memories of a process, by what events call them: address of the rknn_tensor_mem, fd, address, RGA handle."""

    all: list[Memory] = field(default_factory=list)
    by_mem: dict[int, Memory] = field(default_factory=dict)
    by_handle: dict[int, Memory] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def new(self, stem: str, kind: str) -> Memory:
        """A memory with the next name of its kind: mem0, mem1, dma0, host0, …"""
        number = self.counts.get(stem, 0)
        self.counts[stem] = number + 1
        memory = Memory(f"{stem}{number}", kind)
        self.all.append(memory)
        return memory

    def of_fd(self, fd: int | None) -> Memory | None:
        """The newest living memory with a file descriptor."""
        if fd is None or fd <= 0:
            return None
        return next((m for m in reversed(self.all) if m.fd == fd and m.alive), None)

    def of_address(self, address: int, size: int | None = None) -> Memory | None:
        """The memory that an address points into; unknown ones become host memory. None for a NULL pointer."""
        if not address:
            return None
        for memory in reversed(self.all):
            if memory.alive and memory.virt and memory.virt <= address < memory.virt + (memory.size or 1):
                return memory
        memory = self.new("host", "virtual")
        memory.virt = address
        return memory


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """The model that was loaded: by its path, or from memory (bytes, hash as `content_hash` gives it)."""

    path: str | None = None
    size: int | None = None
    hash: str | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """Bytes kept of an input (before) or an output (after) of a run, counted from 0. blob: their number in the record."""

    tensor: int
    run: int
    blob: int
    size: int
    want_float: bool = False


@dataclass(slots=True)
class Story:
    """What the readers write while they go through the events."""

    calls: list[Call] = field(default_factory=list)
    inputs: list[Recorded] = field(default_factory=list)
    outputs: list[Recorded] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, event: Mapping[str, JsonValue], call: Call, ret: int | None = None) -> None:
        """A call with what every event tells: return code, thread, time."""
        code = ret if ret is not None else optional(event.get("ret"))
        if code is not None:
            call["ret"] = code
        thread, moment = optional(event.get("th")), optional(event.get("t"))
        if thread is not None:
            call["thread"] = thread
        if moment is not None:
            call["t_ms"] = round(moment / 1000, 3)
        self.calls.append(call)

    def content(self, event: Mapping[str, JsonValue], memory: Memory, seen: str | None) -> None:
        """The content of a memory was seen: a change that no device call explains was made by the CPU, before this event."""
        if seen is None:
            return
        if memory.hash != seen and not memory.by_device:
            call: Call = {"api": "write", "buffer": memory.name, "by": "cpu"}
            if memory.size is not None:
                call["size"] = memory.size
            self.add({key: event[key] for key in ("th", "t") if key in event}, call)
        memory.hash = seen
        memory.by_device = False
