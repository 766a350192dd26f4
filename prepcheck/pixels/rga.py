"""RGA's scaler: which filter runs on which axis, where it samples, and how close a legal picture has to be.

No board was at hand. Read in sources: the choice of filters (librga 1.10.5 generate_blit_req, im2d_single.h) and the
factor arithmetic (rga2_reg_info.c, rga3_reg_info.c of the kernel driver). Inferred: everything the hardware does with a
factor beyond its meaning (kernel of the bicubic filter, precision between the passes, rounding, phase of RGA3's window).
The tolerances therefore come with their confidence. No pixels and no numpy here: rga_scale.py computes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final, Literal

Size = tuple[int, int]
Core = Literal["rga2", "rga2_pro", "rga2_lite2", "rga2_lite3", "rga3"]
"""rga2: RV1103/06, RV1109/26, RK3399, RK356x, RK3562, RK3588 (mask 4), RK3528 · rga2_pro: RK3576, RV1126B · rga2_lite2:
RK3506 · rga2_lite3: RV1103B · rga3: RK3588 (masks 1, 2). Source: RGA developer guide, librga im2d_hardware.h."""
Filter = Literal["none", "average", "linear", "cubic"]

DEFAULT, LINEAR, CUBIC, AVERAGE = 0, 1, 2, 3
"""Values of im2d's interpolation. C's imresize macro passes LINEAR in headers up to 1.10.3, C++ and improcess DEFAULT."""

ROW_LIMIT: Final[dict[str, int]] = {"rga2": 1928, "rga2_pro": 1928, "rga2_lite2": 600, "rga2_lite3": 0, "rga3": 8176}
"""Row width in pixels up to which the vertical pass can be bicubic. Source: librga (1928, RK3506: 600), driver."""

LINEAR_DOWN: Final = frozenset({"rga2_pro", "rga2_lite3"})
"""Cores that can shrink with the linear filter. Source: RGA developer guide, table of cores."""


@dataclass(frozen=True, slots=True)
class AxisScale:
    """One axis of a scaling: the filter and where it samples.

    Output pixel j of `average` is the mean over [j·step, j·step + step) source pixels; of `linear` and `cubic` it lies
    at j·step + shift, in source pixel indices.
    """

    filter: Filter
    source: int
    dest: int
    step: float
    shift: float = 0.0


def axis_filters(source: Size, dest: Size, core: Core = "rga2", interpolation: int = DEFAULT) -> tuple[Filter, Filter]:
    """The horizontal and the vertical filter. Sizes are [width, height].

    Shrinking averages unless the core can shrink linearly and is asked to; enlarging is bicubic unless linear is asked
    for; vertically it is linear where the rows are too wide for the bicubic line buffer (a row that is shrunk first
    counts with its new width). RGA3 has bicubic up and average down only.
    """
    across = _filter(source[0], dest[0], core, interpolation)
    down = _filter(source[1], dest[1], core, interpolation)
    if down == "cubic" and core != "rga3" and min(source[0], dest[0]) > ROW_LIMIT[core]:
        down = "linear"
    return across, down


def _filter(source: int, dest: int, core: Core, interpolation: int) -> Filter:
    if source == dest:
        return "none"
    if source > dest:
        return "linear" if interpolation == LINEAR and core in LINEAR_DOWN else "average"
    if core == "rga2_lite3" or (interpolation == LINEAR and core != "rga3"):
        return "linear"
    return "cubic"


def axis_scale(source: int, dest: int, name: Filter, core: Core = "rga2") -> AxisScale:
    """Step and shift of one axis from the driver's 16-bit factors (12-bit for the linear reduction)."""
    if name == "none":
        return AxisScale(name, source, dest, 1.0)
    if name == "linear" and source > dest:  # RGA2-Pro: the first sample lies at 0.5, whatever the ratio
        return AxisScale(name, source, dest, (source * 4096 // dest) / 4096, 0.5)
    if name == "average":
        return AxisScale(name, source, dest, 65536 / _average_factor(source, dest, core))
    factor, rest = divmod((source - 1) * 65536, max(1, dest - 1))
    if core == "rga3" and not rest:
        factor -= 1
    return AxisScale(name, source, dest, max(0, factor) / 65536)


def _average_factor(source: int, dest: int, core: Core) -> int:
    """Output pixels for a source pixel, times 65536."""
    if core == "rga3":
        return (dest - 1) * 65536 // (source - 1) + 1
    factor = dest * 65536 // source + 1
    if factor * (source - 1) > dest * 65536:
        factor = dest * 65536 // (source - 1)
    return factor


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How close a picture has to be to its reference to be taken for a legal RGA result.

    reference: what to compare with (`exact`, `rga`, `area`, `matrix`, `zoo`). max_abs: largest step allowed, None =
    not limited. psnr: at least so many dB pass; below warn_psnr is no longer RGA's. border: pixels left out at every
    edge. shift: whole pixels the picture may be displaced by. confidence: high, medium, low.
    """

    reference: str
    max_abs: int | None
    psnr: float | None
    warn_psnr: float | None
    border: int
    shift: int
    confidence: str


EXACT: Final = Tolerance("exact", 0, None, None, 0, 0, "high")
"""Copy, crop, flip, rotation by quarters, reordering, fill. Source: board drills of CERALIVE/librga (infinite PSNR)."""
CPU_FALLBACK: Final = Tolerance("zoo", 1, None, None, 0, 0, "high")
"""rknn_model_zoo's own scaler, which runs where RGA declines."""
COLOR: Final = Tolerance("matrix", 2, 50.0, 42.0, 0, 0, "medium")
"""RGB and YUV with the stated matrix; 4:2:0 to RGB may fall to 42 dB (chroma repeated or interpolated: unpublished)."""
WRONG_MATRIX_MEAN: Final = 3.0
"""Mean absolute error from which another range or matrix explains a colour conversion better than rounding."""
SAME_PICTURE_DB: Final = 30.0
"""Below this two pictures are not the same one, scaled by different filters (inferred; a 1-pixel shift gives 16-21 dB,
the wrong range 27 dB, published worst planes 33.8 dB)."""


def tolerance_for(source: Size, dest: Size, core: Core = "rga2") -> Tolerance:
    """The tolerance of a scaling from `source` to `dest`, [width, height].

    Measured between software models on photos; published board drills lie at 38 to 60 dB.
    """
    if source == dest:
        return EXACT
    if dest[0] > source[0] or dest[1] > source[1]:
        return Tolerance("rga", None, 38.0, 35.0, 2, 2, "low")
    if core == "rga3":
        shift = max(ceil(source[0] / dest[0]), ceil(source[1] / dest[1]))
        return Tolerance("area", None, 40.0, 35.0, 2, shift, "low")
    if source[0] % dest[0] == 0 and source[1] % dest[1] == 0:
        return Tolerance("rga", 4, 50.0, 45.0, 0, 0, "medium")
    return Tolerance("rga", None, 45.0, 40.0, 2, 0, "medium")
