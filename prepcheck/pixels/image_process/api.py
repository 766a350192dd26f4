"""convert(): the bytes that CV::ImageProcess::convert writes, computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepcheck.errors import UsageError
from prepcheck.pixels.image_process.classify import classify
from prepcheck.pixels.image_process.config import (
    PIXEL_BYTES,
    YUV_SOURCES,
    Destination,
    ImageProcessConfig,
    source_nbytes,
)
from prepcheck.pixels.image_process.refusal import Unsupported

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def convert(
    config: ImageProcessConfig,
    source: NDArray[np.uint8],
    size: tuple[int, int],
    dest: Destination,
    stride: int = 0,
) -> NDArray[np.generic]:
    """What MNN 3.6.1 (x86-64) writes into the destination, bit for bit.

    source: uint8, any shape; taken in C order as MNN's Python interface does. size: [width, height] of the picture.
    stride: bytes per source row, 0 = packed. Returns float32 or uint8: [1, h, w, c] for NHWC, [1, c, h, w] for NCHW,
    packed [1, 1, h, w, 4] (block, n, h, w, lane) for NC4HW4.
    Raises Unsupported with the rule's id where MNN writes nothing, writes something else than the picture, leaves its
    buffers, or where its behaviour is not modelled (rotation, bicubic); UsageError for a source that is not uint8.
    """
    import numpy as np

    from prepcheck.pixels.image_process import blit, geometry, sample, store, yuv

    if source.dtype != np.uint8:
        raise UsageError(f"ImageProcess reads uint8 pixels, not {source.dtype}")
    verdict = classify(config, size, dest, stride, source_bytes=source.size)
    for issue in verdict.issues:
        if issue.refused:
            raise Unsupported(issue.reason, issue.rule_id)
    flat = np.ascontiguousarray(source).reshape(-1)
    target = (dest.dims.w, dest.dims.h)
    plan = geometry.sampling(config, size, target)
    if config.source_format in YUV_SOURCES:
        planes = yuv.yuv_planes(config, flat, size, plan, target, stride)
    else:
        pixel = PIXEL_BYTES[config.source_format]
        shape = (size[1], size[0] * pixel)
        assert flat.size >= source_nbytes(config.source_format, size, stride)  # classify has compared
        rows = np.lib.stride_tricks.as_strided(flat, shape, (stride or shape[1], 1), writeable=False)
        picture = sample.sample(config, rows, pixel, plan, target)
        planes = blit.source_planes(picture, config.source_format)
    return store.store(blit.dest_planes(planes, config.dest_format), config, dest)
