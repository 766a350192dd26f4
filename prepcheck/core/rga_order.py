"""Colour orders around an RGA call: what comes out where the formats say something else than the buffers hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from prepcheck.core.rga_formats import RkFormat

TWINS: Final = {"RGB": "BGR", "BGR": "RGB", "RGBA": "BGRA", "BGRA": "RGBA", "NV12": "NV21", "NV21": "NV12"}
"""Orders that differ in two exchanged channels only."""
PLANES: Final = frozenset({"NV12", "NV21", "I420"})
"""Colours whose first plane is a gray picture."""


@dataclass(frozen=True, slots=True)
class OrderFault:
    """A format that is not what the buffer holds. side: src or dst; said: what the format says; real: what is there.

    result: what the destination holds in truth (None = no order explains it); sure: whether the result is wrong for
    certain, or only not what its format's name promises.
    """

    side: str
    said: str
    real: str
    result: str | None
    sure: bool


def order_fault(
    source_color: str | None, source: RkFormat, dest_color: str | None, dest: RkFormat
) -> OrderFault | None:
    """The fault, where the colours that the buffers state show one.

    A source told in the wrong order is harmless where both formats are the same (a resize, a copy): the order passes
    through, unless the destination is said to hold another one.
    """
    said, told = source.color, dest.color
    if source.kind == "gray" and source_color in PLANES:
        source_color = None  # the luma plane alone, taken as gray
    if dest.kind == "gray" and dest_color in PLANES:
        dest_color = None
    if source_color is not None and said is not None and source_color != said:
        if TWINS.get(said) != source_color:
            return OrderFault("src", said, source_color, None, True)
        if source.name == dest.name:
            if dest_color is None or dest_color == source_color:
                return None
            return OrderFault("dst", dest_color, source_color, source_color, True)
        if told is None or source.kind != dest.kind or said not in TWINS or told not in TWINS:
            return OrderFault("src", said, source_color, None, True)
        result = TWINS[told]  # the exchange is made on data in the other order
        if dest_color == result:
            return None
        return OrderFault("src", said, source_color, result, dest_color is not None)
    if dest_color is None or told is None or dest_color == told:
        return None
    if source.name == dest.name and source_color is None:
        return None  # both sides may be told in the same other order
    return OrderFault("dst", dest_color, told, told, True)
