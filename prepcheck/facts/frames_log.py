"""Frames as pasted tools describe them: cameras (v4l2-ctl), GStreamer, the MPP decoder, ROS image messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.records import dataclass

PIXEL_BYTES = {
    "NV12": 1, "NV21": 1, "NV16": 1, "NM12": 1, "I420": 1, "YU12": 1, "YV12": 1, "GRAY8": 1, "GREY": 1, "MONO8": 1, "8UC1": 1, "YUYV": 2,
    "YUY2": 2, "UYVY": 2, "RGB565": 2, "RGBP": 2, "RGB3": 3, "BGR3": 3, "RGB": 3, "BGR": 3, "RGB8": 3, "BGR8": 3, "8UC3": 3, "RGBA": 4,
    "BGRA": 4, "RGBX": 4, "BGRX": 4, "RGBA8": 4, "BGRA8": 4, "8UC4": 4, "AR24": 4, "XR24": 4, "MONO16": 2, "16UC1": 2,
    "BAYER_RGGB8": 1, "BAYER_BGGR8": 1, "BAYER_GBRG8": 1, "BAYER_GRBG8": 1,
}  # fmt: skip
"""Bytes that a pixel takes in a row of the first plane. Sources: V4L2 and GStreamer format lists, sensor_msgs."""
TOTAL = {"NV12": (3, 2), "NV21": (3, 2), "I420": (3, 2), "YU12": (3, 2), "YV12": (3, 2), "NM12": (3, 2), "NV16": (2, 1)}
"""Bytes of all planes a pixel, as a fraction, where that differs from the row's."""
_CAPS = re.compile(r"([\w-]+) ?= ?(?:\([\w/:]+\) ?)?(\"[^\"]*\"|[^,;\s]+)")


@dataclass(frozen=True, slots=True)
class LogFrame:
    """One frame. width, height in pixels; row_bytes: from row to row; rows: of the first plane; size: bytes of all."""

    source: str
    where: str
    file: int
    width: int | None = None
    height: int | None = None
    format: str | None = None
    row_bytes: int | None = None
    rows: int | None = None
    size: int | None = None
    range: str | None = None

    @property
    def packed_row(self) -> int | None:
        """Bytes of a row without a gap; None where width or format is not known."""
        each = PIXEL_BYTES.get((self.format or "").upper())
        return self.width * each if self.width is not None and each is not None else None

    @property
    def expected_size(self) -> int | None:
        """Bytes of all planes with the stated strides; None where something is not known."""
        row = self.row_bytes or self.packed_row
        rows = self.rows or self.height
        if row is None or rows is None:
            return None
        num, den = TOTAL.get((self.format or "").upper(), (1, 1))
        return row * rows * num // den


def frames(book: LogBook) -> list[LogFrame]:
    """The frames that the lines describe, in order; a frame said twice is one."""
    found: list[LogFrame] = []
    for frame in _frames(book.events):
        if (frame.width or frame.row_bytes or frame.rows) and not any(
            replace(k, where="") == replace(frame, where="") for k in found
        ):
            found.append(frame)
    return found


_SOURCES = {"v4l2": "v4l2-ctl", "gst": "GStreamer", "mpp": "MPP", "ros": "ROS image"}


def _frames(events: Sequence[LogEvent]) -> Iterator[LogFrame]:
    now: LogFrame | None = None
    kind = ""
    for event in events:
        family = event.kind.split("_")[0]
        if family not in _SOURCES:
            continue
        begins = event.kind in ("v4l2_head", "gst_caps", "mpp_info") or (
            event.kind == "ros_side" and now is not None and _has(now, event)
        )
        if (
            now is None
            or family != kind
            or event.file != now.file
            or begins
            or (event.kind == "mpp_size" and now.width is not None)
        ):
            if now is not None:
                yield now
            now, kind = LogFrame(_SOURCES[family], event.where, event.file), family
        now = _with(now, event)
    if now is not None:
        yield now


def _has(frame: LogFrame, event: LogEvent) -> bool:
    return (frame.height if event.word("side") == "height" else frame.width) is not None


def _with(frame: LogFrame, event: LogEvent) -> LogFrame:
    n = event.number
    if event.kind == "v4l2_size":
        return replace(frame, width=n("w"), height=n("h"))
    if event.kind == "v4l2_format":
        return replace(frame, format=event.word("fourcc"))
    if event.kind == "v4l2_line":
        return replace(frame, row_bytes=n("bytes"))
    if event.kind == "v4l2_bytes":
        return replace(frame, size=n("size"))
    if event.kind == "v4l2_color":
        return replace(frame, range=(event.word("range") or "").lower())
    if event.kind == "gst_caps":
        caps = {k: v.strip('"') for k, v in _CAPS.findall(event.word("caps") or "")}
        width, height = (
            int(v) if (v := caps.get(k, "")).isdigit() and len(v) < 6 else None for k in ("width", "height")
        )
        return replace(frame, width=width, height=height, format=caps.get("format"))
    if event.kind == "gst_stride":
        return replace(frame, row_bytes=n("stride")) if n("plane") == 0 else frame
    if event.kind == "mpp_info":
        return replace(
            frame, width=n("w"), height=n("h"), row_bytes=n("ws"), rows=n("hs"), size=n("size"), format="NV12"
        )
    if event.kind == "mpp_size":
        return replace(frame, width=n("w"), height=n("h"), format="NV12")
    if event.kind == "mpp_stride":
        return replace(frame, row_bytes=n("ws"), rows=n("hs"))
    if event.kind == "mpp_bytes":
        return replace(frame, size=n("size"))
    if event.kind == "ros_side":
        return replace(frame, height=n("n")) if event.word("side") == "height" else replace(frame, width=n("n"))
    if event.kind == "ros_image":
        return replace(frame, format=event.word("encoding"))
    if event.kind == "ros_step":
        return replace(frame, row_bytes=n("step"))
    return frame
