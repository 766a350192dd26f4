"""A scaling beyond what the cores can do.

What it checks
    Whether both axes are scaled within the factor of a core that may run the job.

Why it matters
    librga refuses the call (status -1, "Unsupported to scaling more than").

How it is computed
    Per axis, in whole numbers: refused where source >> log2(limit) > destination, or the reverse. The limit is 16
    on RGA2, 8 on RGA3 and RGA2-Lite1 (RK1808, RK3326).

Example
    1920 -> 96 is 20 times smaller; RGA2 does at most 16.

Fix
    Scale in two steps; the finding names a size in between. Or scale on the CPU.

Limits
    imrotate may exchange width and height: both ways are tried.

References
    RGA developer guide, design index; librga rga_check_limit; airockchip/rknn_model_zoo#218.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.core.rga import Job, Verdict, between
from prepcheck.core.rga_formats import row_step
from prepcheck.registry import Finding, Rank, rule

TWO = "Do it in two steps: {sw}x{sh} to {middle}, then to {dw}x{dh}."
SEVERAL = "Do it in several steps of at most {limit}."


@rule(
    "RG016",
    "scale-limit",
    over="rga",
    category="resize",
    rank=Rank.CALL,
    sources=("rga:R-C07", "RGA developer guide, design index", "airockchip/rknn_model_zoo#218"),
)
def check(found: Verdict, all_cores: Verdict, job: Job, operation: str, chip_name: str) -> Iterator[Finding]:
    blocked = found.common("scale")
    if not blocked or job.src is None or job.dst is None:
        return
    best = max(blocked, key=lambda o: o.limit)
    others = [core.name for core in all_cores.able if core not in found.cores]
    (sw, sh), (dw, dh) = job.src.work, job.dst.work
    middle = between(job.src.work, job.dst.work, best.limit, row_step(job.dst.format, best.core.byte_stride))
    values: dict[str, Value] = {
        "operation": operation, "chip": chip_name, "core": best.core.name, "axis": best.axis, "limit": best.limit,
        "sw": sw, "sh": sh,
        "dw": dw, "dh": dh, "high": max(best.got, best.other), "low": min(best.got, best.other), "ratio": best.ratio,
        "change": "reduced" if best.got > best.other else "enlarged", "why": ", ".join(o.short for o in blocked),
        "others": ", ".join(others),
        "middle": None if middle is None else f"{middle[0]}x{middle[1]}",
    }  # fmt: skip
    yield Finding(
        "{operation} from {sw}x{sh} to {dw}x{dh}: the {axis} is {change} by {ratio:.4g}, {core} of {chip} does at "
        "most {limit}.",
        "{high} / {low} = {ratio:.4g} > {limit}. By core: {why}."
        + (" {others} can do it, but the job is pinned; mind that core's reach into memory." if others else ""),
        (TWO if middle else SEVERAL) + (" Or leave the core to the driver." if others else ""),
        values,
    )
