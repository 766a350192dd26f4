"""The input of a GPU session is written through its host pointer.

What it checks
    Whether a call `host` writes an input while the session runs on OpenCL, Vulkan, Metal or CUDA.

Why it matters
    A session's tensors lie in the GPU's memory there. host() gives a null pointer, so the write crashes; where it gives
    anything at all, it is memory that the GPU never reads, and every answer is computed on old content.

How it is computed
    The plan's `backend`, and the calls with api `host`.

Example
    backend opencl, memcpy of 1769472 bytes to host() of a 1x3x384x384 float32 input.

Fix
    Make a host tensor (CAFFE for NCHW data, TENSORFLOW for NHWC), fill it, and copyFromHostTensor; or
    ImageProcess::convert straight into the session's tensor. Both are right on the CPU and on every GPU backend.

Limits
    Measured on software devices (OpenCL on a CPU, Vulkan on a rasteriser), not on a GPU. map() with unmap() is no `host`.

References
    alibaba/MNN#766, alibaba/MNN#1497, Z-Xiong/OSTrack-mnn#1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.gpu_mode import GPU_BACKENDS
from prepcheck.core.layouts import elements
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN001",
    "host-pointer-on-gpu",
    over="mnn_write:host",
    category="host_pointer",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:G8", "mnn:T1", "alibaba/MNN#766", "alibaba/MNN#1497"),
)
def check(
    backend: str, label: str, input_layout: str | None = None, shape_now: tuple[int, ...] = ()
) -> Iterator[Finding]:
    if backend not in GPU_BACKENDS:
        return
    yield Finding(
        "{label} is written through host() on a session of {backend}.",
        "The tensor lies in the GPU's memory: host() is null there, and what is written through an older pointer is never read. "
        "The input is {layout} {shape}, {elements} elements as the backend stores it.",
        "Fill a host tensor of your own (CAFFE for NCHW data, TENSORFLOW for NHWC) and call copyFromHostTensor, or let "
        "ImageProcess::convert write into the session's tensor.",
        {
            "label": label, "backend": backend, "layout": input_layout or "of a layout that is not stated", "shape": shape_now,
            "elements": elements(input_layout or "UNDEFINED", shape_now) if shape_now else "?",
        },
    )  # fmt: skip
