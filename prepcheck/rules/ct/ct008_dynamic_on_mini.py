"""A model with dynamic shapes for a chip that cannot run one.

What it checks
    Whether a model built with dynamic_input is for a chip whose runtime takes mini models only.

Why it matters
    rknn-toolkit2 writes such a model as a full container without complaint; the mini runtime refuses it at
    rknn_init.

How it is computed
    The container is a full one (version 6) with several graphs, and the platform is one of the mini chips.

Example
    rv1106 with three shapes: `incompatible model version: 6`.

Fix
    Build one model per shape, without dynamic_input.

Limits
    Chips that run full models are not concerned.

References
    Measured: librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT008",
    "dynamic-on-mini",
    over="note:dynamic_on_mini",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: librknnmrt 2.3.2 under emulation",),
    confidence="H",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "This model for {platform} has {shapes} shapes and is a full container (version {version}), which the"
        " runtime of {platform} refuses.",
        "The chips rv1103, rv1106 and their b forms run mini containers only; with dynamic_input the toolkit "
        "writes a full one. rknn_init prints `incompatible model version: {version}`.",
        "Build one model for each shape, without dynamic_input.",
        {"platform": values["platform"], "shapes": values["shapes"], "version": values["version"]},
    )
