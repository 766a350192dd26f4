"""The picture is a window of a wider one, and is read as if its rows were packed.

What it checks
    The strides of the buffer against those of a packed array of its shape: a row step larger than the row.

Why it matters
    A crop (cv::Mat of a rectangle, a numpy slice) or a padded frame keeps the rows of its parent. A call that takes a pointer
    and a size reads them packed: after the first row everything is displaced, and the end lies outside the crop.

How it is computed
    Byte step of each axis against the packed one.

Example
    An 8x8 RGB window of a picture 16 pixels wide: rows are 48 bytes apart, 24 are read.

Fix
    Copy it into memory of its own first: crop.clone(), numpy.ascontiguousarray(crop).

Limits
    inference() of the toolkits takes numpy arrays: a warning there. MNN's Python tensors copy views right.

References
    Tencent/ncnn#397; measured: rknn-toolkit2 2.5.0 simulator and MNN 3.6.1 handle numpy views.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.strides import View
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST001",
    "rows-apart",
    over="handover",
    category="stride",
    severity="error",
    rank=Rank.STRIDE,
    sources=("Tencent/ncnn#397", "runtime:P-09", "mnn:T18", "mnn:I23"),
)
def check(view: View, label: str, api: str, got_bytes: int) -> Iterator[Finding]:
    if view.kind not in ("rows", "other"):
        return
    yield Finding(
        "{api}: the array for {label} is a window of a wider one: axis {axis} steps {got} bytes, a packed one steps {want}.",
        "The call reads {bytes} bytes packed, {want} apart; the rows are {got} apart: each is displaced by {shift} bytes more, and what "
        "lies between is read as picture.",
        "Copy it into memory of its own first: crop.clone(), numpy.ascontiguousarray(x).",
        {
            "api": api,
            "label": label,
            "axis": view.axis,
            "got": view.got,
            "want": view.want,
            "shift": view.got - view.want,
            "bytes": got_bytes,
        },
        severity="warning" if api == "inference" else "error",
        fault="row_stride",
    )
