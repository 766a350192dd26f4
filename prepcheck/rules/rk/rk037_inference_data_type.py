"""data_type does not describe the array.

What it checks
    Whether data_type of inference() is the element type of the array.

Why it matters
    RKNNLite compares them, catches its own exception, prints `Catch exception when setting inputs.` and returns None.
    rknn-toolkit of the first generation sends the bytes as the declared type.

How it is computed
    data_type (one for all or a list) against the type of each array.

Example
    A float32 array with data_type="uint8".

Fix
    Leave data_type out, or say array.dtype.name.

Limits
    Where data_type is left out nothing is compared.

References
    rknn_lite.py 2.5.0 and its strings; User Guide RKNN Toolkit 1.7.5 §7.8.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK037",
    "inference-data-type",
    over="inference_input",
    category="dtype",
    rank=Rank.CALL,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:P-13", "runtime:P-17", "rknn_lite.py 2.5.0", "User Guide RKNN Toolkit 1.7.5 §7.8"),
)
def check(library: str, data_type: str, content_dtype: str, label: str) -> Iterator[Finding]:
    if library == "rknn-toolkit2" or data_type == content_dtype:
        return
    yield Finding(
        "data_type says {said} for {label}; the array is {given}.",
        "RKNNLite checks `inputs[i].dtype` against data_type, prints `Catch exception when setting inputs.` and returns None."
        if library == "rknn-toolkit-lite2"
        else "The toolkit sends the bytes of the {given} array as {said} elements.",
        "Leave data_type out, or set it to {given}.",
        {"said": data_type, "given": content_dtype, "label": label},
    )
