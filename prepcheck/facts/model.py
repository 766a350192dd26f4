"""Facts about the model, its inputs and its outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract, Note, Tensor
from prepcheck.core.dtypes import is_quantizable
from prepcheck.core.layouts import dims_of
from prepcheck.core.rockchip import MINI
from prepcheck.facts.base import NotApplicable, Thing, Unstated, lists
from prepcheck.facts.contradictions import Contradiction, contradictions
from prepcheck.facts.tensors import TensorThing
from prepcheck.facts.world import World, image_input

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
    def quantized(self) -> bool:
        """Whether the model is quantised, as the file or the build says."""
        said = self.contract.quantized
        if said is None and self.world.build is not None:
            said = self.world.build.quantized
        if said is None:
            raise NotApplicable
        return said

    @property
    def stated_batch(self) -> int:
        """rknn_batch_size, as the model or the build says."""
        return _stated_batch(self.world)

    @property
    def contradictions(self) -> list[Contradiction]:
        """What the plan says of the model and its file does not."""
        model = self.world.plan.model if self.world.plan else None
        if model is None or self.world.file_contract is None:
            raise NotApplicable
        resized = any(c.api == "resizeTensor" for c in (self.world.plan.calls if self.world.plan else ()))
        return contradictions(self.world.file_contract, model, shapes=not resized)

    @property
    def from_record(self) -> bool:
        """Whether the plan is a record of what a program did."""
        return any(c.t_ms is not None for c in (self.world.plan.calls if self.world.plan else ()))

    @property
    def versions(self) -> tuple[str, str]:
        """Versions of the toolkit that built the model and of the runtime; not applicable where neither is stated."""
        try:
            toolkit = self.toolkit
        except Unstated:
            if self.world.version is None:
                raise NotApplicable from None
            raise
        return toolkit, self.version

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

    @property
    def pixel_lists(self) -> tuple[list[float], list[float]]:
        """mean and std of a quantised picture input."""
        if not self.is_image or not is_quantizable(self.tensor.dtype or ""):
            raise NotApplicable
        if self.world.contract is not None and self.world.contract.runtime in ("onnx", "tflite"):
            raise NotApplicable  # the application normalises before it quantises: the codes hold no pixels
        return self._normalization()

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
    def calibration_shape(self) -> list[int]:
        """The shape in which calibration was fed, for the only (or the picture) input."""
        build, contract = self.world.build, self.world.contract
        shape = build.calibration.shape if build is not None and build.calibration is not None else None
        owner = image_input(contract) if contract is not None and len(contract.inputs) > 1 else self.tensor
        if shape is None or owner is None or owner.index != self.tensor.index:
            raise NotApplicable
        return shape

    @property
    def build_batch(self) -> int:
        """The batch that the plan's build states."""
        build = self.world.build
        if build is None or build.batch_size is None:
            raise NotApplicable
        return build.batch_size

    @property
    def mini(self) -> bool:
        """Whether the chip takes mini models, which have no batch of their own."""
        return self.world.platform in MINI

    @property
    def pictures_given(self) -> int:
        """Pictures on the command line that are for this input, where there is no plan."""
        contract = self.world.contract
        if self.world.declared or not self.world.images or contract is None:
            raise NotApplicable
        alone = len(contract.inputs) == 1 or (image_input(contract) or self.tensor).index == self.tensor.index
        return sum(1 for i in self.world.images if i.input == self.tensor.name or (i.input is None and alone)) or 1

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
        found += [
            (f"build.{name}", values) for name, values in (self.build_lists if self._has_build else []) if name == "std"
        ]
        if not found:
            raise NotApplicable
        return found

    @property
    def _has_build(self) -> bool:
        build = self.world.build
        return (
            build is not None
            and build.std is not None
            and self.position < len(build.std)
            and build.std[self.position] is not None
        )

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

    @property
    def stated_batch(self) -> int:
        """rknn_batch_size, as the model or the build says."""
        return _stated_batch(self.world)


class OutputThing(TensorThing):
    """One output of the model."""

    kind = "output"
    group = "outputs"


def _stated_batch(world: World) -> int:
    contract, build = world.contract, world.build
    said = [n for n in (contract.batch if contract else None, build.batch_size if build else None) if n is not None]
    if not said:
        raise NotApplicable
    return max(said)


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
