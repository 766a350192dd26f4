"""Rows of the input lie further apart than their pixels.

What it checks
    The row of an input in the compiler's memory table: bytes against the native shape.

Why it matters
    Memory that is bound (rknn_set_io_mem) has to be filled row by row at that pitch; tight rows are sheared.

How it is computed
    Row pitch in pixels = bytes / (height · channels · bytes an element).

Example
    0x6300 = 25344 = 48 · 176 · 3: rows of 168 pixels lie 176 apart.

Fix
    Copy row by row, w_stride pixels apart (attr.w_stride).

Limits
    The table names such inputs NC1HWC2 although they are NHWC; the size tells. A warning for chips that know bound
    memory only.

References
    airockchip/rknn_model_zoo#174; compile logs of rknn-toolkit2 2.5.0; runtime:Z-08
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rockchip import ZERO_COPY_ONLY
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST301",
    "log-row-pitch-in-table",
    over="logbook",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=(
        "airockchip/rknn_model_zoo#174",
        "runtime:Z-08",
        "measured: compile logs of rknn-toolkit2 2.5.0",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook, log_platform: str | None = None) -> Iterator[Finding]:
    for event in book.firsts("memtab"):
        native, original, size = event.numbers("nat"), event.numbers("orig"), event.number("n") or 0
        if (
            len(native) != 5
            or len(original) != 4
            or native[1] != 1
            or native[4] not in (1, 2, 3, 4)
            or native[4] != original[1]
        ):
            continue
        n, height, width, channels = native[0], native[2], native[3], native[4]
        wide = 2 if "16" in (event.word("dt") or "") else 1
        row = n * height * channels * wide
        pitch, rest = divmod(size, row) if row else (0, 1)
        if rest or pitch <= width or pitch > 2 * width + 64:
            continue
        only_bound = log_platform in ZERO_COPY_ONLY
        yield Finding(
            "Rows of input {name} are {width} pixels and lie {pitch} apart: {size} = {n}·{height}·{pitch}·{channels}"
            + ("·{wide}." if wide > 1 else "."),
            "Tight rows would be {tight} bytes. The table says NC1HWC2, but a picture of {channels} channels is NHWC in memory; written "
            "without the gap each row begins {gap} pixels too early, and the picture is sheared.",
            "Make the memory with size_with_stride ({size}) and copy row by row: byte (y·{pitch} + x)·{channels} + c. rknn_inputs_set does "
            "this by itself where the chip has it.",
            {
                "name": event.word("name"),
                "width": width,
                "pitch": pitch,
                "size": size,
                "n": n,
                "height": height,
                "channels": channels,
                "wide": wide,
                "tight": n * height * width * channels * wide,
                "gap": pitch - width,
            },
            where=event.where,
            about="log:input0",
            severity="warning" if only_bound else "info",
        )
