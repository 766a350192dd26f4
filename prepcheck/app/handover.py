"""What to hand over for each input: bytes, type, layout, pitch, and the fields of the call that takes them."""

from __future__ import annotations

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.contract.report import HandOver
from prepcheck.core.dtypes import itemsize, nbytes
from prepcheck.core.layouts import dims_of, elements, is_static
from prepcheck.core.rockchip import ZERO_COPY_ONLY


def hand_overs(contract: Contract, platform: str | None) -> list[HandOver]:
    """One recommendation per input, for the runtime and chip of the contract."""
    return [_one(tensor, i, contract.runtime or "generic", platform) for i, tensor in enumerate(contract.inputs)]


def _one(tensor: Tensor, position: int, runtime: str, platform: str | None) -> HandOver:
    label = tensor.name or f"inputs[{position}]"
    shape = list(tensor.shape or [])
    if not is_static(shape) or not shape:
        return _make(label, "-", tensor, {}, None, "the shape is dynamic: choose it first, then ask again with it")
    dims = dims_of(tensor.layout or "", shape)
    image = len(shape) == 4 and dims is not None and dims.c in (1, 3, 4)
    if runtime == "mnn":
        return _mnn(label, tensor, shape)
    if runtime in ("rknn", "rknn1") and image and dims is not None:
        if platform in ZERO_COPY_ONLY:
            return _zero_copy(label, tensor, position, dims.n, dims.h, dims.w, dims.c)
        size = dims.elements
        fields: dict[str, object] = {
            "index": position, "buf": "the pixels", "size": size, "pass_through": 0, "type": "RKNN_TENSOR_UINT8",
            "fmt": "RKNN_TENSOR_NHWC",
        }  # fmt: skip
        sentence = (
            f"{size} bytes = {dims.n} x {dims.h} rows x {dims.w} pixels x {dims.c} channels, uint8, NHWC, rows packed, "
            f"by rknn_inputs_set with type UINT8, fmt NHWC, pass_through 0 (the runtime adds w_stride and quantises)"
        )
        return _make(
            label, "rknn_inputs_set", tensor, fields, size, sentence, "uint8", "NHWC", [dims.n, dims.h, dims.w, dims.c]
        )
    if runtime == "rknn" and platform in ZERO_COPY_ONLY:
        return _native_codes(label, tensor, position)
    dtype = "float32"
    if tensor.dtype in ("int64", "bool", "int32"):
        dtype = tensor.dtype
    size = nbytes(dtype, elements("UNDEFINED", shape))
    fields = {
        "index": position,
        "size": size,
        "pass_through": 0,
        "type": f"RKNN_TENSOR_{dtype.upper()}",
        "fmt": f"RKNN_TENSOR_{tensor.layout}",
    }
    call = "rknn_inputs_set" if runtime in ("rknn", "rknn1") else "set_input"
    sentence = f"{size} bytes of {dtype} in the order {shape} ({tensor.layout or 'as the network has it'})"
    return _make(
        label, call, tensor, fields if call != "set_input" else {}, size, sentence, dtype, tensor.layout, shape
    )


def _zero_copy(label: str, tensor: Tensor, position: int, n: int, h: int, w: int, c: int) -> HandOver:
    stride = tensor.w_stride or w
    size = tensor.size_with_stride or n * h * stride * c
    rows = (
        "rows packed" if stride == w else f"each row {stride} pixels apart = {stride * c} bytes, {w * c} of them pixels"
    )
    fields: dict[str, object] = {
        "attr": f"queried for inputs[{position}], then type = RKNN_TENSOR_UINT8, fmt = RKNN_TENSOR_NHWC, pass_through = 0",
        "mem size": size, "index": position,
    }  # fmt: skip
    product = f"{n} x {h} rows x {stride} pixels x {c} channels"
    sentence = (
        f"{size} bytes = {product}, uint8 pixels 0..255 as they are, NHWC, {rows}, in memory of "
        f"rknn_create_mem({size}) bound by rknn_set_io_mem with type UINT8, pass_through 0 (the NPU normalises and quantises)"
    )
    return _make(label, "rknn_set_io_mem", tensor, fields, size, sentence, "uint8", "NHWC", [n, h, w, c])


def _native_codes(label: str, tensor: Tensor, position: int) -> HandOver:
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
    quantised = f", each value quantised as rint(x / {tensor.scale:.6g}) + {tensor.zero_point}" if tensor.scale else ""
    sentence = (
        f"{size} bytes of {dtype} {layout} {shape}{quantised}, in memory of rknn_create_mem({size}) bound by "
        f"rknn_set_io_mem with the native attribute, pass_through 1"
    )
    return _make(label, "rknn_set_io_mem", tensor, fields, size, sentence, dtype, layout, shape)


def _mnn(label: str, tensor: Tensor, shape: list[int]) -> HandOver:
    dtype = tensor.dtype or "float32"
    nhwc = tensor.layout == "NHWC"
    logical = shape
    size = itemsize(dtype) * elements("UNDEFINED", logical)
    kind = "TENSORFLOW" if nhwc else "CAFFE"
    fields: dict[str, object] = {"dimension_type": kind, "shape": logical, "dtype": dtype}
    packed = (
        " (the file's layout is NC4HW4: never write through host(); the copy packs)"
        if tensor.layout == "NC4HW4"
        else ""
    )
    sentence = (
        f"{size} bytes of {dtype} in a host tensor {logical} of dimension type {kind} "
        f"({'NHWC' if nhwc else 'NCHW'}), by copyFromHostTensor before every runSession{packed}"
    )
    return _make(
        label, "copyFromHostTensor", tensor, fields, size, sentence, dtype, "NHWC" if nhwc else "NCHW", logical
    )


def _make(
    label: str, call: str, tensor: Tensor, fields: dict[str, object], size: int | None, sentence: str,
    dtype: str | None = None, layout: str | None = None, shape: list[int] | None = None,
) -> HandOver:  # fmt: skip
    return HandOver.model_construct(
        input=label, call=call, dtype=dtype, layout=layout, shape=shape, bytes=size, w_stride=tensor.w_stride,
        size_with_stride=tensor.size_with_stride, fields=fields, sentence=sentence,
    )  # fmt: skip
