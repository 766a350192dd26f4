"""Facts of a whole set of samples: its lists, pictures, arrays and values. Handed in by `app` after a sweep."""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.affine import pixel_range
from prepcheck.core.dtypes import integer_range
from prepcheck.core.layouts import dims_of
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.model import InputThing
from prepcheck.facts.world import World
from prepcheck.records import dataclass


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What a list says that the toolkit refuses or misreads. kind: inputs, ending, comment, tab, comma, space, quotes,
    blank_first_line, byte_order_mark. text: of the line. got, want: files there and inputs of the model (kind inputs)."""

    kind: str
    line: int
    text: str
    got: int = 0
    want: int = 0


@dataclass(frozen=True, slots=True)
class Outlier:
    """A sample that is unlike the rest: its channel means, and those of the sample or set that it resembles when R and B
    are exchanged. twin: the sample with the same picture in the other order, where there is one."""

    name: str
    red: float
    green: float
    blue: float
    twin: str | None = None


@dataclass(frozen=True, slots=True)
class ArrayFact:
    """One .npy of the set. whole: all values are whole numbers. channels: (low, high) of each, where its axis is known."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    low: float
    high: float
    whole: bool
    finite: bool


@dataclass(frozen=True, slots=True)
class InputSet:
    """What all samples give one input.

    pictures, arrays: how many. histogram: counts of the 256 values, per channel, of all pictures as they reach the model's
    normalisation (channels in the order handed over). extents: (low, high) per channel over pictures and arrays, in the
    values before the model's own normalisation. sizes: ((w, h), count, first sample) of the pictures as stored, the most
    frequent first. twins: (sample, sample) with the same picture. odd_colour: samples in the other channel order.
    bad_arrays: arrays of a shape that the toolkit refuses. not_run: pictures whose steps could not be run.
    """

    input: int
    pictures: int = 0
    arrays: tuple[ArrayFact, ...] = ()
    histogram: tuple[tuple[int, ...], ...] = ()
    extents: tuple[tuple[float, float], ...] = ()
    sizes: tuple[tuple[tuple[int, int], int, str], ...] = ()
    distinct: int = 0
    twins: tuple[tuple[str, str], ...] = ()
    odd_colour: tuple[Outlier, ...] = ()
    typical: tuple[float, float, float] | None = None
    not_run: int = 0


@dataclass(frozen=True, slots=True)
class SampleSet:
    """The set. calibration: it is (to be) used to calibrate; complete: neither --limit nor --sample left anything out."""

    path: str
    samples: int
    calibration: bool
    complete: bool = True
    problems: tuple[LineProblem, ...] = ()
    inputs: tuple[InputSet, ...] = ()


class SampleSetThing(Thing):
    """The set as a whole."""

    kind = "sample_set"

    def __init__(self, world: World, sample_set: SampleSet) -> None:
        super().__init__(world, "samples")
        self.sample_set = sample_set

    @property
    def toolkit_problems(self) -> tuple[LineProblem, ...]:
        """Lines that rknn-toolkit2 refuses or misreads."""
        if not self.sample_set.calibration or self.runtime != "rknn":
            raise NotApplicable
        return self.sample_set.problems

    @property
    def calibrating(self) -> SampleSet:
        """The set, where it is one to calibrate with."""
        if not self.sample_set.calibration:
            raise NotApplicable
        return self.sample_set


class SetInputThing(InputThing):
    """What the set gives one input."""

    kind = "set_input"

    def __init__(self, world: World, sample_set: SampleSet, given: InputSet) -> None:
        contract = world.contract
        if contract is None:
            raise NotApplicable
        super().__init__(world, contract.inputs[given.input], given.input)
        self.about = self.where = f"samples.{self.label}"
        self.sample_set = sample_set
        self.given = given

    @property
    def calibration(self) -> bool:
        """Whether the set is one to calibrate with."""
        return self.sample_set.calibration

    @property
    def calibrating(self) -> SampleSet:
        """The set, where it is one to calibrate with."""
        if not self.sample_set.calibration:
            raise NotApplicable
        return self.sample_set

    @property
    def measured(self) -> InputSet:
        """The set's values; Unstated where no picture's steps could be run."""
        if not self.given.extents:
            if self.given.not_run:
                raise Unstated(
                    "samples", "the steps could not be run on any of the {n} pictures",
                    "correct the steps of the plan (the findings about steps say how)", n=self.given.not_run)  # fmt: skip
            raise NotApplicable
        return self.given

    @property
    def source_shape(self) -> tuple[list[int], str]:
        """(shape, layout) of the network before conversion: what the toolkit wants of an .npy."""
        source = self.tensor.source
        if source is None or not source.shape or not source.layout:
            raise Unstated(
                "source", "the shape of the network before conversion is not in the file",
                "add `source: {{layout: NCHW, shape: […]}}` to the input in the plan")  # fmt: skip
        return source.shape, source.layout

    @property
    def channel_lists(self) -> tuple[list[float], list[float]]:
        """mean and std of each channel that the model applies, as many as the set has channels."""
        if not self.is_image:
            raise NotApplicable
        mean, std = self.mean, self.std
        n = max(len(self.measured.extents), 1)
        return [mean[i % len(mean)] for i in range(n)], [std[i % len(std)] for i in range(n)]

    @property
    def would_give(self) -> tuple[float, int, list[tuple[float, float]]]:
        """(scale, zero point, pixels that its int8 codes hold per channel) of a calibration with this set.

        lo = min(0, …), hi = max(0, …) over all channels of (x − mean)/std; scale = (hi − lo)/255, zp = rint(−128 − lo/scale).
        Source: measured, 207 of 214 int8 inputs of rknn-toolkit2 2.5.0 (algorithm `normal`) to 1e-6.
        """
        if self.runtime != "rknn":
            raise NotApplicable
        mean, std = self.channel_lists
        ends = [(v - m) / s for (a, b), m, s in zip(self.measured.extents, mean, std, strict=True) for v in (a, b)]
        low, high = min(0.0, *ends), max(0.0, *ends)
        if high <= low:
            raise NotApplicable
        scale = (high - low) / 255
        zero_point = round(-128 - low / scale)
        held = [pixel_range("int8", scale, zero_point, m, s) or (0.0, 255.0) for m, s in zip(mean, std, strict=True)]
        return scale, zero_point, held

    @property
    def outside(self) -> tuple[int, int, float, float]:
        """(values outside, all values, smallest and largest pixel held) of the model's own codes, over all channels."""
        tensor = self.tensor
        if self.runtime != "rknn" or tensor.scale is None or tensor.zero_point is None or tensor.scale <= 0:
            raise NotApplicable
        if not self.measured.histogram or integer_range(tensor.dtype or "") is None:
            raise NotApplicable
        mean, std = self.channel_lists
        beyond = every = 0
        low, high = 0.0, 255.0
        for counts, m, s in zip(self.measured.histogram, mean, std, strict=True):
            held = pixel_range(tensor.dtype or "", tensor.scale, tensor.zero_point, m, s)
            if held is None or s <= 0:
                raise NotApplicable
            half = tensor.scale * s / 2  # what lies within half a step of the end is that end, not beyond it
            beyond += sum(n for value, n in enumerate(counts) if not held[0] - half <= value <= held[1] + half)
            every += sum(counts)
            low, high = max(low, held[0]), min(high, held[1])
        return beyond, every, low, high

    @property
    def frame(self) -> tuple[int, int]:
        """(width, height) of the input."""
        dims = dims_of(self.tensor.layout or "", self.tensor.shape or [])
        if dims is None or dims.w <= 0 or dims.h <= 0:
            raise NotApplicable
        return dims.w, dims.h


@lists("sample_set")
def _sets(world: World) -> Iterator[Thing]:
    for item in world.extra.get("sample_set", ()):
        if isinstance(item, SampleSet):
            yield SampleSetThing(world, item)


@lists("set_input")
def _set_inputs(world: World) -> Iterator[Thing]:
    for item in world.extra.get("sample_set", ()):
        if isinstance(item, SampleSet):
            for given in item.inputs:
                yield SetInputThing(world, item, given)
