"""The size or format that convert is told is not that of the buffer.

What it checks
    Width, height and channels of the source buffer against `source_size` and `source_format`.

Why it matters
    With width and height exchanged, or another number of bytes a pixel, rows are read with the wrong length: sheared noise,
    code 0.

How it is computed
    The buffer's shape in its layout; 1, 3 or 4 bytes a pixel of the format.

Example
    A buffer of 480x640x3 (height x width) and source_size [480, 640].

Fix
    convert(source, width, height, stride): the width comes first.

Limits
    YUV frames have no plain shape and are not compared.

References
    Measured: MNN 3.6.1 (iw and ih exchanged: code 0).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process.config import PIXEL_BYTES, YUV_SOURCES
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN036",
    "source-size",
    over="convert",
    category="size",
    rank=Rank.SIZE,
    runtimes=("mnn",),
    sources=("mnn:I23", "measured: MNN 3.6.1"),
)
def check(planned: PlannedCall, source_shape: tuple[int, int, int], label: str) -> Iterator[Finding]:
    source = planned.config.source_format
    if source in YUV_SOURCES:
        return
    (h, w, c), (width, height), pixel = source_shape, planned.size, PIXEL_BYTES[source]
    values: dict[str, Value] = {
        "label": label, "w": w, "h": h, "c": c, "width": width, "height": height, "format": source, "pixel": pixel,
        "row": width * pixel, "own": w * c,
    }  # fmt: skip
    if c != pixel:
        yield Finding(
            "{label}: the source has {c} bytes a pixel, {format} has {pixel}.",
            "Rows of {own} bytes are read as {width} · {pixel} = {row}: the picture is sheared and its colours wander.",
            "Name the format that the buffer has.",
            values,
            category="channel_order",
        )
    elif (w, h) != (width, height) and (w, h) == (height, width):
        yield Finding(
            "{label}: source_size is {width}x{height}, the buffer is {w} wide and {h} high: the two are exchanged.",
            "The number of bytes agrees and hides it; rows of {own} bytes are read as {row}.",
            "convert(source, {w}, {h}, stride): the width comes first.",
            values,
            fault="transposed",
        )
    elif w != width or h < height:
        yield Finding(
            "{label}: source_size is {width}x{height}, the buffer is {w}x{h} (width x height).",
            "Rows of {own} bytes are read as {row}, {height} rows of {h}.",
            "Pass the buffer's own width and height; a part of it is taken by the matrix.",
            values,
            severity="error" if w != width else "warning" if h > height else None,
        )
