"""Rows at w_stride handed to rknn_inputs_set.

What it checks
    Whether rknn_inputs_set with pass_through 0 gets rows that already are padded to w_stride.

Why it matters
    The call wants packed rows and adds the padding itself. Padded rows make the buffer longer than needed (which is
    accepted), and every row is read from the wrong place: a sheared picture.

How it is computed
    Row pitch of the buffer (strides, or the pitch of the write that filled it) against the width.

Example
    A dma buffer of 168x48 pixels filled by RGA with wstride 176 and given to rknn_inputs_set.

Fix
    Pack the rows (RGA's wstride = width where its alignment allows), or bind the memory with rknn_set_io_mem.

Limits
    A buffer that merely has room for padding is not reported.

References
    RKNN API guide 1.5.2 §4.4.5; measured: librknnrt 1.5.2 under emulation (memory dump): packed rows in, padding added by the runtime.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK023",
    "padded-rows-given",
    over="submitted:rknn_inputs_set",
    category="stride",
    rank=Rank.STRIDE,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-16", "RKNN API guide 1.5.2 §4.4.5", "measured: librknnrt 1.5.2 under emulation"),
)
def check(
    input: InputThing, pass_through: int, row_pitch: int, declared_dtype: str, label: str, source_name: str | None
) -> Iterator[Finding]:
    dims = input.dims
    row = nbytes(declared_dtype, dims.w * dims.c)
    if pass_through or row_pitch <= row:
        return
    yield Finding(
        "The rows of {buffer} are {pitch} bytes apart; rknn_inputs_set reads packed rows of {row} bytes.",
        "{w} pixels x {c} channels = {row} bytes a row. The runtime adds the padding of w_stride itself; of padded rows it takes "
        "the first {row} bytes, then the next {row}, and each row starts {shift} bytes too early.",
        "Hand over packed rows ({size} bytes in all), or bind the memory with rknn_set_io_mem, which takes rows of w_stride.",
        {
            "buffer": source_name or label, "pitch": row_pitch, "row": row, "w": dims.w, "c": dims.c,
            "shift": row_pitch - row, "size": row * dims.h * dims.n,
        },
    )  # fmt: skip
