"""What all documents share: frozen pydantic models without unknown keys, and the closed vocabularies."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import Self


class Document(BaseModel):
    """Base of every part of a document: frozen, no unknown keys (the nearest known one is named)."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        defer_build=True,
        protected_namespaces=(),
        validate_by_name=True,
        validate_by_alias=True,
    )

    @classmethod
    def made(cls, **values: object) -> Self:
        """An instance of values that our own code has checked: no schema is built, nothing is validated or converted."""
        given = set(values)
        for name, make in _makers(cls):  # pydantic would look at the signature of each of them first (measured: 8 ms)
            if name not in given:
                values[name] = make()
        return cls.model_construct(given, **values)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        for key in data:
            known = known_keys(cls)
            if key not in known and key not in cls.model_fields:
                raise unknown_key(str(key), sorted(known))
        return data


@cache
def _makers(model: type[BaseModel]) -> tuple[tuple[str, Callable[[], object]], ...]:
    """Fields whose default is made anew for each instance, and what makes it."""
    fields = model.model_fields.items()
    return tuple((n, cast("Callable[[], object]", f.default_factory)) for n, f in fields if f.default_factory)


def known_keys(model: type[BaseModel]) -> set[str]:
    """The keys of a document part as they are written (`for`, not `for_`)."""
    return {field.alias or name for name, field in model.model_fields.items()}


def unknown_key(key: str, known: list[str]) -> PydanticCustomError:
    """The error for a key that the schema does not have, with the nearest one it has."""
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"; did you mean '{near[0]}'?" if near else f"; known here: {', '.join(known[:24])}"
    return PydanticCustomError("unknown_key", "unknown key '{key}'{hint}", {"key": key, "hint": hint})


def _text_version(value: object) -> object:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        raise PydanticCustomError(
            "version_number",
            "a version is text; {value} was read as a number (1.10 would become 1.1): put it in quotes",
            {"value": str(value)},
        )
    return value


Version = Annotated[str, BeforeValidator(_text_version)]
"""A version as text: a bare YAML number is refused."""

Layout = Literal["NCHW", "NHWC", "NC4HW4", "NC1HWC2", "HWC", "CHW", "HW", "UNDEFINED"]
Dtype = Literal[
    "float32", "float16", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float64", "bool", "int4",
]  # fmt: skip
Color = Literal["RGB", "BGR", "RGBA", "BGRA", "GRAY", "NV12", "NV21", "I420", "YUYV"]
Severity = Literal["error", "warning", "info"]
Scheme = Literal["affine", "dynamic_fixed_point", "none"]
Scope = Literal["input", "conversion", "device", "cannot_tell"]
Category = Literal[
    "size", "batch", "layout", "channel_order", "dtype", "quantization", "normalization", "resize", "stride",
    "zero_copy", "cache_sync", "memory", "color_space", "host_pointer", "session_config", "stale_buffer",
    "model_conversion", "version", "determinism", "image", "other",
]  # fmt: skip
