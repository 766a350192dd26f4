"""The RKNN calls of a record as calls of a plan, and the attributes that the program queried as a contract."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from prepcheck.core.affine import value_range
from prepcheck.core.dtypes import from_c_name, is_float
from prepcheck.readers.record_parts import (
    C_FORMATS,
    C_TYPES,
    INIT_FLAGS,
    MEM_FLAGS,
    Call,
    Memories,
    Memory,
    Recorded,
    Story,
    bits,
    integers,
    named,
    optional,
    real,
    table,
    tables,
    text,
    whole,
)
from prepcheck.wire.pcrec import JsonValue

ATTR_V1: Final = 360
"""sizeof(rknn_tensor_attr) in rknn_api.h 1.x, which stores the dims from the last to the first."""
_SCHEMES: Final = ("none", "dynamic_fixed_point", "affine")
_SIDES: Final = {
    1: "input",
    14: "input",
    2: "output",
    15: "output",
    8: "native_input",
    16: "native_input",
    9: "native_output",
    17: "native_output",
}
"""rknn_query_cmd → which attribute. Source: RKNN API reference 2.3.2, rknn_query."""
_CREATORS: Final = (
    "rknn_create_mem", "rknn_create_mem2", "rknn_create_mem_from_fd", "rknn_create_mem_from_phys",
    "rknn_create_mem_from_mb_blk",
)  # fmt: skip
_OWN: Final = ("rknn_create_mem", "rknn_create_mem2")
"""The calls whose memory the runtime allocates itself: cacheable, unless a flag says otherwise."""
_DIRECTIONS: Final = {1: "to_device", 2: "from_device", 3: "both"}
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:b\d+)?")


@dataclass(slots=True)
class Context:
    """One rknn_context: what was queried, what is set, how often it ran."""

    number: int
    attrs: dict[tuple[str, int], Mapping[str, JsonValue]] = field(default_factory=dict)
    version: str | None = None
    set_hashes: dict[int, str] = field(default_factory=dict)
    bound: dict[int, str] = field(default_factory=dict)
    runs: int = 0
    path: str | None = None
    model_size: int | None = None
    model_hash: str | None = None

    @property
    def v1(self) -> bool:
        """Whether the program was built with rknn_api.h 1.x."""
        return any(optional(a.get("attr_size")) == ATTR_V1 for a in self.attrs.values())

    def tensor(self, attr: Mapping[str, JsonValue]) -> tuple[str, int]:
        """Side and index of the tensor that an attribute names, as the runtime finds it: by name; else by its index."""
        name = attr.get("name")
        for (side, index), known in self.attrs.items():
            if known.get("name") == name and not side.startswith("native"):
                return side, index
        return "input", whole(attr.get("index"))


class RknnReader:
    """Goes through the rknn_* events of one context and writes the plan's calls."""

    def __init__(self, context: Context, memories: Memories, story: Story) -> None:
        self.context = context
        self.memories = memories
        self.story = story
        self._steps: dict[str, Callable[[Mapping[str, JsonValue]], None]] = {
            "rknn_init": self._init, "rknn_query": self._query, "rknn_inputs_set": self._inputs_set,
            "rknn_set_io_mem": self._set_io_mem, "rknn_mem_sync": self._mem_sync, "rknn_destroy_mem": self._destroy_mem,
            "rknn_run": self._run, "rknn_outputs_get": self._outputs_get, **dict.fromkeys(_CREATORS, self._created),
        }  # fmt: skip

    def take(self, event: Mapping[str, JsonValue]) -> bool:
        """Write the calls of an event; False where it is not one of RKNN's."""
        api = str(event["api"])
        step = self._steps.get(api)
        if step is not None:
            step(event)
        return api.startswith("rknn_")

    def _init(self, event: Mapping[str, JsonValue]) -> None:
        context = self.context
        context.path, context.model_size = text(event.get("path")), optional(event.get("model_size"))
        context.model_hash = text(event.get("hash"))
        self.story.add(event, {"api": "rknn_init", "flags": bits(INIT_FLAGS, whole(event.get("flag")))})

    def _query(self, event: Mapping[str, JsonValue]) -> None:
        if event.get("ret") != 0:
            return
        side = _SIDES.get(whole(event.get("cmd"), -1))
        if side is not None and "dims" in event:
            self.context.attrs[side, whole(event.get("index"))] = event
        elif "version" in event:
            found = _VERSION.search(str(event["version"]))
            self.context.version = found[0] if found else None

    def _inputs_set(self, event: Mapping[str, JsonValue]) -> None:
        given: list[JsonValue] = []
        for item in tables(event.get("inputs")):
            memory = self.memories.of_address(whole(item.get("buf")))
            entry: dict[str, JsonValue] = {"index": whole(item.get("index")), "buffer": memory.name if memory else None}
            entry |= {"type": named(C_TYPES, item.get("type")), "fmt": named(C_FORMATS, item.get("fmt"))}
            entry |= {"size": whole(item.get("size")), "pass_through": whole(item.get("pass_through"))}
            seen = text(item.get("hash"))
            if seen is not None:
                entry["hash"] = seen
                if event.get("ret") == 0:
                    self.context.set_hashes[whole(item.get("index"))] = seen
            self._keep(self.story.inputs, item, whole(item.get("index")))
            given.append(entry)
        self.story.add(event, {"api": "rknn_inputs_set", "inputs": given})

    def _keep(
        self, into: list[Recorded], item: Mapping[str, JsonValue], index: int, size: int = 0, late: int = 0
    ) -> None:
        blob = optional(item.get("blob"))
        if blob:
            run = self.context.runs - late
            into.append(Recorded(index, run, blob, size or whole(item.get("size")), bool(item.get("want_float"))))

    def _created(self, event: Mapping[str, JsonValue]) -> None:
        api = str(event["api"])
        pointer = whole(event.get("mem"))
        kind = {"rknn_create_mem_from_phys": "physical"}.get(api, "dma_fd")
        known = self.memories.of_fd(optional(event.get("from_fd")))
        memory = known if known is not None else self.memories.new("mem", kind)
        memory.size = optional(event.get("mem_size")) or optional(event.get("size"))
        memory.virt, memory.fd = whole(event.get("virt")), optional(event.get("fd"))
        memory.address = whole(event.get("phys")) if kind == "physical" else memory.fd
        memory.hash = text(event.get("hash"))
        flags = whole(event.get("flags"))
        if api in _OWN:  # of foreign memory only what is known already
            memory.cached = not flags & 0x2
        memory.alive = pointer != 0
        if pointer:
            self.memories.by_mem[pointer] = memory
        plain = "rknn_create_mem" if api in ("rknn_create_mem2", "rknn_create_mem_from_mb_blk") else api
        call: Call = {"api": plain, "buffer": memory.name, "size": optional(event.get("size")) or memory.size}
        if "from_fd" in event:
            call |= {"fd": whole(event["from_fd"]), "offset": whole(event.get("from_offset"))}
        if flags:
            call["flags"] = bits(MEM_FLAGS, flags)
        self.story.add(event, call, ret=0 if pointer else -1)  # a NULL pointer is told as -1

    def _set_io_mem(self, event: Mapping[str, JsonValue]) -> None:
        attr = table(event.get("attr"))
        side, index = self.context.tensor(attr)
        memory = self.memories.by_mem.get(whole(event.get("mem")))
        call: Call = {"api": "rknn_set_io_mem"}
        call |= {"index": index} if side == "input" else {"for": f"outputs[{index}]"}
        if memory is not None:
            call["buffer"] = memory.name
        call |= {"type": named(C_TYPES, attr.get("type")), "fmt": named(C_FORMATS, attr.get("fmt"))}
        call |= {"size": optional(event.get("mem_size")), "pass_through": optional(attr.get("pass_through"))}
        call |= {"w_stride": optional(attr.get("w_stride")), "name": text(attr.get("name"))}
        self.story.add(event, call)

    def _mem_sync(self, event: Mapping[str, JsonValue]) -> None:
        memory = self.memories.by_mem.get(whole(event.get("mem")))
        if memory is not None:
            self.story.content(event, memory, text(event.get("hash")))
            direction = _DIRECTIONS.get(whole(event.get("mode")))
            self.story.add(event, {"api": "rknn_mem_sync", "buffer": memory.name, "direction": direction})

    def _destroy_mem(self, event: Mapping[str, JsonValue]) -> None:
        memory = self.memories.by_mem.get(whole(event.get("mem")))
        if memory is not None:
            self.story.add(event, {"api": "rknn_destroy_mem", "buffer": memory.name})
            memory.alive = event.get("ret") != 0

    def _run(self, event: Mapping[str, JsonValue]) -> None:
        hashes = dict(self.context.set_hashes)
        for item in tables(event.get("bound")):
            memory, seen = self.memories.by_mem.get(whole(item.get("mem"))), text(item.get("hash"))
            if memory is not None:
                self._look(event, memory, item)
                self._keep(self.story.inputs, item, whole(item.get("index")), memory.size or 0)
            if seen is not None:
                hashes[whole(item.get("index"))] = seen
        call: Call = {"api": "rknn_run"}
        if hashes:
            call["hash"] = ",".join(hashes[k] for k in sorted(hashes))
        self.story.add(event, call)
        for item in tables(event.get("results")):
            memory = self.memories.by_mem.get(whole(item.get("mem")))
            self._keep(self.story.outputs, item, whole(item.get("index")), (memory.size if memory else None) or 0)
        self.context.runs += 1

    def _look(self, event: Mapping[str, JsonValue], memory: Memory, item: Mapping[str, JsonValue]) -> None:
        seen = text(item.get("hash"))
        if seen is not None:
            self.story.content(event, memory, seen)
        elif not item.get("destroyed") and not memory.by_device:  # its content could not be seen: nothing is claimed
            self.story.add({"th": event.get("th"), "t": event.get("t")}, {"api": "write", "buffer": memory.name})

    def _outputs_get(self, event: Mapping[str, JsonValue]) -> None:
        given = tables(event.get("outputs"))
        hashes = [h for h in (text(item.get("hash")) for item in given) if h is not None]
        call: Call = {"api": "rknn_outputs_get"}
        if hashes:
            call["hash"] = ",".join(hashes)
        self.story.add(event, call)
        for item in given:
            self._keep(self.story.outputs, item, whole(item.get("index")), late=1)


def contract_of(context: Context) -> dict[str, JsonValue] | None:
    """The contract that rknn_query stated (interface §3), or None where no input was queried."""
    sides: dict[str, list[JsonValue]] = {"input": [], "output": [], "native_input": [], "native_output": []}
    for side, index in sorted(context.attrs):
        sides[side].append(_tensor(context.attrs[side, index], index))
    if not sides["input"] or len({i for s, i in context.attrs if s == "input"}) != max(
        i + 1 for s, i in context.attrs if s == "input"
    ):
        return None
    document: dict[str, JsonValue] = {"runtime": "rknn1" if context.v1 else "rknn", "inputs": sides["input"]}
    for key, side in (("outputs", "output"), ("native_inputs", "native_input"), ("native_outputs", "native_output")):
        if sides[side]:
            document[key] = sides[side]
    return document


def _tensor(attr: Mapping[str, JsonValue], index: int) -> JsonValue:
    v1 = optional(attr.get("attr_size")) == ATTR_V1
    dims = integers(attr.get("dims"))
    dtype = from_c_name(named(C_TYPES, attr.get("type")) or "")
    scheme = "none" if dtype is None or is_float(dtype) else named(_SCHEMES, attr.get("qnt"))
    found: dict[str, JsonValue] = {
        "index": index,
        "name": text(attr.get("name")),
        "layout": named(C_FORMATS, attr.get("fmt")),
    }
    found |= {
        "shape": list[JsonValue](dims[::-1] if v1 else dims),
        "dtype": dtype,
        "scheme": scheme,
        "size": optional(attr.get("size")),
    }
    scale, zero_point = real(attr.get("scale")), optional(attr.get("zp"))
    if scheme == "affine" and dtype is not None and scale is not None and zero_point is not None:
        found |= {"scale": scale, "zero_point": zero_point}
        limits = value_range(dtype, scale, zero_point)
        found["value_range"] = None if limits is None else list[JsonValue](limits)
    elif scheme == "dynamic_fixed_point":
        found["fl"] = optional(attr.get("fl"))
    for key in ("w_stride", "size_with_stride"):
        value = optional(attr.get(key))
        if value:
            found[key] = value
    found["provenance"] = {
        key: "record" for key in ("shape", "dtype", "size", "w_stride", "size_with_stride") if key in found
    }
    return found
