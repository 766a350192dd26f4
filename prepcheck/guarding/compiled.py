"""A contract compiled for the guard: frozen, plain, readable on a board from JSON. Standard library only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from prepcheck.errors import NotFoundError, PlanError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_BYTES = 4 << 20
"""A contract of 100 tensors has about 60 kB; more than this is no contract."""
MAX_TENSORS = 4096
MAX_RANK = 16
SCHEMA = "prepcheck/contract/v1"
STATIC = "static_model"
"""The note with which the MNN reader marks a file of usage INFERENCE_STATIC."""


@dataclass(frozen=True, slots=True)
class CompiledTensor:
    """One input or output: what the per-call checks need of a contract's tensor.

    shape: elements, in the order of `layout` (−1 = any). size, size_with_stride: bytes. w_stride: pixels.
    value_range: smallest and largest value that the tensor's codes hold. mean, std: applied by the model's runtime.
    calibration_range: what calibration saw. dynamic: the shapes allowed besides `shape`.
    source_layout, source_shape: the original network's tensor.
    """

    index: int
    name: str
    layout: str
    shape: tuple[int, ...]
    dtype: str
    scheme: str | None = None
    scale: float | None = None
    zero_point: int | None = None
    size: int | None = None
    w_stride: int | None = None
    size_with_stride: int | None = None
    mean: tuple[float, ...] | None = None
    std: tuple[float, ...] | None = None
    value_range: tuple[float, float] | None = None
    calibration_range: tuple[float, float] | None = None
    dynamic: tuple[tuple[int, ...], ...] = ()
    source_layout: str | None = None
    source_shape: tuple[int, ...] | None = None

    def document(self) -> dict[str, object]:
        """The tensor in the form of the contract document; absent values are null."""

        def plain(value: Sequence[float] | None) -> list[float] | None:
            return None if value is None else list(value)

        return {
            "index": self.index,
            "name": self.name,
            "layout": self.layout,
            "shape": list(self.shape),
            "dtype": self.dtype,
            "scheme": self.scheme,
            "scale": self.scale,
            "zero_point": self.zero_point,
            "size": self.size,
            "w_stride": self.w_stride,
            "size_with_stride": self.size_with_stride,
            "mean": plain(self.mean),
            "std": plain(self.std),
            "value_range": plain(self.value_range),
            "calibration_range": plain(self.calibration_range),
            "dynamic": [list(s) for s in self.dynamic] or None,
            "source": None
            if self.source_shape is None
            else {"layout": self.source_layout, "shape": list(self.source_shape)},
        }


@dataclass(frozen=True, slots=True)
class CompiledContract:
    """A model's contract as the guard uses it; immutable, so any number of threads may share one.

    static: an MNN file converted with --saveStaticModel, whose inputs cannot be resized.
    """

    runtime: str
    inputs: tuple[CompiledTensor, ...]
    outputs: tuple[CompiledTensor, ...] = ()
    platforms: tuple[str, ...] = ()
    toolkit: str | None = None
    quantized: bool | None = None
    batch: int | None = None
    static: bool = False

    @classmethod
    def of(cls, source: object) -> CompiledContract:
        """From a contract document (a dict), an object with `.model_dump()`, or a compiled contract.

        Raises PlanError that names the key which is missing or wrong.
        """
        if isinstance(source, cls):
            return source
        dump = getattr(source, "model_dump", None)
        if callable(dump):
            source = dump(by_alias=True)
        if not isinstance(source, dict):
            raise PlanError(
                "a guard needs a contract: the document of `prepcheck inspect MODEL --format json`, what prepcheck.load() "
                f"returns, or a compiled contract; this is {type(source).__name__}"
            )
        document = source.get("contract") if source.get("schema") == "prepcheck/report/v1" else source
        if not isinstance(document, dict):
            raise PlanError("this report holds no contract: the model could not be read")
        return _contract(document)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CompiledContract:
        """From a JSON file that `save` or `prepcheck inspect --format json` wrote.

        Raises NotFoundError, TooLargeError, or PlanError for a file that is no contract.
        """
        import json

        name = os.fspath(path)
        try:
            with open(name, "rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise NotFoundError(f"{name}: cannot be read: {error.strerror or error}") from None
        if len(data) > MAX_BYTES:
            raise TooLargeError(f"{name}: more than {MAX_BYTES} bytes, no contract")
        try:
            value = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            raise PlanError(f"{name}: not JSON: {error}") from None
        try:
            return cls.of(value)
        except PlanError as error:
            raise PlanError(f"{name}: {error.message}") from None

    def document(self) -> dict[str, object]:
        """The contract as a document of `prepcheck/contract/v1`."""
        return {
            "schema": SCHEMA,
            "runtime": self.runtime,
            "platforms": list(self.platforms) or None,
            "toolkit": self.toolkit,
            "quantized": self.quantized,
            "batch": self.batch,
            "notes": [{"kind": STATIC, "values": {}}] if self.static else [],
            "inputs": [t.document() for t in self.inputs],
            "outputs": [t.document() for t in self.outputs],
        }

    def to_json(self) -> str:
        """The document as JSON with sorted keys: the same contract gives the same bytes."""
        import json  # 2 ms that a guard made of a document does not need

        return json.dumps(self.document(), indent=1, sort_keys=True) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON for a board that has no pydantic."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json())


def _contract(document: Mapping[str, object]) -> CompiledContract:
    inputs = _tensors(document.get("inputs"), "inputs")
    if not inputs:
        raise PlanError("contract: inputs: at least one input is needed")
    batch = document.get("batch")
    quantized = document.get("quantized")
    return CompiledContract(
        runtime=_text(document.get("runtime"), "runtime") or "generic",
        inputs=inputs,
        outputs=_tensors(document.get("outputs") or [], "outputs"),
        platforms=tuple(str(p) for p in _list(document.get("platforms"), "platforms")),
        toolkit=_text(document.get("toolkit"), "toolkit"),
        quantized=quantized if isinstance(quantized, bool) else None,
        batch=None if batch is None else _integer(batch, "batch"),
        static=any(isinstance(n, dict) and n.get("kind") == STATIC for n in _list(document.get("notes"), "notes")),
    )


def _tensors(value: object, key: str) -> tuple[CompiledTensor, ...]:
    if not isinstance(value, (list, tuple)):
        raise PlanError(f"contract: {key}: a list of tensors is needed")
    if len(value) > MAX_TENSORS:
        raise PlanError(f"contract: {key}: {len(value)} tensors, at most {MAX_TENSORS}")
    tensors = []
    for i, item in enumerate(value):
        if not isinstance(item, dict):
            raise PlanError(f"contract: {key}[{i}]: a table of keys is needed")
        tensors.append(_tensor(item, f"{key}[{i}]", i, key == "inputs"))
    return tuple(tensors)


def _tensor(item: Mapping[str, object], at: str, position: int, needed: bool) -> CompiledTensor:
    shape = _shape(item.get("shape"), at + ".shape") if item.get("shape") is not None else None
    dtype = _text(item.get("dtype"), at + ".dtype")
    if needed and (shape is None or dtype is None):
        raise PlanError(f"contract: {at}: shape and dtype are needed to guard an input")
    source = item.get("source")
    source = source if isinstance(source, dict) else {}
    index, scale, zero = item.get("index"), item.get("scale"), item.get("zero_point")
    return CompiledTensor(
        index=position if index is None else _integer(index, at + ".index"),
        name=_text(item.get("name"), at + ".name") or "",
        layout=_text(item.get("layout"), at + ".layout") or "UNDEFINED",
        shape=shape or (),
        dtype=dtype or "",
        scheme=_text(item.get("scheme"), at + ".scheme"),
        scale=None if scale is None else _real(scale, at + ".scale"),
        zero_point=None if zero is None else _integer(zero, at + ".zero_point"),
        size=_optional(item.get("size"), at + ".size"),
        w_stride=_optional(item.get("w_stride"), at + ".w_stride"),
        size_with_stride=_optional(item.get("size_with_stride"), at + ".size_with_stride"),
        mean=_reals(item.get("mean"), at + ".mean"),
        std=_reals(item.get("std"), at + ".std"),
        value_range=_pair(item.get("value_range"), at + ".value_range"),
        calibration_range=_pair(item.get("calibration_range"), at + ".calibration_range"),
        dynamic=tuple(_shape(s, at + ".dynamic") for s in _list(item.get("dynamic"), at + ".dynamic")),
        source_layout=_text(source.get("layout"), at + ".source.layout"),
        source_shape=_shape(source["shape"], at + ".source.shape") if source.get("shape") is not None else None,
    )


def _text(value: object, at: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise PlanError(f"contract: {at}: a text is needed, not {type(value).__name__}")


def _integer(value: object, at: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise PlanError(f"contract: {at}: a whole number is needed, not {type(value).__name__}")
    return value


def _optional(value: object, at: str) -> int | None:
    return None if value is None else _integer(value, at)


def _real(value: object, at: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise PlanError(f"contract: {at}: a number is needed, not {type(value).__name__}")
    return float(value)


def _list(value: object, at: str) -> Sequence[object]:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)):
        raise PlanError(f"contract: {at}: a list is needed, not {type(value).__name__}")
    return value


def _reals(value: object, at: str) -> tuple[float, ...] | None:
    return None if value is None else tuple(_real(v, at) for v in _list(value, at))


def _pair(value: object, at: str) -> tuple[float, float] | None:
    numbers = _reals(value, at)
    if numbers is None:
        return None
    if len(numbers) != 2:
        raise PlanError(f"contract: {at}: two numbers are needed, not {len(numbers)}")
    return (numbers[0], numbers[1])


def _shape(value: object, at: str) -> tuple[int, ...]:
    shape = tuple(_integer(v, at) for v in _list(value, at))
    if len(shape) > MAX_RANK or any(d < -1 for d in shape):
        raise PlanError(f"contract: {at}: {list(shape)} is no shape")
    return shape
