"""The axes are N,H,W,C, whatever the layout field says.

What it checks
    Whether an input called NCHW (or NC4HW4) has 1, 3 or 4 on its last axis and not on its second.

Why it matters
    The layout in the file only names the framework's default. ImageProcess and a TENSORFLOW host tensor go by it
    and misread such an input.

How it is computed
    The dims, and whether the first operator moves the last axis to place 1.

Example
    [1,8,10,3] called NCHW.

Fix
    Copy the pixels flat (a CAFFE host tensor of the file's own dims), without ImageProcess; or export with NCHW.

Limits
    None known.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT036",
    "nhwc-dims-in-nchw",
    over="note:nhwc_dims_in_nchw",
    category="layout",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: MNN 3.6.1",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} is called {layout} but its axes {dims} look like N,H,W,C.",
        "ONNX models are always marked {layout}. The first operator that reads it is {consumer} (moves the "
        "last axis to place 1: {transposed}). ImageProcess and Tensor(t, TENSORFLOW) would take {dims} for "
        "N,C,H,W.",
        "Fill a host tensor of dimension type CAFFE with shape {dims} by interleaved pixels, without "
        "ImageProcess; or export the network with an NCHW input.",
        {
            "name": values["name"],
            "layout": values["layout"],
            "dims": values["dims"],
            "consumer": values["consumer"],
            "transposed": values["transposed"],
        },
    )
