"""Two tensors inside the graph do not go together.

What it checks
    `Broad cast error, dim1 = A, dim2 = B`, `Error for concat size of op [ X ]`.

Why it matters
    The sizes given to one input contradict those of another, or constants of the graph: the session is not made ready.

How it is computed
    A and B are the sizes of one axis. 0 comes of an input whose sizes were not set yet: the line is printed at createSession for
    the file's own sizes, and is harmless where resizeSession follows and prints none.

Example
    dim1 = 157, dim2 = 100: an input of 157 in a network exported for 100.

Fix
    Give all inputs sizes that belong together (resizeTensor for each, then one resizeSession), or those of the export.

Limits
    Which input is meant is not printed.

References
    alibaba/MNN#2310, alibaba/MNN#2401, alibaba/MNN#2568.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.mnn_log import named_op
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN329",
    "log-sizes-do-not-fit",
    over="logbook",
    category="size",
    rank=Rank.SIZE,
    sources=("alibaba/MNN#2310", "alibaba/MNN#2401", "alibaba/MNN#2568"),
)
def check(book: LogBook, world: World) -> Iterator[Finding]:
    for event in book.firsts("mnn_broadcast", "mnn_concat")[:3]:
        at = book.near(event, "mnn_compute_shape", before=0, after=3)
        name = event.word("op") or (at.word("op") if at is not None else None)
        op = named_op(world, name) if name else None
        first = event.number("a") == 0 or event.number("b") == 0
        later = book.near(event, "mnn_not_resized", before=0, after=60) is not None
        values: dict[str, Value] = {
            "a": event.number("a"), "b": event.number("b"), "op": name, "layer": op.name if op else None, "kind": op.type if op else None,
        }  # fmt: skip
        yield Finding(
            (
                "Two tensors with {a} and {b} in one axis do not go together"
                if event.kind == "mnn_broadcast"
                else "The tensors that {op} puts together do not fit"
            )
            + (" (operator {op})." if name and event.kind == "mnn_broadcast" else "."),
            (
                "0 is the size of an input that is not set yet: the line comes from createSession, with the file's own sizes. It is harmless where "
                "resizeTensor and resizeSession follow."
                if first and not later
                else "One input has sizes that contradict another input, or a constant that the export left in the graph. "
                'What follows (Compute Shape Error, "not resized") comes of it.'
            )
            + (" {op} is {layer} ({kind})." if op is not None else ""),
            "Call resizeTensor for every input with sizes that belong together, then resizeSession once; or use the sizes of the export.",
            values,
            severity="warning" if first and not later else None,
            where=event.where,
            about="log:shape",
        )
