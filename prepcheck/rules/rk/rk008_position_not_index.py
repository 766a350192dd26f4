"""The place in the array feeds the input, not the index field.

What it checks
    Whether the structures of one rknn_inputs_set stand in the order of their index.

Why it matters
    librknnrt 1.5.2 feeds inputs[k] of the array to input k of the model, whatever its index says: exchanged places give a
    size error for the wrong input, or exchanged pictures where the sizes agree. A single structure with index 1 feeds
    input 0.

How it is computed
    Place in the array against the index.

Example
    [{index: 1, …}, {index: 0, …}].

Fix
    Sort the array: inputs[0].index = 0, inputs[1].index = 1, and hand over all of them in one call.

Limits
    Measured on librknnrt 1.5.2; other versions may go by the index.

References
    Measured: librknnrt 1.5.2 under emulation (memory dump).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnInputsSet
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK008",
    "position-not-index",
    over="call:rknn_inputs_set",
    category="other",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:G-11", "measured: librknnrt 1.5.2 under emulation"),
    versions=("1.5.2",),
)
def check(call: Call) -> Iterator[Finding]:
    assert isinstance(call, RknnInputsSet)
    order: list[Value] = [item.index if item.index is not None else place for place, item in enumerate(call.inputs)]
    wrong = next((place for place, index in enumerate(order) if index != place), None)
    if wrong is None:
        return
    yield Finding(
        "The array of rknn_inputs_set has the indices {order}; its place {place} feeds input {place}, not input {index}.",
        "The runtime goes by the place in the array and does not look at .index: input {place} gets what was meant for "
        "input {index}, or the call fails on a size that is not its own (-5).",
        "Sort the array so that the structure at place k has index k, and give all inputs in one call.",
        {"order": order, "place": wrong, "index": order[wrong]},
        about=f"inputs[{wrong}]",
    )
