"""Plain data is written through the host pointer of an NC4HW4 input.

What it checks
    Whether a call `host` writes an input that the file says is NC4HW4.

Why it matters
    The memory holds groups of channels side by side. Plain NCHW or NHWC values land in wrong places, the run returns 0,
    and the answer is plausible nonsense. This is so on the CPU too, without any GPU. The groups are 4 channels wide in the
    file's terms, but 8 on x86 with AVX2 and on ARM with half precision: packing by hand into fours is wrong there as well.

How it is computed
    Elements of the input plain (N·C·H·W) and packed (N·4·ceil(C/4)·H·W).

Example
    1x3x64x96: 18432 values are written, the memory holds 24576 in groups of four.

Fix
    Fill a host tensor and copyFromHostTensor: the copy packs. Or convert the model with --keepInputFormat=1 (converter
    3.x: without the flag), so that the input is NCHW and the host pointer is right on the CPU.

Limits
    One picture of one pixel has the same order either way and is not reported. Data packed in fours is a warning: it is
    right where MNN's store packs four (plain ARM, 32 bit).

References
    Measured: MNN 3.6.1 on x86-64 with AVX2, 1, 3, 4, 5 and 12 channels; alibaba/MNN#2473, alibaba/MNN#2885.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN002",
    "host-pointer-into-packed",
    over="mnn_write:host",
    category="layout",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T1", "mnn:T2", "measured: MNN 3.6.1, x86-64 with AVX2", "alibaba/MNN#2885"),
)
def check(
    input_layout: str,
    label: str,
    plain_elements: int,
    packed_elements: int,
    one_pixel: bool,
    shape_now: tuple[int, ...],
    data_layout: str | None = None,
    keep_input_format: str | None = None,
) -> Iterator[Finding]:
    if input_layout != "NC4HW4" or one_pixel:
        return
    values: dict[str, Value] = {
        "label": label, "shape": shape_now, "plain": plain_elements, "packed": packed_elements,
        "layout": data_layout or "plain", "option": keep_input_format,
    }  # fmt: skip
    if data_layout == "NC4HW4":
        yield Finding(
            "{label} is written through host() with data packed in groups of 4 channels.",
            "{shape} packed in fours are {packed} elements. MNN's own store packs 8 channels on x86 with AVX2 and on ARM with "
            "half precision (16 with AVX-512): there the order is wrong, and no call says so.",
            "Copy the same data from a host tensor of type CAFFE_C4 with copyFromHostTensor, or plain data from a CAFFE one.",
            values,
            severity="warning",
        )
        return
    yield Finding(
        "{label} is NC4HW4 and is written through host() with {layout} data: wrong on every backend, the CPU too.",
        "{shape} are {plain} plain values; the memory holds {packed} in groups of four channels (of eight on some CPUs). The values "
        "land in other channels and places, and runSession returns 0."
        + (" The model was converted with {option}." if keep_input_format else ""),
        "Fill a host tensor (CAFFE for NCHW data, TENSORFLOW for NHWC) and copyFromHostTensor: the copy packs. Or convert with "
        "--keepInputFormat=1 and read the file again.",
        values,
    )
