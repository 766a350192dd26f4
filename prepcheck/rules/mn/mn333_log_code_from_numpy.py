"""Python code calls fromNumpy on a session's input: nothing is written.

What it checks
    `X.fromNumpy(…)` where X comes from getSessionInput in the same text.

Why it matters
    The tensor belongs to the session; pymnn returns None and copies nothing. The network runs on what its memory held: another
    answer every time, or one that does not depend on the picture.

How it is computed
    The names of variables.

Example
    input_tensor = interpreter.getSessionInput(session); input_tensor.fromNumpy(input_data).

Fix
    tmp = MNN.Tensor(shape, MNN.Halide_Type_Float, array, MNN.Tensor_DimensionType_Caffe); input_tensor.copyFrom(tmp).

Limits
    Straight code only.

References
    alibaba/MNN#861, alibaba/MNN#2928; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.mnn_code import uses_of
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN333",
    "log-code-from-numpy",
    over="logbook",
    category="stale_buffer",
    rank=Rank.CALL,
    sources=("mnn:T20", "alibaba/MNN#861", "measured: MNN 3.6.1"),
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in uses_of(book, "code_get_input", "code_from_numpy")[:2]:
        yield Finding(
            "{variable}.fromNumpy writes nothing: {variable} is the session's own input.",
            "pymnn fills only tensors that Python made itself, and returns None for all others. The network runs on old or uninitialised memory.",
            "tmp = MNN.Tensor(array.shape, MNN.Halide_Type_Float, array, MNN.Tensor_DimensionType_Caffe), then {variable}.copyFrom(tmp).",
            {"variable": event.word("var")},
            where=event.where,
            about="log:from_numpy",
        )
