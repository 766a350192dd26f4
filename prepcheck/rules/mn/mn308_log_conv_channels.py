"""A convolution gets another number of channels than its filter has.

What it checks
    `Error for compute convolution shape, need channel = N, input channel = M`.

Why it matters
    The session cannot be resized or run. The sizes given to the input put another number where the channels belong: a gray
    picture, H,W,C sizes given as N,C,H,W, or an axis that is missing.

How it is computed
    The two numbers, and the sizes of the input where they are in the text.

Example
    need 3, input 1: a gray picture, or [1, 1, H, W] in place of [1, 3, H, W].

Fix
    resizeTensor to [N, 3, H, W] (the order of the model's file) and resizeSession.

Limits
    With several inputs it may be another one than thought; the operator is named with the model.

References
    alibaba/MNN#1576.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN308",
    "log-conv-channels",
    over="log:mnn_conv_channels",
    category="layout",
    rank=Rank.LAYOUT,
    sources=("alibaba/MNN#1576",),
)
def check(first_event: LogEvent, book: LogBook) -> Iterator[Finding]:
    need, have = first_event.number("need") or 0, first_event.number("have") or 0
    sizes = book.near(first_event, "mnn_tensor_shape", before=4, after=8)
    values: dict[str, Value] = {
        "need": need,
        "have": have,
        "shape": sizes.numbers("shape") if sizes is not None else None,
    }
    gray = have == 1 and need in (3, 4)
    yield Finding(
        "A convolution needs {need} channels and gets {have}.",
        (
            "A gray picture, or sizes in another order than the file's (1 may be the batch, or an axis that is missing)."
            if gray
            else "The sizes given to the input are in another order than the file's, as if height, width or batch stood where the channels "
            "belong."
            if have > 4
            else "The picture has another number of channels, or the sizes are in another order than the file's."
        )
        + (" The input is {shape}." if sizes is not None else ""),
        "Set the input to N, {need}, H, W (or N, H, W, {need} where the file is NHWC) with resizeTensor, then resizeSession; make three "
        "channels of a gray picture first."
        if gray
        else "Set the input's sizes in the order of the file (channels = {need}) with resizeTensor, then resizeSession.",
        values,
        about="log:shape",
    )
