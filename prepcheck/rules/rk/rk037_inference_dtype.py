"""An element type that inference() does not take.

What it checks
    Whether the arrays have a type that the library passes on.

Why it matters
    For float64 (numpy's default for computed arrays) the toolkit prints `Unsupport inputs[0].dtype: float64` and returns
    None; nothing is raised, and the program fails later on something else.

How it is computed
    rknn-toolkit2: uint8 int8 uint16 int16 uint32 int32 int64 float16 float32 bool. RKNNLite: int8 uint8 int16 float16
    float32.

Example
    (image / 255.0) is float64.

Fix
    array.astype(numpy.float32), or hand over the uint8 pixels.

Limits
    Other types that RKNNLite does not list are a warning. rknn-toolkit of the first generation is not judged.

References
    Measured: rknn-toolkit2 2.5.0; rknn_lite.py 2.5.0 (list of types); NotPunchnox/rkllama#140.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule

TAKEN = {
    "rknn-toolkit2": (
        "uint8", "int8", "uint16", "int16", "uint32", "int32", "int64", "float16", "float32", "bool",
    ),
    "rknn-toolkit-lite2": ("int8", "uint8", "int16", "float16", "float32"),
}  # fmt: skip


@rule(
    "RK037",
    "inference-dtype",
    over="inference_input",
    category="dtype",
    rank=Rank.TYPE,
    runtimes=("rknn",),
    sources=("runtime:P-05", "runtime:P-13", "NotPunchnox/rkllama#140", "rknn_lite.py 2.5.0"),
)
def check(library: str, content_dtype: str, input: InputThing, label: str) -> Iterator[Finding]:
    taken = TAKEN.get(library)
    if taken is None or content_dtype in taken or content_dtype == input.tensor.dtype:
        return
    sure = content_dtype in ("float64", "uint64")
    yield Finding(
        "{label} gets a {given} array; inference() of {library} does not take that type.",
        "It prints that the type is not supported and returns None; nothing is raised. Taken are: {taken}.",
        "Convert before the call: array.astype(numpy.float32), or hand over uint8 pixels.",
        {"label": label, "given": content_dtype, "library": library, "taken": ", ".join(taken)},
        severity=None if sure else "warning",
    )
