"""A pixel format that no core allowed takes.

What it checks
    Whether some core that may run the job takes the source's format as input and the destination's as output.

Why it matters
    librga refuses the call (status -1, "unsupported … format"), or the driver finds no core ("no core match").

How it is computed
    The format tables of the chip's cores: RGA3 has no planar YUV, gray, 4444/5551, nor ARGB/ABGR output; 10-bit
    output exists on RGA3 only; RV1103B has no alpha formats.

Example
    YCbCr_420_P (I420) on rk3588 pinned to RGA3: only RGA2 takes it.

Fix
    Convert to a format of the table first (NV12 for I420), or leave the core to the driver.

Limits
    Palettes, FBC and tiles are not judged.

References
    RGA developer guide, image format supported. Kernel driver rga_hw_config.c, rga_policy.c.
    airockchip/librga#143.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG013",
    "format-unsupported",
    over="rga",
    category="other",
    rank=Rank.CALL,
    sources=("rga:R-C03", "RGA developer guide, image format supported"),
)
def check(found: Verdict, all_cores: Verdict, operation: str, chip_name: str) -> Iterator[Finding]:
    blocked = found.common("format")
    if not blocked:
        return
    first = blocked[0]
    others = [core.name for core in all_cores.able if core not in found.cores]
    rest = " {others} could, but the job is pinned." if others else " No other core of the chip can."
    fix = "Use a format that every core takes: RGB_888 or YCbCr_420_SP."
    yield Finding(
        "{operation}'s {side} is {format}; {cores} of {chip} cannot {verb} that.",
        "By core: {why}." + rest,
        "Leave the core to the driver (no imconfig)." if others else fix,
        {
            "operation": operation, "side": first.side_name, "format": first.format, "chip": chip_name,
            "cores": ", ".join(core.name for core in found.cores), "verb": "read" if first.side == "src" else "write",
            "why": ", ".join(o.short for o in blocked), "others": ", ".join(others),
        },
    )  # fmt: skip
