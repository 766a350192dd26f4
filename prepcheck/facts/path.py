"""Facts about the path of one input: the declared (or default) steps, and what the application undoes afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from prepcheck.contract.calls import ImageProcessConvert, RknnInput
from prepcheck.contract.contract import Tensor
from prepcheck.contract.plan import Buffer, Training
from prepcheck.contract.steps import ImageProcessStep, Step
from prepcheck.core.layouts import Dims
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.calls import flow
from prepcheck.facts.flow import Handover, content_name
from prepcheck.facts.model import InputThing, applied_normalization
from prepcheck.facts.normalization import NormalizationStory, Op, against_training, without_training
from prepcheck.facts.path_values import step_ops, trained_ops, trained_values
from prepcheck.facts.world import ArrayFacts, World, image_input
from prepcheck.pixels.chain import State, run

if TYPE_CHECKING:
    from collections.abc import Sequence


class PathThing(Thing):
    """The way of one picture into an input: the steps (host's and others'), a convert call, and the buffer submitted first.

    handover: the first submission for the input, where the plan has one.
    """

    kind = "path"

    def __init__(
        self, world: World, tensor: Tensor | None, position: int | None, steps: Sequence[Step], handover: Handover | None = None
    ) -> None:
        super().__init__(world, f"inputs[{position}]" if position is not None else "steps")
        self.tensor = tensor
        self.position = position
        self.handover = handover
        self._steps = list(steps)
        convert = _convert_step(world, handover)
        if convert is not None:
            self._steps.append(convert)

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
        convert = _convert_step(self.world, self.handover)
        if convert is None or len(self._steps) > 1:
            return State()
        assert convert.image_process is not None
        source = convert.image_process.source_size
        size = (source[0], source[1]) if source else None
        return State(size=size, source_size=size, color=self.buffer.color if self.buffer else None, factors=(1.0, 1.0) if size else None)

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
    def buffer(self) -> Buffer | None:
        """The declared buffer whose content is submitted first."""
        name = content_name(self.handover) if self.handover is not None else None
        return self.world.plan.buffers.get(name) if self.world.plan is not None and name else None

    @property
    def array(self) -> ArrayFacts | None:
        """What the file of that buffer says."""
        name = content_name(self.handover) if self.handover is not None else None
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
        found = self.states[-1].color if self.has_steps else None
        if found is None and self.buffer is not None:
            found = self.buffer.color
        if found is None:
            raise Unstated(
                "color", "the colour order given to {label} is not stated",
                "add `color: RGB` (or BGR) to the decode step or to the buffer", label=self.input.label)  # fmt: skip
        if self.world.runtime == "rknn1" and self.input.tensor.rgb2bgr and found in _SWAP:
            return _SWAP[found]  # the v1 runtime itself swaps, as the model's reorder says
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
                said, through = _told(self.handover.rknn_input)
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

    # -- normalisation

    @cached_property
    def model_ops(self) -> list[Op]:
        """What the model or its runtime applies: the file's or the build's lists, else the steps that are done there."""
        others = step_ops(self._steps, self.states if self.has_steps else [], host=False)
        if any(s.arguments.where == "unknown" for s in self._steps if s.scale or s.normalize):
            raise Unstated(
                "where", "who does the normalisation of {label} is not known", "write `where: host` (or model) at that step",
                label=self.input.label)  # fmt: skip
        if self.codes_given:
            return []
        found = applied_normalization(self.world, self.input.tensor)
        if found is not None and (found != ([0.0], [1.0]) or not others):
            return [Op("model", tuple(found[0]), tuple(found[1]), None, "model")]
        if others:
            return others
        mean, std = self.input.mean, self.input.std  # says what is missing
        return [Op("model", tuple(mean), tuple(std), None, "model")]

    @cached_property
    def host_ops(self) -> list[Op]:
        """What the application does to pixel values. Without steps only untouched pixels are known for sure."""
        if self.has_steps:
            if self.final.values is None:
                raise NotApplicable  # lists that do not fit: a rule of its own
            return step_ops(self._steps, self.states, host=True)
        if self.fed_dtype == "uint8" and self.fed_range[0] >= 0:
            return []
        raise NotApplicable

    @cached_property
    def normalization(self) -> NormalizationStory:
        """The whole way of a pixel's value against training."""
        ops = [*self.host_ops, *self.model_ops]
        trained = trained_ops(self.input.training) if self._training_known else None
        goal = trained_values(self.input.training) if trained is not None else None
        if trained is None or goal is None:
            guess = without_training(ops)
            if guess is not None:
                return guess
            if trained is not None:
                raise NotApplicable
            self.input.training  # noqa: B018  raises where nothing is stated
            raise Unstated(
                "training.range", "what values the network was trained on ({label}) is not stated",
                "add `range: [0, 1]` (with mean and std, if any) to model.training", where="model.training", label=self.input.label)  # fmt: skip
        story = against_training(ops, goal, trained_ops=trained, reverse=self._reversed, rivals=self._rivals)
        if story is None:
            raise NotApplicable
        return story

    @property
    def _training_known(self) -> bool:
        return self.tensor is not None and self.world.training_of(self.tensor) is not None

    @property
    def _reversed(self) -> bool:
        try:
            return _SWAP.get(self.fed_color) == self.input.training.color and self.input.training.color is not None
        except Unstated:
            return False

    @property
    def _rivals(self) -> list[Op]:
        contract = self.world.contract
        found = []
        for tensor in contract.inputs if contract else ():
            lists_ = applied_normalization(self.world, tensor) if tensor.index != self.input.tensor.index else None
            if lists_ is not None:
                found.append(Op("model", tuple(lists_[0]), tuple(lists_[1]), None, "model"))
        return found


_SWAP = {"RGB": "BGR", "BGR": "RGB", "RGBA": "BGRA", "BGRA": "RGBA"}


def _told(given: RknnInput) -> tuple[str | None, int]:
    return given.type, int(given.pass_through or 0)


def _convert_step(world: World, handover: Handover | None) -> Step | None:
    """The ImageProcess.convert call that writes the input, as a step."""
    if handover is None or handover.api != "ImageProcess.convert" or world.plan is None:
        return None
    call = world.plan.calls[handover.call]
    if not isinstance(call, ImageProcessConvert):
        return None
    fields = {name: getattr(call, name) for name in ImageProcessStep.model_fields if name != "where" and hasattr(call, name)}
    return Step.model_construct(image_process=ImageProcessStep.model_construct(where="host", **fields))


def steps_for(world: World, position: int) -> list[Step]:
    """The steps that belong to an input: its own list, or the one list if it is the image input (or the only input)."""
    plan, contract = world.plan, world.contract
    if plan is None or contract is None:
        return []
    if isinstance(plan.steps, dict):
        return plan.steps.get(contract.inputs[position].name or f"inputs[{position}]", [])
    owner = image_input(contract)
    index = next((i for i, t in enumerate(contract.inputs) if owner is not None and t.index == owner.index), None)
    if index is None and len(contract.inputs) == 1:
        index = 0
    return plan.steps if index == position else []
@lists("path")
def _paths(world: World) -> Iterator[Thing]:
    if world.contract is None:
        if world.plan is not None and isinstance(world.plan.steps, list) and world.plan.steps:
            yield PathThing(world, None, None, world.plan.steps)
        return
    first: dict[int, Handover] = {}
    for handover in flow(world).handovers:
        first.setdefault(handover.input, handover)
    for i, tensor in enumerate(world.contract.inputs):
        steps = steps_for(world, i)
        path = PathThing(world, tensor, i, steps, first.get(i))
        if path.has_steps or path.buffer is not None:
            yield path
