"""Wide rows are enlarged bilinearly.

What it checks
    Whether the rows of a picture that is enlarged downwards are wider than the core's line buffer for bicubic.

Why it matters
    The default filter silently becomes bilinear in that direction: other pixels than for narrower pictures.
    Explicit bicubic is refused.

How it is computed
    The narrower of source and destination row against 1928 pixels on RGA2, 600 on RK3506.

Example
    1936x500 to 1936x1000 on rk3568.

Fix
    None is needed; compare with the right filter.

Limits
    An info.

References
    librga 1.10.5 (generate_blit_req); kernel driver (1996).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Job, Verdict
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG044",
    "rows-too-wide-for-bicubic",
    over="rga",
    category="resize",
    severity="info",
    rank=Rank.VALUES,
    sources=("rga:R-C08", "librga 1.10.5"),
)
def check(found: Verdict, job: Job, operation: str) -> Iterator[Finding]:
    if not found.able or job.src is None or job.dst is None or job.dst.work[1] <= job.src.work[1]:
        return
    core, row = found.able[0], min(job.src.work[0], job.dst.work[0])
    if not core.bicubic_rows or core.kind != "rga2" or row <= core.bicubic_rows:
        return
    yield Finding(
        "{operation} enlarges rows of {row} pixels downwards: {core} does that bilinearly from {limit} on.",
        "The line buffer of the bicubic filter holds {limit} pixels; {row} > {limit}.",
        "Nothing need be changed; take bilinear for the vertical direction when you compare pixels.",
        {"operation": operation, "row": row, "core": core.name, "limit": core.bicubic_rows},
        severity="info",
    )
