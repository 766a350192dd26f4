"""An input is labelled NCHW and its sizes are in NHWC order.

What it checks
    `[ NAME ]: dimensionFormat: NCHW, size: [ N,H,W,C ]` of MNNConvert --info.

Why it matters
    The label is only the default of the framework (ONNX). A network that was built channels last keeps its sizes so; who
    believes the label, feeds planes. ImageProcess and host tensors of type TENSORFLOW misread such an input.

How it is computed
    The last size is 1, 3 or 4 and the second is not.

Example
    NCHW, [1, -1, -1, 3].

Fix
    Feed interleaved data in the order N, H, W, C as plain numbers (a CAFFE host tensor with these sizes), or export the network
    channels first.

Limits
    A picture 3 pixels wide would look the same.

References
    alibaba/MNN#2792, alibaba/MNN#1293; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN320",
    "log-nhwc-dims",
    over="log:mnn_input_line",
    category="layout",
    severity="warning",
    rank=Rank.LAYOUT,
    sources=("mnn:F7", "alibaba/MNN#2792", "alibaba/MNN#1293"),
    scope="conversion",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    shape = first_event.numbers("shape")
    if len(shape) != 4 or first_event.word("layout") == "NHWC" or shape[3] not in (1, 3, 4) or shape[1] in (1, 3, 4):
        return
    dynamic = any(d < 0 for d in shape)
    values: dict[str, Value] = {
        "name": first_event.word("name"), "label": first_event.word("layout"), "shape": shape, "channels": shape[3], "order": "NHWC",
    }  # fmt: skip
    yield Finding(
        "{name} is labelled {label}, but its sizes {shape} are in {order} order: {channels} channels stand last.",
        "The label is the source framework's default, not the order of the axes. ImageProcess and host tensors of another dimension type "
        "take the label at its word and misread the data.",
        "Feed plain data in the order N, H, W, C through a host tensor of these very sizes"
        + (", after resizeTensor and resizeSession (−1 has no memory)." if dynamic else ".")
        + " Or export the network channels first.",
        values,
        about="log:nhwc_dims",
    )
