"""The picture is stored turned, and the decoder does not turn it.

What it checks
    EXIF orientation other than 1, where the plan's decoder ignores it.

Why it matters
    Phones store pictures as the sensor sees them and note how to turn them. Viewers turn them; Pillow and most C decoders do
    not: the network sees people lying on their side, and the aspect ratio is the other one.

How it is computed
    The tag of the file, and `exif` of the decode step. OpenCV's imread turns by default, Pillow's open does not.

Example
    orientation 6, stored 4032x3024, meant as 3024x4032 (turned by 90 degrees clockwise).

Fix
    ImageOps.exif_transpose(img) in Pillow; or turn the file itself.

Limits
    Where the plan does not say what its decoder does, the answer is unknown.

References
    EXIF 2.32, table 4 (Orientation); OpenCV documentation, ImreadModes; Pillow documentation, ImageOps.exif_transpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule

_MEANING = {
    2: "mirrored left to right", 3: "turned by 180 degrees", 4: "mirrored top to bottom", 5: "mirrored and turned by 90 degrees",
    6: "turned by 90 degrees clockwise", 7: "mirrored and turned by 270 degrees", 8: "turned by 270 degrees clockwise",
}  # fmt: skip


@rule(
    "IM002",
    "exif-orientation",
    over="image",
    category="image",
    severity="warning",
    rank=Rank.CONTENT,
    sources=("EXIF 2.32 table 4", "OpenCV documentation, ImreadModes"),
)
def check(orientation: int, exif_known: bool, image_size: tuple[int, int], name: str) -> Iterator[Finding]:
    if orientation not in _MEANING or exif_known:
        return
    w, h = image_size
    meant = (h, w) if orientation >= 5 else (w, h)
    yield Finding(
        "{name} has EXIF orientation {orientation} (to be {meaning}), and the decoder does not turn it.",
        "It is stored as {w}x{h} and meant as {meant_w}x{meant_h}; the network sees it as stored.",
        "Turn it after decoding (ImageOps.exif_transpose in Pillow; cv2.imread does it by default), and state `exif: apply`.",
        {
            "name": name,
            "orientation": orientation,
            "meaning": _MEANING[orientation],
            "w": w,
            "h": h,
            "meant_w": meant[0],
            "meant_h": meant[1],
        },
    )
