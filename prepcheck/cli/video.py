"""What `validate` does with a video in place of an image."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from prepcheck.errors import UsageError

if TYPE_CHECKING:
    from prepcheck.contract.report import Report

ENDINGS = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mpg", ".mpeg", ".ts", ".h264", ".h265", ".flv", ".wmv")
STREAMS = ("rtsp://", "rtsps://", "rtmp://", "http://", "https://", "udp://", "tcp://", "srt://")


def is_video(name: str) -> bool:
    """Whether an argument names a video file, a camera or a stream."""
    return name.startswith(("/dev/video", *STREAMS)) or name.lower().endswith(ENDINGS)


def validate_video(
    model: str | None,
    images: Sequence[str],
    *,
    plan: str | None,
    every: int,
    frames: int | None,
    others: bool,
    allow_outside: bool,
    max_pixels: int,
    language: str,
    select: Sequence[str],
    ignore: Sequence[str],
    translate: Callable[[str], str],
) -> Report:
    """Judge the frames. others: options were given that belong to single images. Raises UsageError for those."""
    from prepcheck.app.sweep import SweepRequest
    from prepcheck.app.video import validate_video as judge

    if model is None:
        raise UsageError("a video needs MODEL")
    if len(images) != 1:
        raise UsageError("give one video, and nothing beside it")
    if others:
        raise UsageError(
            "--buffer, --previous, --log, --answer, --run and --report are about single images, not videos"
        )
    request = SweepRequest(
        model=model, paths=tuple(images), plan=plan, allow_outside=allow_outside, max_pixels=max_pixels,
        language=language, select=select, ignore=ignore, calibration=False,
    )  # fmt: skip
    return judge(request, images[0], every=every, frames=frames, translate=translate)
