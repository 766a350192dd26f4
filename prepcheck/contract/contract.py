"""Contract: what a model expects of its inputs and says of its outputs (`prepcheck/contract/v1`)."""

from typing import Literal

from pydantic import Field

from prepcheck.contract.base import Color, Document, Dtype, Layout, Scheme

CONTRACT_SCHEMA = "prepcheck/contract/v1"


class Source(Document):
    """The original network's tensor, before conversion. Shape in elements, in the order of `layout`."""

    layout: Layout | None = None
    shape: list[int] | None = None
    dtype: Dtype | None = None


class Native(Document):
    """The tensor as the NPU lays it out (RKNN_QUERY_NATIVE_INPUT_ATTR). w_stride in pixels, size_with_stride in bytes."""

    layout: Layout | None = None
    shape: list[int] | None = None
    dtype: Dtype | None = None
    w_stride: int | None = None
    size_with_stride: int | None = None


class Expects(Document):
    """What the file asks of the application for an input: pixels 0..255 in `color`, then (x − mean) / std per channel."""

    color: Color | None = None
    mean: list[float] | None = None
    std: list[float] | None = None


class Tensor(Document):
    """One input or output. A value that the file does not hold is None; `provenance` says where the others come from.

    shape: elements per axis in the order of `layout` (−1 = dynamic; NC4HW4 with the logical NCHW shape).
    size, size_with_stride: bytes. w_stride: pixels. value_range: what the codes can hold, (qmin − zp)·scale … .
    mean, std: applied by the model or its runtime, one per channel, as (x − mean) / std. expects: what the file says that
    the application has to do (TFLite metadata).
    """

    index: int | None = None
    name: str | None = None
    layout: Layout | None = None
    shape: list[int] | None = None
    dtype: Dtype | None = None
    scheme: Scheme | None = None
    scale: float | None = None
    zero_point: int | None = None
    fl: int | None = None
    size: int | None = None
    w_stride: int | None = None
    size_with_stride: int | None = None
    mean: list[float] | None = None
    std: list[float] | None = None
    rgb2bgr: bool | None = None
    value_range: list[float] | None = None
    calibration_range: list[float] | None = None
    source: Source | None = None
    native: Native | None = None
    dynamic: list[list[int]] | None = None
    expects: Expects | None = None
    provenance: dict[str, str] = Field(default_factory=dict)


class Note(Document):
    """Something a reader noticed in the file that a rule of family CT turns into a finding (`trailing_bytes`, …)."""

    kind: str
    values: dict[str, int | float | str | bool | None | list[int] | list[str]] = Field(default_factory=dict)


class Contract(Document):
    """The whole contract of a model file."""

    schema_: Literal["prepcheck/contract/v1"] = Field(default="prepcheck/contract/v1", alias="schema")
    runtime: Literal["rknn", "rknn1", "mnn", "onnx", "tflite", "generic"] | None = None
    platforms: list[str] | None = None
    toolkit: str | None = None
    custom_string: str | None = None
    quantized: bool | None = None
    batch: int | None = None
    container: str | None = None
    inputs: list[Tensor]
    outputs: list[Tensor] = Field(default_factory=list)
    metadata: dict[str, str] = Field(default_factory=dict)
    notes: list[Note] = Field(default_factory=list)
