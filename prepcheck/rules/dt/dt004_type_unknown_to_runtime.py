"""The runtime has no such element type.

What it checks
    The type of what is handed over against the types that the runtime knows.

Why it matters
    numpy computes in float64 unless told otherwise. inference() of the RKNN toolkits prints an error and returns None without
    raising; the failure shows up later, as an error about None.

How it is computed
    rknn: the types of rknn_tensor_type (no float64, no uint64). rknn1: float32, float16, int8, uint8, int16. mnn: no float64.

Example
    an array of numpy's default float64.

Fix
    x.astype(numpy.float32), or uint8 for pixels.

Limits
    Which of the known types a call converts is a rule on that call.

References
    NotPunchnox/rkllama#140, alibaba/MNN#857; measured: rknn-toolkit2 2.5.0 ("Unsupport inputs[0].dtype: float64").
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.registry import Finding, Rank, rule

_UNKNOWN = {
    "rknn": {"float64", "uint64"},
    "rknn1": {"float64", "uint64", "int64", "int32", "uint32", "uint16", "bool", "bfloat16", "int4"},
    "mnn": {"float64"},
}
"""Sources: rknn_api.h of rknpu2 and rknpu (enum rknn_tensor_type); MNN HalideRuntime types (measured: 3.6.1)."""


@rule(
    "DT004",
    "type-unknown-to-runtime",
    over="handover",
    category="dtype",
    severity="error",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1", "mnn"),
    sources=("NotPunchnox/rkllama#140", "alibaba/MNN#857", "runtime:P-05", "runtime:V-02", "mnn:T16"),
)
def check(
    content_dtype: str, runtime: str, label: str, api: str, input_elements: int, input_dtype: str
) -> Iterator[Finding]:
    if content_dtype not in _UNKNOWN.get(runtime, set()):
        return
    yield Finding(
        "{api} gets {content} for {label}; the runtime has no such element type.",
        "{elements} elements are {got} bytes of {content}, {float32} bytes of float32. The toolkits' inference() prints an error and "
        "returns None without raising.",
        "Convert first: astype(numpy.float32), or uint8 for pixels.",
        {
            "api": api,
            "content": content_dtype,
            "label": label,
            "elements": input_elements,
            "dtype": input_dtype,
            "got": nbytes(content_dtype, input_elements),
            "float32": input_elements * 4,
        },
    )
