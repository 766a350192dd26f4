"""The test card as a PNG: a picture on which every fault of a buffer shows and is unique."""

from __future__ import annotations

import io


def png(width: int, height: int) -> bytes:
    """A lossless test card of width x height pixels, RGB."""
    from PIL import Image

    from prepcheck.forensics.card import test_card

    stream = io.BytesIO()
    Image.fromarray(test_card(width, height)).save(stream, format="PNG")
    return stream.getvalue()
