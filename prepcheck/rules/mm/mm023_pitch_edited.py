"""w_stride of the attribute was changed.

What it checks
    Whether the binding states another w_stride than the runtime reports.

Why it matters
    w_stride is read-only: the runtime goes on with its own pitch, and a writer that obeys the edited one shears the picture.

How it is computed
    w_stride of the call against that of the input.

Example
    attr.w_stride = 168 where the query said 176.

Fix
    Leave w_stride as queried and write rows at that pitch.

Limits
    0 means "no rows" and is not compared.

References
    rknn_api.h 2.3.2, rknn_tensor_attr.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import RknnSetIoMem
from prepcheck.core.rknn_native import NativeForm
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM023",
    "pitch-edited",
    over="bound",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    runtimes=("rknn",),
    sources=("runtime:Z-01", "rknn_api.h 2.3.2, rknn_tensor_attr"),
)
def check(bind: RknnSetIoMem, form: NativeForm, label: str, bind_where: str) -> Iterator[Finding]:
    if not bind.w_stride or form.layout != "NHWC" or len(form.shape) != 4 or bind.w_stride == form.w_stride:
        return
    yield Finding(
        "{label} is bound with w_stride {said}; the runtime reads rows of {want} pixels.",
        "w_stride of the attribute is read-only: the value {said} has no effect, and rows written at it are sheared.",
        "Leave w_stride as rknn_query gave it ({want}) and write rows at that pitch.",
        {
            "label": label,
            "said": bind.w_stride,
            "want": form.w_stride,
            "stated": form.stated,
            "link": "binding -> attribute",
        },
        where=bind_where,
    )
