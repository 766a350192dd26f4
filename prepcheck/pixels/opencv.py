"""Whether OpenCV can be used here."""

from __future__ import annotations

import importlib.util
import os
from functools import cache


@cache
def opencv_problem() -> str | None:
    """Why cv2 cannot be imported (not installed, or no libGL on a slim image); None where it can.

    cv2 brings numpy, which a check of sizes and types does without: where the wheel's native library is found it is only
    loaded, which is where a missing libGL shows; an unusual installation is imported.
    """
    try:
        spec = importlib.util.find_spec("cv2")
        if spec is None or spec.origin is None:
            return "No module named 'cv2'"
        library = _native(os.path.dirname(spec.origin))
        if library is None:
            import cv2  # noqa: F401
        else:
            import ctypes

            ctypes.CDLL(library)
    except (ImportError, OSError) as error:
        return " ".join(str(error).split())[:200]
    return None


def _native(folder: str) -> str | None:
    """The native library of opencv-python's wheels: cv2.abi3.so, or cv2.pyd."""
    for name in sorted(os.listdir(folder)):
        if name.startswith("cv2") and name.endswith((".so", ".pyd")):
            return os.path.join(folder, name)
    return None
