"""The host tensor has another element type than the session's input: nothing is copied.

What it checks
    Element type of the host tensor of copyFromHostTensor or copyFrom against the input's.

Why it matters
    MNN prints "Input type not match session's tensor", copies nothing and returns true. The network runs on what the memory
    held before: the same answer for everything, or noise.

How it is computed
    The two types; MNN converts none of them. An int64 or bool input of an ONNX model is int32 in the .mnn, a float16 or
    float64 one float32; a quantised model still takes float32.

Example
    A uint8 picture in a host tensor for a float32 input.

Fix
    Convert the values first (astype(np.float32), mask to int32); or let ImageProcess::convert make floats of the pixels.

Limits
    From Python an int8 input cannot be filled by copyFrom at all: pymnn has no such type.

References
    Measured: MNN 3.6.1: uint8, int32 and int64 into float, float into uint8, int64 into int32; alibaba/MNN#2314,
    alibaba/MNN#857, alibaba/MNN#2871.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN004",
    "copy-of-other-type",
    over="mnn_write",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T5", "mnn:T16", "mnn:F5", "mnn:F8", "measured: MNN 3.6.1", "alibaba/MNN#2314"),
)
def check(
    host_dtype: str, input_dtype: str, label: str, api: str, plain_elements: int, onnx_dtype: str | None = None
) -> Iterator[Finding]:
    if host_dtype == input_dtype or api == "Tensor.fromNumpy":
        return
    values: dict[str, Value] = {
        "label": label, "api": api, "given": host_dtype, "want": input_dtype, "elements": plain_elements, "onnx": onnx_dtype,
        "given_bytes": nbytes(host_dtype, plain_elements), "want_bytes": nbytes(input_dtype, plain_elements),
    }  # fmt: skip
    widened = onnx_dtype == host_dtype
    yield Finding(
        "{api} copies {given} into {label}, which takes {want}: nothing is copied, and the call returns true.",
        'MNN prints "Input type not match session\'s tensor" and leaves the input as it was; {elements} elements are {given_bytes} '
        "bytes of {given} and {want_bytes} bytes of {want}."
        + (" The original network took {onnx}; the converter made {want} of it." if widened else ""),
        "Convert the values to {want} before the copy, and make the host tensor with that type.",
        values,
    )
