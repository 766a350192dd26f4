"""Rows of a frame lie further apart than their pixels.

What it checks
    Camera formats (v4l2-ctl), GStreamer caps and plane prints, MPP strides, ROS image messages.

Why it matters
    Who takes such a frame as packed shears the picture; a decoder's extra rows move the chroma plane.

How it is computed
    Bytes from row to row against width · bytes a pixel; rows of the plane against the height.

Example
    1920x1080 with stride 1920x1088: the second plane begins at 1920 · 1088, not 1920 · 1080.

Fix
    Pass both strides on (wstride, hstride of RGA; cv::Mat's step), or copy row by row.

Limits
    An info: the pasted print does not say what the program does with the frame.

References
    airockchip/librga#75, #89; rga:R-A10
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.frames_log import LogFrame
from prepcheck.registry import Finding, Rank, rule


@rule(
    "ST303",
    "log-frame-rows",
    over="logbook",
    category="stride",
    severity="info",
    rank=Rank.STRIDE,
    sources=(
        "airockchip/librga#75",
        "rga:R-A10",
    ),
    confidence="H",
    scope="input",
)
def check(frames: list[LogFrame]) -> Iterator[Finding]:
    for frame in frames:
        packed = frame.packed_row
        if packed is not None and frame.row_bytes is not None and frame.row_bytes > packed:
            yield Finding(
                "{source}: rows of {width} pixels ({packed} bytes) lie {row} bytes apart.",
                "{row} - {packed} = {gap} bytes between rows: taken as packed, each row begins {gap} bytes too early and the picture is sheared.",
                "Hand the row pitch on (wstride, step, bytesperline), or copy row by row.",
                {
                    "source": frame.source,
                    "width": frame.width,
                    "packed": packed,
                    "row": frame.row_bytes,
                    "gap": frame.row_bytes - packed,
                },
                where=frame.where,
            )
        if (
            frame.rows is not None
            and frame.height is not None
            and frame.rows > frame.height
            and frame.width is not None
        ):
            pitch = frame.row_bytes or frame.width
            yield Finding(
                "{source}: the plane has {rows} rows for a height of {height}.",
                "The chroma plane begins at {pitch} · {rows} = {right} bytes, not at {pitch} · {height} = {wrong}: with the height taken for the "
                "rows, colours are displaced (green or pink).",
                "Pass hstride (ver_stride) {rows} on as well.",
                {
                    "source": frame.source,
                    "rows": frame.rows,
                    "height": frame.height,
                    "pitch": pitch,
                    "right": pitch * frame.rows,
                    "wrong": pitch * frame.height,
                },
                where=frame.where,
            )
