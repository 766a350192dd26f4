"""Hand-overs that the tests and the benchmark use, with their own arithmetic (nothing of it comes from the product)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from prepcheck.core.geometry import Box
from prepcheck.forensics import BufferSpec, Geometry

IMAGENET = ((123.675, 116.28, 103.53), (58.395, 57.12, 57.375))


@dataclass(frozen=True)
class Contract:
    """A hand-over without its geometry (that depends on the picture): size as (height, width)."""

    name: str
    spec: BufferSpec
    letterbox: bool = False
    fill: int = 114
    align: str = "center"

    @property
    def size(self) -> tuple[int, int]:
        return self.spec.size

    def for_source(self, height: int, width: int) -> BufferSpec:
        if not self.letterbox:
            return self.spec
        h, w = self.size
        scale = min(h / height, w / width)
        bw, bh = min(w, round(width * scale)), min(h, round(height * scale))
        centred = self.align == "center"
        box = Box((w - bw) // 2 if centred else 0, (h - bh) // 2 if centred else 0, bw, bh)
        return replace(self.spec, geometry=Geometry("letterbox", box, None, (self.fill,), self.align))


CONTRACTS = (
    Contract(
        "int8-224",
        BufferSpec(
            "int8", "NHWC", (1, 224, 224, 3), mean=IMAGENET[0], std=IMAGENET[1], scale=0.01865845, zero_point=-14
        ),
    ),
    Contract(
        "u8-640-letterbox",
        BufferSpec("uint8", "NHWC", (1, 640, 640, 3), model_mean=(0.0,), model_std=(255.0,), filter="bilinear"),
        True,
    ),
    Contract("u8-400x800", BufferSpec("uint8", "NHWC", (1, 400, 800, 3), model_mean=(0.0,), model_std=(1.0,))),
    Contract(
        "u8-243x321-strided",
        BufferSpec("uint8", "NHWC", (1, 243, 321, 3), w_stride=336, model_mean=IMAGENET[0], model_std=IMAGENET[1]),
    ),
    Contract("f32-320-nc4hw4", BufferSpec("float32", "NC4HW4", (1, 3, 320, 320), mean=IMAGENET[0], std=IMAGENET[1])),
    Contract("f32-288x352-nchw", BufferSpec("float32", "NCHW", (1, 3, 288, 352), mean=(0.0,), std=(255.0,)), True),
    Contract(
        "f16-256x192-bgr",
        BufferSpec(
            "float16", "NHWC", (1, 256, 192, 3), color="BGR", model_mean=(104.0, 117.0, 123.0), model_std=(1.0,)
        ),
    ),
    Contract("u8-96-batch4", BufferSpec("uint8", "NHWC", (4, 96, 96, 3), model_mean=(127.5,), model_std=(127.5,))),
)
"""More than the five that are asked for: packed and strided rows, three element widths, planes, blocks, a batch."""

GRAY = Contract("u8-160-gray", BufferSpec("uint8", "NHWC", (1, 160, 160, 1), color="GRAY"))
RGBA = Contract("u8-128-rgba", BufferSpec("uint8", "NHWC", (1, 128, 128, 4), color="RGBA"))
INT16 = Contract(
    "i16-120x160", BufferSpec("int16", "NHWC", (1, 120, 160, 3), scale=0.0001, zero_point=0, mean=(0.0,), std=(255.0,))
)
C2 = Contract("int8-nc1hwc2", BufferSpec("int8", "NC1HWC2", (1, 1, 160, 160, 16), scale=1.0, zero_point=-128))

SMALL = (
    Contract(
        "u8-96x160-letterbox",
        BufferSpec("uint8", "NHWC", (1, 96, 160, 3), model_mean=(127.5,), model_std=(127.5,), filter="bilinear"),
        True,
    ),
    Contract(
        "int8-112",
        BufferSpec(
            "int8", "NHWC", (1, 112, 112, 3), mean=IMAGENET[0], std=IMAGENET[1], scale=0.01865845, zero_point=-14
        ),
    ),
    Contract("f32-96x112-nchw", BufferSpec("float32", "NCHW", (1, 3, 96, 112), mean=(0.0,), std=(255.0,))),
    Contract("f32-104-nc4hw4", BufferSpec("float32", "NC4HW4", (1, 3, 104, 104), mean=IMAGENET[0], std=IMAGENET[1])),
    Contract(
        "f16-96x80-bgr",
        BufferSpec("float16", "NHWC", (1, 96, 80, 3), color="BGR", model_mean=(104.0, 117.0, 123.0), model_std=(1.0,)),
    ),
    Contract(
        "u8-81x101-strided",
        BufferSpec("uint8", "NHWC", (1, 81, 101, 3), w_stride=112, model_mean=(0.0,), model_std=(255.0,)),
    ),
    Contract("u8-64-batch4", BufferSpec("uint8", "NHWC", (4, 64, 64, 3), model_mean=(127.5,), model_std=(127.5,))),
)
"""Small ones for the tests of every change."""

_HALF = ((127.5,), (128.0,))
OTHER = (
    Contract("u8-240x320", BufferSpec("uint8", "NHWC", (1, 240, 320, 3), model_mean=(127.5,), model_std=(127.5,))),
    Contract(
        "u8-416-letterbox-left",
        BufferSpec("uint8", "NHWC", (1, 416, 416, 3), model_mean=(0.0,), model_std=(255.0,)),
        True,
        0,
        "top_left",
    ),
    Contract(
        "int8-112-half",
        BufferSpec("int8", "NHWC", (1, 112, 112, 3), mean=_HALF[0], std=_HALF[1], scale=0.0078125, zero_point=0),
    ),
    Contract(
        "u8-96-gray", BufferSpec("uint8", "NHWC", (1, 96, 96, 1), color="GRAY", model_mean=(0.0,), model_std=(255.0,))
    ),
    Contract("f32-720x1280-nchw", BufferSpec("float32", "NCHW", (1, 3, 720, 1280), mean=(0.0,), std=(255.0,))),
    Contract("f16-192x256", BufferSpec("float16", "NHWC", (1, 192, 256, 3), mean=IMAGENET[0], std=IMAGENET[1])),
    Contract(
        "i16-150x200",
        BufferSpec("int16", "NHWC", (1, 150, 200, 3), mean=(0.0,), std=(255.0,), scale=0.00003, zero_point=0),
    ),
    Contract("int8-c2-8", BufferSpec("int8", "NC1HWC2", (1, 1, 144, 176, 8), scale=1.0, zero_point=-128)),
    Contract(
        "int8-c2-16",
        BufferSpec("int8", "NC1HWC2", (1, 1, 128, 128, 16), mean=(0.0,), std=(255.0,), scale=1 / 255, zero_point=-128),
    ),
    Contract("f16-c2-32", BufferSpec("float16", "NC1HWC2", (1, 1, 96, 128, 32), model_mean=(0.0,), model_std=(255.0,))),
    Contract("u8-80x120-batch2", BufferSpec("uint8", "NHWC", (2, 80, 120, 3), model_mean=(0.0,), model_std=(1.0,))),
    Contract("f32-64x96-nchw-batch3", BufferSpec("float32", "NCHW", (3, 3, 64, 96), mean=IMAGENET[0], std=IMAGENET[1])),
    Contract("u8-128-rgba", BufferSpec("uint8", "NHWC", (1, 128, 128, 4), color="RGBA")),
    Contract(
        "u8-224-quantized",
        BufferSpec("uint8", "NHWC", (1, 224, 224, 3), mean=IMAGENET[0], std=IMAGENET[1], scale=0.0187, zero_point=114),
    ),
    Contract(
        "u8-300-bgr-strided",
        BufferSpec(
            "uint8",
            "NHWC",
            (1, 300, 300, 3),
            color="BGR",
            w_stride=304,
            model_mean=(104.0, 117.0, 123.0),
            model_std=(1.0,),
        ),
    ),
    Contract(
        "f32-227-caffe",
        BufferSpec("float32", "NCHW", (1, 3, 227, 227), color="BGR", mean=(104.0, 117.0, 123.0), std=(1.0,)),
    ),
    Contract(
        "int8-256x448-letterbox",
        BufferSpec("int8", "NHWC", (1, 256, 448, 3), mean=(0.0,), std=(255.0,), scale=1 / 255, zero_point=-128),
        True,
    ),
    Contract("u8-72x160-nchw", BufferSpec("uint8", "NCHW", (1, 3, 72, 160), model_mean=(127.5,), model_std=(128.0,))),
    Contract("f32-160-nc4hw4", BufferSpec("float32", "NC4HW4", (1, 3, 160, 160), mean=_HALF[0], std=_HALF[1])),
    Contract(
        "f32-48x192-gray", BufferSpec("float32", "NCHW", (1, 1, 48, 192), color="GRAY", mean=(127.5,), std=(127.5,))
    ),
)
"""Unlike the others: other sizes, types, blocks, colours, scales, places of the letterbox."""

FILTERS = {"bilinear": cv2.INTER_LINEAR, "nearest": cv2.INTER_NEAREST, "bicubic": cv2.INTER_CUBIC, "area": cv2.INTER_AREA,
           "lanczos": cv2.INTER_LANCZOS4}  # fmt: skip


def resized(image: NDArray[np.uint8], width: int, height: int, how: str = "bilinear") -> NDArray[np.uint8]:
    out = cv2.resize(np.ascontiguousarray(image), (width, height), interpolation=FILTERS[how])
    return out.reshape(height, width, image.shape[2])


def coloured(rgb: NDArray[np.uint8], color: str) -> NDArray[np.uint8]:
    if color == "GRAY":
        return cv2.cvtColor(np.ascontiguousarray(rgb), cv2.COLOR_RGB2GRAY)[..., None]
    if color == "RGBA":
        return np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])
    return rgb[..., ::-1].copy() if color == "BGR" else rgb
