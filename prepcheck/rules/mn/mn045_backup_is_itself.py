"""The fall-back backend is the backend itself.

What it checks
    `backupType` against the type of the session, on a GPU.

Why it matters
    backupType is looked at only when the backend is not built in or cannot start. Set to the same GPU, createSession then gives
    a null pointer, where the CPU would have run. It is no fall-back for single operators.

How it is computed
    The two names.

Example
    type OPENCL, backupType OPENCL.

Fix
    backupType = MNN_FORWARD_CPU.

Limits
    Where the GPU starts it changes nothing: an info.

References
    MNN Schedule.cpp; measured on a build without the backend (createSession returns null).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.gpu_mode import GPU_BACKENDS
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN045",
    "backup-is-itself",
    over="schedule",
    category="session_config",
    severity="info",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:G10", "MNN Schedule.cpp"),
)
def check(backend: str, backup: str) -> Iterator[Finding]:
    if backend != backup or backend not in GPU_BACKENDS:
        return
    yield Finding(
        "backupType is {backend}, as the session itself: where {backend} cannot start there is no session at all.",
        "It is taken only when the backend is missing, for the whole network, never for a single operator.",
        "backupType = MNN_FORWARD_CPU.",
        {"backend": backend},
        about="session:backup",
    )
