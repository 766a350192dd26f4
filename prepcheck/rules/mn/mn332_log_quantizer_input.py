"""The quantiser does not find the statistics of the input, or of another tensor.

What it checks
    `Check failed: inputTensorStatistic … input tensor error!`, `Can't find input extraTensorDescribe for X`.

Why it matters
    The quantised model is not written, or has layers without a scale and gives NaN or nonsense.

How it is computed
    With the default of 3.x the input keeps NCHW and goes through a conversion of layout first; the quantiser of MNN wants it straight
    in the first convolution.

Example
    quantized.out on a model converted without --keepInputFormat=0.

Fix
    Convert again with --keepInputFormat=0, then quantise; or quantise weights only (--weightQuantBits 8).

Limits
    Recurrent layers (GRU, LSTM) are not supported by the offline quantiser.

References
    apxlwl/MNN-yolov3#2, alibaba/MNN#3154, alibaba/MNN#3073.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN332",
    "log-quantizer-input",
    over="logbook",
    category="model_conversion",
    rank=Rank.CONTRACT,
    sources=("apxlwl/MNN-yolov3#2", "alibaba/MNN#3154", "alibaba/MNN#3073"),
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    event = book.first("cq_input")
    if event is not None:
        yield Finding(
            "The quantiser finds no statistics of the model's input.",
            "The input goes through a conversion of layout (NCHW is kept by default) before the first layer; the quantiser looks for it in that "
            "layer.",
            "Convert again with --keepInputFormat=0 and quantise that file.",
            {},
            where=event.where,
            about="log:quantizer",
        )
        return
    missing = book.firsts("cq_extra")
    if missing:
        yield Finding(
            "{count} tensors have no quantisation, first {op}.",
            "Layers that the offline quantiser does not know (GRU, LSTM, constants) are left without a scale; the quantised model gives NaN or "
            "nonsense there.",
            "Quantise the weights only: --weightQuantBits 8 at conversion, and memory low at run time.",
            {"count": len(missing), "op": missing[0].word("op")},
            where=missing[0].where,
            about="log:quantizer",
        )
