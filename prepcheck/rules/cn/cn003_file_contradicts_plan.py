"""The array file is not what the plan says of the buffer.

What it checks
    Type and shape in the header of an .npy file against `dtype` and `shape` of the buffer.

Why it matters
    The checks rest on the plan; the program hands over the file's bytes.

How it is computed
    Comparison as stated; axes of size 1 do not matter.

Example
    The plan says float32, the file holds float64 (numpy's default).

Fix
    Convert the array, or correct the plan.

Limits
    Views (strides, offset) describe a part of the file and are not compared. Raw files have no header.

References
    The plan against the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import without_ones
from prepcheck.facts.world import ArrayFacts
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN003",
    "file-contradicts-plan",
    over="buffer",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=("the plan against the file",),
)
def check(
    file_array: ArrayFacts, name: str, stated_dtype: str | None, stated_shape: tuple[int, ...] | None
) -> Iterator[Finding]:
    if file_array.dtype is not None and stated_dtype is not None and file_array.dtype != stated_dtype:
        yield Finding(
            "{name} is stated as {stated}; its file holds {found}.",
            "The program hands over what the file holds: {bytes} bytes of {found}.",
            "Convert the array to {stated}, or correct `dtype`.",
            {"name": name, "stated": stated_dtype, "found": file_array.dtype, "bytes": file_array.nbytes},
            category="dtype",
        )
        return
    if file_array.shape is None or stated_shape is None:
        return
    found, stated = without_ones(file_array.shape), without_ones(stated_shape)
    if found != stated:
        yield Finding(
            "{name} is stated with the shape {stated}; its file holds {found}.",
            "The program hands over what the file holds: {bytes} bytes.",
            "Correct `shape`, or make the array anew.",
            {"name": name, "stated": stated_shape, "found": file_array.shape, "bytes": file_array.nbytes},
            category="layout" if sorted(found) == sorted(stated) else "size",
        )
