"""The sizes of an operator could not be computed.

What it checks
    `Compute Shape Error for N` without a line that says why.

Why it matters
    The session cannot run with the sizes that its input has.

How it is computed
    The operator by name, and by place where it is a number; with the model its type and sizes.

Example
    Compute Shape Error for 488.

Fix
    Use the sizes that the model was exported for.

Limits
    Which input is wrong is not said.

References
    alibaba/MNN#1647.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.mnn_log import named_op
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN311",
    "log-compute-shape",
    over="log:mnn_compute_shape",
    category="size",
    rank=Rank.SIZE,
    sources=("alibaba/MNN#1647",),
    scope="cannot_tell",
)
def check(first_event: LogEvent, book: LogBook, world: World) -> Iterator[Finding]:
    if first_event.label != "finding":
        return
    asked = first_event.word("op") or ""
    op = named_op(world, asked)
    sizes = book.near(first_event, "mnn_tensor_shape", before=4, after=8)
    values: dict[str, Value] = {
        "op": asked, "layer": op.name if op else None, "kind": op.type if op else None, "index": op.index if op else None,
        "shape": sizes.numbers("shape") if sizes is not None else None,
    }  # fmt: skip
    yield Finding(
        "The sizes of operator {op} could not be computed.",
        ("It is {layer}, a {kind}, number {index} in the file. " if op is not None else "")
        + ("What it gets is {shape}." if sizes is not None else "The sizes of the input do not suit the network."),
        "Give the input the sizes of the model's file (prepcheck inspect MODEL), or those it was exported for.",
        values,
        about="log:shape",
    )
