"""A grey picture for a colour input, or a colour picture for a grey one.

What it checks
    The mode of the picture against the channels of the input.

Why it matters
    Three equal channels are legal, but few networks were trained on them; and the weights with which colour becomes grey
    differ between libraries (OpenCV and Pillow 0.299, 0.587, 0.114; MNN 19/64, 38/64, 7/64).

How it is computed
    The mode in the header.

Example
    mode L for an input of 3 channels: R = G = B.

Fix
    Use a picture of the kind that training had.

Limits
    An info: it is often meant.

References
    OpenCV documentation, cvtColor; measured: MNN 3.6.1 (19R + 38G + 7B) >> 6.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule

_GRAY = ("1", "L", "LA", "La", "I", "I;16", "I;16B", "I;16L", "F")


@rule(
    "IM007",
    "gray-against-color",
    over="image",
    category="image",
    severity="info",
    rank=Rank.CONTENT,
    sources=("OpenCV documentation, cvtColor", "mnn:I18"),
)
def check(mode: str, target: Dims, name: str) -> Iterator[Finding]:
    gray = mode in _GRAY
    if gray == (target.c == 1):
        return
    if gray:
        yield Finding(
            "{name} is grey (mode {mode}); the input has {channels} channels: all colour channels are equal.",
            "A grey value becomes R = G = B.",
            "Use a colour picture, if training had colour.",
            {"name": name, "mode": mode, "channels": target.c},
        )
        return
    yield Finding(
        "{name} has colour (mode {mode}); the input has {channels} channel: it is converted to grey.",
        "grey = 0.299 R + 0.587 G + 0.114 B in Pillow and OpenCV; other libraries weigh differently.",
        "Nothing to do where training converted the same way.",
        {"name": name, "mode": mode, "channels": target.c},
    )
