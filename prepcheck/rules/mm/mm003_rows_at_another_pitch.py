"""Rows are written at another pitch than the NPU reads.

What it checks
    Whether the writer of bound memory puts each row where the attribute's w_stride has it.

Why it matters
    Each row is shifted against the one before: a sheared picture, wrong results that depend on the picture, no message.

How it is computed
    Row pitch of the write (wstride of RGA; packed rows for a copy of a packed buffer) against w_stride of the attribute;
    byte of (y, x, c) = (y x w_stride + x) x channels + c.

Example
    Width 168 on rv1106: w_stride 176. RGA with wstride 168 shifts each row by 24 bytes more.

Fix
    RGA: set wstride of the destination to attr.w_stride. CPU: copy row by row.

Limits
    A write without pitch and with all bytes of the padded memory is taken to be right.

References
    airockchip/rknn-toolkit2#5; a public report about rv1106, width 168 and stride 176; RKNN API guide 1.5.2 §4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.core.rknn_native import NativeForm
from prepcheck.facts.flow import WriteEvent
from prepcheck.facts.link_parts import Need
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM003",
    "rows-at-another-pitch",
    over="bound",
    category="stride",
    rank=Rank.STRIDE,
    runtimes=("rknn",),
    sources=(
        "runtime:Z-08",
        "runtime:Z-09",
        "runtime:L-01",
        "rga:R-M12",
        "airockchip/rknn-toolkit2#5",
        "RKNN API guide 1.5.2 §4.4",
    ),
)
def check(
    form: NativeForm, write: WriteEvent, written_pitch: int, need: Need, label: str, name_of_memory: str
) -> Iterator[Finding]:
    if form.layout != "NHWC" or len(form.shape) != 4 or written_pitch == form.w_stride:
        return
    n, height, width, channels = form.shape
    if height * n == 1:
        return
    item = need.size // (n * height * form.w_stride * channels)
    shift = (form.w_stride - written_pitch) * channels * item
    tight = nbytes("uint8", n * height * width * channels * item)
    yield Finding(
        "{who} writes rows of {got} pixels into {memory}; the NPU reads {label} in rows of {want} pixels.",
        "Width {width}, w_stride {want}: packed rows make {tight} bytes, rows of w_stride {full}. Each row is {shift} bytes further "
        "from its place than the one before, so the picture is sheared.",
        "Write row y at byte y x {want} x {channels} x {item}: RGA's wstride = {want}, or a copy of {row} bytes per row.",
        {
            "who": write.by, "got": written_pitch, "want": form.w_stride, "memory": name_of_memory, "label": label,
            "width": width, "tight": tight, "full": need.size, "shift": abs(shift), "channels": channels, "item": item,
            "row": width * channels * item, "link": "write -> binding",
        },
        where=f"calls[{write.call}]",
    )  # fmt: skip
