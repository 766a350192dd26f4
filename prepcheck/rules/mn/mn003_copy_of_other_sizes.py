"""The host tensor has other sizes than the session's input.

What it checks
    Shape and layout of the host tensor of copyFromHostTensor or copyFrom against the input, after the last resizeTensor.

Why it matters
    MNN compares nothing and returns true. A larger host tensor overruns the input's memory (a crash, at once or later), a
    smaller one leaves the rest uninitialised, one with exchanged axes is misread.

How it is computed
    Both shapes are brought to N, C, H, W by their layouts and compared axis by axis. Another number of axes with the same
    elements in the same order (3x8x10 for 1x3x8x10) is right.

Example
    1x3x32x48 copied into 1x3x64x96: 4608 of 18432 elements are filled.

Fix
    Give the host tensor the input's sizes, or resizeTensor and resizeSession first where the model allows other sizes.

Limits
    Sizes only; the order of the bytes in the buffer is LY001, their type DT003.

References
    Measured: MNN 3.6.1 (input 1x3x8x10: 64x64 aborts, 512x512 crashes); alibaba/MNN#1134, alibaba/MNN#92.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.mnn_copy import CopyStory
from prepcheck.registry import Finding, Rank, Value, rule

_EFFECT = {
    "exchanged": "Height and width are exchanged: the same number of elements, read with the length of columns for rows.",
    "channels_last": "The sizes are those of NHWC, declared as channels first: every value is taken for one of another place.",
    "channels_first": "The sizes are those of NCHW, declared as channels last: every value is taken for one of another place.",
    "batch_more": "Only the first {want0} of {got0} pictures arrive.",
    "batch_less": "Picture {got0} and those after it are what the memory held before: {got0} of {want0} are given.",
    "channels_more": "Only the first {want1} of {got1} channels arrive.",
    "channels_less": "Channels from {got1} on stay uninitialised: {got1} of {want1} are given.",
    "smaller": "{got_elements} of {want_elements} elements are filled; the rest is what the memory held before.",
    "larger": "{got_elements} elements go into memory of {want_elements}: the copy writes beyond it, and the program crashes "
    "now or later.",
}


@rule(
    "MN003",
    "copy-of-other-sizes",
    over="mnn_write",
    category="size",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T6", "measured: MNN 3.6.1", "alibaba/MNN#1134", "alibaba/MNN#92"),
)
def check(copy: CopyStory, label: str, api: str) -> Iterator[Finding]:
    if copy.right:
        return
    values: dict[str, Value] = {
        "label": label, "api": api, "got": copy.got, "want": copy.want, "got_elements": copy.got_elements,
        "want_elements": copy.want_elements, "kind": copy.kind,
    }  # fmt: skip
    if len(copy.got) == 4 and len(copy.want) == 4:
        values |= {"got0": copy.got[0], "want0": copy.want[0], "got1": copy.got[1], "want1": copy.want[1]}
    order = "in the order N, C, H, W" if len(copy.got) == len(copy.want) == 4 else "as declared"
    yield Finding(
        "{api} copies a host tensor of {got} into {label}, which is {want} (" + order + ").",
        _EFFECT[copy.kind] + " MNN compares nothing and returns true.",
        "Make the host tensor with the sizes of the input; where the model takes other sizes, call resizeTensor and "
        "resizeSession before the copy.",
        values,
        category="layout" if copy.kind in ("channels_last", "channels_first")
        else "batch" if copy.kind.startswith("batch") else None,
        severity="warning" if copy.kind == "channels_more" else None,
    )  # fmt: skip
