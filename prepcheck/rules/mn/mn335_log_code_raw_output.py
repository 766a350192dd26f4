"""Python code reads an output's memory as it lies.

What it checks
    `X.getData()` or `X.getNumpyData()` where X comes from getSessionOutput in the same text.

Why it matters
    Outputs of convolutions are often NC4HW4: groups of four channels side by side, padded. Read as NCHW the values stand in wrong
    places; with a shape it fails ("cannot reshape"), without one nobody notices.

How it is computed
    The names of variables.

Example
    output of shape 1x1x4x4: getData() gives 64 values for 16, three of four 0.

Fix
    host = MNN.Tensor(shape, MNN.Halide_Type_Float, np.zeros(shape, np.float32), MNN.Tensor_DimensionType_Caffe);
    output.copyToHostTensor(host); host.getData().

Limits
    An output that the file keeps in NCHW (a reshape, a softmax of a vector) is right as it is: an info.

References
    alibaba/MNN#797, alibaba/MNN#1241; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.mnn_code import uses_of
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN335",
    "log-code-raw-output",
    over="logbook",
    category="layout",
    severity="info",
    rank=Rank.LAYOUT,
    sources=("mnn:T12", "alibaba/MNN#797", "alibaba/MNN#1241", "measured: MNN 3.6.1"),
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in uses_of(book, "code_get_output", "code_raw_output")[:1]:
        yield Finding(
            "The output is read by {variable}.{api}(), as it lies in memory: right only where it is not NC4HW4.",
            "A packed output holds 4·ceil(C/4) channels in groups of four; len(getData()) is larger than the product of its sizes then.",
            "copyToHostTensor into a host tensor of type Caffe, and read that.",
            {"variable": event.word("var"), "api": event.word("api")},
            where=event.where,
            about="log:raw_output",
        )
