"""Calls of a plan: RKNN, MNN, RGA and the neutral ones (interface §4.1 – §4.3). `api` tells which."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from prepcheck.contract.base import Document, Dtype, Layout

CType = Literal[
    "FLOAT32", "FLOAT16", "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "BOOL", "INT4", "BFLOAT16",
]  # fmt: skip
CFormat = Literal["NHWC", "NCHW", "NC1HWC2", "UNDEFINED"]
Three = Annotated[list[float], Field(min_length=1, max_length=4)]
MnnFormat = Literal[
    "RGB", "BGR", "RGBA", "BGRA", "GRAY", "YUV_NV12", "YUV_NV21", "YUV_I420", "YCrCb", "YUV", "HSV", "XYZ", "BGR555",
    "BGR565", "HSV_FULL",
]  # fmt: skip


def _c_name(value: object) -> object:
    """Accept the C names with their prefixes, as pasted."""
    if isinstance(value, str):
        for prefix in ("RKNN_TENSOR_", "RK_FORMAT_", "RKNN_FLAG_", "IM_"):
            value = value.removeprefix(prefix)
    return value


CTypeName = Annotated[CType, BeforeValidator(_c_name)]
CFormatName = Annotated[CFormat, BeforeValidator(_c_name)]
CName = Annotated[str, BeforeValidator(_c_name)]


class CallBase(Document):
    """What every call may carry. ret, hash, thread, t_ms come from a record: return code, content hash, thread, time."""

    ret: int | None = None
    hash: str | None = None
    thread: int | None = None
    t_ms: float | None = None


class RknnInit(CallBase):
    """rknn_init; flags without RKNN_FLAG_."""

    api: Literal["rknn_init"]
    flags: list[CName] = Field(default_factory=list)


class RknnInput(Document):
    """One rknn_input. `type: null` written out = the field was never set (0 = FLOAT32). size in bytes."""

    index: int | None = None
    buffer: str | None = None
    type: CTypeName | None = None
    fmt: CFormatName | None = None
    size: int | None = None
    pass_through: int | None = None
    hash: str | None = None

    @property
    def type_unset(self) -> bool:
        """The plan says that the field was left alone, which the runtime reads as FLOAT32."""
        return self.type is None and "type" in self.model_fields_set


class RknnInputsSet(CallBase):
    """rknn_inputs_set."""

    api: Literal["rknn_inputs_set"]
    inputs: list[RknnInput]


class RknnCreateMem(CallBase):
    """rknn_create_mem and its variants. size in bytes; attr: which queried attribute the size was taken from."""

    api: Literal["rknn_create_mem", "rknn_create_mem_from_fd", "rknn_create_mem_from_phys"]
    for_: str | None = Field(default=None, alias="for")
    buffer: str | None = None
    size: int | None = None
    attr: Literal["INPUT_ATTR", "NATIVE_INPUT_ATTR", "OUTPUT_ATTR", "NATIVE_OUTPUT_ATTR"] | None = None
    fd: int | None = None
    offset: int | None = None
    flags: list[CName] | None = None


class RknnSetIoMem(CallBase):
    """rknn_set_io_mem. size: the memory's, in bytes. w_stride: pixels."""

    api: Literal["rknn_set_io_mem"]
    index: int | None = None
    for_: str | None = Field(default=None, alias="for")
    buffer: str | None = None
    type: CTypeName | None = None
    fmt: CFormatName | None = None
    size: int | None = None
    pass_through: int | None = None
    w_stride: int | None = None
    name: str | None = None


class MemSync(CallBase):
    """rknn_mem_sync, or dma_buf_sync for memory that RKNN did not make."""

    api: Literal["rknn_mem_sync", "dma_buf_sync"]
    buffer: str
    direction: Literal["to_device", "from_device", "both"] | None = None


class RknnDestroyMem(CallBase):
    """rknn_destroy_mem."""

    api: Literal["rknn_destroy_mem"]
    buffer: str


class RknnRun(CallBase):
    """rknn_run."""

    api: Literal["rknn_run"]


class RknnOutputsGet(CallBase):
    """rknn_outputs_get: the answer is read. hash: of its content, one for each output, joined by commas."""

    api: Literal["rknn_outputs_get"]


class Inference(CallBase):
    """inference() of the toolkits. data_format as typed, data_type by numpy's names."""

    api: Literal["inference"]
    library: Literal["rknn-toolkit2", "rknn-toolkit-lite2", "rknn-toolkit"] | None = None
    inputs: list[str] | None = None
    data_format: str | list[str] | None = None
    data_type: str | list[str] | None = None
    pass_through: bool | int | list[int] | None = None


class Alloc(CallBase):
    """From here the name stands for fresh memory of undefined content."""

    api: Literal["alloc"]
    buffer: str
    size: int | None = None


class Write(CallBase):
    """Somebody writes into memory. size in bytes, wstride in pixels."""

    api: Literal["write"]
    buffer: str
    from_: str | None = Field(default=None, alias="from")
    by: Literal["cpu", "rga", "memcpy", "decoder"] | None = None
    dtype: Dtype | None = None
    size: int | None = None
    wstride: int | None = None


class Read(CallBase):
    """Somebody reads memory."""

    api: Literal["read"]
    buffer: str
    by: Literal["cpu"] | None = None


class SetInput(CallBase):
    """A generic runtime gets an input. size in bytes."""

    api: Literal["set_input"]
    tensor: str | None = None
    buffer: str | None = None
    size: int | None = None


class Fill(Document):
    """What a host tensor is filled from; size in bytes."""

    buffer: str | None = None
    size: int | None = None


class HostTensor(Document):
    """A host tensor of MNN. dimension_type: CAFFE = NCHW, TENSORFLOW = NHWC, CAFFE_C4 = NC4HW4."""

    shape: list[int] | None = None
    layout: Layout | None = None
    dimension_type: Literal["CAFFE", "TENSORFLOW", "CAFFE_C4"] | None = None
    dtype: Dtype | None = None
    fill: Fill | None = None


class CopyFromHost(CallBase):
    """copyFromHostTensor, copyFrom, Tensor.fromNumpy."""

    api: Literal["copyFromHostTensor", "copyFrom", "Tensor.fromNumpy"]
    tensor: str | None = None
    host: HostTensor | None = None
    buffer: str | None = None


class CopyToHost(CallBase):
    """copyToHostTensor."""

    api: Literal["copyToHostTensor"]
    tensor: str | None = None


class HostWrite(CallBase):
    """Written through the host pointer. size in bytes."""

    api: Literal["host"]
    tensor: str | None = None
    write: Literal["memcpy"] | str | None = None
    buffer: str | None = None
    size: int | None = None


class Matrix(Document):
    """Destination pixel → source pixel, as scale and translation."""

    scale: Annotated[list[float], Field(min_length=2, max_length=2)]
    translate: Annotated[list[float], Field(min_length=2, max_length=2)] = Field(default_factory=lambda: [0.0, 0.0])


class ImageProcessDest(Document):
    """The destination tensor."""

    shape: list[int] | None = None
    layout: Layout | None = None
    dtype: Dtype | None = None


class ImageProcessArguments(CallBase):
    """Arguments of CV::ImageProcess::convert. matrix: {scale, translate} or nine numbers row by row; None = identity."""

    source_format: MnnFormat | None = None
    dest_format: MnnFormat | None = None
    mean: Three | None = None
    normal: Three | None = None
    filter: Literal["nearest", "bilinear", "bicubic"] | None = None
    wrap: Literal["CLAMP_TO_EDGE", "ZERO", "REPEAT"] | None = None
    padding: int | None = None
    source: str | None = None
    tensor: str | None = None
    matrix: Matrix | Annotated[list[float], Field(min_length=9, max_length=9)] | None = None
    source_size: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    stride: int | None = None
    dest: ImageProcessDest | None = None


class ImageProcessConvert(ImageProcessArguments):
    """ImageProcess.convert as a call."""

    api: Literal["ImageProcess.convert"]


class ResizeTensor(CallBase):
    """resizeTensor."""

    api: Literal["resizeTensor"]
    tensor: str | None = None
    shape: list[int]


class ResizeSession(CallBase):
    """resizeSession."""

    api: Literal["resizeSession"]


class RunSession(CallBase):
    """runSession."""

    api: Literal["runSession"]


class ChannelMemory(Document):
    """Memory of an RGA channel."""

    kind: Literal["virtual", "dma_fd", "physical", "handle"] | None = None
    heap: str | None = None
    cached: bool | None = None
    address: int | None = None
    capacity: int | None = None


class Producer(Document):
    """Who made the frame, with its pitch and plane height in pixels."""

    name: str | None = None
    hor_stride: int | None = None
    ver_stride: int | None = None
    color_space: Literal["BT601_LIMIT", "BT601_FULL", "BT709_LIMIT", "BT709_FULL"] | None = None


class Channel(Document):
    """An RGA image. Strides in pixels, size in bytes, rect [x, y, w, h]."""

    width: int | None = None
    height: int | None = None
    wstride: int | None = None
    hstride: int | None = None
    format: CName | None = None
    rect: Annotated[list[int], Field(min_length=4, max_length=4)] | None = None
    memory: ChannelMemory | None = None
    size: int | None = None
    buffer: str | None = None
    producer: Producer | None = None


class RgaArguments(CallBase):
    """Arguments of an im2d call. color: imfill's word as text. csc: im2d's name without IM_; None = not set."""

    core: Literal["rga2", "rga3"] | None = None
    src: Channel | None = None
    dst: Channel | None = None
    color: str | None = None
    csc: CName | None = None


class RgaOperation(RgaArguments):
    """An im2d operation."""

    api: Literal[
        "imresize", "imcvtcolor", "imcrop", "improcess", "imcopy", "imfill", "imrotate", "imflip", "imtranslate"
    ]  # fmt: skip


class RgaImport(CallBase):
    """importbuffer_*: the driver learns of memory and gives a handle."""

    api: Literal["importbuffer_virtualaddr", "importbuffer_fd", "importbuffer_physicaladdr"]
    src: Channel | None = None


Call = (
    RknnInit | RknnInputsSet | RknnCreateMem | RknnSetIoMem | MemSync | RknnDestroyMem | RknnRun
    | RknnOutputsGet | Inference
    | Alloc | Write | Read | SetInput | CopyFromHost | CopyToHost | HostWrite | ImageProcessConvert | ResizeTensor
    | ResizeSession | RunSession | RgaOperation | RgaImport
)  # fmt: skip
"""Any call of a plan; the field `api` tells which."""
