"""Plan: what the application does before the run (`prepcheck: plan/v1`). Steps and calls live beside this file."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from prepcheck.contract.about import About
from prepcheck.contract.base import Color, Document, Dtype, Layout, Scheme, Version
from prepcheck.contract.calls import Call
from prepcheck.contract.contract import Note, Tensor
from prepcheck.contract.steps import Step

PLAN_SCHEMA = "plan/v1"
Numbers = list[float]


class Memory(Document):
    """Where a buffer lives. address: fd number for dma_fd, the address for physical. capacity: bytes."""

    kind: Literal["virtual", "dma_fd", "physical", "handle"] | None = None
    heap: str | None = None
    cached: bool | None = None
    address: int | None = None
    capacity: int | None = None


class Buffer(Document):
    """Bytes of the application. size: what it holds or was allocated with, padding included; strides, offset: bytes."""

    dtype: Dtype | None = None
    shape: list[int] | None = None
    layout: Layout | None = None
    color: Color | None = None
    range: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None
    size: Annotated[int, Field(ge=0)] | None = None
    strides: list[int] | None = None
    offset: int | None = None
    contiguous: bool | None = None
    file: str | None = None
    memory: Memory | None = None


class Calibration(Document):
    """What the calibration set was fed as."""

    shape: list[int] | None = None
    layout: Layout | None = None
    dtype: Dtype | None = None


class Build(Document):
    """How the model was converted. mean, std: one list per input, in input order, None = none for that input."""

    mean: list[Numbers | None] | None = None
    std: list[Numbers | None] | None = None
    batch_size: int | None = None
    quantized: bool | None = None
    toolkit: Version | None = None
    options: list[str] | None = None
    calibration: Calibration | None = None
    rgb2bgr: list[bool] | bool | None = None


class Training(Document):
    """What the network was trained on. mean and std are in the unit of `range`."""

    color: Color | None = None
    range: Annotated[list[float], Field(min_length=2, max_length=2)] | None = None
    mean: Numbers | None = None
    std: Numbers | None = None
    resize: Literal["letterbox", "stretch", "crop"] | None = None
    fill: int | list[int] | None = None
    align: Literal["center", "top_left"] | None = None


def _training(value: object) -> object:
    if isinstance(value, dict) and value and not any(key in Training.model_fields for key in value):
        if all(isinstance(part, dict) for part in value.values()):
            return {str(name): Training.model_validate(part) for name, part in value.items()}
    return value


class PlanModel(Document):
    """The model of a plan: a file with additions, or a contract inline where every key but `inputs` may be absent."""

    file: str | None = None
    schema_: Literal["prepcheck/contract/v1"] | None = Field(default=None, alias="schema")
    runtime: str | None = None
    platforms: list[str] | None = None
    toolkit: Version | None = None
    custom_string: str | None = None
    quantized: bool | None = None
    batch: int | None = None
    container: str | None = None
    inputs: list[Tensor] | None = None
    outputs: list[Tensor] | None = None
    native_inputs: list[Tensor] | None = None
    native_outputs: list[Tensor] | None = None
    build: Build | None = None
    training: Annotated[Training | dict[str, Training], BeforeValidator(_training)] | None = None
    metadata: dict[str, str] | None = None
    notes: list[Note] | None = None

    @model_validator(mode="after")
    def _file_or_inputs(self) -> "PlanModel":
        if self.file is None and not self.inputs and (self.outputs or self.native_inputs):
            raise ValueError("a model needs `file` or `inputs`")
        return self


class Session(Document):
    """MNN's ScheduleConfig and BackendConfig. num_thread and mode are one union; the last assignment wins."""

    num_thread: int | None = None
    mode: int | None = None
    precision: Literal["normal", "high", "low", "low_bf16"] | None = None
    memory: Literal["normal", "high", "low"] | None = None
    power: Literal["normal", "high", "low"] | None = None
    backup: str | None = None
    assignments: list[tuple[str, int]] | None = None


class Device(Document):
    """What is known of the device. memory_gib: RAM; image2d_max: OpenCL's width and height limits."""

    image2d_max: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    memory_gib: float | None = None


class Postprocess(Document):
    """What the application undoes after the run."""

    undo: Literal["letterbox", "stretch"] | None = None


class Observation(Document):
    """What the user has tried: it clears or incriminates."""

    where: Literal["simulator", "board", "board_from_pc", "program"] | None = None
    model: str | None = None
    build: Literal["quantized", "float", "hybrid"] | None = None
    image: str | None = None
    run: int | None = None
    result: Literal["right", "wrong"] | None = None
    answer: list[float] | None = None
    note: str | None = None
    backend: str | None = None


def _model(value: object) -> object:
    return {"file": value} if isinstance(value, str) else value


class Plan(Document):
    """A plan document. Absent = null = unknown."""

    prepcheck: Literal["plan/v1"] = "plan/v1"
    about: About | None = None
    runtime: Literal["rknn", "rknn1", "mnn", "rga", "generic"] | None = None
    platform: str | None = None
    backend: Literal["cpu", "opencl", "vulkan", "metal", "cuda"] | None = None
    version: Version | None = None
    model: Annotated[PlanModel, BeforeValidator(_model, json_schema_input_type=str | PlanModel)] | None = None
    buffers: dict[str, Buffer] = Field(default_factory=dict)
    steps: list[Step] | dict[str, list[Step]] = Field(default_factory=list)
    calls: list[Annotated[Call, Field(discriminator="api")]] = Field(default_factory=list)
    session: Session | None = None
    device: Device | None = None
    postprocess: Postprocess | None = None
    observations: list[Observation] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, data: Any) -> Any:
        """`null` in place of a list or table means that it is unknown, as an absent key does."""
        if isinstance(data, dict):
            return {
                k: v for k, v in data.items() if v is not None or k not in ("buffers", "steps", "calls", "observations")
            }
        return data


__all__ = ["Build", "Buffer", "Calibration", "Device", "Memory", "Plan", "PlanModel", "Scheme", "Session", "Training"]
