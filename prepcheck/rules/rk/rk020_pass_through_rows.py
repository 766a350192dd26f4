"""pass_through with packed rows where the NPU wants padded ones.

What it checks
    Whether rknn_inputs_set with pass_through 1 gives rows without the padding of w_stride.

Why it matters
    With pass_through 0 the runtime puts each row at w_stride; with 1 it copies bytes as they are. The size check passes,
    and each row is shifted against the one before: a sheared picture.

How it is computed
    Width against w_stride, bytes given against size_with_stride.

Example
    127x127x3 float16: 96774 bytes given, 97536 wanted with rows of 128 pixels.

Fix
    pass_through 0; or copy row by row into a buffer of size_with_stride bytes.

Limits
    w_stride is taken from the attribute, else from the chip's alignment.

References
    RKNN API guide 1.5.2 §4.4.5.1; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.core.rknn_native import NativeForm, product
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK020",
    "pass-through-rows",
    over="submitted:rknn_inputs_set",
    category="stride",
    rank=Rank.STRIDE,
    runtimes=("rknn",),
    sources=(
        "runtime:G-17",
        "format:5b-4",
        "RKNN API guide 1.5.2 §4.4.5.1",
        "measured: librknnrt 1.5.2 under emulation",
    ),
)
def check(through: NativeForm, given_nbytes: int, label: str, tight: int) -> Iterator[Finding]:
    form = through
    if not form.pitched or not tight <= given_nbytes < form.size:
        return
    width, channels = form.shape[2], form.shape[3]
    shift = nbytes(form.dtype, (form.w_stride - width) * channels)
    yield Finding(
        "{label} needs rows of {w_stride} pixels with pass_through 1: {want} bytes; {given} bytes of rows of {width} are given.",
        "{formula} = {want}. With pass_through the runtime inserts no padding: each row starts {shift} bytes too early, and the "
        "picture is sheared. The size check passes.",
        "Set pass_through = 0 and the type of the array; or copy row by row, each {w_stride} pixels after the one before.",
        {
            "label": label, "w_stride": form.w_stride, "want": form.size, "given": given_nbytes, "width": width,
            "formula": product(form.factors), "shift": shift, "stated": form.stated,
        },
    )  # fmt: skip
