"""Where rknn_model_zoo's convert_image_with_letterbox puts the picture. Standard library only; sizes [width, height].

Source: airockchip/rknn_model_zoo utils/image_utils.c; measured: the model agrees with it over a broad grid of sizes.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import pack, unpack

from prepcheck.core.geometry import Box


@dataclass(frozen=True, slots=True)
class ZooLetterbox:
    """box: where the picture lies in the target; scale: the nominal float32 factor that the demos divide by."""

    box: Box
    scale: float


def zoo_letterbox(source: tuple[int, int], target: tuple[int, int]) -> ZooLetterbox:
    """The box of a source letterboxed into a target.

    The smaller of the two float32 ratios wins; the other side is truncated, the width cut to a multiple of 4, the
    height to one of 2; the left or top offset is half of the bar, rounded down to an even number. The true factor is
    box.w/source[0], not `scale`: square sources can lose 4 columns to float32 (176 → 416 becomes 412).
    """
    ratios = [_f32(_f32(t) / _f32(s)) for s, t in zip(source, target, strict=True)]
    across = ratios[0] < ratios[1]
    scale = ratios[0] if across else ratios[1]
    width = target[0] if across else int(_f32(source[0] * scale))
    height = int(_f32(source[1] * scale)) if across else target[1]
    width, height = width - width % 4, height - height % 2
    left = (target[0] - width) // 2 // 2 * 2 if not across else 0
    top = (target[1] - height) // 2 // 2 * 2 if across else 0
    return ZooLetterbox(Box(left, top, width, height), scale)


def _f32(value: float) -> float:
    """The nearest float32."""
    out: float = unpack("<f", pack("<f", value))[0]
    return out
