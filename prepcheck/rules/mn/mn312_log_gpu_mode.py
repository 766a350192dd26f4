"""The backend refused the mode and took another.

What it checks
    `The customized gpu mode is illegal for Vulkan backend`, `set multi tuning mode is not permitted`.

Why it matters
    Tuning and memory kind are not those that were asked for; results do not change.

How it is computed
    The bits in the line.

Example
    cl_mode:3: two tuning bits.

Fix
    Exactly one of 1, 2, 4, 8, 16, and at most one of 64 (buffer) and 128 (image) on OpenCL; 1, 2, 4 and these + 512 on Vulkan.

Limits
    None known.

References
    MNN OpenCLRuntime, VulkanRuntime; measured with 65 on a software Vulkan device.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.gpu_mode import decode_gpu_mode
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN312",
    "log-gpu-mode",
    over="logbook",
    category="session_config",
    severity="warning",
    rank=Rank.VALUES,
    sources=("mnn:G2", "mnn:G3", "MNN OpenCLRuntime, VulkanRuntime"),
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("mnn_gpu_mode", "mnn_cl_mode"):
        text = event.word("mode")
        value = int(text.removeprefix("0x"), 16) if text else None
        mode = decode_gpu_mode("opencl", value) if value is not None else None
        yield Finding(
            "The mode {value} is not legal on OpenCL; {effective} is taken."
            if mode is not None
            else "The mode is not legal on Vulkan; 4 (wide tuning) is taken.",
            "OpenCL takes exactly one of 1, 2, 4, 8, 16 and at most one of 64 (buffer) and 128 (image). A count of threads in numThread "
            "lands here too: the two are one number."
            if mode is not None
            else "Vulkan knows 1, 2, 4, 513, 514 and 516; 64 and 128 are OpenCL's. The result is right all the same.",
            "Set mode = {suggested}." if mode is not None else "Set mode = 4.",
            {
                "value": value, "effective": mode.effective if mode else 4, "suggested": mode.suggested if mode else 4,
            },
            where=event.where,
            about="log:gpu_mode",
        )  # fmt: skip
