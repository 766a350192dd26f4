"""The recorder's hooks in rknn-toolkit2 and RKNNLite: every public method of the class, with its arguments and result."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from prepcheck.guarding.content import slices_for, unit_of
from prepcheck.guarding.hooks import replace_attribute, undo_all
from prepcheck.guarding.rknn_proxy import parameters_of
from prepcheck.wire.pcrec import JsonValue
from prepcheck.wire.pcrec_write import OUTPUT_BLOCKS

if TYPE_CHECKING:
    from prepcheck.guarding.tracing import Recorder

METHODS = (
    "config", "load_onnx", "load_pytorch", "load_tensorflow", "load_tflite", "load_caffe", "load_darknet", "load_rknn",
    "build", "hybrid_quantization_step1", "hybrid_quantization_step2", "export_rknn", "accuracy_analysis", "init_runtime",
    "release",
)  # fmt: skip
MAX_TEXT = 512
MAX_ITEMS = 64


def trace_class(cls: type, recorder: Recorder, library: str) -> Callable[[], None]:
    """Record the methods of a class named RKNN or RKNNLite; returns what undoes it."""
    steps = [
        replace_attribute(cls, name, _method(getattr(cls, name), name, recorder, library))
        for name in METHODS
        if callable(getattr(cls, name, None))
    ]
    if callable(getattr(cls, "inference", None)):
        steps.append(replace_attribute(cls, "inference", _inference(getattr(cls, "inference"), recorder, library)))  # noqa: B009
    return undo_all(steps)


def _method(original: Callable[..., object], name: str, recorder: Recorder, library: str) -> Callable[..., object]:
    @functools.wraps(original)
    def method(self: object, *args: object, **kwargs: object) -> object:
        at = recorder.writer.now()
        fields: dict[str, JsonValue] = {"net": recorder.number(self), "library": library}
        fields["arguments"] = {k: plain(v) for k, v in _given(original, args, kwargs).items()}
        version = _version(library)
        if version is not None:
            fields["version"] = version
        try:
            result = original(self, *args, **kwargs)
        except BaseException as error:
            _raised(recorder, f"toolkit.{name}", fields, at, error)
            raise
        fields["d"] = recorder.writer.now() - at
        if isinstance(result, int):
            fields["ret"] = int(result)
        recorder.writer.event(f"toolkit.{name}", fields, at=at)
        return result

    return method


def _inference(original: Callable[..., object], recorder: Recorder, library: str) -> Callable[..., object]:
    @functools.wraps(original)
    def inference(self: object, *args: object, **kwargs: object) -> object:
        at = recorder.writer.now()
        given = _given(original, args, kwargs)
        fields: dict[str, JsonValue] = {"net": recorder.number(self), "library": library}
        arrays = given.pop("inputs", None)
        items = (
            [arrays] if isinstance(arrays, np.ndarray) else list(arrays) if isinstance(arrays, (list, tuple)) else []
        )
        fields["inputs"] = [describe(recorder, a) for a in items[:MAX_ITEMS]]
        if not isinstance(arrays, (list, tuple)):
            fields["bare"] = type(arrays).__name__
        fields["arguments"] = {k: plain(v) for k, v in given.items()}
        try:
            result = original(self, *args, **kwargs)
        except BaseException as error:
            _raised(recorder, "toolkit.inference", fields, at, error)
            recorder.runs += 1
            raise
        fields["d"] = recorder.writer.now() - at
        outputs = result if isinstance(result, (list, tuple)) else None
        # inference() prints why it refused and returns None: told as -1, as a failed call of the C interface is
        fields["ret"] = -1 if outputs is None else 0
        fields["results"] = [describe(recorder, a, OUTPUT_BLOCKS) for a in (outputs or ())[:MAX_ITEMS]]
        recorder.writer.event("toolkit.inference", fields, at=at)
        recorder.runs += 1
        return result

    return inference


def _raised(recorder: Recorder, api: str, fields: dict[str, JsonValue], at: int, error: BaseException) -> None:
    fields["d"] = recorder.writer.now() - at
    fields["ret"] = -1
    fields["raised"] = f"{type(error).__name__}: {error}"[:MAX_TEXT]
    recorder.writer.event(api, fields, at=at)


def _given(
    function: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> dict[str, object]:
    """The arguments that the program wrote, by name; defaults are left out."""
    names = [name for name, _ in parameters_of(function)] if _is_inference(function) else _names(function)
    found: dict[str, object] = dict(zip(names, args, strict=False))
    found.update(kwargs)
    return found


def _is_inference(function: object) -> bool:
    return getattr(function, "__name__", "") == "inference"


def _names(function: object) -> list[str]:
    code = getattr(function, "__code__", None)
    return list(code.co_varnames[1 : code.co_argcount]) if code is not None else [f"argument{i}" for i in range(16)]


def _version(library: str) -> str | None:
    """The installed version of the library, by its metadata."""
    from importlib.metadata import PackageNotFoundError, version

    if library == "rknn-toolkit2" and "rknn.api" not in sys.modules:
        return None
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def describe(recorder: Recorder, value: object, blocks: int | None = None) -> JsonValue:
    """An array as an event states it: place, shape, type, strides, content; anything else by its type's name."""
    if not isinstance(value, np.ndarray):
        return {"type": type(value).__name__}
    array: NDArray[np.generic] = value
    parent = array if array.base is None else array.base
    found: dict[str, JsonValue] = {
        "buffer": f"0x{array.__array_interface__['data'][0]:x}",
        "shape": list(array.shape),
        "dtype": array.dtype.name if array.dtype.isnative else array.dtype.str,
        "size": int(array.nbytes),
        "contiguous": bool(array.flags.c_contiguous),
    }
    if not array.flags.c_contiguous:
        found["strides"] = list(array.strides)
        found["parent_size"] = int(getattr(parent, "nbytes", 0))
    if array.size and array.dtype.kind in "fiub":
        low, high = float(array.min()), float(array.max())
        found["min"], found["max"] = _real(low), _real(high)
        unit = unit_of(low, high, array[slices_for(array.shape, 4096)]) if array.dtype.kind == "f" else None
        if unit is not None:
            found["unit"] = unit
    found.update(recorder.content(array) if blocks is None else recorder.content(array, blocks))
    return found


def _real(value: float) -> JsonValue:
    return value if np.isfinite(value) else str(value)


def plain(value: object, depth: int = 0) -> JsonValue:
    """A value as JSON: numbers, texts, lists and tables; bounded; everything else by its type's name."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return _real(value)
    if isinstance(value, str):
        return value[:MAX_TEXT]
    if isinstance(value, np.generic):
        return plain(value.item(), depth)
    if isinstance(value, (list, tuple)) and depth < 4:
        return [plain(v, depth + 1) for v in value[:MAX_ITEMS]]
    if isinstance(value, dict) and depth < 4:
        return {str(k)[:MAX_TEXT]: plain(v, depth + 1) for k, v in list(value.items())[:MAX_ITEMS]}
    if hasattr(value, "__fspath__"):
        return str(value)[:MAX_TEXT]
    return {"type": type(value).__name__}
