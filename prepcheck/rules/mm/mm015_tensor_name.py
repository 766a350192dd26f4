"""The attribute that is bound has not the tensor's name.

What it checks
    Whether the name in the attribute of rknn_set_io_mem is the name of the input that is meant.

Why it matters
    The runtime finds the tensor by attr.name, not by index. librknnrt returns -1 for an unknown name, without a message; the
    mini runtime returns 0 and binds nothing. rknn_run returns 0 either way. The name of another tensor binds that one.

How it is computed
    name of the call against the names of the model.

Example
    An attribute filled by hand, or memset to 0 before the query failed: name is empty.

Fix
    Use the attribute as rknn_query filled it; change only type, fmt and pass_through.

Limits
    Only where the plan (or record) states the name.

References
    rknn_api.h 2.3.2; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MM015",
    "tensor-name",
    over="bound",
    category="zero_copy",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:Z-01", "runtime:M-06", "measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation"),
)
def check(bound_name: str, input: InputThing, contract: Contract, mini: bool, bind_where: str) -> Iterator[Finding]:
    said, want = bound_name, input.tensor.name
    if want is None or said == want:
        return
    values: dict[str, Value] = {"said": said, "want": want, "link": "binding -> attribute"}
    others = [t.name for t in (*contract.inputs, *contract.outputs) if t.name == said and said]
    if others:
        yield Finding(
            "The attribute bound for {want} has the name {said}: that tensor is bound, not {want}.",
            "The runtime goes by attr.name and not by its index. {want} keeps the runtime's own memory, which nobody fills.",
            "Pass the attribute of {want} as rknn_query filled it.",
            values,
            where=bind_where,
        )
        return
    yield Finding(
        "The attribute bound for {want} has the name '{said}', which no tensor of the model has.",
        "The runtime finds the tensor by attr.name: rknn_set_io_mem returns 0, binds nothing, and rknn_run computes on memory "
        "of its own: one answer for every picture, without any error."
        if mini
        else "The runtime finds the tensor by attr.name: rknn_set_io_mem returns -1 without a message, and rknn_run returns 0 on "
        "memory of its own: one answer for every picture.",
        "Use the attribute as rknn_query filled it (name included); change only type, fmt and pass_through.",
        values,
        where=bind_where,
    )
