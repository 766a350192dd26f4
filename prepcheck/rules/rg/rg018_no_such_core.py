"""A core is pinned that the chip does not have.

What it checks
    Whether the chip has a core of the pinned kind.

Why it matters
    The driver refuses the setting ("invalid setting core by user"); RGA3 exists on rk3588 only.

How it is computed
    The chip table.

Example
    core: rga3 on rk3568.

Fix
    Leave imconfig(IM_CONFIG_SCHEDULER_CORE) out on chips with one kind of core.

Limits
    None.

References
    RGA developer guide, design index; kernel driver rga_policy.c.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import RgaChip
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG018",
    "no-such-core",
    over="rga",
    category="other",
    rank=Rank.CALL,
    sources=("RGA developer guide, design index", "kernel driver rga_policy.c"),
)
def check(core: str | None, chip: RgaChip, operation: str) -> Iterator[Finding]:
    if core is None or chip.of_kind(core):
        return
    yield Finding(
        "{operation} is pinned to {core}, which {chip} does not have.",
        "{chip} has {cores}.",
        "Leave the core to the driver (no imconfig), or pin one that exists.",
        {
            "operation": operation,
            "core": core.upper(),
            "chip": chip.name,
            "cores": ", ".join(c.name for c in chip.cores),
        },
    )
