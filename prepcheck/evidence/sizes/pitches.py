"""Row pitches and channel blocks of the NPUs, by platform, or over the platforms of the prior where it is not stated."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import cast

from prepcheck.core.layouts import round_up
from prepcheck.core.rockchip import c2, width_alignment
from prepcheck.evidence.sizes.facts import Facts
from prepcheck.evidence.sizes.table import normal, table

_NATIVE = {1: "int8", 2: "float16"}
"""Element width of the NPU's input → the type that core.rockchip knows it by."""


def row_pitches(facts: Facts, width: int, bytes_per_element: int) -> dict[int, float]:
    """Row pitch in pixels of a native NHWC input `width` pixels wide → probability, as far as the platform is known.

    A pitch that the contract states is certain. Empty for element widths without a pitch.
    """
    if facts.row_pixels is not None:
        return {facts.row_pixels: 1.0}
    found: dict[int, float] = {}
    for step, share in row_alignments(facts.platform, bytes_per_element).items():
        pixels = round_up(width, step)
        found[pixels] = found.get(pixels, 0.0) + share
    return found


@cache
def row_alignments(platform: str | None, bytes_per_element: int) -> dict[int, float]:
    """Pixels to which the NPU pads rows → probability: of the platform, or over the platforms of the prior."""
    return _over_platforms(platform, bytes_per_element, width_alignment)


@cache
def channel_blocks(platform: str | None, bytes_per_element: int) -> dict[int, float]:
    """Channels in one block of NC1HWC2 (C2) → probability."""
    return _over_platforms(platform, bytes_per_element, c2)


def _over_platforms(
    platform: str | None, bytes_per_element: int, rule: Callable[[str, str], int | None]
) -> dict[int, float]:
    dtype = _NATIVE.get(bytes_per_element)
    found: dict[int, float] = {}
    for name, share in ({platform: 1.0} if platform else platforms()).items():
        step = rule(name, dtype) if dtype else None
        if step is not None:
            found[step] = found.get(step, 0.0) + share
    return normal(found) if found else found


@cache
def platforms() -> dict[str, float]:
    """Platforms of toolkit 2 by how often they are reported."""
    return normal(
        {name: cast("float", share) for name, share in table().section("platforms").items() if name != "basis"}
    )
