"""OpenCV cannot be imported; Pillow's bilinear took its place.

What it checks
    Whether the assumed path has to resize, and `import cv2` works here.

Why it matters
    Most demos resize with OpenCV's INTER_LINEAR. Pillow's bilinear widens its kernel when it shrinks a picture, so the
    pixels differ, by more the more is shrunk. The layout, the type and the sizes that are checked do not depend on it;
    a comparison with `--buffer` allows for it.

How it is computed
    cv2 (its native library) is loaded where a picture has another size than the input, and nowhere else.

Example
    libGL.so.1: cannot open shared object file: No such file or directory (a slim container).

Fix
    `pip install opencv-python-headless` in place of opencv-python, or `apt-get install libgl1`.

Limits
    Only where no plan is given: a plan says itself who resizes.

References
    opencv-python's own page about the headless packages.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS009",
    "pillow-for-opencv",
    over="path",
    category="resize",
    severity="info",
    rank=Rank.VALUES,
    sources=("opencv-python, README, section about headless packages",),
)
def check(resizer_problem: str) -> Iterator[Finding]:
    yield Finding(
        "OpenCV cannot be imported here ({problem}): Pillow's bilinear resizes in its place.",
        "The two differ in pixels where a picture is made smaller; sizes, layout and type are the same.",
        "Install opencv-python-headless in place of opencv-python (it needs no libGL), or apt-get install libgl1.",
        {"problem": resizer_problem},
    )
