"""The generator text of an RKNN2 model: a Python `repr` with what the converter knew of the original network.

Toolkit 1.3 and later write it; 1.1 writes a plain sentence. It is the only place of the original element type, of
rgb2bgr and of the range that calibration really saw. Source: measured on models of rknn-toolkit2 1.1.0 to 2.5.0.
"""

from __future__ import annotations

import math

from prepcheck.core.dtypes import BITS
from prepcheck.core.layouts import AXES
from prepcheck.records import dataclass
from prepcheck.wire.pyrepr import ReprError, parse
from prepcheck.wire.values import Value, mapping, numbers, text


@dataclass(frozen=True, slots=True)
class Origin:
    """What the text says of one tensor; None where it says nothing.

    layout, dtype: of the original network; rgb2bgr: calibration swapped R and B; calibration: smallest and largest
    value seen after normalisation.
    """

    layout: str | None = None
    dtype: str | None = None
    rgb2bgr: bool | None = None
    calibration: tuple[float, float] | None = None


def read_generator(generator: str) -> tuple[dict[str, Origin], str | None]:
    """(name → Origin, None), or ({}, reason) where the text was meant to be data and does not parse."""
    if not generator.lstrip().startswith("{"):
        return {}, None
    try:
        table = mapping(parse(generator))
    except ReprError as fault:
        return {}, str(fault)
    attrs, quant = mapping(table.get("attrs")), mapping(table.get("quant_tab"))
    return {name: _origin(attrs.get(name), quant.get(name)) for name in {*attrs, *quant}}, None


def _origin(attrs: Value, quant: Value) -> Origin:
    known = mapping(attrs)
    layout = text(known.get("layout_ori")) or text(known.get("layout"))
    dtype = text(known.get("dtype"))
    swapped = known.get("rgb2bgr")
    return Origin(
        layout=layout.upper() if layout and layout.upper() in AXES else None,
        dtype=dtype if dtype in BITS else None,
        rgb2bgr=swapped if isinstance(swapped, bool) else None,
        calibration=_range(mapping(quant).get("ori_min"), mapping(quant).get("ori_max")),
    )


def _range(low: Value, high: Value) -> tuple[float, float] | None:
    """Smallest and largest of two lists of finite numbers; None where one is empty or none."""
    lows, highs = numbers(low), numbers(high)
    if not lows or not highs or not all(map(math.isfinite, (*lows, *highs))):
        return None
    return (min(lows), max(highs))
