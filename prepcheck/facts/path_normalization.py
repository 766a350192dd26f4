"""Facts about values: what application and model make of a pixel, against training and against the codes of the input."""

from __future__ import annotations

from functools import cached_property

from prepcheck.contract.steps import Quantize
from prepcheck.core.dtypes import integer_range
from prepcheck.facts.base import NotApplicable, Unstated
from prepcheck.facts.model import applied_normalization
from prepcheck.facts.normalization import (
    NormalizationStory,
    Op,
    ValueUse,
    against_training,
    range_against_training,
    value_use,
    without_training,
)
from prepcheck.facts.path_base import SWAPPED, PathBase
from prepcheck.facts.path_values import step_ops, trained_ops, trained_values
from prepcheck.pixels.chain import Affine


class NormalizationFacts(PathBase):
    """The values along a path."""

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

    @property
    def _range_only(self) -> bool:
        """Whether nothing but the range of the submitted values is known: no steps, and no plain pixels."""
        return not self.has_steps and not (self.fed_dtype == "uint8" and self.fed_range[0] >= 0)

    @cached_property
    def normalization(self) -> NormalizationStory:
        """The whole way of a pixel's value against training."""
        if self._range_only:
            return self._normalization_of_range()
        ops = [*self.host_ops, *self.model_ops]
        trained = trained_ops(self.input.training) if self._training_known else None
        goal = trained_values(self.input.training) if trained is not None else None
        if trained is None or goal is None:
            guess = without_training(ops)
            if guess is not None:
                return guess
            if trained is not None or not self.input.is_image:
                raise NotApplicable
            self.input.training  # noqa: B018  raises where nothing is stated
            raise Unstated(
                "training.range", "what values the network was trained on ({label}) is not stated",
                "add `range: [0, 1]` (with mean and std, if any) to model.training", where="model.training", label=self.input.label)  # fmt: skip
        story = against_training(ops, goal, trained_ops=trained, reverse=self._reversed, rivals=self._rivals)
        if story is None:
            raise NotApplicable
        return story

    def _normalization_of_range(self) -> NormalizationStory:
        if (
            self.codes_given
            or self.fed_dtype is None
            or not (self.fed_dtype.startswith("float") or self.fed_dtype == "bfloat16")
        ):
            raise NotApplicable
        goal = trained_values(self.input.training) if self._training_known else None
        story = range_against_training(self.fed_range, self.model_ops, goal, measured=self.array is not None)
        if story is None and goal is None and not self.input.is_image:
            raise NotApplicable
        if story is None and goal is None:
            self.input.training  # noqa: B018  raises where nothing is stated
            raise NotApplicable
        return story or NormalizationStory("right", Affine(), goal)

    @property
    def value_use(self) -> ValueUse:
        """What the submitted values make of the codes of a quantised input."""
        if self.codes_given:
            raise NotApplicable
        t = self.input.tensor
        scale = t.scale if t.scale is not None else 2.0**-t.fl if t.fl is not None else 0.0
        held = self.input.value_range
        codes = integer_range(t.dtype or "float32")
        if codes is None or not codes[0] <= (t.zero_point or 0) <= codes[1]:
            raise NotApplicable  # a zero point outside the type is a fault of its own
        found = value_use(self.fed_range, self.model_ops, held, scale)
        if found is None:
            raise NotApplicable
        return found

    @property
    def stored_dtype(self) -> str:
        """Element type in which the values are kept at the end of the host's steps: of the last step, or of the buffer."""
        if (
            self.final.dtype.startswith(("float", "bfloat"))
            and self.buffer is not None
            and self.buffer.dtype is not None
        ):
            return self.buffer.dtype
        return self.final.dtype

    @property
    def is_image(self) -> bool:
        """Whether the input is 4-D with 1, 3 or 4 channels."""
        return self.input.is_image

    @property
    def zero_point(self) -> int:
        """Code of the value 0."""
        return self.input.zero_point

    @property
    def quantize(self) -> Quantize:
        """The host's last quantize step."""
        found = [s.quantize for s in self.host_steps if s.quantize is not None]
        if not found:
            raise NotApplicable
        return found[-1]

    @property
    def input_dtype(self) -> str:
        """Element type of the input."""
        return self.input.dtype

    @property
    def input_scale(self) -> float:
        """Step of the input's codes, also where it is a power of two (dynamic fixed point)."""
        t = self.input.tensor
        return 2.0**-t.fl if t.scale is None and t.fl is not None else self.input.scale

    @property
    def input_zero_point(self) -> int:
        """Code of the value 0; 0 for dynamic fixed point."""
        t = self.input.tensor
        return 0 if t.zero_point is None and t.fl is not None else self.input.zero_point

    @property
    def told_type(self) -> str:
        """Element type that an RKNN call is told: FLOAT32 where the field was never set (enum value 0)."""
        h = self.handover
        given = h.rknn_input if h is not None else None
        if given is not None and (given.type is not None or given.type_unset):
            return given.type or "FLOAT32"
        if h is not None and h.binding is not None and h.binding.set_io_mem.type is not None:
            return h.binding.set_io_mem.type
        raise NotApplicable

    @property
    def told_pass_through(self) -> int:
        """pass_through of an RKNN call; 0 where it is not stated."""
        h = self.handover
        if h is not None and h.rknn_input is not None:
            return int(h.rknn_input.pass_through or 0)
        return int(h.binding.set_io_mem.pass_through or 0) if h is not None and h.binding is not None else 0

    @property
    def divisors(self) -> list[tuple[str, list[float]]]:
        """(place, std) of every step that divides."""
        found = [(f"steps[{i}]", list(s.normalize.std)) for i, s in enumerate(self.steps) if s.normalize is not None]
        if not found:
            raise NotApplicable
        return found

    @property
    def normalize_lists(self) -> list[tuple[int, str, int, int]]:
        """(step, mean or std, length, channels of the picture there) of every normalize step."""
        found = []
        for i, step in enumerate(self.steps):
            if step.normalize is None:
                continue
            channels = self.states[i].channels or self._channels
            if channels is not None:
                found += [
                    (i, "mean", len(step.normalize.mean), channels),
                    (i, "std", len(step.normalize.std), channels),
                ]
        if not found:
            raise NotApplicable
        return found

    @property
    def _channels(self) -> int | None:
        try:
            return self.dims.c
        except (NotApplicable, Unstated):
            return None

    @property
    def _training_known(self) -> bool:
        return self.tensor is not None and self.world.training_of(self.tensor) is not None

    @property
    def _reversed(self) -> bool:
        try:
            return SWAPPED.get(self.fed_color) == self.input.training.color and self.input.training.color is not None
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
