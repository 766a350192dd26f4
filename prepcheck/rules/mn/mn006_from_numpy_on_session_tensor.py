"""fromNumpy is called on a session's input: it writes nothing.

What it checks
    Whether the call `Tensor.fromNumpy` names an input of the session.

Why it matters
    The tensor does not belong to Python, so pymnn returns None without copying: no error, no warning. The network runs on
    what the memory held before, and the answers differ from run to run.

How it is computed
    The target of the call.

Example
    interpreter.getSessionInput(session).fromNumpy(array).

Fix
    tmp = MNN.Tensor(shape, MNN.Halide_Type_Float, array, MNN.Tensor_DimensionType_Caffe); input.copyFrom(tmp).

Limits
    On a float tensor that Python made itself the call raises (it compares bytes with elements): a warning.

References
    alibaba/MNN#861; measured: MNN 3.6.1; source: pymnn/src/MNN.cc (owner test in fromNumpy).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import Target
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN006",
    "from-numpy-on-session-tensor",
    over="mnn_write:Tensor.fromNumpy",
    category="stale_buffer",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T20", "alibaba/MNN#861", "measured: MNN 3.6.1"),
)
def check(target: Target) -> Iterator[Finding]:
    if target.kind == "input":
        yield Finding(
            "fromNumpy on the session's input {name} writes nothing and returns None.",
            "Only a tensor that Python made itself can be filled that way; an input belongs to the session. The network runs on "
            "what its memory held before.",
            "Make a tensor of the array (MNN.Tensor(shape, MNN.Halide_Type_Float, array, MNN.Tensor_DimensionType_Caffe)) and call "
            "copyFrom with it on the input.",
            {"name": target.name or "(the only one)"},
        )
    elif target.kind == "own":
        yield Finding(
            "fromNumpy on the tensor {name} raises for float data: it compares bytes with elements.",
            'Seen with MNN 3.6.1: "tensor/numpy size does not match each other" for every float32 array.',
            "Give the array to the constructor: MNN.Tensor(shape, MNN.Halide_Type_Float, array, MNN.Tensor_DimensionType_Caffe).",
            {"name": target.name or ""},
            severity="warning",
        )
