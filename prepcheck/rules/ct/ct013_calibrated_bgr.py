"""Calibration swapped R and B: the network wants BGR.

What it checks
    Whether the model was built with quant_img_RGB2BGR.

Why it matters
    The swap was done for the calibration images only. Nothing swaps at run time: the application has to hand over
    BGR, and the means are in BGR order.

How it is computed
    The converter's notes in the model.

Example
    A Caffe network with means 103.94, 116.78, 123.68.

Fix
    Hand over BGR (OpenCV's own order), not RGB.

Limits
    rknn-toolkit 1's reorder is different: there the runtime swaps.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT013",
    "calibrated-bgr",
    over="note:calibrated_bgr",
    category="channel_order",
    severity="info",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "Input {name} was calibrated with R and B swapped (quant_img_RGB2BGR): it wants BGR.",
        "The option concerns the calibration images only; the runtime swaps nothing. mean and std in the "
        "model are in BGR order too.",
        "Hand over BGR pixels (what cv2.imread gives), and state `training: {{color: BGR}}` in the plan.",
        {"name": values["name"]},
    )
