"""Sizes of a first-generation model copied without turning them round.

What it checks
    Whether the shape of an input reads like the reversed dims of rknn_api.h 1.x.

Why it matters
    That header stores dims from the last axis to the first: NHWC as {C, W, H, N}, NCHW as {W, H, C, N}. Printed as they are
    they look like another shape, and every size that is derived per axis is wrong (the total is right).

How it is computed
    Four axes, the last one 1, and a 1, 3 or 4 where reversed dims have the channels.

Example
    NCHW [112, 112, 3, 1] is [1, 3, 112, 112].

Fix
    Print dims[3], dims[2], dims[1], dims[0], as the vendor's demos do.

Limits
    A batch of three grey pictures, NHWC [3, h, w, 1], is left alone where the model says batch 3.

References
    RKNN API guide 1.7.5 §6.1.1.6; trouble shooting guide 1.7.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK028",
    "v1-dims-reversed",
    over="input",
    category="layout",
    severity="warning",
    rank=Rank.CONTRACT,
    runtimes=("rknn1",),
    sources=("runtime:V-01", "RKNN API guide 1.7.5 §6.1.1.6"),
)
def check(layout: str, static_shape: list[int], label: str, stated_batch: int = 1) -> Iterator[Finding]:
    if len(static_shape) != 4 or static_shape[3] != 1 or layout not in ("NHWC", "NCHW"):
        return
    a, b, c, _ = static_shape
    nhwc = layout == "NHWC" and a in (3, 4) and b > 4 and c > 4 and stated_batch != a
    nchw = layout == "NCHW" and c in (1, 3, 4) and a > 4 and b > 4
    if not (nhwc or nchw):
        return
    turned: list[Value] = list(static_shape[::-1])
    yield Finding(
        "The shape {shape} of {label} ({layout}) reads like dims of rknn_api.h 1.x, which are reversed: {turned} is meant.",
        "That header stores the axes from the last to the first: NHWC as C, W, H, N and NCHW as W, H, C, N. As {layout} "
        "{shape} would mean {n} images.",
        "State the shape as {turned}; print dims[3], dims[2], dims[1], dims[0] in the program.",
        {"label": label, "layout": layout, "shape": list(static_shape), "turned": turned, "n": a},
    )
