"""The backend that was asked for is missing; the session runs on another.

What it checks
    `Can't Find type=N backend, use M instead`.

Why it matters
    createSession succeeds. Nobody notices that the GPU is not used, and a comparison "CPU against GPU" compares the CPU with
    itself.

How it is computed
    The two numbers of MNNForwardType.

Example
    type=3 (OpenCL) → 0 (CPU): the pip package has the CPU backend only.

Fix
    A build with the backend (MNN_OPENCL=ON, and libMNN_CL.so loaded before createSession where it is a library of its own).

Limits
    MNN_FORWARD_AUTO falls back without a line; getSessionInfo(session, BACKENDS) tells.

References
    Measured: MNN 3.6.1 wheel, all backends.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.facts.mnn_tests import BACKENDS
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN304",
    "log-backend-missing",
    over="log:mnn_no_backend",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    sources=("mnn:G9", "mnn:G12", "measured: MNN 3.6.1"),
    scope="device",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    wanted, used = first_event.number("type") or 0, first_event.number("use") or 0
    yield Finding(
        "The session asked for {wanted} (type {type}) and runs on {used} (type {use}).",
        "This build of MNN has no such backend, or it could not start. createSession succeeds all the same; the input is not concerned.",
        "Build MNN with the backend, and load its library before createSession where it is one of its own; the pip package has the CPU "
        "only.",
        {
            "wanted": BACKENDS.get(wanted, "another backend"),
            "used": BACKENDS.get(used, "another one"),
            "type": wanted,
            "use": used,
        },
        about="log:backend",
    )
