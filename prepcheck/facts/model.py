"""Facts about the model, its inputs and its outputs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from prepcheck.contract.contract import Contract, Native, Note, Tensor
from prepcheck.core.affine import dfp_range, value_range
from prepcheck.core.layouts import Dims, dims_of, is_static
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.world import World

if TYPE_CHECKING:
    from prepcheck.contract.plan import Build, Training


class ModelThing(Thing):
    """The model as a whole."""

    kind = "model"

    @property
    def contract(self) -> Contract:
        """The merged contract."""
        if self.world.contract is None:
            raise NotApplicable
        return self.world.contract

    @property
    def notes(self) -> list[Note]:
        """What the reader noticed in the file."""
        return self.contract.notes

    @property
    def build(self) -> Build:
        """How the model was converted."""
        build = self.world.build
        if build is None:
            raise NotApplicable
        return build

    @property
    def build_options(self) -> list[str]:
        """The converter's arguments as typed."""
        if self.build.options is None:
            raise NotApplicable
        return self.build.options

    @property
    def toolkit(self) -> str:
        """The version that built the model."""
        toolkit = self.contract.toolkit or (self.world.build.toolkit if self.world.build else None)
        if toolkit is None:
            raise Unstated(
                "toolkit", "the version that built the model is not stated", 'add `model: {{toolkit: "2.3.2"}}`'
            )
        return toolkit


class NoteThing(Thing):
    """One thing that a reader noticed. `name` is its kind: rules are over `note:trailing_bytes` and the like."""

    kind = "note"

    def __init__(self, world: World, note: Note) -> None:
        super().__init__(world, str(note.values.get("where", "model")), f"model:{note.kind}")
        self.name = note.kind
        self.note = note

    @property
    def values(self) -> dict[str, int | float | str | bool | list[int] | list[str] | None]:
        """The note's values."""
        return self.note.values


class TensorThing(Thing):
    """Common facts of inputs and outputs."""

    group: ClassVar[str] = "inputs"

    def __init__(self, world: World, tensor: Tensor, position: int) -> None:
        super().__init__(world, f"{self.group}[{position}]")
        self.tensor = tensor
        self.position = position

    @property
    def label(self) -> str:
        """The tensor's name, or its place where it has none."""
        return self.tensor.name or self.where

    def _stated(self, key: str, what: str) -> object:
        value = getattr(self.tensor, key)
        if value is None:
            raise Unstated(
                key,
                "{what} of {label} is not stated",
                "state `{key}` of this tensor in the contract",
                what=what,
                label=self.label,
                key=key,
            )
        return value

    @property
    def layout(self) -> str:
        """NCHW, NHWC, NC4HW4, UNDEFINED, …"""
        return str(self._stated("layout", "the layout"))

    @property
    def dtype(self) -> str:
        """The element type that the runtime reports."""
        return str(self._stated("dtype", "the element type"))

    @property
    def shape(self) -> list[int]:
        """Sizes in the order of the layout; −1 = dynamic."""
        self._stated("shape", "the shape")
        return self.tensor.shape or []

    @property
    def static_shape(self) -> list[int]:
        """The shape, where no axis is dynamic."""
        if not is_static(self.shape):
            raise NotApplicable
        return self.shape

    @cached_property
    def dims(self) -> Dims:
        """N, C, H, W of an image-like tensor with a static shape."""
        dims = dims_of(self.layout, self.static_shape)
        if dims is None or len(self.shape) != 4:
            raise NotApplicable
        return dims

    @property
    def size(self) -> int:
        """Bytes without row padding."""
        if self.tensor.size is None:
            raise (
                NotApplicable
                if self.tensor.shape and not is_static(self.tensor.shape)
                else Unstated(
                    "size",
                    "the size of {label} cannot be computed",
                    "state `shape` and `dtype` of this tensor",
                    label=self.label,
                )
            )
        return self.tensor.size

    @property
    def w_stride(self) -> int:
        """Row pitch in pixels."""
        if self.tensor.w_stride is None:
            raise NotApplicable
        return self.tensor.w_stride

    @property
    def size_with_stride(self) -> int:
        """Bytes with row padding."""
        if self.tensor.size_with_stride is None:
            raise NotApplicable
        return self.tensor.size_with_stride

    @property
    def native(self) -> Native:
        """The NPU's own layout."""
        if self.tensor.native is None:
            raise NotApplicable
        return self.tensor.native

    @property
    def scale(self) -> float:
        """Step of the affine quantisation."""
        if self.tensor.scheme != "affine" and self.tensor.scale is None:
            raise NotApplicable
        return float(str(self._stated("scale", "the scale")))

    @property
    def zero_point(self) -> int:
        """Code of the value 0."""
        if self.tensor.scheme != "affine" and self.tensor.zero_point is None:
            raise NotApplicable
        return int(str(self._stated("zero_point", "the zero point")))

    @cached_property
    def value_range(self) -> tuple[float, float]:
        """Smallest and largest value that the codes hold."""
        t = self.tensor
        if t.scheme == "dynamic_fixed_point" and t.fl is not None and t.dtype:
            found = dfp_range(t.dtype, t.fl)
        else:
            found = value_range(self.dtype, self.scale, self.zero_point)
        if found is None:
            raise NotApplicable
        return found


class InputThing(TensorThing):
    """One input of the model."""

    kind = "input"

    @property
    def is_image(self) -> bool:
        """4-D with 1, 3 or 4 channels."""
        dims = dims_of(self.tensor.layout or "", self.tensor.shape or [])
        return len(self.tensor.shape or []) == 4 and dims is not None and dims.c in (1, 3, 4)

    @property
    def mean(self) -> list[float]:
        """Per-channel mean that the model or its runtime subtracts."""
        return self._normalization()[0]

    @property
    def std(self) -> list[float]:
        """Per-channel std that the model or its runtime divides by."""
        return self._normalization()[1]

    def _normalization(self) -> tuple[list[float], list[float]]:
        found = applied_normalization(self.world, self.tensor)
        if found is None:
            raise Unstated(
                "mean", "mean and std that the model applies to {label} are not known",
                "add `model: {{build: {{mean: [[0, 0, 0]], std: [[1, 1, 1]]}}}}` with what config() got", where="model.build", label=self.label)  # fmt: skip
        return found

    @property
    def file_mean(self) -> list[float]:
        """mean as the model file states it."""
        if self.tensor.mean is None:
            raise NotApplicable
        return self.tensor.mean

    @property
    def file_std(self) -> list[float]:
        """std as the model file states it."""
        if self.tensor.std is None:
            raise NotApplicable
        return self.tensor.std

    @property
    def build_mean(self) -> list[float]:
        """mean as the plan's build states it for this input."""
        return self._build("mean")

    @property
    def build_std(self) -> list[float]:
        """std as the plan's build states it for this input."""
        return self._build("std")

    def _build(self, key: str) -> list[float]:
        build = self.world.build
        lists_ = getattr(build, key) if build else None
        if lists_ is None or self.position >= len(lists_) or lists_[self.position] is None:
            raise NotApplicable
        values: list[float] = lists_[self.position]
        return values

    @property
    def build_lists(self) -> list[tuple[str, list[float]]]:
        """(mean or std, values) of the plan's build for this input."""
        build = self.world.build
        found: list[tuple[str, list[float]]] = []
        for name, lists_ in (("mean", build.mean if build else None), ("std", build.std if build else None)):
            if lists_ is not None and self.position < len(lists_):
                values = lists_[self.position]
                if values is not None:
                    found.append((name, values))
        if not found:
            raise NotApplicable
        return found

    @property
    def divisors(self) -> list[tuple[str, list[float]]]:
        """(place, std) that the model, its runtime or its build divides by."""
        found = [("the model", self.tensor.std)] if self.tensor.std is not None else []
        found += [(f"build.{name}", values) for name, values in (self.build_lists if self._has_build else []) if name == "std"]
        if not found:
            raise NotApplicable
        return found

    @property
    def _has_build(self) -> bool:
        build = self.world.build
        return build is not None and build.std is not None and self.position < len(build.std) and build.std[self.position] is not None

    @property
    def training(self) -> Training:
        """What the network was trained on."""
        training = self.world.training_of(self.tensor)
        if training is None:
            raise Unstated(
                "training", "what the network was trained on ({label}) is not stated",
                "add `model: {{training: {{color: RGB, range: [0, 1], mean: […], std: […], resize: letterbox}}}}`",
                where="model.training", label=self.label)  # fmt: skip
        return training

    @property
    def calibration_range(self) -> tuple[float, float]:
        """Smallest and largest value seen in calibration."""
        r = self.tensor.calibration_range
        if r is None:
            raise NotApplicable
        return (r[0], r[1])

    @property
    def batch(self) -> int:
        """Images that one run takes."""
        return self.dims.n


class OutputThing(TensorThing):
    """One output of the model."""

    kind = "output"
    group = "outputs"


def applied_normalization(world: World, tensor: Tensor) -> tuple[list[float], list[float]] | None:
    """mean and std that model or runtime apply to an input: the file's, else the build's; None = not known.

    A build that says null for an input says that nothing is done to it. MNN and generic models apply nothing of their own.
    """
    if tensor.mean is not None and tensor.std is not None:
        return (tensor.mean, tensor.std)
    if world.runtime in ("mnn", "generic"):
        return ([0.0], [1.0])
    build = world.build
    if build is None or (build.mean is None and build.std is None):
        return None
    index = tensor.index or 0
    mean = build.mean[index] if build.mean is not None and index < len(build.mean) else None
    std = build.std[index] if build.std is not None and index < len(build.std) else None
    return (mean or [0.0], std or [1.0])


@lists("model")
def _models(world: World) -> Iterator[Thing]:
    if world.contract is not None:
        yield ModelThing(world, "model")


@lists("note")
def _notes(world: World) -> Iterator[Thing]:
    for note in world.contract.notes if world.contract else ():
        yield NoteThing(world, note)


@lists("input")
def _inputs(world: World) -> Iterator[Thing]:
    for i, tensor in enumerate(world.contract.inputs if world.contract else ()):
        yield InputThing(world, tensor, i)


@lists("output")
def _outputs(world: World) -> Iterator[Thing]:
    for i, tensor in enumerate(world.contract.outputs if world.contract else ()):
        yield OutputThing(world, tensor, i)
