"""RGA refused a scaling.

What it checks
    `Unsupported to scaling more than 1/8 ~ 8 times, src[w,h] = […], dst[w,h] = […]`

Why it matters
    imcheck fails, nothing is converted.

How it is computed
    Both axes are compared with the limit that the line names.

Example
    1608 → 192 is 8.4 times: more than 8.

Fix
    Two steps, or the CPU.

Limits
    None known.

References
    strings of librga 1.10; airockchip/rknn_model_zoo#218; rga:R-C07
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import between
from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG302",
    "log-scale-refused",
    over="log:rga_scale",
    category="resize",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "airockchip/rknn_model_zoo#218",
        "rga:R-C07",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    sw, sh, dw, dh = (first_event.number(k) or 0 for k in ("sw", "sh", "dw", "dh"))
    limit = first_event.number("k2") or 16
    source, dest = max(((sw, dw), (sh, dh)), key=lambda p: max(p) / max(1, min(p)))
    middle = between((sw, sh), (dw, dh), limit) if min(sw, sh, dw, dh) > 0 and limit & (limit - 1) == 0 else None
    yield Finding(
        "RGA refused to scale {sw}x{sh} to {dw}x{dh}: {a}/{b} = {ratio:.3g} times is more than {limit}.",
        "The limit holds for each axis. Nothing was written.",
        ("Scale in two steps, over {mw}x{mh}, or" if middle else "Scale in several steps, or")
        + " resize with the CPU.",
        {
            "sw": sw,
            "sh": sh,
            "dw": dw,
            "dh": dh,
            "a": max(source, dest),
            "b": min(source, dest),
            "limit": limit,
            "ratio": max(source, dest) / max(1, min(source, dest)),
            "mw": middle[0] if middle else None,
            "mh": middle[1] if middle else None,
        },
        about="log:rga",
    )
