"""The way of one picture into an input: its steps, the states between them, and what is submitted in the end."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from prepcheck.contract.calls import ImageProcessConvert
from prepcheck.contract.contract import Tensor
from prepcheck.contract.plan import Buffer, Training
from prepcheck.contract.steps import ImageProcessStep, Step
from prepcheck.core.layouts import Dims
from prepcheck.facts.base import NotApplicable, Thing, Unstated
from prepcheck.facts.flow import Handover, content_name
from prepcheck.facts.model import InputThing
from prepcheck.facts.world import ArrayFacts, World, image_input
from prepcheck.pixels.chain import State, run

if TYPE_CHECKING:
    from collections.abc import Sequence

SWAPPED = {"RGB": "BGR", "BGR": "RGB", "RGBA": "BGRA", "BGRA": "RGBA"}
"""Colour orders with R and B exchanged."""


class PathBase(Thing):
    """The way of one picture into an input: the steps (host's and others'), a convert call, and the buffer submitted first.

    handover: the first submission for the input, where the plan has one.
    """

    def __init__(
        self,
        world: World,
        tensor: Tensor | None,
        position: int | None,
        steps: Sequence[Step],
        handover: Handover | None = None,
    ) -> None:
        super().__init__(world, f"inputs[{position}]" if position is not None else "steps")
        self.tensor = tensor
        self.position = position
        self.handover = handover
        self._steps = list(steps)
        self._convert = _convert_step(world, handover)
        if self._convert is not None and not any(s.image_process for s in self._steps):
            self._steps.append(self._convert)

    @property
    def has_steps(self) -> bool:
        """Whether the plan tells any step (a path without steps is known by its buffer alone)."""
        return bool(self._steps)

    @property
    def steps(self) -> list[Step]:
        """The steps in order."""
        if not self._steps:
            raise NotApplicable
        return self._steps

    @property
    def host_steps(self) -> list[Step]:
        """The steps that the application does itself."""
        return [s for s in self.steps if s.arguments.where == "host"]

    @cached_property
    def start(self) -> State:
        """What the first step finds: the picture of the buffer, where a convert call reads one, else nothing known."""
        convert = self._convert.image_process if self._convert is not None else None
        if convert is None or len(self._steps) > 1:
            return State(size=self._image_size)
        size = (convert.source_size[0], convert.source_size[1]) if convert.source_size else None
        read = self._named_buffer
        factors = (1.0, 1.0) if size else None
        return State(size=size, source_size=size, color=read.color if read else None, factors=factors)

    @property
    def _image_size(self) -> tuple[int, int] | None:
        """Size of the (first) image given for the input, which a decode step without `size` takes."""
        named = self.tensor.name if self.tensor is not None else None
        owner = image_input(self.world.contract) if self.world.contract is not None else None
        alone = owner is None or self.tensor is None or owner.index == self.tensor.index
        image = next((i for i in self.world.images if i.input == named or (i.input is None and alone)), None)
        if image is None:
            return None
        decode = next((s.decode for s in self._steps if s.decode is not None), None)
        turns = decode is not None and (decode.exif == "apply" or (decode.exif is None and decode.library == "opencv"))
        return (image.size[1], image.size[0]) if (image.orientation or 1) >= 5 and turns else image.size

    @cached_property
    def states(self) -> list[State]:
        """The state before the first step and after each (all steps, wherever they are done)."""
        return run(self.steps, self.start)

    @cached_property
    def host_states(self) -> list[State]:
        """The same for the host's steps alone: the last is what is handed over."""
        return run(self.host_steps, self.start)

    @property
    def final(self) -> State:
        """What the host hands over."""
        return self.host_states[-1]

    # -- what is submitted

    @property
    def _named_buffer(self) -> Buffer | None:
        name = content_name(self.handover) if self.handover is not None else None
        return self.world.plan.buffers.get(name) if self.world.plan is not None and name else None

    @property
    def buffer(self) -> Buffer | None:
        """The declared buffer whose content is submitted first; None where a convert call makes the content of it."""
        return None if self._convert is not None else self._named_buffer

    @property
    def array(self) -> ArrayFacts | None:
        """What the file of that buffer says."""
        name = content_name(self.handover) if self.handover is not None and self._convert is None else None
        return self.world.arrays.get(name) if name else None

    @property
    def fed_dtype(self) -> str | None:
        """Element type of what is submitted, where anything states it."""
        if self.buffer is not None and self.buffer.dtype is not None:
            return self.buffer.dtype
        return self.final.dtype if self.has_steps else None

    @property
    def fed_color(self) -> str:
        """Colour order that the network gets: of the last step, else of the buffer."""
        if not self.input.is_image or not (self.world.declared or self.has_steps):
            raise NotApplicable
        found = self.states[-1].color if self.has_steps else None
        if found is None and self.buffer is not None:
            found = self.buffer.color
        if found is None:
            raise Unstated(
                "color", "the colour order given to {label} is not stated",
                "add `color: RGB` (or BGR) to the decode step or to the buffer", label=self.input.label)  # fmt: skip
        if self.world.runtime == "rknn1" and self.input.tensor.rgb2bgr and found in SWAPPED:
            return SWAPPED[found]  # the v1 runtime itself swaps, as the model's reorder says
        return found

    @property
    def fed_range(self) -> tuple[float, float]:
        """Smallest and largest value submitted: of the file, of the declaration, or of the steps."""
        if self.array is not None and self.array.low is not None and self.array.high is not None:
            return (self.array.low, self.array.high)
        if self.buffer is not None and self.buffer.range is not None:
            return (self.buffer.range[0], self.buffer.range[1])
        if self.has_steps and self.final.values is not None and self.final.quantized is None:
            return self.final.values.range()
        if not self.world.declared or not self.input.is_image:
            raise NotApplicable
        raise Unstated(
            "range", "the value range given to {label} is not stated", "add `range: [0, 255]` to the buffer, or `steps:`",
            label=self.input.label)  # fmt: skip

    @property
    def codes_given(self) -> bool:
        """Whether codes of the model's quantisation are submitted, to which neither mean/std nor scale is applied.

        RKNN: type INT8 or INT16 means "already quantised", also with pass_through 0 (measured: librknnrt 1.5.2); the
        toolkits' inference() takes every array as real values. Others convert nothing: the type decides.
        """
        if self.has_steps and self.final.quantized is not None:
            return True
        dtype = self.input.tensor.dtype
        if self.handover is None or self.input.tensor.scale is None or self.handover.api == "inference":
            return False
        if self.world.runtime in ("rknn", "rknn1"):
            said: str | None = None
            through = 0
            if self.handover.rknn_input is not None:
                given = self.handover.rknn_input
                said, through = given.type, int(given.pass_through or 0)
            elif self.handover.binding is not None:
                io = self.handover.binding.set_io_mem
                said, through = io.type, int(io.pass_through or 0)
            return said in ("INT8", "INT16") or bool(through)
        return self.fed_dtype is not None and self.fed_dtype == dtype and not dtype.startswith("float")

    # -- the two ends

    @cached_property
    def input(self) -> InputThing:
        """The model input that the path ends in."""
        if self.tensor is None or self.position is None:
            raise NotApplicable
        return InputThing(self.world, self.tensor, self.position)

    @property
    def label(self) -> str:
        """The input's name."""
        return self.input.label

    @property
    def dims(self) -> Dims:
        """N, C, H, W of that input."""
        return self.input.dims

    @property
    def training(self) -> Training:
        """What the network was trained on."""
        return self.input.training

    @property
    def training_resize(self) -> str:
        """letterbox, stretch or crop."""
        if self.training.resize is None:
            raise Unstated(
                "training.resize", "how pictures were resized in training is not stated",
                "add `model: {{training: {{resize: letterbox}}}}` (or stretch, crop)", where="model.training",
            )  # fmt: skip
        return self.training.resize

    @property
    def undo(self) -> str:
        """What the postprocessing undoes: letterbox or stretch."""
        post = self.world.plan.postprocess if self.world.plan else None
        if post is None or post.undo is None:
            raise NotApplicable
        return post.undo

    @property
    def source_size(self) -> tuple[int, int]:
        """(width, height) of the decoded picture."""
        found = self.final.source_size
        if found is None:
            raise Unstated(
                "source_size",
                "the size of the decoded picture is not stated",
                "add `size: [width, height]` to the decode step",
            )
        return found


def _convert_step(world: World, handover: Handover | None) -> Step | None:
    """The ImageProcess.convert call that writes the input, as a step."""
    if handover is None or handover.api != "ImageProcess.convert" or world.plan is None:
        return None
    call = world.plan.calls[handover.call]
    if not isinstance(call, ImageProcessConvert):
        return None
    fields = {
        name: getattr(call, name) for name in ImageProcessStep.model_fields if name != "where" and hasattr(call, name)
    }
    return Step.model_construct(image_process=ImageProcessStep.model_construct(where="host", **fields))
