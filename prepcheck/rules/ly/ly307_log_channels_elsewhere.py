"""The channels do not stand where the network wants them.

What it checks
    PyTorch's `Given groups=…, weight of size […], expected input[…] to have A channels, but got B channels
    instead`.

Why it matters
    The call is refused.

How it is computed
    The wanted number of channels is looked for on another axis of the array.

Example
    [1, 224, 224, 3] where [1, 3, 224, 224] is wanted.

Fix
    Transpose into channels first, or convert grey and RGBA pictures to the channels wanted.

Limits
    None known.

References
    PyTorch, aten/src/ATen/native/Convolution.cpp
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY307",
    "log-channels-elsewhere",
    over="log:torch_channels",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("PyTorch Convolution.cpp",),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    got, need, have = first_event.numbers("got"), first_event.number("need") or 0, first_event.number("have") or 0
    last = len(got) == 4 and got[3] == need
    yield Finding(
        "The array is {got}: axis 1 has {have} channels, {need} are wanted"
        + (", and they stand last." if last else "."),
        "The array is height x width x channels, the network takes channels first."
        if last
        else "The picture has another number of channels (1 grey, 4 with alpha), or its axes are moved.",
        "Bring it into channels first: array.transpose(0, 3, 1, 2)."
        if last
        else "Convert the picture to {need} channels.",
        {"got": got, "have": have, "need": need},
        category="layout" if last else "channel_order",
        about="log:input0",
    )
