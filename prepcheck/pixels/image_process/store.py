"""Writing the destination: planes → uint8 or float32 in NHWC, NCHW or NC4HW4.

float32: (pixel − mean)·normal, two float32 operations. A destination of four channels (and the packed store behind
NCHW and NC4HW4, which always has four) gets 0 in the channels that the format lacks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from prepcheck.pixels.image_process.config import Destination, ImageProcessConfig

Bytes = NDArray[np.uint8]


def store(planes: Sequence[Bytes], config: ImageProcessConfig, dest: Destination) -> NDArray[np.generic]:
    """The destination's memory: [1, h, w, c], [1, c, h, w], or packed [1, 1, h, w, 4] (blocks, n, h, w, lane)."""
    dims = dest.dims
    dtype: type[np.generic] = np.float32 if dest.dtype == "float32" else np.uint8
    if dest.layout == "NCHW":
        out = np.zeros((dims.c, dims.h, dims.w), dtype)
        targets = [out[i] for i in range(dims.c)]
        shaped: NDArray[np.generic] = out[None]
    else:
        lanes = 4 if dest.layout == "NC4HW4" else dims.c
        out = np.zeros((dims.h, dims.w, lanes), dtype)
        targets = [out[:, :, i] for i in range(lanes)]
        shaped = out[None] if dest.layout == "NHWC" else out[None, None]
    for i, (target, plane) in enumerate(zip(targets, planes, strict=False)):
        if dtype is np.uint8:
            target[...] = plane
        else:
            np.subtract(plane, np.float32(config.mean[i]), out=target, dtype=np.float32)
            np.multiply(target, np.float32(config.normal[i]), out=target)
    return shaped
