"""librga's calls of a record as calls of a plan (interface §4.3), and the cache and heap calls on dma-bufs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from prepcheck.core.rga_formats import format_of_number
from prepcheck.readers.record_parts import Call, Memories, Memory, Story, integers, optional, table, text, whole
from prepcheck.wire.pcrec import JsonValue

CSC: Final = {
    1: "YUV_TO_RGB_BT601_LIMIT", 2: "YUV_TO_RGB_BT601_FULL", 3: "YUV_TO_RGB_BT709_LIMIT", 4: "RGB_TO_YUV_BT601_FULL",
    8: "RGB_TO_YUV_BT601_LIMIT", 12: "RGB_TO_YUV_BT709_LIMIT",
}  # fmt: skip
"""IM_COLOR_SPACE_MODE by number. Source: librga im2d_type.h."""
_OPERATIONS: Final = frozenset(
    ("imresize", "imcvtcolor", "imcrop", "improcess", "imcopy", "imfill", "imrotate", "imflip", "imtranslate")
)
_CORES: Final = (("rga3", 0x3), ("rga2", 0xC))
"""Bits of the cores of each kind. Source: librga im2d_type.h, IM_SCHEDULER_CORE."""
_LEGACY: Final = frozenset(("c_RkRgaBlit", "RkRgaBlit", "c_RkRgaColorFill"))
_IMPORTS: Final = {
    "importbuffer_fd": "dma_fd", "importbuffer_virtualaddr": "virtual", "importbuffer_physicaladdr": "physical",
}  # fmt: skip
_NO_HANDLE: Final = (0, 0xFFFFFFFF)
"""What importbuffer_* returns on failure: 0, or −1 through an unsigned type. Source: librga, importbuffer; issue 53."""


def format_name(number: int) -> str | None:
    """RK_FORMAT_ name without prefix; values 1 … 255 are shifted by librga itself. None for an unknown one."""
    found = format_of_number(number)
    return found.name if found else None


class RgaReader:
    """Goes through the events of librga and of dma-bufs."""

    def __init__(self, memories: Memories, story: Story) -> None:
        self.memories = memories
        self.story = story
        self.cores: dict[int, str] = {}

    def take(self, event: Mapping[str, JsonValue]) -> None:
        """Write the calls of an event."""
        api = str(event["api"])
        if api in _OPERATIONS or api in _LEGACY:
            self._operation(event, api)
        elif api in _IMPORTS:
            self._import(event, api)
        elif api == "imconfig" and event.get("ret") == 1 and event.get("name") == 0:
            self._configured(event)
        elif api == "dma_heap_alloc" and optional(event.get("fd")) is not None and whole(event.get("ret"), -1) >= 0:
            self._heap(event)
        elif api == "dma_buf_sync":
            self._sync(event)

    def _configured(self, event: Mapping[str, JsonValue]) -> None:
        """The cores that a thread allows its next calls; where it allows both kinds the driver chooses."""
        allowed, thread = whole(event.get("value")), whole(event.get("th"))
        kinds = [name for name, mask in _CORES if allowed & mask]
        if len(kinds) == 1:
            self.cores[thread] = kinds[0]
        else:
            self.cores.pop(thread, None)

    def _heap(self, event: Mapping[str, JsonValue]) -> None:
        memory = self.memories.new("dma", "dma_fd")
        memory.size, memory.fd = optional(event.get("size")), optional(event.get("fd"))
        memory.address = memory.fd
        path = text(event.get("heap"))
        memory.heap = path.rsplit("/", 1)[-1] if path else None
        memory.cached = None if memory.heap is None else "uncached" not in memory.heap
        self.story.add(event, {"api": "alloc", "buffer": memory.name, "size": memory.size})

    def _sync(self, event: Mapping[str, JsonValue]) -> None:
        memory = self.memories.of_fd(optional(event.get("fd")))
        if memory is None:
            return
        self.story.content(event, memory, text(event.get("hash")))
        # the end of an access by the CPU hands its bytes to the device; the start makes those of the device visible
        direction = "to_device" if whole(event.get("flags")) & 4 else "from_device"
        self.story.add(event, {"api": "dma_buf_sync", "buffer": memory.name, "direction": direction})

    def _import(self, event: Mapping[str, JsonValue], api: str) -> None:
        fd, address = optional(event.get("fd")), whole(event.get("virt")) or whole(event.get("phys"))
        memory = (
            self.memories.of_fd(fd) if api == "importbuffer_fd" else self.memories.of_address(whole(event.get("virt")))
        )
        handle = whole(event.get("handle"))
        if memory is not None and handle not in _NO_HANDLE:
            self.memories.by_handle[handle] = memory
        src: dict[str, JsonValue] = {}
        for key in ("width", "height", "size"):
            if optional(event.get(key)):
                src[key] = event[key]
        if "format" in event:
            src["format"] = format_name(whole(event["format"]))
        src["memory"] = self._memory(_IMPORTS[api], fd if api == "importbuffer_fd" else address, memory)
        if memory is not None:
            src["buffer"] = memory.name
        self.story.add(event, {"api": api, "src": src}, ret=handle - (1 << 32) if handle > 0x7FFFFFFF else handle)

    def _operation(self, event: Mapping[str, JsonValue], api: str) -> None:
        legacy = api in _LEGACY
        fill = api == "c_RkRgaColorFill"
        call: Call = {"api": ("imfill" if fill else "improcess") if legacy else api}
        core = self.cores.get(whole(event.get("th")))
        if core is not None:
            call["core"] = core
        for key, replaced in (("src", "sfmt"), ("dst", "dfmt")):
            channel = table(event.get(key))
            if channel:
                call[key] = self._channel(channel, optional(event.get(replaced)), legacy)
        mode = CSC.get(whole(event.get("mode"))) if api == "imcvtcolor" else None
        if mode is None and not legacy:  # imcvtcolor writes its mode there; the others take what the program wrote
            mode = CSC.get(whole(table(event.get("dst")).get("color_space")))
        if mode is not None:
            call["csc"] = mode
        if "color" in event:
            call["color"] = f"0x{whole(event['color']):08x}"
        ret = optional(event.get("ret"))
        done = ret == 0 if legacy else ret is not None and ret > 0
        target = self._target(table(event.get("dst")))
        if done and target is not None:
            target.by_device = True
        self.story.add(event, call, ret=1 if legacy and done else ret)  # the legacy calls return 0 for success

    def _target(self, channel: Mapping[str, JsonValue]) -> Memory | None:
        """The memory of a channel: handle before fd before address, as librga chooses."""
        handle = whole(channel.get("handle"))
        if handle:
            return self.memories.by_handle.get(handle)
        return self.memories.of_fd(optional(channel.get("fd"))) or self.memories.of_address(whole(channel.get("virt")))

    def _channel(self, channel: Mapping[str, JsonValue], replaced: int | None, legacy: bool) -> JsonValue:
        rect = integers(channel.get("rect"))
        found: dict[str, JsonValue] = {}
        if legacy and len(rect) == 4:  # the legacy structure has only the rectangle and the strides
            found |= {
                "width": whole(channel.get("wstride")) or rect[2],
                "height": whole(channel.get("hstride")) or rect[3],
            }
        else:
            found |= {"width": whole(channel.get("width")), "height": whole(channel.get("height"))}
        for key in ("wstride", "hstride", "size"):
            if whole(channel.get(key)):
                found[key] = channel[key]
        found["format"] = format_name(whole(channel.get("format")) if replaced is None else replaced)
        if len(rect) == 4 and rect[2] and rect[3]:
            found["rect"] = list[JsonValue](rect)
        memory = self._target(channel)
        fd, handle = optional(channel.get("fd")) or 0, whole(channel.get("handle"))
        if handle:
            found["memory"] = self._memory("handle", handle, memory)
        elif whole(channel.get("phys")):
            found["memory"] = self._memory("physical", whole(channel.get("phys")), memory)
        elif fd > 0:
            found["memory"] = self._memory("dma_fd", fd, memory)
        elif whole(channel.get("virt")):
            found["memory"] = self._memory("virtual", None, memory)
        if memory is not None:
            found["buffer"] = memory.name
        return found

    @staticmethod
    def _memory(kind: str, address: int | None, memory: Memory | None) -> JsonValue:
        found: dict[str, JsonValue] = {"kind": kind}
        if address is not None and kind != "virtual":
            found["address"] = address
        if memory is not None:
            if memory.heap is not None:
                found["heap"] = memory.heap
            if memory.cached is not None:
                found["cached"] = memory.cached
            if memory.size is not None:
                found["capacity"] = memory.size
        return found
