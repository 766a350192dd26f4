"""A fault of an old runtime that this plan meets.

What it checks
    Whether the plan does something that the stated runtime version is known to do wrong.

Why it matters
    Everything in the plan is right and the result is wrong: only a newer runtime helps.

How it is computed
    The vendor's list of repairs: version in which a fault was mended, chip, and what has to be in the plan.

Example
    rk3562 with a batch of 4 on runtime 1.4.5: batches were mended in 1.4.6b2.

Fix
    Install a runtime of at least the version named.

Limits
    Only faults whose condition a plan states. Faults of several cores with batches, and of LSTM with repeated
    rknn_inputs_set, are not among them.

References
    Changelog of rknn-toolkit2 2.3.2 (entries of librknnrt).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.versions import is_older
from prepcheck.facts.zero_copy_use import Use
from prepcheck.registry import Finding, Rank, rule

FAULTS = (
    ("1.5.3b13", "", "same_memory", "input and output bound to the same memory gave wrong results"),
    ("1.4.6b2", "rk3562", "batch", "batches above 1 gave wrong results on rk3562"),
    ("1.4.2b1", "rk3562", "bound", "size_with_stride was reported wrongly on rk3562"),
    (
        "1.4.1b21",
        "rk3566 rk3568",
        "four_half",
        "the stride of 4-channel float16 inputs was reported wrongly on rk3566/rk3568",
    ),
    ("1.4.1b10", "rk3588", "padded_repeat", "row padding was filled wrongly from the second run on rk3588"),
)
"""(mended in, chips, what the plan must show, what was wrong). Source: changelog of rknn-toolkit2 2.3.2."""


@rule(
    "RK016",
    "known-runtime-fault",
    over="plan",
    category="version",
    severity="warning",
    rank=Rank.MEMORY,
    runtimes=("rknn",),
    sources=("runtime:Z-22", "changelog of rknn-toolkit2 2.3.2"),
    scope="device",
)
def check(delicate_use: Use, version: str, platform: str = "") -> Iterator[Finding]:
    for mended, chips, shows, what in FAULTS:
        if (
            (chips and platform not in chips.split())
            or not getattr(delicate_use, shows)
            or not is_older(version, mended)
        ):
            continue
        yield Finding(
            "Runtime {version} has a fault that this plan meets: {what}; it was mended in {mended}.",
            "The vendor's changelog lists the repair under {mended}, and {version} is older. Nothing in the plan is wrong.",
            "Install librknnrt {mended} or newer.",
            {"version": version, "mended": mended, "what": what, "platform": platform},
            about=f"runtime:{shows}",
        )
