"""pymnn refused an array: another element type, or another number of elements.

What it checks
    `numpy type does not match`, `data size does not match each other`, `tensor/numpy size does not match each other`.

Why it matters
    The tensor was not made, or the input not filled.

How it is computed
    pymnn converts no types: float32 for Halide_Type_Float (and Double), int32 for Int, uint8 for Uint8. The size is compared in
    elements; a session's NC4HW4 input counts its channels rounded up to 4, so plain data has 3/4 of it for 3 channels.

Example
    A float64 array (numpy's default) for Halide_Type_Float.

Fix
    array.astype(np.float32); a tensor of the array and copyFrom instead of writing into the session's tensor.

Limits
    None known.

References
    alibaba/MNN#857, alibaba/MNN#1090; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN324",
    "log-python-tensor",
    over="logbook",
    category="dtype",
    rank=Rank.TYPE,
    sources=("mnn:T16", "mnn:T20", "alibaba/MNN#857", "alibaba/MNN#1090", "measured: MNN 3.6.1"),
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("mnn_numpy_type"):
        yield Finding(
            "The array has another element type than the tensor made of it (numpy's default is float64, MNN takes float32).",
            "pymnn converts nothing: float32 for Halide_Type_Float, int32 for Halide_Type_Int, uint8 for Halide_Type_Uint8.",
            "array = np.ascontiguousarray(array, np.float32) before MNN.Tensor(…).",
            {},
            where=event.where,
            about="log:numpy_type",
        )
    for event in book.firsts("mnn_numpy_size"):
        own = "fromnumpy" in event.text.lower()
        yield Finding(
            "fromNumpy compares bytes with elements and refuses every float array."
            if own
            else "The array has another number of elements than the tensor.",
            "It fills only tensors that Python made itself, and of those none of floats (MNN 3.6.1)."
            if own
            else "An NC4HW4 tensor counts its channels rounded up to 4: plain data of 3 channels has 3/4 of that.",
            "Make a tensor of the array, MNN.Tensor(shape, MNN.Halide_Type_Float, array, MNN.Tensor_DimensionType_Caffe), and copyFrom "
            "with it.",
            {"ratio": 0.75},
            category="dtype" if own else "size",
            where=event.where,
            about="log:numpy_size",
        )
