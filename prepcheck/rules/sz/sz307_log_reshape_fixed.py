"""A Reshape inside the graph is fixed to another number of elements.

What it checks
    `Cannot reshape a tensor with A elements to shape […] (B elements)` and onnxruntime's `cannot be reshaped to the
    requested shape`.

Why it matters
    The model cannot be built or run; the picture is not concerned.

How it is computed
    The two counts and shapes are compared: a common first axis above 1 is a batch that was compiled in, a ratio of
    squares another picture size.

Example
    100·640·20·20 = 25600000 against 100·80·20·20 = 3200000: the batch of 100 went into a Reshape whose first axis
    was no batch.

Fix
    batch_size=1 in config() (rknn-toolkit 1), or export with fixed shapes.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit#425, #478; airockchip/rknn_model_zoo#417
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ307",
    "log-reshape-fixed",
    over="logbook",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "rockchip-linux/rknn-toolkit#425",
        "rockchip-linux/rknn-toolkit#478",
    ),
    confidence="H",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("tf_reshape", "ort_reshape"):
        shape, given = event.numbers("shape"), event.numbers("input")
        have = event.number("have") or prod(given)
        need = event.number("need") or prod(d for d in shape if d > 0)
        batch = shape[0] if shape else 1
        values: dict[str, Value] = {
            "have": have, "need": need, "shape": shape, "given": given or "?", "batch": batch,
            "ratio": max(have, need) / max(1, min(have, need)),
        }  # fmt: skip
        if batch > 1 and (not given or given[0] == batch):
            yield Finding(
                "A Reshape wants {need} elements as {shape} and gets {have}"
                + (" as {given}" if given else "")
                + ": the batch of {batch} was "
                "compiled into an axis that is no batch ({have} / {need} = {ratio:.4g}).",
                "rknn-toolkit 1 calibrates with batch_size (default 100) and writes that number into the first axis of Reshape "
                "nodes; where that axis was something else the counts no longer agree. Conversion fault: no picture is concerned.",
                "Set batch_size=1 in config() and build again; if it stays, export the network with that Reshape written as -1.",
                values,
                where=event.where,
                category="batch",
                about="log:build",
            )
        else:
            yield Finding(
                "A Reshape wants {need} elements as {shape} and gets {have}" + (" as {given}." if given else "."),
                "The network holds a Reshape with constants for one input size; {have} / {need} = {ratio:.4g}. It was exported for "
                "another size than it is built or run with.",
                "Use the size that it was exported for, or export it again with the size wanted (constants folded for that size).",
                values,
                where=event.where,
                about="log:build",
            )
