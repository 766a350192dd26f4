"""Channels are packed in fours on one side only.

What it checks
    Whether bytes given and wanted differ by the channel padding of NC4HW4: C against 4·ceil(C/4).

Why it matters
    A tensor declared NC4HW4 (CAFFE_C4) is laid out in blocks of four channels. Plain NCHW bytes in it are read in the wrong
    order, and beyond their end where C is no multiple of 4.

How it is computed
    elements of NC4HW4 = N · 4·ceil(C/4) · H · W.

Example
    5 channels of 40x48 float32: 38400 bytes plain, 8 channels = 61440 bytes packed.

Fix
    Declare the host tensor with the layout that the bytes have (CAFFE = NCHW, TENSORFLOW = NHWC); the copy packs them.

Limits
    Where C is a multiple of 4 the sizes agree; LY001 looks at the layouts.

References
    Measured: MNN 3.6.1: an NCHW array in a CAFFE_C4 tensor is taken as packed; alibaba/MNN#799, #807.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ004",
    "packed-channels",
    over="handover",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("measured: MNN 3.6.1, CAFFE_C4 host tensors", "alibaba/MNN#799", "alibaba/MNN#807", "mnn:T14", "mnn:P1"),
)
def check(size_story: SizeStory, label: str, api: str) -> Iterator[Finding]:
    if size_story.kind != "packing":
        return
    packed = size_story.wanted.layout == "NC4HW4"
    values: dict[str, Value] = {
        "label": label, "got": size_story.got, "want": size_story.want, "given": size_story.given, "of": size_story.of, "api": api,
        "layout": size_story.wanted.layout, "elements": size_story.wanted.elements, "got_elements": size_story.got_elements,
    }  # fmt: skip
    if packed:
        yield Finding(
            "{api}: the tensor of {label} is NC4HW4 and takes {want} bytes ({elements} elements); {got} bytes ({got_elements}) of "
            "plain NCHW are given.",
            "NC4HW4 rounds {given} channels up to {of}: {got} · {of} / {given} = {want}. Plain bytes are read in the wrong order, and "
            "beyond their end.",
            "Declare the host tensor as what the bytes are (CAFFE for NCHW, TENSORFLOW for NHWC); the copy packs them.",
            values,
            fault="nc4hw4_packing",
        )
        return
    yield Finding(
        "{api} gives {got} bytes ({got_elements} elements) for {label}: packed as NC4HW4; plain {layout} takes {want} ({elements}).",
        "NC4HW4 rounds {of} channels up to {given}: {want} · {given} / {of} = {got}.",
        "Give plain {layout} bytes, or declare the host tensor NC4HW4 (CAFFE_C4).",
        values,
        fault="nc4hw4_packing",
    )
