"""The stride or the length of the source of convert does not fit the picture.

What it checks
    `stride` (bytes a row, 0 = packed) against the width and the buffer's own rows, and the bytes that the whole picture takes
    against those that the buffer holds.

Why it matters
    convert returns 0 whatever it reads: sheared rows, or memory behind the buffer.

How it is computed
    Row = width · bytes a pixel; the picture takes stride · (height − 1) + row bytes; NV12 and NV21 have half as many rows again.

Example
    1280x720 RGB with rows of 3848 bytes and stride 0: MNN reads rows of 3840.

Fix
    stride = the step of the buffer's rows in bytes.

Limits
    Python compacts a numpy view first: pass 0 there. A record shows the buffer as it was passed.

References
    Measured: MNN 3.6.1 (mean difference 67 with a wrong pitch).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import source_nbytes
from prepcheck.pixels.image_process.config import PIXEL_BYTES, YUV_SOURCES
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN035",
    "source-stride",
    over="convert",
    category="stride",
    rank=Rank.STRIDE,
    runtimes=("mnn",),
    sources=("mnn:I23", "measured: MNN 3.6.1"),
)
def check(
    planned: PlannedCall, label: str, held_bytes: int | None = None, source_pitch: int | None = None
) -> Iterator[Finding]:
    source, (width, height), stride = planned.config.source_format, planned.size, planned.stride
    yuv = source in YUV_SOURCES
    row = 2 * ((width + 1) // 2) if yuv else width * PIXEL_BYTES[source]
    values: dict[str, Value] = {
        "label": label, "format": source, "width": width, "height": height, "row": row, "stride": stride,
        "pixel": 1 if yuv else PIXEL_BYTES[source],
    }  # fmt: skip
    if stride < 0 or (0 < stride < row and source != "YUV_I420"):
        yield Finding(
            "{label}: a stride of {stride} bytes for rows of {row} ({format}, {width} pixels).",
            "Rows overlap: {width} · {pixel} = {row} bytes a row are read at every {stride}.",
            "stride is bytes a row, padding included; 0 means packed.",
            values,
        )
        return
    if source_pitch is not None and not yuv and source_pitch != (stride or row):
        yield Finding(
            "{label}: the rows of the source are {pitch} bytes apart, convert reads one every {read}.",
            "{width} · {pixel} = {row} bytes of picture a row; stride {stride} means {read}. Each row starts {off} bytes from where it "
            "should: the picture is sheared.",
            "Pass stride {pitch}.",
            {**values, "pitch": source_pitch, "read": stride or row, "off": abs(source_pitch - (stride or row))},
        )
        return
    need = source_nbytes(source, (width, height), 0 if source == "YUV_I420" else stride)
    if held_bytes is not None and held_bytes < need:
        yield Finding(
            "{label}: {format} of {width}x{height} at {read} bytes a row takes {need} bytes; the source holds {held}.",
            "{need} − {held} = {beyond} bytes behind the buffer are read as picture.",
            "State the size, format and stride that the buffer really has.",
            {**values, "need": need, "held": held_bytes, "read": stride or row, "beyond": need - held_bytes},
            category="size",
        )
