"""A full container for a chip that runs mini containers only.

What it checks
    Whether the container is of the kind that the chip's runtime loads.

Why it matters
    The mini runtime refuses a full container at rknn_init.

How it is computed
    Container form against the chip.

Example
    A version 6 container for rv1106.

Fix
    Convert again with target_platform set to the chip (the toolkit then sets mini_rknn itself).

Limits
    None known.

References
    Measured: librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT009",
    "full-on-mini",
    over="note:full_on_mini",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: librknnmrt 2.3.2 under emulation",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "This is a full container (version {version}); the runtime of {platform} loads mini containers only.",
        "rknn_init on {platform} refuses it with `incompatible model version: {version}`.",
        "Convert again with a current rknn-toolkit2 and target_platform {platform}.",
        {"version": values["version"], "platform": values["platform"]},
    )
