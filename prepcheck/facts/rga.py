"""Facts about RGA operations.

`rga`: every im2d operation of `calls` and every `rga` step. `rgachannel`: the source and the destination of each, and
every import.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from prepcheck.contract.calls import (
    RgaArguments,
    RgaImport,
    RgaOperation,
)
from prepcheck.core.rga import Job, Surface, Verdict, verdict
from prepcheck.core.rga_csc import DEFAULT, DEFAULT_SINCE, Conversion, conversion, mode_of
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Flow
from prepcheck.facts.model import InputThing
from prepcheck.facts.rga_base import RgaBase, unstated
from prepcheck.facts.rga_channel import ChannelThing
from prepcheck.facts.rga_memory import Store, imports_before
from prepcheck.facts.world import World


@dataclass(frozen=True, slots=True)
class Far:
    """Memory of one side that may lie above 4 GiB. surely: it does."""

    side: str
    store: Store
    surely: bool


class RgaThing(RgaBase):
    """One operation. `name` is its api (`rga` for a step)."""

    kind = "rga"

    def __init__(self, world: World, where: str, call: RgaArguments, index: int | None, found: Flow | None) -> None:
        super().__init__(world, where)
        self.call = call
        self.index = index
        self.flow = found
        self.name = call.api if isinstance(call, RgaOperation) else "rga"
        self.source = ChannelThing(self, "src", call.src) if call.src is not None else None
        self.target = ChannelThing(self, "dst", call.dst) if call.dst is not None else None
        sides = [c.about for c in (self.source, self.target) if c is not None]
        self.about = f"{self.name}:{call.core}:{'>'.join(sides)}"

    @property
    def operation(self) -> str:
        """The name of the call."""
        return "RGA step" if self.name == "rga" else self.name

    @property
    def ret_or_none(self) -> int | None:
        """The return code, where a record holds it."""
        return self.call.ret

    @property
    def ret(self) -> int:
        """The return code that a record holds: IM_STATUS, 1 and 2 are success."""
        if self.call.ret is None:
            raise NotApplicable
        return self.call.ret

    @property
    def suspect(self) -> str:
        """What a failed call is about: the channel with a plain fault, a failed import before, else the operation."""
        channels = [c for c in (self.source, self.target) if c is not None]
        for channel in channels:
            if channel.at_fault:
                return channel.about
        if self.flow is not None and self.index is not None and any(c.said[0] is None for c in channels):
            for at, call in imports_before(self.flow, self.index):
                if call.ret is not None and call.ret <= 0 and call.src is not None:
                    return ChannelThing(ImportThing(self.world, call, at, self.flow), "import", call.src).about
        return self.about

    @property
    def core(self) -> str | None:
        """The core that the program pins; None = the driver chooses."""
        return self.call.core

    @property
    def src(self) -> Surface:
        """The source as the library sees it."""
        if self.source is None:
            raise NotApplicable if self.name == "imfill" else unstated("src", self)
        return self.source.surface

    @property
    def dst(self) -> Surface:
        """The destination as the library sees it."""
        if self.target is None:
            raise unstated("dst", self)
        return self.target.surface

    @cached_property
    def job(self) -> Job:
        """The operation as an RGA job."""
        fill = self.name == "imfill"
        return Job(None if fill else self.src, self.dst, fill, self.name == "imrotate")

    @cached_property
    def found(self) -> Verdict:
        """Which of the cores that may be chosen can run it."""
        cores = self.chip.of_kind(self.core)
        if not cores:
            raise NotApplicable
        return verdict(cores, self.job)

    @cached_property
    def all_cores(self) -> Verdict:
        """The same for every core of the chip."""
        return verdict(self.chip.cores, self.job)

    @cached_property
    def far(self) -> list[Far]:
        """Memory that no core able to run the job is sure to reach."""
        able = self.found.able
        if not able or any(core.reach != "below_4gib" for core in able):
            return []
        found: list[Far] = []
        absent: Unstated | None = None
        device = self.world.plan.device if self.world.plan else None
        for channel in (self.source, self.target):
            if channel is None:
                continue
            try:
                low = channel.store.below_4gib(device.memory_gib if device else None)
            except Unstated as error:
                absent = error
                continue
            if low is not True:
                found.append(Far(channel.side, channel.store, low is False))
        if not found and absent is not None:
            raise absent
        return found

    @property
    def memory_gib(self) -> float:
        """Memory of the board in GiB."""
        device = self.world.plan.device if self.world.plan else None
        if device is None or device.memory_gib is None:
            raise NotApplicable
        return device.memory_gib

    @property
    def given(self) -> tuple[str, str]:
        """What the call passes for source and destination: handle, dma_fd, virtual or physical."""
        if self.source is None or self.target is None:
            raise NotApplicable
        kinds = (self.source.said[0], self.target.said[0])
        if None in kinds and "handle" in kinds:
            side = self.source if kinds[0] is None else self.target
            raise unstated("kind", side, "memory")
        if kinds[0] is None or kinds[1] is None:
            raise NotApplicable
        return (kinds[0], kinds[1])

    # -- colour

    @property
    def converts(self) -> Conversion:
        """Which way the colour space changes."""
        return conversion(self.src.format, self.dst.format)

    @property
    def csc(self) -> str:
        """The mode that is set, by im2d's name without IM_."""
        if self.call.csc is None or self.call.csc.endswith("DEFAULT"):
            raise NotApplicable
        return self.call.csc

    @property
    def csc_unset(self) -> bool:
        """No mode is set: the library's default holds."""
        return self.call.csc is None or self.call.csc.endswith("DEFAULT")

    @property
    def colors(self) -> tuple[str | None, str | None]:
        """What `buffers` says of the colour order of source and destination."""
        found = [
            c.declared.color if c is not None and c.declared is not None else None for c in (self.source, self.target)
        ]
        return (found[0], found[1])

    @property
    def color_word(self) -> int:
        """imfill's 32-bit word, lowest byte R."""
        text = self.call.color
        if self.name != "imfill" or text is None:
            raise NotApplicable
        try:
            return int(text, 0) & 0xFFFFFFFF
        except ValueError:
            raise Unstated(
                "color",
                "the fill color {text} is no number",
                'write the 32-bit word as text: `color: "0x72727272"`',
                text=text,
            ) from None

    @property
    def used_space(self) -> str:
        """Matrix and range of a YUV to RGB conversion: those of the mode that is set, else the library's default."""
        if self.converts != "YUV_TO_RGB":
            raise NotApplicable
        if not self.csc_unset:
            mode = mode_of(self.csc)
            if mode is None or mode.direction != "YUV_TO_RGB":
                raise NotApplicable
            return mode.space
        version = self.librga_or_none
        if version is not None and version < DEFAULT_SINCE:
            raise Unstated(
                "csc", "what librga {version} does where no colour space mode is set is not known",
                "set the mode: `csc: YUV_TO_RGB_BT601_LIMIT` (yours)", version=self.world.version or "")  # fmt: skip
        return DEFAULT

    @property
    def source_space(self) -> str:
        """Matrix and range of the frame, as its producer states them."""
        if self.source is None:
            raise NotApplicable
        return self.source.producer_color_space

    @property
    def producer_name(self) -> str:
        """Who made the source."""
        return self.source.producer_name if self.source is not None else "producer"

    # -- where the result goes

    @cached_property
    def input(self) -> InputThing:
        """The model input whose memory is the destination."""
        if self.target is None or self.world.contract is None:
            raise NotApplicable
        position = self.target.input_position
        if position is None or position >= len(self.world.contract.inputs):
            raise NotApplicable
        return InputThing(self.world, self.world.contract.inputs[position], position)

    @property
    def training_fill(self) -> tuple[int, ...]:
        """The value of the bars in training, one number for each channel or for all."""
        fill = self.input.training.fill
        if fill is None:
            raise NotApplicable
        return (fill,) if isinstance(fill, int) else tuple(fill)

    @property
    def letterbox(self) -> str:
        """Why a picture seems to be put into bars: `training` used a letterbox, or the frame was painted (`fill`)."""
        try:
            if self.input.training.resize == "letterbox":
                return "training"
        except (Unstated, NotApplicable):
            pass
        if not self.filled_before:
            raise NotApplicable
        return "fill"

    @property
    def undefined_bars(self) -> bool:
        """Whether the rest of the destination is fresh memory that nobody wrote."""
        if self.call.ret is not None:
            raise NotApplicable  # a record does not see what the CPU writes
        box, state = self.dst.rect, self.target.state if self.target is not None else None
        if (box.w, box.h) == (self.dst.width, self.dst.height):
            raise NotApplicable
        return state is not None and state.made_by == "alloc" and not state.writes

    @property
    def filled_before(self) -> bool:
        """Whether an earlier imfill painted the destination's memory."""
        if self.target is None or self.target.state is None or self.flow is None:
            return False
        calls = self.flow.moments
        return any(calls[w.call].call.api == "imfill" for w in self.target.state.writes)

    @property
    def written_later(self) -> bool:
        """Whether anybody writes the destination after this call and before the next run."""
        if self.target is None or self.flow is None or self.index is None or self.target.store.name is None:
            return False
        for moment in self.flow.moments[self.index + 1 :]:
            state = moment.memories.get(self.target.store.name)
            if state is not None and any(w.call > self.index and not w.failed for w in state.writes):
                return True
        end = self.flow.end.get(self.target.store.name)
        return end is not None and any(w.call > self.index and not w.failed for w in end.writes)


class ImportThing(Thing):
    """One importbuffer_* call; its channel is the thing that rules see."""

    kind = "rgaimport"

    def __init__(self, world: World, call: RgaImport, index: int, found: Flow) -> None:
        super().__init__(world, f"calls[{index}]")
        self.call = call
        self.index: int | None = index
        self.flow: Flow | None = found

    @property
    def ret_or_none(self) -> int | None:
        """The handle that a record holds."""
        return self.call.ret

    @property
    def operation(self) -> str:
        """The name of the call."""
        return self.call.api


def operations(world: World) -> list[RgaThing]:
    """Every operation: of the calls, then of the steps."""
    found = world.memo.get("rga")
    if isinstance(found, list):
        return found
    walk = flow(world)
    things = [
        RgaThing(world, f"calls[{m.index}]", m.call, m.index, walk)
        for m in walk.moments
        if isinstance(m.call, RgaOperation)
    ]
    steps = world.plan.steps if world.plan else []
    groups = steps.items() if isinstance(steps, dict) else [("", steps)]
    for name, group in groups:
        prefix = f"steps.{name}" if name else "steps"
        things += [
            RgaThing(world, f"{prefix}[{i}]", s.rga, None, None) for i, s in enumerate(group) if s.rga is not None
        ]
    world.memo["rga"] = things
    return things


@lists("rga")
def _operations(world: World) -> Iterator[Thing]:
    yield from operations(world)


@lists("rgachannel")
def _channels(world: World) -> Iterator[Thing]:
    walk = flow(world)
    for moment in walk.moments:
        if isinstance(moment.call, RgaImport) and moment.call.src is not None:
            yield ChannelThing(ImportThing(world, moment.call, moment.index, walk), "import", moment.call.src)
    for operation in operations(world):
        yield from (c for c in (operation.source, operation.target) if c is not None)
