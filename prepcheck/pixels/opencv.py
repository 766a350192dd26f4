"""Whether OpenCV can be used here."""

from __future__ import annotations

from functools import cache


@cache
def opencv_problem() -> str | None:
    """Why cv2 cannot be imported (not installed, or no libGL on a slim image); None where it can. Imports it."""
    try:
        import cv2  # noqa: F401
    except (ImportError, OSError) as error:
        return " ".join(str(error).split())[:200]
    return None
