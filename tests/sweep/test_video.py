"""Videos: every Nth frame is judged like a picture; what is no video is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.cli.run import prepcheck
from tests.sweep.pictures import SIZE, SMALL, texture


def clip(path: Path, count: int, size: tuple[int, int], *, still: bool = False) -> Path:
    """A Motion-JPEG video, which OpenCV writes and reads without other libraries."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, size)
    assert writer.isOpened()
    for number in range(count):
        writer.write(np.ascontiguousarray(texture(0 if still else number, size)[..., ::-1]))
    writer.release()
    return path


def report(*arguments: object, code: int) -> dict[str, Any]:
    done = prepcheck("validate", *arguments, "--format", "json")
    assert done.returncode == code, (done.stdout[:800], done.stderr)
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_nth_frame(tmp_path: Path) -> None:
    video = clip(tmp_path / "clip.avi", 40, (80, 20))
    found = report(SMALL, video, "--every", 10, code=0)
    assert found["details"]["sweep"]["samples"] == 4
    (one,) = [f for f in found["findings"] if f["rule"] == "RS001"]
    assert one["message"].startswith("All 4 samples: 80x20 is stretched to 36x20")
    assert [s.rpartition("#")[2] for s in one["evidence"]["samples"]] == ["0", "10", "20", "30"]
    assert report(SMALL, video, "--frames", 3, code=0)["details"]["sweep"]["samples"] == 3


def test_frames_are_read_in_the_order_of_the_plan(tmp_path: Path) -> None:
    red = np.zeros((20, 36, 3), np.uint8)
    red[..., 2] = 250  # OpenCV writes BGR
    writer = cv2.VideoWriter(str(tmp_path / "r.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, SIZE)
    for _ in range(2):
        writer.write(red)
    writer.release()
    channels = report(SMALL, tmp_path / "r.avi", code=0)["details"]["sweep"]["inputs"]["images"]["channels"]
    assert channels[0]["low"] > 200
    assert channels[2]["high"] < 60


def test_a_picture_that_stands_still_is_told(tmp_path: Path) -> None:
    found = report(SMALL, clip(tmp_path / "s.avi", 12, SIZE, still=True), code=0)
    (one,) = [f for f in found["findings"] if f["rule"] == "IM401"]
    assert (one["severity"], one["evidence"]["distinct"]) == ("info", 1)


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [("none.mp4", None, "not_found"), ("empty.mp4", b"", "empty"), ("text.mp4", b"no video at all", "image")],
)
def test_what_is_no_video(tmp_path: Path, name: str, content: bytes | None, code: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    assert report(SMALL, tmp_path / name, code=2)["error"]["code"] == code


def test_a_cut_video_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    video = clip(tmp_path / "c.avi", 40, SIZE)
    video.write_bytes(video.read_bytes()[: video.stat().st_size // 2])
    done = prepcheck("validate", SMALL, video, "--format", "json")
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr


def test_options_about_single_images_are_refused(tmp_path: Path) -> None:
    video = clip(tmp_path / "c.avi", 2, SIZE)
    for more in (["--previous", video], ["--buffer", video], [video]):
        assert report(SMALL, video, *more, code=2)["error"]["code"] == "usage"
    assert report(SMALL, "/dev/video99", code=2)["error"]["code"] == "not_found"
