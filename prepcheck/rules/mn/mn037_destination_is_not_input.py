"""The destination that convert is given is not the input that the session has.

What it checks
    Sizes and element type of `dest` against the input that it is written into.

Why it matters
    The tensor is the session's own; what the program believes of it decides the matrix, the buffers, and what is converted.
    Other sizes crop or stretch; another type means that a copy of another tensor follows, which may copy nothing.

How it is computed
    N, C, H, W of both; layouts need not agree, as convert writes NCHW, NHWC and NC4HW4 right.

Example
    dest 1x3x320x320, the input is 1x3x640x640.

Fix
    Take sizes and type from the input (prepcheck inspect m.mnn).

Limits
    A destination of the program's own that is copied later is judged at that copy.

References
    Measured: MNN 3.6.1 (float convert into NCHW, NHWC and NC4HW4 session inputs is right).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import dims_of
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN037",
    "destination-is-not-input",
    over="convert",
    category="size",
    rank=Rank.SIZE,
    runtimes=("mnn",),
    sources=("mnn:I25", "arithmetic"),
)
def check(
    planned: PlannedCall, input_shape_now: tuple[int, ...], input_layout: str, label: str, input_dtype: str = ""
) -> Iterator[Finding]:
    want, got = dims_of(input_layout, input_shape_now), planned.dest.dims
    values: dict[str, Value] = {
        "label": label, "dest": planned.dest.shape, "dest_layout": planned.dest.layout, "shape": input_shape_now, "layout": input_layout,
        "dtype": planned.dest.dtype, "input_dtype": input_dtype, "got": got.elements, "want": want.elements if want else None,
    }  # fmt: skip
    if want is not None and want != got:
        yield Finding(
            "{label} is {shape} ({layout}); the destination of convert is stated as {dest} ({dest_layout}).",
            "{got} values against {want}: N, C, H and W differ.",
            "Use the input's own sizes for the matrix and the destination.",
            values,
        )
    elif input_dtype and input_dtype != planned.dest.dtype:
        yield Finding(
            "{label} takes {input_dtype}; the destination of convert is {dtype}.",
            "No copy of MNN converts {dtype} to {input_dtype}; converting into a tensor of your own and copying that copies nothing.",
            "Convert straight into the session's tensor, which is {input_dtype}.",
            values,
            category="dtype",
        )
