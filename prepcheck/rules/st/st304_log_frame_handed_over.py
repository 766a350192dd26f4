"""A frame with gaps between its rows, or one in YUV, stands where packed RGB is wanted.

What it checks
    Frames that pasted tools describe (v4l2-ctl, GStreamer, MPP strides, ROS step) against the model's input and against the byte
    counts that the text states.

Why it matters
    rknn_inputs_set and copies take packed rows of width · channels. A frame's rows may lie further apart; a decoder's planes have
    more rows than the picture. Its bytes taken as they lie shear the picture, or are YUV where RGB is wanted.

How it is computed
    Bytes given = row pitch · rows · planes of the frame, where packed · height, or width · height · 3, are wanted; or a frame of
    the model's own width and height whose rows have gaps.

Example
    step 2048, 640x480 bgr8: 2048 · 480 = 983040 bytes are given, 640 · 480 · 3 = 921600 are wanted.

Fix
    Copy row by row, or convert with RGA, which takes wstride and hstride.

Limits
    Where no byte count of the text is the frame's, it is only said for a frame of the model's size.

References
    airockchip/librga#75, #89; rga:R-A10; sensor_msgs/Image (step).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.contract import Contract
from prepcheck.facts.frames_log import TOTAL, LogFrame
from prepcheck.facts.log import LogBook, SizeQuestion
from prepcheck.registry import Finding, Rank, Value, rule

YUV = frozenset({*TOTAL, "YUYV", "YUY2", "UYVY"})


@rule(
    "ST304",
    "log-frame-handed-over",
    over="logbook",
    category="stride",
    severity="warning",
    rank=Rank.STRIDE,
    sources=("airockchip/librga#75", "rga:R-A10"),
    confidence="H",
)
def check(
    frames: list[LogFrame], size_pairs: list[SizeQuestion], book: LogBook, log_contract: Contract | None = None
) -> Iterator[Finding]:
    for frame in frames:
        if frame.width is None or frame.height is None or frame.packed_row is None:
            continue
        pair = next((q for q in size_pairs if q.got in (frame.expected_size, frame.size, _tight(frame))), None)
        tight, pixels = _tight(frame), frame.width * frame.height
        values: dict[str, Value] = {
            "source": frame.source, "format": frame.format, "width": frame.width, "height": frame.height, "packed": frame.packed_row,
            "row": frame.row_bytes or frame.packed_row, "rows": frame.rows or frame.height, "tight": tight,
        }  # fmt: skip
        if pair is not None and (frame.format or "").upper() in YUV and pair.want in (3 * pixels, 12 * pixels):
            yield Finding(
                "The {got} bytes given are the {format} frame of {source} itself; {want} bytes of RGB are wanted.",
                "{width} x {height} in {format} with rows of {row} bytes makes {got} bytes; an RGB picture of that size has "
                "{width} · {height} · 3 = {rgb}. Nothing converts the frame before it is handed over.",
                "Convert it to RGB first (RGA imcvtcolor with its strides, or cv2.cvtColor), then hand over {rgb} bytes.",
                values | {"got": pair.got, "want": pair.want, "rgb": 3 * pixels},
                severity="error", category="image", where=pair.where, about=pair.about,
            )  # fmt: skip
            return
        if pair is not None and pair.got == frame.expected_size and pair.want == tight != pair.got:
            yield Finding(
                "The {got} bytes given are the frame of {source} with its gaps; {want} packed bytes are wanted.",
                "{row} bytes a row, {rows} rows: {got} bytes, where {packed} · {height} = {tight} (all planes) are wanted.",
                "Copy row by row ({packed} of each {row} bytes), or convert with RGA, which takes wstride and hstride.",
                values | {"got": pair.got, "want": pair.want},
                severity="error", where=pair.where, about=pair.about,
            )  # fmt: skip
            return
        if _is_input(frame, log_contract) and frame.row_bytes is not None and frame.row_bytes > frame.packed_row:
            yield Finding(
                "The frames of {source} have the model's size {width} x {height}, and their rows of {packed} bytes lie {row} apart; the "
                "input wants packed rows.",
                "A frame handed over as it lies is sheared: each row begins {gap} bytes too early. The size check passes, as the frame "
                "is larger than the input.",
                "Copy row by row ({packed} of each {row} bytes), or convert with RGA, which takes wstride and hstride.",
                values | {"gap": frame.row_bytes - frame.packed_row},
                where=frame.where,
                about="log:frame",
            )


def _tight(frame: LogFrame) -> int:
    """Bytes of all planes without any gap."""
    num, den = TOTAL.get((frame.format or "").upper(), (1, 1))
    return (frame.packed_row or 0) * (frame.height or 0) * num // den


def _is_input(frame: LogFrame, contract: Contract | None) -> bool:
    """Whether a frame has the width, height and bytes a pixel of an 8-bit NHWC input that wants packed rows."""
    for tensor in contract.inputs if contract is not None else []:
        shape = tensor.shape or []
        if len(shape) == 4 and tensor.layout == "NHWC" and tensor.dtype in ("int8", "uint8"):
            if [frame.height, frame.width] == shape[1:3] and frame.packed_row == shape[2] * shape[3]:
                return tensor.w_stride in (None, 0, shape[2])
    return False
