"""What to hand over for each input: bytes, type, layout, pitch, and the fields of the call that takes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from prepcheck.app.defaults import NO_PIXELS, one_picture
from prepcheck.contract.contract import Contract, Tensor
from prepcheck.contract.report import HandOver
from prepcheck.core.dtypes import itemsize, nbytes
from prepcheck.core.layouts import Dims, dims_of, elements, is_static
from prepcheck.core.plain import Value
from prepcheck.core.rknn_native import native_form
from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.engine.reporting import english, fill
from prepcheck.records import dataclass


def hand_overs(contract: Contract, platform: str | None, translate: Callable[[str], str] = english) -> list[HandOver]:
    """One recommendation per input, for the runtime and chip of the contract."""
    advice = [_one(tensor, i, contract.runtime or "generic", platform) for i, tensor in enumerate(contract.inputs)]
    return [_made(a, translate) for a in advice]


@dataclass(frozen=True, slots=True)
class Advice:
    """What to hand over for one input. sentence: a template that `values` fills; notes: templates that follow it."""

    input: str
    call: str
    tensor: Tensor
    sentence: str
    values: dict[str, Value]
    fields: dict[str, object] = field(default_factory=dict)
    bytes: int | None = None
    dtype: str | None = None
    layout: str | None = None
    shape: list[int] | None = None
    notes: tuple[str, ...] = ()


def _made(a: Advice, translate: Callable[[str], str]) -> HandOver:
    return HandOver.made(
        input=a.input, call=a.call, dtype=a.dtype, layout=a.layout, shape=a.shape, bytes=a.bytes, w_stride=a.tensor.w_stride,
        size_with_stride=a.tensor.size_with_stride, fields=a.fields,
        sentence="".join(fill(text, a.values, translate) for text in (a.sentence, *a.notes)),
    )  # fmt: skip


def _one(tensor: Tensor, position: int, runtime: str, platform: str | None) -> Advice:
    label = tensor.name or f"inputs[{position}]"
    shape = list(tensor.shape or [])
    if runtime in ("onnx", "tflite"):
        shape = one_picture(shape)
    if not is_static(shape) or not shape:
        return Advice(label, "-", tensor, DYNAMIC, {})
    dims = dims_of(tensor.layout or "", shape)
    image = len(shape) == 4 and dims is not None and dims.c in (1, 3, 4) and tensor.dtype not in NO_PIXELS
    if runtime == "mnn":
        return _mnn(label, tensor, shape)
    if runtime in ("rknn", "rknn1") and image and dims is not None:
        return (
            _zero_copy(label, tensor, position, dims, platform)
            if platform in ZERO_COPY_ONLY
            else _pixels(label, tensor, position, dims)
        )
    if runtime in ("onnx", "tflite"):
        return _session(label, tensor, position, shape, runtime)
    if runtime == "rknn" and platform in ZERO_COPY_ONLY:
        return _native_codes(label, tensor, position)
    dtype = tensor.dtype if tensor.dtype in ("int64", "bool", "int32") else "float32"
    size = nbytes(dtype, elements("UNDEFINED", shape))
    call = "rknn_inputs_set" if runtime in ("rknn", "rknn1") else "set_input"
    fields: dict[str, object] = {
        "index": position,
        "size": size,
        "pass_through": 0,
        "type": f"RKNN_TENSOR_{dtype.upper()}",
        "fmt": f"RKNN_TENSOR_{tensor.layout}",
    }
    return Advice(
        label, call, tensor, PLAIN, {"size": size, "dtype": dtype, "shape": list(shape), "layout": tensor.layout or "UNDEFINED"},
        fields if call != "set_input" else {}, size, dtype, tensor.layout, shape,
    )  # fmt: skip


DYNAMIC = "the shape is dynamic: choose it first, then ask again with it"
PLAIN = "{size} bytes of {dtype} in the order {shape} ({layout})"
PIXELS = (
    "{size} bytes = {n} x {h} rows x {w} pixels x {c} channels, uint8, NHWC, rows packed, by rknn_inputs_set with type UINT8, "
    "fmt NHWC, pass_through 0 (the runtime adds w_stride and quantises)"
)
PACKED_MEMORY = (
    "{size} bytes = {n} x {h} rows x {stride} pixels x {c} channels, uint8 pixels 0..255 as they are, NHWC, rows packed, in "
    "memory of rknn_create_mem({size}) bound by rknn_set_io_mem with type UINT8, pass_through 0 (the NPU normalises and quantises)"
)
PITCHED_MEMORY = (
    "{size} bytes = {n} x {h} rows x {stride} pixels x {c} channels, uint8 pixels 0..255 as they are, NHWC, each row {stride} "
    "pixels apart = {pitch} bytes, {used} of them pixels, in memory of rknn_create_mem({size}) bound by rknn_set_io_mem with type "
    "UINT8, pass_through 0 (the NPU normalises and quantises)"
)
CODES = (
    "{size} bytes of {dtype} {layout} {shape}, in memory of rknn_create_mem({size}) bound by rknn_set_io_mem with the native "
    "attribute, pass_through 1"
)
ONNX_RUN = "{size} bytes of {dtype} in the order {shape} ({layout}), by session.run(None, {{'{name}': array}})"
TFLITE_SET = (
    "{size} bytes of {dtype} in the order {shape} ({layout}), by interpreter.set_tensor(get_input_details()[{position}]['index'], "
    "array)"
)
EXPECTED = "; before that, as the file's metadata asks: (x − {mean}) / {std} on pixels 0..255 ({color})"
QUANTISED = "; each value quantised as rint(x / {scale}) + {zero_point}"
HOST_TENSOR = (
    "{size} bytes of {dtype} in a host tensor {shape} of dimension type {kind} ({layout}), by copyFromHostTensor before every "
    "runSession"
)
NEVER_HOST = " (the file's layout is NC4HW4: never write through host(); the copy packs)"


def _session(label: str, tensor: Tensor, position: int, shape: list[int], runtime: str) -> Advice:
    """onnxruntime takes an array of exactly this type and shape by its name, the TFLite interpreter by the tensor's index."""
    dtype = tensor.dtype or "float32"
    size = nbytes(dtype, elements("UNDEFINED", shape))
    onnx = runtime == "onnx"
    call = "InferenceSession.run" if onnx else "Interpreter.set_tensor"
    fields: dict[str, object] = (
        {"name": label, "shape": shape, "dtype": dtype} if onnx else {"input": position, "shape": shape, "dtype": dtype}
    )
    values: dict[str, Value] = {
        "size": size, "dtype": dtype, "shape": list(shape), "layout": tensor.layout or "order of the axes not stated",
        "name": label, "position": position, "scale": tensor.scale, "zero_point": tensor.zero_point,
    }  # fmt: skip
    codes = bool(tensor.scale) and not dtype.startswith("float")
    expects = tensor.expects
    asked = expects is not None and expects.mean is not None and expects.std is not None
    if expects is not None:
        values |= {
            "mean": list(expects.mean or ()),
            "std": list(expects.std or ()),
            "color": expects.color or "colour order not stated",
        }
    asked_for = (QUANTISED, EXPECTED) if codes and asked else (EXPECTED,) if asked else (QUANTISED,) if codes else ()
    return Advice(
        label,
        call,
        tensor,
        ONNX_RUN if onnx else TFLITE_SET,
        values,
        fields,
        size,
        dtype,
        tensor.layout,
        shape,
        asked_for,
    )


def _pixels(label: str, tensor: Tensor, position: int, dims: Dims) -> Advice:
    size = dims.elements
    fields: dict[str, object] = {
        "index": position, "buf": "the pixels", "size": size, "pass_through": 0, "type": "RKNN_TENSOR_UINT8",
        "fmt": "RKNN_TENSOR_NHWC",
    }  # fmt: skip
    values: dict[str, Value] = {"size": size, "n": dims.n, "h": dims.h, "w": dims.w, "c": dims.c}
    return Advice(
        label,
        "rknn_inputs_set",
        tensor,
        PIXELS,
        values,
        fields,
        size,
        "uint8",
        "NHWC",
        [dims.n, dims.h, dims.w, dims.c],
    )


def _zero_copy(label: str, tensor: Tensor, position: int, dims: Dims, platform: str | None) -> Advice:
    native = tensor.native
    stride = tensor.w_stride or (native.w_stride if native else None)
    if not stride:  # neither queried nor in the file: the chip's alignment
        form = native_form(tensor.layout or "", tensor.shape or [], tensor.dtype or "int8", platform)
        stride = form.w_stride if form is not None else dims.w
    size = tensor.size_with_stride or (native.size_with_stride if native else None) or dims.n * dims.h * stride * dims.c
    fields: dict[str, object] = {
        "attr": f"queried for inputs[{position}], then type = RKNN_TENSOR_UINT8, fmt = RKNN_TENSOR_NHWC, pass_through = 0",
        "mem size": size, "index": position,
    }  # fmt: skip
    values: dict[str, Value] = {
        "size": size, "n": dims.n, "h": dims.h, "stride": stride, "c": dims.c, "pitch": stride * dims.c, "used": dims.w * dims.c,
    }  # fmt: skip
    sentence = PACKED_MEMORY if stride == dims.w else PITCHED_MEMORY
    shape = [dims.n, dims.h, dims.w, dims.c]
    laid = tensor.model_copy(update={"w_stride": stride, "size_with_stride": size})
    return Advice(label, "rknn_set_io_mem", laid, sentence, values, fields, size, "uint8", "NHWC", shape)


def _native_codes(label: str, tensor: Tensor, position: int) -> Advice:
    """RKNN API guide 1.5.2 table 4-3: what is no picture goes in as codes in the native layout, pass_through 1."""
    native = tensor.native
    layout = (native.layout if native else None) or tensor.layout
    shape = list((native.shape if native else None) or tensor.shape or [])
    size = (native.size_with_stride if native else None) or tensor.size_with_stride or tensor.size
    dtype = tensor.dtype or "int8"
    fields: dict[str, object] = {
        "attr": f"RKNN_QUERY_NATIVE_INPUT_ATTR of inputs[{position}], type = RKNN_TENSOR_{dtype.upper()}, pass_through = 1",
        "mem size": size,
    }  # fmt: skip
    values: dict[str, Value] = {
        "size": size, "dtype": dtype, "layout": layout, "shape": list(shape), "scale": tensor.scale, "zero_point": tensor.zero_point,
    }  # fmt: skip
    notes = (QUANTISED,) if tensor.scale else ()
    return Advice(label, "rknn_set_io_mem", tensor, CODES, values, fields, size, dtype, layout, shape, notes)


def _mnn(label: str, tensor: Tensor, shape: list[int]) -> Advice:
    dtype = tensor.dtype or "float32"
    layout = "NHWC" if tensor.layout == "NHWC" else "NCHW"
    size = itemsize(dtype) * elements("UNDEFINED", shape)
    kind = "TENSORFLOW" if layout == "NHWC" else "CAFFE"
    fields: dict[str, object] = {"dimension_type": kind, "shape": shape, "dtype": dtype}
    values: dict[str, Value] = {"size": size, "dtype": dtype, "shape": list(shape), "kind": kind, "layout": layout}
    notes = (NEVER_HOST,) if tensor.layout == "NC4HW4" else ()
    return Advice(label, "copyFromHostTensor", tensor, HOST_TENSOR, values, fields, size, dtype, layout, shape, notes)
