"""What all documents share: frozen pydantic models without unknown keys, and the closed vocabularies."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Document(BaseModel):
    """Base of every part of a document: frozen, no unknown keys, schemas built on first use."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, protected_namespaces=())


Layout = Literal["NCHW", "NHWC", "NC4HW4", "NC1HWC2", "HWC", "CHW", "HW", "UNDEFINED"]
Dtype = Literal[
    "float32",
    "float16",
    "bfloat16",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    "float64",
    "bool",
    "int4",
]
Color = Literal["RGB", "BGR", "RGBA", "BGRA", "GRAY", "NV12", "NV21", "I420", "YUYV"]
Severity = Literal["error", "warning", "info"]
Scheme = Literal["affine", "dynamic_fixed_point", "none"]
Scope = Literal["input", "conversion", "device", "cannot_tell"]
Category = Literal[
    "size",
    "batch",
    "layout",
    "channel_order",
    "dtype",
    "quantization",
    "normalization",
    "resize",
    "stride",
    "zero_copy",
    "cache_sync",
    "memory",
    "color_space",
    "host_pointer",
    "session_config",
    "stale_buffer",
    "model_conversion",
    "version",
    "determinism",
    "image",
    "other",
]
