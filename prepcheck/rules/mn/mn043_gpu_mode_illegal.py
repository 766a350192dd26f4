"""The number is no mode of the backend.

What it checks
    The bits of the number that numThread and mode share, for OpenCL and Vulkan.

Why it matters
    OpenCL wants exactly one of the tuning bits 1, 2, 4, 8, 16 and at most one of 64 (buffer) and 128 (image); else it prints
    "set multi tuning mode is not permitted" and takes another. Vulkan knows 1, 2, 4 and these with 512; anything else becomes
    4. What was asked for is not what runs.

How it is computed
    The bits.

Example
    mode 64 on OpenCL: no tuning bit. 65 on Vulkan: "customized gpu mode is illegal".

Fix
    The nearest legal number is in the finding.

Limits
    Results do not change, only speed and memory kind; numThread 4 (four threads) on a GPU is a legal mode by chance.

References
    MNN MNNForwardType.h, OpenCLRuntime, VulkanRuntime; measured with 65 on a software Vulkan device.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.gpu_mode import GpuMode, Union
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN043",
    "gpu-mode-illegal",
    over="schedule",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:G2", "mnn:G3", "MNN MNNForwardType.h"),
)
def check(decoded: GpuMode, union: Union) -> Iterator[Finding]:
    if decoded.legal is not False or decoded.backend == "cpu":
        return
    bits = [bit for bit in (1, 2, 4, 8, 16, 64, 128, 256, 512) if decoded.value & bit]
    yield Finding(
        "{field} = {value} is no legal mode of {backend}: {effective} is taken.",
        "{value} sets the bits {bits}. OpenCL takes exactly one of 1, 2, 4, 8, 16 and at most one of 64 (buffer) and 128 (image)."
        if decoded.backend == "opencl"
        else "{value} sets the bits {bits}. Vulkan takes 1, 2, 4, 513, 514 or 516; 64 and 128 are OpenCL's.",
        "mode = {suggested}.",
        {
            "field": union.field or "numThread", "value": decoded.value, "backend": decoded.backend, "effective": decoded.effective,
            "bits": tuple(bits), "suggested": decoded.suggested, "printed": list(decoded.printed),
        },
        about="session:mode",
    )  # fmt: skip
