"""The network has an axis of unknown length.

What it checks
    `Invalid input_shape = […] for input N!` of load_onnx.

Why it matters
    The model is not loaded; what fails afterwards follows from that.

How it is computed
    Axes of 0 or −1 are counted: only the first one is the batch.

Example
    [0, 300, 300, 3]: the batch (axis 0) is dynamic.

Fix
    Fix the shape: input_size_list=[[1, 300, 300, 3]] with inputs=[…] in load_onnx, or export with a fixed batch.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit2#46, #61
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ306",
    "log-axis-unknown",
    over="log:tk_input_shape",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "rockchip-linux/rknn-toolkit2#46",
        "rockchip-linux/rknn-toolkit2#61",
    ),
    confidence="H",
    scope="conversion",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    shape = first_event.numbers("shape")
    open_axes = tuple(i for i, d in enumerate(shape) if d <= 0)
    batch = open_axes == (0,)
    fixed = tuple(1 if d <= 0 else d for d in shape)
    yield Finding(
        "Input {i} of the network has shape {shape}: "
        + ("the batch (axis 0) has no fixed length." if batch else "axes {axes} have no fixed length."),
        "The toolkit builds for fixed shapes only and does not load the model; errors of the steps after it (build, export) only "
        "follow from going on.",
        "Fix the batch to 1: load_onnx(…, inputs=[NAME], input_size_list=[{fixed}]), or export the network with batch 1."
        if batch
        else "Fix every axis: load_onnx(…, inputs=[NAME], input_size_list=[[…]]) with the real lengths, or export with fixed axes.",
        {"i": first_event.number("i"), "shape": shape, "axes": open_axes, "fixed": fixed},
        category="batch" if batch else "model_conversion",
        about="log:build",
    )
