"""How often a fault is the cause, before any answer is seen: counts of public reports by kind of fault.

180 public reports about wrong inputs were sorted by kind; the number beside a kind is its count there. Kinds that several
names of the vocabulary share are divided among them. Names that no report had count 1. The prior orders what the answers
leave; it excludes nothing.
"""

from __future__ import annotations

from typing import Final

AS_PLANNED: Final = "as_planned"
"""The hypothesis that nothing is wrong with the input."""

SOMETHING_ELSE: Final = 22.0
"""Reports whose cause stayed open (12) or a guess (10): two faults at once, another model, a fault after the input."""

PRIOR: Final[dict[str, float]] = {
    AS_PLANNED: 10.0,  # "not the input at all"
    "planar_instead_of_interleaved": 19.0, "interleaved_instead_of_planar": 19.0,  # axis order
    "row_stride": 11.0,
    "float32_bytes": 5.0, "float16_bytes": 5.0,  # declared type is not that of the bytes: 10
    "scaled_0_1": 5.0, "mean_std_swapped": 5.0,  # mean and std in the wrong unit: 10
    "nc4hw4_packing": 10.0,
    "stretched_instead_of_letterbox": 2.0, "letterbox_instead_of_stretch": 2.0, "letterbox_fill": 2.0,
    "letterbox_alignment": 2.0,  # letterbox or stretch differ: 8
    "normalized_on_host": 3.0, "normalized_twice": 3.0,  # normalised twice, or in two places: 6
    "channels_swapped": 6.0,
    "signed_offset": 5.0,  # uint8 pixels in int8 memory
    "constant_buffer": 2.0, "stale_buffer": 2.0, "partial_fill": 1.0,  # never filled, or left from before: 5
    "yuv_as_rgb": 2.0, "uv_swapped": 1.0, "yuv_range": 1.0, "yuv_matrix": 1.0,  # YUV: 5
    "wrong_interpolation": 2.0, "shifted": 3.0,  # resize sampling: 5
    "not_normalized": 4.0,
}  # fmt: skip
"""Name → reports of its kind. Source: shared reference fault-kinds, 180 public reports, tables 1 and 2."""


def prior(name: str) -> float:
    """Reports of a fault's kind; 1 where there was none."""
    return PRIOR.get(name, 1.0)
