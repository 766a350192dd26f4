"""A resize says that it keeps the aspect ratio, and its sizes do not.

What it checks
    Sizes before and after every resize with `keep_ratio: true`.

Why it matters
    One of the two statements is wrong: the sizes (width and height exchanged, a typing error), or the program stretches.

How it is computed
    With one factor, the height for the new width is height · (new width) / width; more than 1.5 pixels and 2 % off is
    no rounding.

Example
    1024x768 with keep_ratio to 640x640: 768 · 640/1024 = 480, not 640.

Fix
    Correct the size, or say `keep_ratio: false`.

Limits
    Sizes rounded to multiples of 32 can be off by more; then 2 % holds.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS007",
    "ratio-not-kept",
    over="path",
    category="resize",
    severity="warning",
    rank=Rank.VALUES,
    sources=("arithmetic",),
)
def check(kept_ratio_steps: list[tuple[int, tuple[int, int], tuple[int, int]]]) -> Iterator[Finding]:
    for step, (sw, sh), (w, h) in kept_ratio_steps:
        if min(sw, sh, w, h) < 1:
            continue
        want = sh * w / sw
        if abs(want - h) <= max(1.5, 0.02 * h):
            continue
        yield Finding(
            "steps[{step}] says that it keeps the ratio, but {sw}x{sh} → {w}x{h} does not.",
            "{sh} · {w} / {sw} = {want:.4g}, not {h}.",
            "Correct the size, or say `keep_ratio: false`.",
            {"step": step, "sw": sw, "sh": sh, "w": w, "h": h, "want": want},
        )
        return
