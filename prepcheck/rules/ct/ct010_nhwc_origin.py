"""The original network was NHWC already and got permuted once too often.

What it checks
    Whether the original input looks like NHWC: last axis 1, 3 or 4, second axis larger than 4.

Why it matters
    The converter takes every 4-D input for NCHW. What rknn_query reports is then the shape permuted once more:
    pixels handed over as it says end up on the wrong axes.

How it is computed
    Original dims and reported dims are shown side by side.

Example
    [1,20,36,3] of a TensorFlow export is reported as [1,36,3,20].

Fix
    Export the network with NCHW input (for ONNX: transpose at the start removed, or --inputs-as-nchw with tf2onnx),
    and convert again.

Limits
    A network that really has so few rows and so many channels looks the same; then ignore this.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT010",
    "nhwc-origin",
    over="note:nhwc_origin",
    category="layout",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} was {dims} in the original network, which looks like NHWC; it is reported as {reported}.",
        "The converter takes 4-D inputs for NCHW and reports them as NHWC: {dims} read as N,C,H,W becomes "
        "{reported}. A picture handed over as {reported} has its axes exchanged.",
        "Export the network with an NCHW input and convert again; or hand over the bytes in the original "
        "order {dims} and check one answer against the original network.",
        {"name": values["name"], "dims": values["dims"], "reported": values["reported"]},
    )
