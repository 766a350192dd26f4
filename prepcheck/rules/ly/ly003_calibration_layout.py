"""Calibration was fed in another layout than the model's.

What it checks
    Shape and layout of `build.calibration` against the input.

Why it matters
    The ranges found belong to scrambled pictures, and with some tools the network itself is calibrated on noise: the
    quantised model gives the same answer for everything.

How it is computed
    Same sizes in another order, or the other of NCHW and NHWC.

Example
    Calibration fed as (1, 224, 224, 3) to a model of (1, 3, 224, 224).

Fix
    Feed calibration in the model's layout, and quantise again.

Limits
    Of models with several inputs the picture input is compared. rknn-toolkit2 checks shapes itself: a warning there.

References
    alibaba/MNN#1606, microsoft/onnxruntime#3600.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import without_ones
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY003",
    "calibration-layout",
    over="input",
    category="layout",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("alibaba/MNN#1606", "microsoft/onnxruntime#3600"),
    scope="conversion",
)
def check(
    calibration_shape: list[int], static_shape: list[int], layout: str, label: str, runtime: str
) -> Iterator[Finding]:
    given, wanted = without_ones(calibration_shape[-len(static_shape) :]), without_ones(static_shape)
    if given == wanted or sorted(given) != sorted(wanted):
        return
    yield Finding(
        "The calibration set was fed as {given} to {label}, which has {wanted} ({layout}).",
        "The sizes are the same in another order: calibration saw scrambled pictures, and the ranges it found are theirs.",
        "Feed calibration as {wanted} and quantise again.",
        {"given": tuple(calibration_shape), "wanted": tuple(static_shape), "layout": layout, "label": label},
        severity="warning" if runtime in ("rknn", "rknn1") else "error",
    )
