"""Rows that do not begin where RGA needs them.

What it checks
    Whether wstride is a multiple of the step that the format and the chip's cores ask for.

Why it matters
    librga's check refuses the image (status -1, "unsupport width stride"). On chips with one core the kernel only
    logs it: a program that leaves the check out gets a skewed picture.

How it is computed
    step = lcm(bits of a pixel, 8 x byte stride) / bits of a pixel. Byte stride is 4 on RGA2 and its variants, 16
    on RGA3; on a chip with both the strictest counts, whichever core runs the job and even if one is pinned.

Example
    RGB_888, wstride 510 on rk3588: lcm(24, 128) / 24 = 16, and 510 = 31 x 16 + 14; the next legal pitch is 512.

Fix
    Pad rows to the next legal pitch and pass that as wstride (the width stays), or use a 32-bit format, or resize
    on the CPU.

Limits
    The rule of a pinned RGA2 on rk3588 is taken from the library's merged table and the guide's note; not tried
    on a board.

References
    RGA developer guide, image format alignment (formula, note 2). librga 1.10.5 im2d_hardware.h.
    sravansenthiln1/rga-demos#1, HyperInspire/InspireFace#276.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.core.rga import RgaChip, RowRule, Surface
from prepcheck.core.rga_formats import FORMATS, row_step
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG005",
    "row-alignment",
    over="rgachannel",
    category="stride",
    rank=Rank.STRIDE,
    sources=(
        "rga:R-A01",
        "rga:R-A09",
        "rga:R-S03",
        "rga:R-C04",
        "rga:R-C05",
        "RGA developer guide, image format alignment",
        "sravansenthiln1/rga-demos#1",
    ),
)
def check(surface: Surface, row: RowRule, chip: RgaChip, operation: str, side: str) -> Iterator[Finding]:
    if row.legal:
        return
    several = len({core.byte_stride for core in chip.cores}) > 1
    values: dict[str, Value] = {
        "operation": operation, "side": side, "wstride": row.wstride, "width": surface.width,
        "format": surface.format.name,
        "step": row.step, "rest": row.wstride % row.step, "times": row.wstride // row.step, "above": row.above,
        "below": row.below,
        "chip": chip.name, "bits": surface.format.pitch_bits, "byte_stride": chip.byte_stride,
        "want_bits": 8 * chip.byte_stride,
        "pad": row.above - row.wstride,
        "steps": ", ".join(f"{core.name}: {row_step(surface.format, core.byte_stride)}" for core in chip.cores),
        "wide": row_step(FORMATS["RGBA_8888"], chip.byte_stride),
    }  # fmt: skip
    explanation = (
        "{chip} needs rows that begin at multiples of {byte_stride} bytes: lcm({bits}, {want_bits}) / {bits} = "
        "{step} pixels, and "
        '{wstride} = {times} x {step} + {rest}. librga answers with status -1, "unsupport width stride".'
    )
    if several:
        explanation += (
            " Steps by core are {steps}; the library's check takes the strictest, whichever core would run the job."
        )
    yield Finding(
        "{operation}'s {side} has rows of {wstride} pixels {format}, no multiple of {step}; the next legal pitch is "
        "{above}.",
        explanation,
        "Allocate rows of {above} pixels ({pad} more) and pass wstride {above} with width {width}"
        + ("; or use RGBA_8888, whose step is {wide}." if surface.format.group == "rgb888" else "."),
        values,
    )
