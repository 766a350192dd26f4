"""The only core for the job cannot reach the memory for sure.

What it checks
    Whether memory of a job that only a core with a 32-bit MMU can run is sure to lie below 4 GiB.

Why it matters
    Pages above 4 GiB make the driver refuse ("unsupported memory larger than 4G", EINVAL), now and then, as pages
    happen to lie. A colour fill that fails so leaves old bytes in the bars.

How it is computed
    The cores that can run the job: pinned, or because the other one lacks the factor (8), the format, the width
    (68), the fill. Heaps malloc, system and system-uncached may give any page; dma32 and CMA heaps lie below. A
    physical address decides by itself. Boards with 4 GiB or less are taken to have nothing above.

Example
    rk3588, 1608 -> 192 = 8.375 > 8: RGA2 alone can do it; malloc on a board with 8 GiB.

Fix
    Take memory from system-dma32 or CMA, or change the job so that RGA3 can run it (two steps, semi-planar YUV,
    fill by the CPU).

Limits
    Where RGA3 can run the job too, the driver takes it for memory above 4 GiB: nothing is reported.

References
    RGA developer guide, design index note 3; kernel driver rga_policy.c ("RGA2 only support under 4G memory");
    airockchip/librga#143, #146; airockchip/rknn_model_zoo#218, #302.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.core.rga import Verdict
from prepcheck.facts.rga import Far
from prepcheck.registry import Finding, Rank, rule

SURE = "This {operation} can only run on {core}, which reaches {limit_gib} GiB; memory lies above: {sides}."
MAY = "This {operation} can only run on {core}, which reaches the first {limit_gib} GiB; memory may lie above: {sides}."
MAY_ON_BOARD = (
    "This {operation} can only run on {core}, which reaches the first {limit_gib} GiB; memory of a board with "
    "{gib:g} GiB "
    "may lie above: {sides}."
)
MMU = (
    " {core} of {chip} has a 32-bit MMU: every page below {limit_gib} GiB. Other pages make the driver refuse the "
    "job "
    '("unsupported memory larger than 4G"), now and then, as they happen to lie.'
)
WHY = {
    "pinned": "The job is pinned to this core." + MMU,
    "single": "It is the chip's only core." + MMU,
    "scale": "{high} / {low} = {ratio:.4g} is beyond the {limit} of {rival}." + MMU,
    "format": "{rival} does not take {format} ({side})." + MMU,
    "fill": "{rival} cannot fill." + MMU,
    "small": "{rival} needs a {axis} of {limit} and gets {got} ({side})." + MMU,
    "large": "{rival} works up to {limit} and gets {got} ({side}, {axis})." + MMU,
    "pitch": "{rival} steps by at most {limit} bytes a row." + MMU,
    "turn": "{rival} cannot turn {format} by 90 degrees." + MMU,
}
LOW = "Take the memory from a dma32 or CMA heap (/dev/dma_heap/system-dma32)."
FIX = {
    "pinned": LOW + " Or leave the core to the driver: {rival} reaches all memory.",
    "single": LOW,
    "scale": LOW + " Or scale in two steps of at most {limit}, which {rival} does in any memory.",
    "format": LOW + " Or use a format that {rival} takes (RGB_888, YCbCr_420_SP).",
    "fill": LOW + " Or paint the memory with the CPU (and sync it).",
    "small": LOW + " Or work on at least {limit} pixels.",
    "large": LOW + " Or stay within {limit} pixels.",
    "pitch": LOW,
    "turn": LOW + " Or turn after converting to YCbCr_420_SP.",
}


@rule(
    "RG020",
    "memory-above-4gib",
    over="rga",
    category="memory",
    severity="warning",
    rank=Rank.MEMORY,
    sources=("rga:R-M01", "rga:R-C02", "rga:R-C03", "rga:R-S02", "rga:Z-09", "airockchip/librga#146"),
)
def check(
    found: Verdict, all_cores: Verdict, far: list[Far], operation: str, chip_name: str, memory_gib: float | None = None
) -> Iterator[Finding]:
    if not far:
        return
    able = found.able[0]
    lacking = next((why[0] for why in all_cores.obstacles if why and why[0].core.kind != able.kind), None)
    rival = next((c for c in all_cores.able if c not in found.able), None)
    sure = any(f.surely for f in far)
    values: dict[str, Value] = {
        "operation": operation, "chip": chip_name, "core": able.name, "gib": memory_gib, "limit_gib": 4,
        "sides": ", ".join(f"{f.side} {f.store.place.name if f.store.place else f.store.kind}" for f in far),
    }  # fmt: skip
    reason = "pinned" if rival is not None else "single"
    if rival is not None:
        values["rival"] = rival.name
    elif lacking is not None:
        reason = lacking.kind
        values |= {
            "rival": lacking.core.name, "got": lacking.got, "limit": lacking.limit, "side": lacking.side_name,
            "ratio": lacking.ratio, "format": lacking.format, "axis": lacking.axis,
            "high": max(lacking.got, lacking.other), "low": min(lacking.got, lacking.other),
        }  # fmt: skip
    yield Finding(
        SURE if sure else MAY if memory_gib is None else MAY_ON_BOARD,
        WHY[reason],
        FIX[reason],
        values,
        severity="error" if sure else "warning",
    )
