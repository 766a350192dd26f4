"""The array is a transposed view: its memory is still in the old order.

What it checks
    Whether the strides are those of a packed array whose axes stand in another order.

Why it matters
    numpy.transpose and permute() change strides, not memory. Code that takes the pointer reads the old order: the layout
    fault that the transpose was to cure.

How it is computed
    Axes sorted by stride; each step is the product of the inner ones.

Example
    shape [1, 64, 64, 4], strides [65536, 256, 4, 16384]: the memory is [1, 4, 64, 64].

Fix
    numpy.ascontiguousarray(x), x.contiguous() in torch.

Limits
    inference() of the toolkits takes numpy arrays: a warning there.

References
    jaylfc/taOS#43; measured: rknn-toolkit2 2.5.0 simulator handles views.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.strides import View
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST002",
    "transposed-view",
    over="handover",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("jaylfc/taOS#43", "runtime:P-09", "mnn:T18"),
)
def check(view: View, label: str, api: str, content_shape: list[int], got_bytes: int) -> Iterator[Finding]:
    if view.kind != "permuted":
        return
    yield Finding(
        "{api}: the array for {label} is a transposed view: its memory has the axes in the order {memory}.",
        "Axis {axis} steps {got} bytes; packed in the order of the shape {shape} it would step {want}. The {bytes} bytes were not moved.",
        "Make it contiguous before the call: numpy.ascontiguousarray(x).",
        {
            "api": api,
            "label": label,
            "memory": tuple(content_shape[i] for i in view.order),
            "axis": view.axis,
            "got": view.got,
            "want": view.want,
            "shape": tuple(content_shape),
            "bytes": got_bytes,
        },
        severity="warning" if api == "inference" else "error",
    )
