"""A video, a camera or a stream as a set of samples: every Nth frame judged as a picture of its own, by OpenCV."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prepcheck.app.sweep import UNIT, SweepRequest, report_on
from prepcheck.app.sweeping.gather import Gathered
from prepcheck.app.sweeping.job import job_of
from prepcheck.app.sweeping.samples import Found, Sample
from prepcheck.app.sweeping.unit import UnitWork, context_of
from prepcheck.app.worlds import Request, prepare
from prepcheck.contract.report import Report
from prepcheck.engine.reporting import english
from prepcheck.errors import EmptyFileError, ImageError, NotFoundError, UsageError
from prepcheck.facts.world import ImageFacts, image_input

if TYPE_CHECKING:
    import cv2
    import numpy as np
    from numpy.typing import NDArray

LIVE_FRAMES = 100
"""Frames that are judged of a source without an end, unless --frames says another number. A choice."""
TIMEOUT_MS = 10_000
"""How long opening a stream, or waiting for its next frame, may take. A choice."""


def is_live(source: str) -> bool:
    """Whether a source has no end: a camera or a stream."""
    return source.startswith("/dev/video") or "://" in source


def validate_video(
    request: SweepRequest,
    source: str,
    *,
    every: int,
    frames: int | None,
    translate: Callable[[str], str] = english,
) -> Report:
    """Judge every `every`th frame, at most `frames` of them. Raises PrepcheckError where nothing can be judged."""
    prepared = prepare(Request(model=request.model, plan=request.plan, allow_outside=request.allow_outside))
    contract = prepared.world.contract
    if contract is None or not contract.inputs:
        raise UsageError("a video needs a model with inputs")
    owner = image_input(contract)
    name = owner.name if owner is not None and len(contract.inputs) > 1 else None
    if owner is None and len(contract.inputs) > 1:
        raise UsageError("the model has several inputs that take pictures: name one with NAME=FILE and give frames")
    job = job_of(
        prepared.world, library=prepared.resize_library, language=request.language, select=tuple(request.select),
        ignore=tuple(request.ignore), max_pixels=request.max_pixels,
    )  # fmt: skip
    context = context_of(job)
    found = Found("video", [])
    results = []
    work = UnitWork(context, 0)
    most = frames if frames is not None else LIVE_FRAMES if is_live(source) else None
    for number, picture in _frames(source, every, most, request.max_pixels):
        facts = ImageFacts(
            name=f"{source}#{number}", format="video", size=(picture.shape[1], picture.shape[0]), mode="RGB", bits=8,
            frames=1, orientation=None, input=name,
        )  # fmt: skip
        found.samples.append(Sample(((name, facts.name),)))
        work.frame_sample(len(found.samples) - 1, facts, picture)
        if len(work.records) == UNIT:
            results.append(work.result())
            work = UnitWork(context, len(results))
    results.append(work.result())
    if not found.samples:
        raise EmptyFileError(f"{source}: no frame could be read")
    gathered = Gathered(found.samples, range(len(found.samples)), len(contract.inputs))
    for result in results:
        gathered.add(result)
    return report_on(request, prepared, found, gathered, translate)


def _frames(source: str, every: int, most: int | None, max_pixels: int) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """(number from 0, H x W x 3 uint8 BGR) of the frames that are to be judged."""
    import numpy as np

    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # FFmpeg's own words would stand between ours
    try:
        import cv2
    except ImportError as error:
        raise UsageError(f"videos are read by OpenCV, which cannot be imported here ({error})") from None
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    if not is_live(source):
        if not os.path.exists(source):
            raise NotFoundError(f"{source}: no such file")
        if os.path.getsize(source) == 0:
            raise EmptyFileError(f"{source}: the file is empty (0 bytes)")
    elif source.startswith("/dev/") and not os.path.exists(source):
        raise NotFoundError(f"{source}: no such camera")
    capture = _open(source)
    try:
        if not capture.isOpened():
            raise ImageError(f"{source}: cannot be opened as a video (no decoder for it, damaged, or nobody answers)")
        given = 0
        number = 0
        while most is None or given < most:
            if not capture.grab():
                break
            if number % every == 0:
                ok, picture = capture.retrieve()
                if not ok or picture is None:
                    break
                if picture.shape[0] * picture.shape[1] > max_pixels:
                    raise ImageError(
                        f"{source}: frames of {picture.shape[1]} x {picture.shape[0]} are over --max-pixels"
                    )
                yield number, np.ascontiguousarray(picture if picture.ndim == 3 else np.stack([picture] * 3, axis=-1))
                given += 1
            number += 1
    finally:
        capture.release()


def _open(source: str) -> cv2.VideoCapture:
    import cv2

    if source.startswith("/dev/video") and source[10:].isdigit():
        return cv2.VideoCapture(int(source[10:]), cv2.CAP_V4L2)
    if "://" in source:
        timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, TIMEOUT_MS]
        return cv2.VideoCapture(source, cv2.CAP_FFMPEG, timeouts)
    return cv2.VideoCapture(source)
