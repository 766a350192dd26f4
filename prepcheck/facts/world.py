"""The world: everything that is known about one judgement, and how a plan's model is merged with the file's contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract, Native, Tensor
from prepcheck.core.dtypes import nbytes
from prepcheck.core.layouts import elements, is_static
from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.contract.contract import Expects
    from prepcheck.contract.plan import Build, Plan, PlanModel, Training
    from prepcheck.facts.base import Thing


@dataclass(frozen=True, slots=True)
class ImageFacts:
    """What the header of an image says. size: (width, height) as stored; orientation: EXIF tag 1..8 or None."""

    name: str
    format: str
    size: tuple[int, int]
    mode: str
    bits: int
    frames: int
    orientation: int | None
    input: str | None = None  # NAME of NAME=F
    icc: bool = False
    decode_error: str | None = None


@dataclass(frozen=True, slots=True)
class ArrayFacts:
    """What the bytes of a buffer's file say. shape, dtype: of an .npy header, else None. low, high: smallest, largest.

    distinct: number of different values (capped at 257); finite: no NaN or infinity; nbytes: of the content.
    """

    name: str
    nbytes: int
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    fortran: bool = False
    low: float | None = None
    high: float | None = None
    distinct: int | None = None
    finite: bool | None = None


@dataclass(frozen=True, slots=False)
class World:
    """Everything known about one judgement. `declared`: a plan was given; else the steps and calls are the default's.

    extra: raw facts that `app` hands in for kinds of things of its own (diagnoses, log lines, …), by kind.
    """

    contract: Contract | None = None
    file_contract: Contract | None = None
    plan: Plan | None = None
    declared: bool = False
    runtime: str | None = None
    platform: str | None = None
    backend: str | None = None
    version: str | None = None
    images: tuple[ImageFacts, ...] = ()
    arrays: Mapping[str, ArrayFacts] = field(default_factory=dict)
    extra: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    cache: dict[str, list[Thing]] = field(default_factory=dict, compare=False, repr=False)
    memo: dict[str, object] = field(default_factory=dict, compare=False, repr=False)

    @property
    def build(self) -> Build | None:
        """How the model was converted, as the plan says."""
        return self.plan.model.build if self.plan and self.plan.model else None

    def training_of(self, tensor: Tensor) -> Training | None:
        """What the network was trained on, for one input."""
        training = self.plan.model.training if self.plan and self.plan.model else None
        if training is None and tensor.expects is not None:
            return _training_of_file(tensor.expects)
        if isinstance(training, dict):
            return training.get(tensor.name or "")
        if training is not None and self.contract is not None:
            owner = image_input(self.contract)
            if owner is not None and owner.index != tensor.index and len(self.contract.inputs) > 1:
                return None
        return training


def _training_of_file(expects: Expects) -> Training:
    """What a model file asks of the application, as a statement about training: pixels, then its lists."""
    from prepcheck.contract.plan import Training

    pixels = [0.0, 255.0] if expects.mean is not None else None
    return Training.model_construct(color=expects.color, range=pixels, mean=expects.mean, std=expects.std)


def make_world(
    *,
    contract: Contract | None,
    plan: Plan | None,
    declared: bool,
    images: tuple[ImageFacts, ...] = (),
    arrays: Mapping[str, ArrayFacts] | None = None,
    extra: Mapping[str, tuple[object, ...]] | None = None,
) -> World:
    """Merge a file's contract with what the plan adds, and settle runtime, platform and version."""
    model = plan.model if plan else None
    merged = merge(contract, model, plan.runtime if plan else None)
    platforms = (merged.platforms if merged else None) or []
    platform = (plan.platform if plan else None) or (platforms[0] if len(platforms) == 1 else None)
    runtime = (plan.runtime if plan else None) or (merged.runtime if merged else None)
    if runtime in ("onnx", "tflite"):
        runtime = "generic"  # their runtimes take the tensor as it is
    return World(
        contract=merged,
        file_contract=contract,
        plan=plan,
        declared=declared,
        runtime=runtime,
        platform=platform.lower() if platform else None,
        backend=plan.backend if plan else None,
        version=plan.version if plan else None,
        images=images,
        arrays=dict(arrays or {}),
        extra=dict(extra or {}),
    )


def merge(contract: Contract | None, model: PlanModel | None, runtime: str | None) -> Contract | None:
    """The contract that rules see: the file's, or the plan's inline one, with sizes and native attributes filled in."""
    if contract is None:
        if model is None or not model.inputs:
            return None
        known = {"rknn", "rknn1", "mnn", "onnx", "tflite", "generic"}
        contract = Contract.model_construct(
            runtime=runtime if runtime in known else None,
            platforms=model.platforms,
            toolkit=model.toolkit,
            custom_string=model.custom_string,
            quantized=model.quantized,
            batch=model.batch,
            container=model.container,
            inputs=model.inputs,
            outputs=model.outputs or [],
            metadata=model.metadata or {},
            notes=model.notes or [],
        )
    inputs = [_complete(t, i, model.native_inputs if model else None) for i, t in enumerate(contract.inputs)]
    outputs = [_complete(t, i, model.native_outputs if model else None) for i, t in enumerate(contract.outputs)]
    changes: dict[str, object] = {"inputs": inputs, "outputs": outputs}
    if model is not None:
        for key in ("batch", "quantized", "toolkit"):
            if getattr(contract, key) is None and getattr(model, key) is not None:
                changes[key] = getattr(model, key)
    return contract.model_copy(update=changes)


def _complete(tensor: Tensor, position: int, natives: list[Tensor] | None) -> Tensor:
    changes: dict[str, object] = {}
    if tensor.index is None:
        changes["index"] = position
    index = position if tensor.index is None else tensor.index
    native = next((n for n in natives or [] if (n.index if n.index is not None else 0) == index), None)
    if native is not None and tensor.native is None:
        changes["native"] = Native.model_construct(
            layout=native.layout, shape=native.shape, dtype=native.dtype, w_stride=native.w_stride,
            size_with_stride=native.size_with_stride if native.size_with_stride is not None else native.size,
        )  # fmt: skip
    if tensor.size is None and tensor.dtype and tensor.shape and is_static(tensor.shape):
        changes["size"] = nbytes(tensor.dtype, elements(tensor.layout or "UNDEFINED", tensor.shape))
    return tensor.model_copy(update=changes) if changes else tensor


def image_inputs(contract: Contract) -> list[Tensor]:
    """The 4-D inputs with 1, 3 or 4 channels."""
    from prepcheck.core.layouts import dims_of

    found = []
    for tensor in contract.inputs:
        dims = dims_of(tensor.layout or "", tensor.shape or [])
        if len(tensor.shape or []) == 4 and dims is not None and dims.c in (1, 3, 4):
            found.append(tensor)
    return found


def image_input(contract: Contract) -> Tensor | None:
    """The only image input; None where there is none or where there are several."""
    found = image_inputs(contract)
    return found[0] if len(found) == 1 else None
