"""Matrix or range are not the producer's.

What it checks
    Whether a YUV to RGB conversion uses the matrix and range in which the frame was made: those of the mode that
    is set, or, where none is, the library's default.

Why it matters
    Contrast (range) or colours (matrix) differ from what the network saw in training: darker, paler or greener.
    Nothing reports it.

How it is computed
    The mode's name, else BT.601 limited (the default of current librga), against `color_space` of the producer.

Example
    A camera delivers BT.601 full range, the mode is YUV_TO_RGB_BT709_LIMIT: code 16 becomes 0 in place of 16.

Fix
    Set the producer's mode; BT.709 full range has none in im2d: use imsetColorSpace.

Limits
    How much the network minds is not known: a warning. Older libraries had another default (BT.709 limited, RGA
    FAQ Q2.13): below 1.10 it is unknown.

References
    librga im2d_type.h and 1.10.5; RGA FAQ Q2.13; airockchip/librga#104, #126.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga_csc import gray_of, parts
from prepcheck.registry import Finding, Rank, rule

RANGE = (
    "Luma is {extent} and taken as {used_extent}: code 16 becomes {dark_got} instead of {dark_want}, code 235 "
    "{light_got} "
    "instead of {light_want}: contrast is off."
)
MATRIX = (
    "The weights of the channels are those of {used_matrix}, not {matrix}: colours are off, most in greens and reds."
)
NO_MODE = "im2d has no mode for BT.709 full range: use imsetColorSpace."


@rule(
    "RG033",
    "csc-differs",
    over="rga",
    category="color_space",
    severity="warning",
    rank=Rank.VALUES,
    sources=("airockchip/librga#104", "airockchip/librga#126", "RGA FAQ Q2.13"),
)
def check(used_space: str, source_space: str, csc_unset: bool, producer_name: str, operation: str) -> Iterator[Finding]:
    if used_space == source_space:
        return
    (matrix, extent), (used_matrix, used_extent) = parts(source_space), parts(used_space)
    effect = MATRIX if extent == used_extent else RANGE
    if extent != used_extent and matrix != used_matrix:
        effect = RANGE + " " + MATRIX
    said = "sets no mode, which means" if csc_unset else "converts it as"
    yield Finding(
        "The {producer} delivers {matrix} {extent} range; {operation} {said} {used_matrix} {used_extent} range.",
        effect,
        "Set IM_YUV_TO_RGB_{space}." if source_space != "BT709_FULL" else NO_MODE,
        {
            "operation": operation, "producer": producer_name, "said": said, "space": source_space,
            "used": used_space,
            "matrix": matrix, "extent": extent, "used_matrix": used_matrix, "used_extent": used_extent,
            "dark_got": gray_of(16, used_extent), "dark_want": gray_of(16, extent),
            "light_got": gray_of(235, used_extent), "light_want": gray_of(235, extent),
        },
    )  # fmt: skip
