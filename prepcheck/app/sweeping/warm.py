"""Imported by the server that workers are forked from: what every unit needs, once for all workers."""

from __future__ import annotations

import contextlib

import numpy
import PIL.Image
import PIL.JpegImagePlugin
import PIL.PngImagePlugin

import prepcheck.app.defaults
import prepcheck.readers.arrays
import prepcheck.readers.images
from prepcheck.engine.loading import EVERYWHERE, load

with contextlib.suppress(ImportError):
    import cv2

    cv2.setNumThreads(1)

load(EVERYWHERE, without=("buffer_", "inference_"))
__all__ = ["PIL", "numpy", "prepcheck"]
