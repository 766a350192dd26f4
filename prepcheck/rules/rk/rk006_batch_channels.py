"""A batch of inputs that are no pictures.

What it checks
    Whether a model built with rknn_batch_size above 1 has an input with other than 1, 3 or 4 channels, or other than four
    dimensions.

Why it matters
    rknn_inputs_set prints `only support input channel in [1,3,4] when batch_size > 1` (or `n_dims == 4`) and sets nothing;
    programs that run on crash. The converter does not warn.

How it is computed
    batch of the contract (or build.batch_size) above 1, against the channels of the input.

Example
    rknn_batch_size 4 for an input of 1x1x64: 64 channels.

Fix
    Build with rknn_batch_size 1 and run once per item, or export the ONNX with N = 4 itself (then no rknn_batch_size).

Limits
    A network that was exported with N above 1 is no rknn_batch_size; it is not concerned.

References
    airockchip/rknn-toolkit2#82 and #83; measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK006",
    "batch-channels",
    over="submitted:rknn_inputs_set",
    category="batch",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:G-06", "airockchip/rknn-toolkit2#82", "airockchip/rknn-toolkit2#83"),
)
def check(input: InputThing, compiled_batch: int, label: str) -> Iterator[Finding]:
    if compiled_batch < 2:
        return
    if len(input.shape) != 4:
        yield Finding(
            "{label} has {rank} dimensions; with a compiled batch of {batch} only inputs of 4 dimensions are taken.",
            "librknnrt prints `only support input n_dims == 4 when batch_size > 1` and sets nothing; the converter does not "
            "warn.",
            "Build with rknn_batch_size 1 and run once for each item.",
            {"label": label, "rank": len(input.shape), "batch": compiled_batch},
        )
        return
    channels = input.dims.c
    if channels in (1, 3, 4):
        return
    yield Finding(
        "{label} has {channels} channels; with a compiled batch of {batch} only 1, 3 or 4 channels are taken.",
        "librknnrt prints `only support input channel in [1,3,4] when batch_size > 1` and sets nothing; the converter does "
        "not warn.",
        "Build with rknn_batch_size 1 and run once for each item, or give N = {batch} to the network itself when exporting it.",
        {"label": label, "channels": channels, "batch": compiled_batch},
    )
