"""The driver may choose another core for every frame.

What it checks
    Whether a job that enlarges may run on RGA2 and on RGA3.

Why it matters
    The two scale with other sampling points: edges jump by some pixels between frames.

How it is computed
    The chip has both kinds, none is pinned, and both can run the job.

Example
    320x240 to 1280x960 on rk3588.

Fix
    imconfig(IM_CONFIG_SCHEDULER_CORE, …) in every thread that calls RGA, if frames are compared with each other.

Limits
    An info: a network rarely minds.

References
    RGA FAQ Q2.22; airockchip/librga#71, #85.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Job, Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG043",
    "cores-sample-differently",
    over="rga",
    category="determinism",
    severity="info",
    rank=Rank.VALUES,
    sources=("rga:R-S01", "RGA FAQ Q2.22"),
)
def check(found: Verdict, job: Job, operation: str, chip_name: str) -> Iterator[Finding]:
    if len({core.kind for core in found.able}) < 2 or job.src is None or job.dst is None:
        return
    (sw, sh), (dw, dh) = job.src.work, job.dst.work
    if dw <= sw and dh <= sh:
        return
    yield Finding(
        "{operation} enlarges {sw}x{sh} to {dw}x{dh} on {chip}, where RGA2 and RGA3 take turns.",
        "They sample at other points: the picture may shift by some pixels from frame to frame.",
        "Pin one with imconfig(IM_CONFIG_SCHEDULER_CORE, …) if that matters; the setting is for one thread.",
        {"operation": operation, "sw": sw, "sh": sh, "dw": dw, "dh": dh, "chip": chip_name},
        severity="info",
    )
