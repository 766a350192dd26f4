"""A NULL pointer as buffer.

What it checks
    Whether a record holds an rknn_inputs_set with a structure whose buf is NULL.

Why it matters
    librknnrt reads it without looking: the program dies inside the call, without a message.

How it is computed
    A recorded structure without a buffer.

Example
    malloc failed, or the decoder gave nothing, and its result was not checked.

Fix
    Check the pointer before the call.

Limits
    Only records are judged: a plan that names no buffer merely says nothing.

References
    Measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnInputsSet
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK033",
    "no-buffer",
    over="call:rknn_inputs_set",
    category="memory",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-13", "a record that ends inside the call", "measured: librknnrt 1.5.2 under emulation"),
)
def check(call: Call) -> Iterator[Finding]:
    assert isinstance(call, RknnInputsSet)
    for place, item in enumerate(call.inputs):
        if item.buffer is None and call.t_ms is not None:
            index = item.index if item.index is not None else place
            yield Finding(
                "rknn_inputs_set got buf = NULL for inputs[{index}].",
                "The runtime copies {size} bytes from the pointer without looking at it; the program dies there.",
                "Find out why the pointer is NULL (a decoder that gave nothing, an allocation that failed) and check it before "
                "the call.",
                {"index": index, "size": item.size},
                about=f"inputs[{index}]",
            )
