"""MNN's CV::ImageProcess: what convert() writes, computed bit for bit, and what a configuration does, judged.

Modelled: MNN 3.6.1 on x86-64 (the pip wheel). Other builds differ in rounding (4-channel bilinear on ARM), not in where
pixels come from. Importing this package loads no numpy; convert() does.
"""

from prepcheck.pixels.image_process.api import convert
from prepcheck.pixels.image_process.classify import Verdict, classify, reuse_issue
from prepcheck.pixels.image_process.config import (
    FORMATS,
    IDENTITY,
    Destination,
    ImageProcessConfig,
    Matrix,
    source_nbytes,
)
from prepcheck.pixels.image_process.effect import Effect, Issue
from prepcheck.pixels.image_process.matrix import Axis, box_matrix, half_pixel_matrix, kind_of, scale_translate
from prepcheck.pixels.image_process.refusal import Unsupported

__all__ = [
    "FORMATS",
    "IDENTITY",
    "Axis",
    "Destination",
    "Effect",
    "ImageProcessConfig",
    "Issue",
    "Matrix",
    "Unsupported",
    "Verdict",
    "box_matrix",
    "classify",
    "convert",
    "half_pixel_matrix",
    "kind_of",
    "reuse_issue",
    "scale_translate",
    "source_nbytes",
]
