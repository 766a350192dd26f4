"""The memory behind an RGA channel: what the call passes, and what lies behind a handle, a descriptor or a name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prepcheck.contract.calls import Channel, ChannelMemory, RgaImport
from prepcheck.contract.plan import Buffer, Memory
from prepcheck.core.rga import FOUR_GIB
from prepcheck.data.chips import Heap, heap
from prepcheck.facts.base import Unstated
from prepcheck.facts.flow import Flow, MemoryState
from prepcheck.facts.world import World

IMPORTS = {"importbuffer_fd": "dma_fd", "importbuffer_virtualaddr": "virtual", "importbuffer_physicaladdr": "physical"}
"""What each import call takes. Source: RGA developer guide, importbuffer_T."""
_MADE_BY_RKNN = "rknn_create_mem"
_NOT_CACHED = frozenset({"MEMORY_NON_CACHEABLE", "FLAG_MEMORY_NON_CACHEABLE"})


@dataclass(frozen=True, slots=True)
class Store:
    """Memory of one channel at one moment.

    given: what the call passes (handle, dma_fd, virtual, physical; None = not stated); kind: what lies behind it.
    imported: index of the call that imported it; size: bytes it has; made_by: the call that made it.
    """

    name: str | None
    given: str | None
    kind: str | None
    heap: str | None
    cached: bool | None
    address: int | None
    size: int | None
    imported: int | None
    made_by: str | None

    @property
    def place(self) -> Heap | None:
        """What is known of the heap. Virtual memory of no stated heap is ordinary process memory."""
        if self.heap is not None:
            return heap(self.heap)
        return heap("malloc") if self.kind == "virtual" else None

    @property
    def label(self) -> str:
        """What it is called in a text."""
        return self.name or "this memory"

    def below_4gib(self, memory_gib: float | None) -> bool | None:
        """True: every page lies below 4 GiB; False: above; None: it may lie anywhere. Raises Unstated.

        A board with no more than 4 GiB is taken to have nothing above (a hole for devices may move some: inferred).
        """
        if self.kind == "physical" and self.address is not None:
            return self.address + (self.size or 0) <= FOUR_GIB
        place = self.place
        if place is not None and place.below_4gib is True:
            return True
        if memory_gib is not None and memory_gib <= 4:
            return True
        if place is None or place.below_4gib is None:
            raise Unstated(
                "heap",
                "where the memory of {name} comes from is not stated, and this core reaches the first 4 GiB only",
                "add `memory: {{heap: system-dma32}}` (yours) to it and `device: {{memory_gib: 8}}`",
                name=self.label)  # fmt: skip
        if memory_gib is None:
            raise Unstated(
                "memory_gib",
                "how much memory the board has is not stated, and this core reaches the first 4 GiB only",
                "add `device: {{memory_gib: 8}}`", where="device")  # fmt: skip
        return None

    def is_cached(self) -> bool:
        """Whether the CPU's cache holds parts of it. Raises Unstated."""
        if self.cached is None:
            raise Unstated(
                "cached", "whether the memory of {name} is cached is not stated",
                "add `memory: {{heap: system-dma32, cached: true}}` (yours) to it", name=self.label)  # fmt: skip
        return self.cached

    def is_contiguous(self) -> bool:
        """Whether it is physically contiguous. Raises Unstated.

        Memory of rknn_create_mem is, on the chips where it has to be. Source: rknn_model_zoo, RV1106 demos.
        """
        if self.kind == "physical" or self.made_by == _MADE_BY_RKNN:
            return True
        place = self.place
        if place is None or place.contiguous is None:
            raise Unstated(
                "heap", "where the memory of {name} comes from is not stated, and this RGA needs contiguous memory",
                "add `memory: {{heap: rk-dma-heap-cma}}` (yours) to it", name=self.label)  # fmt: skip
        return place.contiguous


def imports_before(flow: Flow, index: int) -> Iterator[tuple[int, RgaImport]]:
    """The import calls before a call, the latest first."""
    for moment in reversed(flow.moments[:index]):
        if isinstance(moment.call, RgaImport):
            yield moment.index, moment.call


def store_of(world: World, flow: Flow | None, index: int | None, side: str, channel: Channel) -> Store:
    """The memory of a channel: the call's own words first, then the import, then the entry of `buffers`."""
    said = channel.memory or ChannelMemory.model_construct()
    name, found, state = channel.buffer, None, None
    if flow is not None and index is not None:
        name = flow.channels.get((index, side), channel.buffer)
        found = _import(flow, index, said, name)
        state = flow.moments[index].memories.get(name or "")
    if name is None and found is not None and found[1].src is not None:
        name = found[1].src.buffer
    declared = world.plan.buffers.get(name) if world.plan and name else None
    return _merge(name, channel, said, found, declared, state)


def _import(flow: Flow, index: int, said: ChannelMemory, name: str | None) -> tuple[int, RgaImport] | None:
    if said.kind not in (None, "handle"):
        return None
    for at, call in imports_before(flow, index):
        by_handle = said.address is not None and call.ret == said.address
        by_name = name is not None and flow.channels.get((at, "src")) == name
        if by_handle or by_name:
            return at, call
    return None


def _merge(
    name: str | None,
    channel: Channel,
    said: ChannelMemory,
    found: tuple[int, RgaImport] | None,
    declared: Buffer | None,
    state: MemoryState | None,
) -> Store:
    source = found[1].src if found is not None else None
    places: list[ChannelMemory | Memory] = [said]
    places += [m for m in (source.memory if source else None, declared.memory if declared else None) if m is not None]
    kinds = [m.kind for m in places if m.kind not in (None, "handle")]
    made_by = state.made_by if state is not None else None
    kind = kinds[0] if kinds else IMPORTS[found[1].api] if found is not None else None
    if kind is None and made_by == _MADE_BY_RKNN:
        kind = "dma_fd"
    heap_name = next((m.heap for m in places if m.heap is not None), None)
    cached = next((m.cached for m in places if m.cached is not None), None)
    if cached is None:
        place = heap(heap_name) if heap_name is not None else None
        cached = place.cached if place is not None else None
    if cached is None and made_by == _MADE_BY_RKNN and state is not None:
        cached = not state.flags & _NOT_CACHED
    sizes = [channel.size, source.size if source else None, declared.size if declared else None]
    sizes += [m.capacity for m in places] + [state.size if state is not None else None]
    known = [s for s in sizes if s is not None]
    holders = [m for m in places if m.kind == kind and m.address is not None]
    address = said.address if said.kind is not None else None
    if said.kind in (None, "handle") and holders:
        address = holders[0].address
    return Store(
        name, said.kind, kind, heap_name, cached, address, min(known) if known else None,
        found[0] if found is not None else None, made_by,
    )  # fmt: skip
