"""The plan that holds where none is given: what most programs do (interface §1, "Without a plan").

RKNN, 4-D with 1, 3 or 4 channels: decoded by Pillow to the model's channels, stretched where the size differs, handed
over as uint8 NHWC pixels: packed by rknn_inputs_set, or in rows of w_stride by rknn_set_io_mem on chips that have only
that. Other RKNN inputs: float32 in the contract's shape. MNN: the file's dtype in an NCHW host tensor, values as decoded. ONNX and TFLite: the file's type in the file's order, normalised where the file's own metadata asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from prepcheck.contract.contract import Contract, Tensor
from prepcheck.core.dtypes import itemsize, nbytes
from prepcheck.core.layouts import Dims, dims_of, elements, is_static
from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.world import ImageFacts

if TYPE_CHECKING:
    from prepcheck.contract.plan import Plan

COLOR = {1: "GRAY", 3: "RGB", 4: "RGBA"}
NO_PIXELS = ("bool", "int32", "int64")
"""Types that are handed over as they are: the RKNN runtime converts nothing into them (measured: librknnrt 1.5.2)."""

Plain = dict[str, object]


def default_plan(contract: Contract, images: Sequence[ImageFacts], *, resize_library: str = "opencv") -> Plain:
    """The plain value of the default plan for a contract and the (first) image of each input."""
    runtime = contract.runtime or "generic"
    platform = contract.platforms[0] if contract.platforms and len(contract.platforms) == 1 else None
    plan: Plain = {"prepcheck": "plan/v1", "runtime": runtime if runtime in ("rknn", "rknn1", "mnn") else "generic"}
    if platform:
        plan["platform"] = platform.lower()
    buffers: dict[str, Plain] = {}
    calls: list[Plain] = []
    steps: dict[str, list[Plain]] = {}
    packed: list[Plain] = []
    dynamic = False
    for position, tensor in enumerate(contract.inputs):
        name = tensor.name or f"inputs[{position}]"
        image = _image_for(tensor, images, contract)
        dims = _image_dims(tensor)
        if dims is not None:
            size = image.size if image else (dims.w, dims.h)
            own: list[Plain] = [
                {"decode": {"library": "pillow", "color": COLOR[dims.c], "size": list(size), "exif": "ignore"}}
            ]
            if size != (dims.w, dims.h):
                own.append(
                    {
                        "resize": {
                            "size": [dims.w, dims.h],
                            "filter": "bilinear",
                            "library": resize_library,
                            "keep_ratio": False,
                        }
                    }
                )
            expects = _expected_values(tensor) if runtime not in ("rknn", "rknn1") else []
            own += expects
            if runtime not in ("rknn", "rknn1") and tensor.dtype and tensor.dtype.startswith("float"):
                own.append({"cast": {"dtype": tensor.dtype}})
                if runtime == "mnn" or tensor.layout == "NCHW":
                    own.append({"transpose": {"to": "NCHW"}})
            steps[name] = own
        buffers[name] = _buffer(tensor, dims, runtime)
        if platform in ZERO_COPY_ONLY and dims is None:
            buffers[name] = _native_buffer(tensor)
        if not is_static(tensor.shape or []):
            dynamic = True  # a size has to be chosen before anything can be handed over
            continue
        if runtime in ("rknn", "rknn1") and platform not in ZERO_COPY_ONLY:
            packed.append(_field(tensor, position, name, dims, runtime))
        else:
            calls += _calls(tensor, position, name, dims, runtime)
    if packed:
        calls.insert(0, {"api": "rknn_inputs_set", "inputs": packed})
    if dynamic:
        return {**plan, "buffers": buffers, "calls": [], "steps": steps}
    calls.append({"api": "runSession"} if runtime == "mnn" else {"api": "rknn_run"})
    if runtime not in ("rknn", "rknn1", "mnn"):
        calls.pop()
    plan["buffers"], plan["calls"] = buffers, calls
    plan["steps"] = steps
    return plan


def _expected_values(tensor: Tensor) -> list[Plain]:
    """What the file itself asks of the application (TFLite metadata), with the codes of a quantised input at the end."""
    expects = tensor.expects
    if expects is None or expects.mean is None or expects.std is None:
        return []
    found: list[Plain] = [{"normalize": {"mean": list(expects.mean), "std": list(expects.std)}}]
    if tensor.scale and tensor.dtype and not tensor.dtype.startswith("float"):
        codes = {"dtype": tensor.dtype, "scale": tensor.scale, "zero_point": tensor.zero_point or 0}
        found.append({"quantize": codes})
    return found


def one_picture(shape: list[int]) -> list[int]:
    """A shape whose first axis alone is open, for a run of one picture: their runtimes take any length there."""
    return [1, *shape[1:]] if shape and shape[0] == -1 and is_static(shape[1:]) else list(shape)


def for_one_picture(contract: Contract) -> Contract:
    """An ONNX or TFLite contract whose inputs with an open first axis alone are taken for one picture."""
    inputs = []
    for tensor in contract.inputs:
        shape = one_picture(tensor.shape or [])
        if shape != (tensor.shape or []):
            origin = {**tensor.provenance, "shape": "rule:ON-BATCH-ONE"}
            tensor = tensor.model_copy(
                update={"shape": shape, "dynamic": [list(tensor.shape or [])], "provenance": origin}
            )
        inputs.append(tensor)
    return contract.model_copy(update={"inputs": inputs})


def _image_dims(tensor: Tensor) -> Dims | None:
    shape = tensor.shape or []
    dims = dims_of(tensor.layout or "", shape)
    picture = len(shape) == 4 and dims is not None and dims.c in COLOR and is_static(shape)
    return dims if picture and tensor.dtype not in NO_PIXELS else None


def _image_for(tensor: Tensor, images: Sequence[ImageFacts], contract: Contract) -> ImageFacts | None:
    named = [i for i in images if i.input is not None]
    if named:
        return next((i for i in named if i.input == tensor.name), None)
    with_pixels = [t for t in contract.inputs if _image_dims(t) is not None]
    return images[0] if images and (len(with_pixels) == 1 or len(contract.inputs) == 1) else None


def _buffer(tensor: Tensor, dims: Dims | None, runtime: str) -> Plain:
    if dims is not None and runtime in ("rknn", "rknn1"):
        return {
            "dtype": "uint8", "shape": [dims.n, dims.h, dims.w, dims.c], "layout": "NHWC", "color": COLOR[dims.c],
            "range": [0, 255], "size": dims.elements,
        }  # fmt: skip
    own = runtime not in ("rknn", "rknn1") or tensor.dtype in NO_PIXELS
    dtype = (tensor.dtype or "float32") if own else "float32"
    shape = [max(d, 1) for d in tensor.shape or []]
    layout = "NCHW" if tensor.layout in ("NC4HW4", "NCHW") else tensor.layout
    if runtime == "mnn" and tensor.layout == "NHWC" and dims is not None:
        shape, layout = [dims.n, dims.c, dims.h, dims.w], "NCHW"
    found: Plain = {"dtype": dtype, "shape": shape, "size": nbytes(dtype, elements("UNDEFINED", shape))}
    if layout is not None:
        found["layout"] = layout
    if dims is not None:
        found["color"] = COLOR[dims.c]
        if dtype != "int8" and not _expected_values(
            tensor
        ):  # 0..255 does not fit; what an int8 input is to hold is for the user to say
            found["range"] = [0, 255]
    return found


def _native_buffer(tensor: Tensor) -> Plain:
    native = tensor.native
    size = (native.size_with_stride if native else None) or tensor.size_with_stride or tensor.size
    found: Plain = {"dtype": tensor.dtype or "int8", "size": size}
    shape = (native.shape if native else None) or tensor.shape
    layout = (native.layout if native else None) or tensor.layout
    return {**found, "shape": shape, "layout": layout}


def _calls(tensor: Tensor, position: int, name: str, dims: Dims | None, runtime: str) -> list[Plain]:
    """The calls that hand one input over where each has calls of its own: MNN, other runtimes, RKNN with zero-copy only."""
    buffer = _buffer(tensor, dims, runtime)
    size, dtype = buffer["size"], str(buffer["dtype"])
    if runtime == "mnn":
        host: Plain = {
            "shape": buffer["shape"],
            "layout": buffer.get("layout", "NCHW"),
            "dtype": dtype,
            "fill": {"buffer": name, "size": size},
        }
        return [{"api": "copyFromHostTensor", "tensor": tensor.name, "host": host}]
    if runtime not in ("rknn", "rknn1"):
        return [{"api": "set_input", "tensor": tensor.name, "buffer": name, "size": size}]
    if dims is None:
        return _native_codes(tensor, position, name)
    return _zero_copy(tensor, position, name, dims, dtype, "NHWC")


def _field(tensor: Tensor, position: int, name: str, dims: Dims | None, runtime: str) -> Plain:
    """One input in the call of rknn_inputs_set that hands all over."""
    buffer = _buffer(tensor, dims, runtime)
    return {
        "index": position,
        "buffer": name,
        "type": str(buffer["dtype"]).upper(),
        "fmt": "NHWC" if dims is not None else tensor.layout or "UNDEFINED",
        "size": buffer["size"],
        "pass_through": 0,
    }


def _native_codes(tensor: Tensor, position: int, name: str) -> list[Plain]:
    """Zero-copy of an input that is no picture: already quantised codes in the NPU's own layout, pass_through 1.

    Source: RKNN API guide 1.5.2 table 4-3 (RV1103/RV1106: int8, pass_through 1, NHWC or NC1HWC2).
    """
    native = tensor.native
    fmt = (native.layout if native else None) or tensor.layout or "UNDEFINED"
    size = (native.size_with_stride if native else None) or tensor.size_with_stride or tensor.size
    memory, dtype = f"{name}_mem", str(tensor.dtype or "int8")
    bind: Plain = {
        "api": "rknn_set_io_mem", "index": position, "buffer": memory, "type": dtype.upper(), "fmt": fmt, "size": size,
        "pass_through": 1,
    }  # fmt: skip
    make: Plain = {"api": "rknn_create_mem", "for": f"inputs[{position}]", "size": size, "attr": "NATIVE_INPUT_ATTR"}
    write: Plain = {"api": "write", "buffer": memory, "from": name, "by": "cpu", "dtype": dtype, "size": size}
    return [make, bind, write]


def _zero_copy(tensor: Tensor, position: int, name: str, dims: Dims, dtype: str, fmt: str) -> list[Plain]:
    memory = f"{name}_mem"
    stride = tensor.w_stride or dims.w
    size = max(tensor.size_with_stride or tensor.size or 0, dims.n * dims.h * stride * dims.c * itemsize(dtype))
    bind: Plain = {
        "api": "rknn_set_io_mem",
        "index": position,
        "buffer": memory,
        "type": dtype.upper(),
        "fmt": fmt,
        "size": size,
        "pass_through": 0,
    }
    write: Plain = {"api": "write", "buffer": memory, "from": name, "by": "cpu", "dtype": dtype}
    bind["w_stride"] = stride
    write["wstride"] = stride
    make: Plain = {"api": "rknn_create_mem", "for": f"inputs[{position}]", "size": size, "attr": "INPUT_ATTR"}
    return [make, bind, write]


def any_resize(contract: Contract, images: Sequence[ImageFacts]) -> bool:
    """Whether a picture has another size than the input that it goes to."""
    for tensor in contract.inputs:
        dims, image = _image_dims(tensor), _image_for(tensor, images, contract)
        if dims is not None and image is not None and image.size != (dims.w, dims.h):
            return True
    return False


def default_plan_document(contract: Contract, images: Sequence[ImageFacts], *, resize_library: str = "opencv") -> Plan:
    """The default plan as a document, made without building any schema: its values are ours."""
    from prepcheck.contract.calls import Call, CopyFromHost, Fill, HostTensor, RknnInput, RknnInputsSet
    from prepcheck.contract.plan import Buffer, Plan
    from prepcheck.contract.steps import STEP_CLASSES, Step

    plain = default_plan(contract, images, resize_library=resize_library)
    by_api = {name: cls for cls in get_args(Call) for name in get_args(cls.model_fields["api"].annotation)}

    def call(value: Plain) -> object:
        cls = by_api[str(value["api"])]
        if cls is RknnInputsSet:
            fields = value["inputs"]
            assert isinstance(fields, list)
            return cls.made(**{**value, "inputs": [RknnInput.made(**item) for item in fields]})
        if cls is CopyFromHost:
            host = value["host"]
            assert isinstance(host, dict)
            return cls.made(**{**value, "host": HostTensor.made(**{**host, "fill": Fill.made(**host["fill"])})})
        return cls.made(
            **{("for_" if key == "for" else "from_" if key == "from" else key): v for key, v in value.items()}
        )

    def step(value: Plain) -> object:
        ((kind, arguments),) = value.items()
        assert isinstance(arguments, dict)
        return Step.made(**{kind: STEP_CLASSES[kind].made(**arguments)})

    steps, buffers, calls = plain["steps"], plain["buffers"], plain["calls"]
    assert isinstance(steps, dict)
    assert isinstance(buffers, dict)
    assert isinstance(calls, list)
    return Plan.made(
        runtime=plain["runtime"],
        platform=plain.get("platform"),
        buffers={name: Buffer.made(**value) for name, value in buffers.items()},
        steps={name: [step(item) for item in items] for name, items in steps.items()},
        calls=[call(item) for item in calls],
    )
