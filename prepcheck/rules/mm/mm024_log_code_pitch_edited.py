"""Code writes another w_stride into the attribute than the runtime reports.

What it checks
    A literal `attr.w_stride = N` against the w_stride of the model's input.

Why it matters
    w_stride is read-only: the runtime goes on with its own pitch, and rows written at the edited one are sheared.

How it is computed
    The number in the code against that of the printed attributes or of the model file.

Example
    attr.w_stride = 168 where the query said 176.

Fix
    Leave w_stride as queried and write rows at that pitch.

Limits
    Only literal numbers; attributes of outputs are left aside.

References
    rknn_api.h 2.3.2, rknn_tensor_attr.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Tensor
from prepcheck.facts.base import Unstated
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM024",
    "log-code-pitch-edited",
    over="rknn_code",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=("runtime:Z-01", "rknn_api.h 2.3.2, rknn_tensor_attr"),
)
def check(stated_stride: tuple[int, str], code_tensor: Tensor, label: str) -> Iterator[Finding]:
    said, where = stated_stride
    native = code_tensor.native
    want = native.w_stride if native is not None and native.w_stride else code_tensor.w_stride
    if not want:
        raise Unstated(
            "w_stride", "the w_stride of the model's input is not stated",
            "give the printed tensor attributes (rknn_query) or --model",
        )  # fmt: skip
    if said in (0, want):
        return
    yield Finding(
        "{label} is bound with w_stride {said}; the runtime reads rows of {want} pixels.",
        "w_stride of the attribute is read-only: the value {said} has no effect, and rows written at it are sheared.",
        "Leave w_stride as rknn_query gave it ({want}) and write rows at that pitch.",
        {"label": label, "said": said, "want": want},
        where=where,
    )
