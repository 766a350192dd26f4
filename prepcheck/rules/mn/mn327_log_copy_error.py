"""A copy between two tensors could not be made.

What it checks
    `Error in CPUBackend::onCopyBuffer`, `Error for …CPUBackend.cpp, N`, `Error in CPUTensorConver`.

Why it matters
    The host tensor keeps what it held: an answer that is read from it is not the network's; an input that is copied so is not
    written.

How it is computed
    MNN converts between CAFFE, TENSORFLOW and CAFFE_C4 tensors of the same element type and of sizes that go together. A tensor of
    two axes declared TENSORFLOW, another type, or memory that is gone have no conversion.

Example
    An output of 448x448 read into a host tensor of type TENSORFLOW (alibaba/MNN#1063).

Fix
    Make the host tensor from the session's own: MNN::Tensor host(tensor, tensor->getDimensionType()); the same type, then copy.

Limits
    Which of the two tensors is at fault is not printed.

References
    alibaba/MNN#1063, alibaba/MNN#1076, alibaba/MNN#1488.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN327",
    "log-copy-error",
    over="log:mnn_copy_error",
    category="layout",
    rank=Rank.CALL,
    sources=("alibaba/MNN#1063", "alibaba/MNN#1076", "alibaba/MNN#1488"),
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "A copy between a host tensor and a session tensor could not be made.",
        "The two differ in element type (uint8 against float), or one of other than four axes is declared TENSORFLOW. The destination "
        "keeps what it held before.",
        "Make the host tensor of the session's own: MNN::Tensor host(tensor, tensor->getDimensionType()), with the same element type; "
        "in Python use Tensor_DimensionType_Caffe for tensors that have not four axes.",
        {},
        about="log:copy",
    )
