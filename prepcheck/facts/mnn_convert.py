"""Facts about one ImageProcess.convert: what it does to its destination, where its pixels come from, against training."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from prepcheck.contract.calls import ImageProcessArguments, ImageProcessConvert, ImageProcessDest
from prepcheck.contract.plan import Buffer, Training
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.mnn_walk import recorded, walked
from prepcheck.facts.model import InputThing
from prepcheck.facts.path import steps_for
from prepcheck.facts.world import World
from prepcheck.pixels.chain import mnn_color, run
from prepcheck.pixels.image_process import Axis, Issue, Verdict, classify, reuse_issue
from prepcheck.pixels.image_process.frame import Frame, frame_of
from prepcheck.pixels.image_process.plan import PlannedCall, from_arguments, missing


class ConvertThing(Thing):
    """An ImageProcess.convert, as a call or as a step. arguments: with size and destination filled in where they follow."""

    kind = "convert"

    def __init__(
        self, world: World, where: str, stated: ImageProcessArguments, position: int | None, *, color: str | None = None,
        size: tuple[int, int] | None = None, shape: tuple[int, ...] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(world, where, f"inputs[{position}]" if position is not None else None)
        self.stated = stated
        self.position = position
        self._color = color
        self._size = size
        self._shape = shape

    # -- what it is about

    @cached_property
    def input(self) -> InputThing:
        """The input that is written; NotApplicable for a tensor of the program's own."""
        contract = self.world.contract
        if contract is None or self.position is None:
            raise NotApplicable
        return InputThing(self.world, contract.inputs[self.position], self.position)

    @property
    def label(self) -> str:
        """The tensor that is written, by name."""
        return self.input.label if self.position is not None else self.stated.tensor or "the destination"

    @property
    def source_buffer(self) -> Buffer | None:
        """The buffer that is read, where it is listed."""
        plan, name = self.world.plan, self.stated.source
        return plan.buffers.get(name) if plan is not None and name else None

    @cached_property
    def arguments(self) -> ImageProcessArguments:
        """The arguments, with source size and destination filled in where buffer, steps or input tell them."""
        changes: dict[str, object] = {}
        if self.stated.source_size is None and self._size is not None:
            changes["source_size"] = list(self._size)
        elif self.stated.source_size is None and self.source_buffer is not None:
            dims = dims_of(self.source_buffer.layout or "HWC", self.source_buffer.shape or [])
            if dims is not None:
                changes["source_size"] = [dims.w, dims.h]
        dest = self.stated.dest
        if self.position is not None and (dest is None or None in (dest.shape, dest.layout, dest.dtype)):
            tensor = self.input.tensor
            shape = list(self._shape or tensor.shape or []) or None
            changes["dest"] = ImageProcessDest.model_construct(
                shape=(dest.shape if dest else None) or shape,
                layout=(dest.layout if dest else None) or tensor.layout or ("NCHW" if recorded(self.stated) else None),
                dtype=(dest.dtype if dest else None) or tensor.dtype,
            )
        return self.stated.model_copy(update=changes) if changes else self.stated

    @cached_property
    def _planned(self) -> PlannedCall | UsageError:
        absent = missing(self.arguments)
        if absent:
            raise Unstated(
                absent[0], "{keys} of the convert call for {label} are not stated", "add `{key}` to the call",
                keys=", ".join(absent), key=absent[0], label=self.label)  # fmt: skip
        try:
            found = from_arguments(self.arguments)
        except UsageError as error:
            return error
        if found is None:
            raise NotApplicable
        return found

    @property
    def planned(self) -> PlannedCall:
        """The call as MNN gets it."""
        found = self._planned
        if isinstance(found, UsageError):
            raise NotApplicable
        return found

    @cached_property
    def _verdict(self) -> Verdict | UsageError:
        call = self._planned
        if isinstance(call, UsageError):
            return call
        try:
            return classify(call.config, call.size, call.dest, call.stride, self.held_bytes)
        except UsageError as error:
            return error

    @property
    def verdict(self) -> Verdict:
        """What the call does, judged from its arguments."""
        found = self._verdict
        if isinstance(found, UsageError):
            raise NotApplicable
        return found

    @property
    def impossible(self) -> str:
        """Why MNN has no such call: a padding beyond a byte, sides that no picture has."""
        found = self._verdict
        if not isinstance(found, UsageError):
            raise NotApplicable
        return str(found)

    @property
    def held_bytes(self) -> int | None:
        """Bytes that the source buffer holds, where that is stated."""
        buffer = self.source_buffer
        if buffer is None:
            return None
        array = self.world.arrays.get(self.stated.source or "")
        return buffer.size if buffer.size is not None else array.nbytes if array is not None else None

    # -- geometry

    @property
    def sizes_differ(self) -> bool:
        """Whether source and destination have different widths or heights."""
        call = self.planned
        return call.size != (call.dest.dims.w, call.dest.dims.h)

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """The two axes of the matrix; NotApplicable where it rotates, or where MNN copies without looking at it."""
        found = self.verdict.axes
        if found is None:
            raise NotApplicable
        return found

    @property
    def frame(self) -> Frame:
        """Where the matrix puts the picture."""
        found = frame_of(self.axes)
        if found is None:
            raise NotApplicable
        return found

    @property
    def filter_stated(self) -> str:
        """The filter; NotApplicable where the plan does not name it (MNN's own default is NEAREST)."""
        if self.arguments.filter is None:
            raise NotApplicable
        return self.arguments.filter

    # -- training

    @property
    def training(self) -> Training | None:
        """What the network was trained on, where it is stated."""
        return self.world.training_of(self.input.tensor) if self.position is not None else None

    @property
    def expected_fit(self) -> str | None:
        """How the picture should come into the frame: training.resize, else what the postprocessing undoes."""
        training, plan = self.training, self.world.plan
        if training is not None and training.resize is not None:
            return training.resize
        return plan.postprocess.undo if plan is not None and plan.postprocess is not None else None

    @property
    def letterboxed(self) -> bool:
        """Whether bars are expected around the picture."""
        return self.expected_fit == "letterbox"

    @property
    def expected_align(self) -> str:
        """center or top_left, as training has it."""
        training = self.training
        if training is None or training.align is None:
            raise Unstated(
                "training.align", "where training's letterbox put the picture ({label}) is not stated",
                "add `align: center` (or top_left) to model.training", where="model.training", label=self.label)  # fmt: skip
        return training.align

    @property
    def expected_fill(self) -> int:
        """Bar value of training's letterbox, one number for all channels."""
        training = self.training
        fill = training.fill if training is not None else None
        if isinstance(fill, list) and len(set(fill)) == 1:
            fill = fill[0]
        if not isinstance(fill, int):
            raise NotApplicable
        return fill

    # -- source

    @property
    def source_color(self) -> str:
        """Colour of what is really read: of the buffer, else of the steps before."""
        found = (self.source_buffer.color if self.source_buffer is not None else None) or self._color
        if found is None:
            raise NotApplicable
        return found

    @property
    def said_color(self) -> str:
        """Colour that the call says it reads, as plans name it."""
        found = mnn_color(self.arguments.source_format)
        if found is None:
            raise NotApplicable
        return found

    @property
    def source_shape(self) -> tuple[int, int, int]:
        """(height, width, channels) of the source buffer; NotApplicable where it is no plain picture."""
        buffer = self.source_buffer
        if buffer is None or buffer.shape is None or buffer.layout not in ("HWC", "NHWC", "HW"):
            raise NotApplicable
        dims = dims_of(buffer.layout, buffer.shape)
        if dims is None:
            raise NotApplicable
        return (dims.h, dims.w, dims.c)

    @property
    def source_pitch(self) -> int:
        """Bytes a row of the source buffer, where strides are stated."""
        buffer = self.source_buffer
        if (
            buffer is None
            or buffer.strides is None
            or buffer.layout not in ("HWC", "NHWC", "HW")
            or len(buffer.strides) < 2
        ):
            raise NotApplicable
        return buffer.strides[1] if buffer.layout == "NHWC" else buffer.strides[0]

    # -- other calls

    @property
    def reused(self) -> tuple[Issue, int]:
        """A destination of another type by what may be the same processor, and the earlier call."""
        own = self.planned
        for stop in walked(self.world):
            if not isinstance(stop.call, ImageProcessConvert) or f"calls[{stop.index}]" == self.where:
                if f"calls[{stop.index}]" == self.where:
                    break
                continue
            try:
                other = ConvertThing(
                    self.world, f"calls[{stop.index}]", stop.call, stop.target.position if stop.target else None
                ).planned
            except (Unstated, NotApplicable):
                continue
            issue = reuse_issue(other.dest, own.dest) if other.config == own.config else None
            if issue is not None:
                return issue, stop.index
        raise NotApplicable

    @property
    def input_shape_now(self) -> tuple[int, ...]:
        """The input's sizes when it is written; NotApplicable where they are dynamic."""
        found = self._shape or tuple(self.input.shape)
        if any(d <= 0 for d in found):
            raise NotApplicable
        return found

    @property
    def input_layout(self) -> str:
        """The input's layout."""
        return self.input.layout

    @property
    def input_dtype(self) -> str:
        """The input's element type."""
        return self.input.dtype


@lists("convert")
def _converts(world: World) -> Iterator[Thing]:
    for stop in walked(world):
        if isinstance(stop.call, ImageProcessConvert):
            position = stop.target.position if stop.target is not None else None
            shape = stop.inputs[position].shape if position is not None else None
            color, size = _before(world, position) if stop.call.source is None else (None, None)
            yield ConvertThing(world, f"calls[{stop.index}]", stop.call, position, color=color, size=size, shape=shape)
    for position in range(len(world.contract.inputs) if world.contract else 0):
        steps = steps_for(world, position)
        for i, step in enumerate(steps):
            if step.image_process is not None and step.image_process.where == "host":
                state = run(steps[:i])[-1]
                yield ConvertThing(
                    world,
                    f"steps[{i}]",
                    step.image_process,
                    position,
                    color=state.color,
                    size=state.size or state.source_size,
                )


def _before(world: World, position: int | None) -> tuple[str | None, tuple[int, int] | None]:
    """Colour and size of the picture that the host's steps end in, before a convert call that names no source."""
    steps = steps_for(world, position) if position is not None else []
    host = [s for s in steps if s.arguments.where == "host"]
    if not host or any(s.image_process is not None for s in host):
        return None, None
    state = run(host)[-1]
    return state.color, state.size
