"""The converted model gives other values than the original.

What it checks
    `TESTERROR X value error : absMaxV:A - DiffMax B`; of older versions `TESTERROR X value error:nan`.

Why it matters
    The check feeds inputs that the script makes (0.1 to 1.2), so the program's preprocessing has no part in it: it is the
    conversion, or a CPU kernel of MNN.

How it is computed
    The check fails where B is more than 1 % of A (A at least 0.0001).

Example
    absMaxV:0.839136 - DiffMax 0.562396: 67 %. absMaxV:0.0001 is the floor: the reference is (almost) all zero.

Fix
    testMNNFromOnnx.py model.onnx DEBUG bisects to the first operator that differs; report it with that part of the model.

Limits
    "Converted Success!" says only that a file was written.

References
    MNN tools/script/testMNNFromOnnx.py; measured: converter 3.6.1; alibaba/MNN#2819, alibaba/MNN#3649.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.mnn_log import named_op
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule

FLOOR = 0.0001
"""Smallest absMaxV that the check prints. Source: tools/converter, measured: converter 3.6.1."""


@rule(
    "MN315",
    "log-converted-differs",
    over="log:cv_test_value",
    category="model_conversion",
    rank=Rank.CONTRACT,
    sources=("mnn:K3", "alibaba/MNN#2819", "alibaba/MNN#3649", "measured: MNN converter 3.6.1"),
    scope="conversion",
)
def check(first_event: LogEvent, book: LogBook, world: World) -> Iterator[Finding]:
    top, diff = (first_event.fields.get(k) for k in ("max", "diff"))
    alone = first_event.fields.get("value")
    if isinstance(alone, (int, float)):
        yield Finding(
            "{output}: the converted model answers {value}, which is no number to compare.",
            "The check stops at the first NaN or infinity of an output. It fed inputs that its script makes; the application's "
            "input is not concerned.",
            "Bisect: python3 testMNNFromOnnx.py MODEL.onnx DEBUG names the first operator that differs; try --optimizeLevel 0 or "
            "another MNN version for it.",
            {"output": first_event.word("op"), "value": float(alone)},
            about="log:converted",
        )
        return
    if not isinstance(top, (int, float)) or not isinstance(diff, (int, float)):
        return
    told = book.near(first_event, "cv_check", before=60, after=4)
    tolerance = told.fields.get("tol") if told is not None else None
    limit = float(tolerance) if isinstance(tolerance, (int, float)) else 0.01
    op = named_op(world, first_event.word("op") or "")
    empty = top <= FLOOR * 1.01
    values: dict[str, Value] = {
        "output": first_event.word("op"), "max": float(top), "diff": float(diff), "percent": 100 * float(diff) / float(top) if top else 0.0,
        "limit": 100 * limit, "kind": op.type if op is not None else None,
    }  # fmt: skip
    yield Finding(
        "{output}: MNN differs from the original network by {diff:.6g}, the largest value being {max:.6g} (absMaxV, DiffMax).",
        (
            "absMaxV 0.0001 is the smallest the check prints: the reference is (almost) all zero, while MNN's answer reaches {diff:.4g}"
            + (
                ", close to the largest float there is: uninitialised or overflown values."
                if abs(float(diff)) > 1e30
                else "."
            )
            if empty
            else "{diff:.6g} / {max:.6g} = {percent:.3g} %, allowed are {limit:g} %."
        )
        + ' Both sides got inputs that the script makes; the application\'s input is not concerned. "Converted Success!" says only that '
        "the file was written.",
        "Bisect: python3 testMNNFromOnnx.py MODEL.onnx DEBUG names the first operator that differs. Look at the reference first where it is "
        "all zero (onnx/<output>.txt)."
        if empty
        else "Bisect: python3 testMNNFromOnnx.py MODEL.onnx DEBUG names the first operator that differs; try --optimizeLevel 0 or another "
        "MNN version for it.",
        values,
        about="log:converted",
    )
