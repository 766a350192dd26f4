"""An element type that RKNNLite does not list.

What it checks
    Whether the arrays of inference() on the board have a type of RKNNLite's list, or the input's own type.

Why it matters
    RKNNLite documents int8, uint8, int16, float16 and float32. Of another type inference() may return None without raising,
    although the simulator of rknn-toolkit2 takes it.

How it is computed
    Library and element type of each array; an array of the model's own type (int64 for token numbers, say) is left alone.

Example
    An int32 array (numpy.where, sums) for a float16 input.

Fix
    array.astype(numpy.float32), or uint8 pixels.

Limits
    A warning: the list is that of rknn_lite.py 2.5.0. float64 and uint64 are refused everywhere and have a rule of their own.

References
    rknn_lite.py 2.5.0 (list of types); measured: simulator of rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule

LISTED = ("int8", "uint8", "int16", "float16", "float32")
"""Source: rknn_lite.py 2.5.0, docstring of inference()."""


@rule(
    "RK036",
    "inference-type-not-listed",
    over="inference_input",
    category="dtype",
    severity="warning",
    rank=Rank.TYPE,
    runtimes=("rknn",),
    sources=("runtime:P-05", "runtime:P-13", "rknn_lite.py 2.5.0"),
    confidence="M",
)
def check(library: str, content_dtype: str, input: InputThing, label: str) -> Iterator[Finding]:
    if library != "rknn-toolkit-lite2" or content_dtype in (*LISTED, "float64", "uint64", input.tensor.dtype):
        return
    yield Finding(
        "{label} gets a {given} array; RKNNLite lists {listed}.",
        "The PC's simulator takes {given} too, the board may not: inference() then prints an error and returns None.",
        "Convert before the call: array.astype(numpy.float32), or hand over uint8 pixels.",
        {"label": label, "given": content_dtype, "listed": ", ".join(LISTED)},
    )
