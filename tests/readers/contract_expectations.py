"""What `expected.json` of the RKNN models says, as (path into a contract document, value) pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator

from prepcheck.core.dtypes import from_c_name

Path = tuple[str | int, ...]


def expectations(entry: dict) -> Iterator[tuple[Path, object]]:
    """The runtime's own answers where there are any that can be trusted, else what the build says of the file."""
    runtime = {} if entry.get("runtime_unreliable") else entry.get("runtime") or {}
    stated = entry.get("from_file") or {}
    rows = runtime.get("INPUT") or stated.get("inputs") or entry.get("inputs") or []
    for k, row in enumerate(rows):
        yield from _attributes(("inputs", k), row)
        for key in ("size", "w_stride", "size_with_stride", "fl"):
            if row.get(key) is not None:
                yield ("inputs", k, key), row[key]
        if row.get("reorder"):
            yield ("inputs", k, "rgb2bgr"), row["reorder"] == [2, 1, 0]
        if "model_shape" not in row and "mean" in row:
            yield ("inputs", k, "mean"), row["mean"]
            yield ("inputs", k, "std"), row["std"]
    for k, row in enumerate(runtime.get("NATIVE_INPUT") or []):
        yield ("inputs", k, "native", "layout"), row["fmt"]
        yield ("inputs", k, "native", "shape"), row["dims"]
        yield ("inputs", k, "native", "w_stride"), row["w_stride"]
        yield ("inputs", k, "native", "size_with_stride"), row["size_with_stride"]
        if from_c_name(row["type"]):
            yield ("inputs", k, "native", "dtype"), from_c_name(row["type"])
    for k, shapes in enumerate(runtime.get("INPUT_DYNAMIC_RANGE") or []):
        yield ("inputs", k, "dynamic"), shapes
    for k, row in enumerate(runtime.get("OUTPUT") or []):
        yield from _attributes(("outputs", k), row)
        yield ("outputs", k, "size"), row["size"]
    for k, row in enumerate(stated.get("inputs") or []):
        shape = row["model_shape"]
        yield ("inputs", k, "source", "shape"), shape
        yield ("inputs", k, "rgb2bgr"), row["rgb2bgr"]
        if len(shape) == 4:
            yield ("inputs", k, "mean"), row["mean"][: shape[1]]
            yield ("inputs", k, "std"), row["std"][: shape[1]]
    if stated:
        yield ("custom_string",), stated["custom_string"] or None
        yield ("batch",), stated["batch"]
        yield ("platforms",), stated["target"]
        yield ("metadata", "npu"), stated["npu_tag"]
    if entry.get("container"):
        yield ("container",), f"{entry['container']['form']} v{entry['container']['version']}"


def _attributes(base: Path, row: dict) -> Iterator[tuple[Path, object]]:
    yield (*base, "name"), row["name"]
    yield (*base, "shape"), row["dims"]
    yield (*base, "layout"), row["fmt"]
    if from_c_name(row["type"]):
        yield (*base, "dtype"), from_c_name(row["type"])
    if row["type"] in ("INT8", "UINT8", "INT16") and row.get("scale"):
        yield (*base, "scale"), row["scale"]
        if row.get("zp") is not None:
            yield (*base, "zero_point"), row["zp"]


def get(document: object, path: Path) -> object:
    """The value at a path; KeyError or IndexError where there is none."""
    for step in path:
        document = document[step]  # type: ignore[index]
    return document


def same(got: object, want: object) -> bool:
    """Equal; numbers within 2e-5, since the expected ones were printed as float32."""
    if isinstance(got, list) and isinstance(want, list):
        return len(got) == len(want) and all(same(g, w) for g, w in zip(got, want, strict=True))
    if isinstance(got, bool) or isinstance(want, bool) or None in (got, want):
        return got is want
    if isinstance(got, (int, float)) and isinstance(want, (int, float)):
        return math.isclose(got, want, rel_tol=2e-5, abs_tol=1e-9)
    return got == want
