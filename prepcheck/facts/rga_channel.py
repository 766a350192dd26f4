"""Facts about one image of an RGA call: its shape in memory, the memory behind it, and who made the frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from prepcheck.contract.calls import Channel, Producer, RgaImport
from prepcheck.contract.plan import Buffer
from prepcheck.core.geometry import Box
from prepcheck.core.rga import RowRule, Surface, row_rule
from prepcheck.core.rga_formats import RkFormat, image_bytes, rk_format
from prepcheck.facts.base import NotApplicable, Unstated
from prepcheck.facts.flow import MemoryState, WriteEvent
from prepcheck.facts.rga_base import Owner, RgaBase, unstated
from prepcheck.facts.rga_memory import IMPORTS, Store, imports_before, store_of

TO_DEVICE = ("to_device", "both")


class ChannelThing(RgaBase):
    """One image of an operation (`name` src or dst) or of an import (`name` import)."""

    kind = "rgachannel"

    def __init__(self, owner: Owner, side: str, channel: Channel) -> None:
        super().__init__(owner.world, owner.where if side == "import" else f"{owner.where}.{side}")
        self.name = side
        self.owner = owner
        self.channel = channel
        self.index = owner.index
        self.flow = owner.flow
        self.about = self._about()

    def _about(self) -> str:
        if self.input_position is not None and self.name == "dst":
            return f"inputs[{self.input_position}]"
        if self.store.name is not None:
            return f"buffers.{self.store.name}"
        return f"{self.name}:{self.channel.model_dump_json(exclude_none=True)}"

    @property
    def operation(self) -> str:
        """The name of the call."""
        return self.owner.operation

    @property
    def side(self) -> str:
        """source, destination or image (of an import)."""
        return {"src": "source", "dst": "destination"}.get(self.name, "image")

    @property
    def is_source(self) -> bool:
        """Whether the call reads it."""
        return self.name == "src"

    # -- the image

    @cached_property
    def format(self) -> RkFormat:
        """The pixel format."""
        if self.channel.format is None:
            raise unstated("format", self)
        found = rk_format(self.channel.format)
        if found is None:
            raise Unstated(
                "format",
                "librga has no format called {name}",
                "use a name of rga.h without RK_FORMAT_ (RGB_888, YCbCr_420_SP)",
                name=self.channel.format)  # fmt: skip
        return found

    @property
    def width(self) -> int:
        """Pixels of a row."""
        if self.channel.width is None:
            raise unstated("width", self)
        return self.channel.width

    @property
    def height(self) -> int:
        """Rows."""
        if self.channel.height is None:
            raise unstated("height", self)
        return self.channel.height

    @property
    def wstride(self) -> int:
        """Pixels from one row to the next; 0 or nothing = the width (im2d)."""
        return self.channel.wstride or self.width

    @property
    def hstride(self) -> int:
        """Rows of a plane; 0 or nothing = the height (im2d)."""
        return self.channel.hstride or self.height

    @property
    def rect(self) -> Box:
        """The part that is worked on; nothing, or all zeros, = the whole image."""
        given = self.channel.rect
        if given is None or not any(given):
            return Box(0, 0, self.width, self.height)
        return Box(*given)

    @property
    def stated_rect(self) -> Box:
        """The part that the call states."""
        if self.channel.rect is None or not any(self.channel.rect):
            raise NotApplicable
        return Box(*self.channel.rect)

    @cached_property
    def surface(self) -> Surface:
        """The image of an operation. Imports only lend their memory: they have none."""
        if self.name == "import":
            raise NotApplicable
        return Surface(self.format, self.width, self.height, self.wstride, self.hstride, self.rect)

    @cached_property
    def row(self) -> RowRule:
        """Where rows have to begin on this chip."""
        return row_rule(self.format, self.surface.wstride, self.chip.byte_stride)

    @cached_property
    def odd(self) -> list[str]:
        """Numbers of a YUV image that have to be even and are not: `x 101`."""
        surface = self.surface
        if not surface.format.is_yuv:
            raise NotApplicable
        box, (across, down) = surface.rect, surface.format.sub
        numbers = {"x": box.x, "y": box.y, "width": box.w, "height": box.h}
        if across == 2:
            numbers["wstride"] = surface.wstride
        if down == 2:
            numbers["hstride"] = surface.hstride
        return [f"{key} {value}" for key, value in numbers.items() if value % 2]

    @property
    def at_fault(self) -> bool:
        """Whether rows, evenness, memory or import of this channel alone explain that a call is refused."""
        checks: list[Callable[[], bool]] = [
            lambda: not self.row.legal,
            lambda: bool(self.odd),
            lambda: not self.contiguous,
            lambda: self.size < self.needed,
            lambda: self.imported_ret is not None and self.imported_ret <= 0,
        ]
        for check in checks:
            try:
                if check():
                    return True
            except (Unstated, NotApplicable):
                continue
        return False

    @property
    def imported_ret(self) -> int | None:
        """What the import of its memory returned, where a record says so."""
        if self.flow is None or self.store.imported is None:
            return None
        return self.flow.moments[self.store.imported].call.ret

    @cached_property
    def needed(self) -> int:
        """Bytes that the image takes, all planes with their padding."""
        return image_bytes(self.format, self.wstride, self.hstride)

    # -- the memory

    @cached_property
    def store(self) -> Store:
        """The memory behind it."""
        side = "src" if self.name == "import" else self.name
        return store_of(self.world, self.flow, self.index, side, self.channel)

    @property
    def said(self) -> tuple[str | None, int | None]:
        """Kind and number of the address that the call itself states."""
        memory = self.channel.memory
        return (None, None) if memory is None else (memory.kind, memory.address)

    @property
    def import_numbers(self) -> tuple[int | None, int]:
        """Of the latest import of this memory by descriptor: the handle that it returned (None = not told), the fd."""
        if self.name == "import" or self.flow is None or self.index is None or self.store.name is None:
            raise NotApplicable
        for at, call in imports_before(self.flow, self.index):
            memory = call.src.memory if call.src is not None else None
            if self.flow.channels.get((at, "src")) == self.store.name:
                if call.api != "importbuffer_fd" or memory is None or memory.address is None:
                    raise NotApplicable
                return (call.ret, memory.address)
        raise NotApplicable

    @property
    def expected(self) -> str | None:
        """The kind of address that an import call takes."""
        return IMPORTS.get(self.operation) if self.name == "import" else None

    @property
    def size(self) -> int:
        """Bytes of the memory."""
        if self.store.size is None:
            raise Unstated(
                "size",
                "how many bytes the memory of {name} has is not stated",
                "add `size` in bytes to the channel or buffer",
                name=self.store.name or self.where)  # fmt: skip
        return self.store.size

    @property
    def declared(self) -> Buffer | None:
        """The entry of `buffers`."""
        return self.world.plan.buffers.get(self.store.name) if self.world.plan and self.store.name else None

    @cached_property
    def state(self) -> MemoryState | None:
        """The memory's state before the call."""
        if self.flow is None or self.index is None or self.store.name is None:
            return None
        return self.flow.moments[self.index].memories.get(self.store.name)

    @cached_property
    def input_position(self) -> int | None:
        """The model input that this memory is handed over for."""
        side = "src" if self.name == "import" else self.name
        name = self.channel.buffer
        if self.flow is not None and self.index is not None:
            name = self.flow.channels.get((self.index, side), name)
        if self.flow is None or name is None:
            return None
        return next((h.input for h in self.flow.handovers if h.buffer == name), None)

    @property
    def needs_contiguous(self) -> bool:
        """Whether no core of the chip can scatter: there is no MMU."""
        return all(core.reach == "contiguous" for core in self.chip.cores)

    @property
    def contiguous(self) -> bool:
        """Whether the memory is contiguous, where that matters."""
        if not self.needs_contiguous:
            raise NotApplicable
        if self.store.given is None and self.store.kind is None:
            raise Unstated(
                "memory", "what memory {name} is, is not stated",
                "add `memory: {{kind: dma_fd, heap: rk-dma-heap-cma}}` (yours)",
                name=self.store.name or self.where)  # fmt: skip
        return self.store.is_contiguous()

    @property
    def stale(self) -> bool:
        """Fresh memory of undefined content took the name after the frame had been written."""
        if self.name != "src" or self.state is None:
            raise NotApplicable
        return self.state.stale

    @property
    def outlived(self) -> bool:
        """Whether the memory was made anew after it had been imported: the handle stands for the memory before."""
        if self.store.imported is None or self.store.given not in (None, "handle"):
            raise NotApplicable
        return self.state is not None and self.state.born is not None and self.state.born > self.store.imported

    @property
    def made_at(self) -> str:
        """The call that made the memory."""
        if self.state is None or self.state.born is None:
            raise NotApplicable
        return f"calls[{self.state.born}]"

    @property
    def first_import(self) -> bool:
        """Whether it is the plan's first import call."""
        if self.name != "import" or self.flow is None:
            raise NotApplicable
        return not any(isinstance(m.call, RgaImport) for m in self.flow.moments[: self.index])

    @property
    def import_ret(self) -> int:
        """What a record says that the import returned."""
        if self.name != "import" or self.owner.ret_or_none is None:
            raise NotApplicable
        return self.owner.ret_or_none

    @property
    def dirty(self) -> WriteEvent | None:
        """The CPU's write into cached destination memory that no sync follows before RGA writes there."""
        state = self.state
        if self.name != "dst" or state is None or self.input_position is not None:
            raise NotApplicable  # memory of a model input: the rules on zero-copy
        pending = [w for w in state.writes if w.by in ("cpu", "memcpy") and not state.synced_after(w.call, *TO_DEVICE)]
        if not pending or (self.store.given or self.store.kind) == "virtual":
            return None
        return pending[-1] if self.store.is_cached() else None

    @property
    def unsynced(self) -> WriteEvent | None:
        """The CPU's last write into cached memory that no sync follows; virtual memory is flushed by the driver."""
        state = self.state
        if self.name != "src" or state is None or state.last_write is None:
            raise NotApplicable
        write = state.last_write
        if write.failed or write.by not in ("cpu", "memcpy"):
            raise NotApplicable
        if (self.store.given or self.store.kind) == "virtual" or state.synced_after(write.call, *TO_DEVICE):
            return None
        return write if self.store.is_cached() else None

    # -- who made the frame

    @property
    def producer(self) -> Producer:
        """Who made the frame."""
        if self.channel.producer is None or self.name != "src":
            raise NotApplicable
        return self.channel.producer

    @property
    def producer_name(self) -> str:
        """Its name."""
        name = self.producer.name
        return "producer" if name is None else {"mpp": "MPP decoder", "v4l2": "V4L2 driver"}.get(name, name)

    @property
    def hor_stride(self) -> int:
        """The producer's pitch in pixels (bytes for 10-bit formats)."""
        if self.producer.hor_stride is None:
            raise unstated("hor_stride", self, "producer")
        return self.producer.hor_stride

    @property
    def ver_stride(self) -> int:
        """Rows of the producer's planes."""
        if self.producer.ver_stride is None:
            raise unstated("ver_stride", self, "producer")
        return self.producer.ver_stride

    @property
    def producer_color_space(self) -> str:
        """Matrix and range of the producer: BT601_LIMIT, …"""
        if self.channel.producer is None or self.channel.producer.color_space is None:
            raise unstated("color_space", self, "producer")
        return self.channel.producer.color_space
