"""Memory bound for an input with several shapes.

What it checks
    Whether memory for a dynamic input has room for its largest shape, and whether it was imported.

Why it matters
    The runtime wants the memory of the largest shape, made by itself; memory from outside is not supported for dynamic
    shapes. rknn_set_input_shapes has to come before the attributes are queried.

How it is computed
    Largest shape of the model times the width of the bound type, against the size of the memory.

Example
    Shapes up to 256x256x3, memory of 128x128x3 = 49152 bytes.

Fix
    Make the memory with rknn_create_mem for the largest shape.

Limits
    A warning.

References
    RKNN API guide 1.5.2 §4.4.2.3; strings of librknnrt.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from prepcheck.core.dtypes import nbytes
from prepcheck.facts.flow import MemoryState
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MM021",
    "dynamic-shape-bound",
    over="bound",
    category="zero_copy",
    severity="warning",
    rank=Rank.SIZE,
    runtimes=("rknn",),
    sources=("runtime:Z-20", "RKNN API guide 1.5.2 §4.4.2.3"),
    confidence="M",
)
def check(
    input: InputThing,
    declared_dtype: str,
    capacity: int,
    memory: MemoryState,
    label: str,
    name_of_memory: str,
    bind_where: str,
) -> Iterator[Finding]:
    shapes = input.tensor.dynamic
    if not shapes:
        return
    largest = max(shapes, key=prod)
    want = nbytes(declared_dtype, prod(largest))
    shape: list[Value] = list(largest)
    values: dict[str, Value] = {
        "label": label, "memory": name_of_memory, "got": capacity, "want": want, "shape": shape,
        "link": "memory -> binding",
    }  # fmt: skip
    if capacity < want:
        yield Finding(
            "{memory} has {got} bytes; the largest shape {shape} of {label} needs {want}.",
            "The runtime wants memory for the largest shape, whatever shape is set.",
            "Make the memory with {want} bytes.",
            values,
            where=bind_where,
        )
    elif memory.made_by in ("rknn_create_mem_from_fd", "rknn_create_mem_from_phys"):
        yield Finding(
            "{label} has several shapes, and {memory} is imported memory.",
            "For dynamic shapes the guide allows only memory that the runtime makes itself.",
            "Use rknn_create_mem for the largest shape ({want} bytes).",
            values,
            where=bind_where,
        )
