"""An RGA call that failed, and nothing wrote the destination after it.

What it checks
    Whether the status of an RGA call says success, and if not, whether anything else fills the destination.

Why it matters
    A failed call leaves the destination as it was: zeros, or the picture before. Programs that ignore the status
    then run on it, with the same answer for every image.

How it is computed
    IM_STATUS: 1 and 2 are success, 0 and below are failures (-1 not supported, -2 memory, -3 invalid, -4 illegal
    parameter). Where another rule explains the failure, its finding absorbs this one.

Example
    imresize returned -1 and rknn_run follows.

Fix
    Compare the status with IM_STATUS_SUCCESS; imStrError tells the cause; fall back to the CPU or stop.

Limits
    Only records state return codes. A later write into the destination makes it an info: that may be the CPU's
    fallback, with other pixels than RGA's.

References
    librga im2d_type.h; airockchip/librga#30; rknpu2 yolov5 demo (resize_rga ignores the status).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule

STATUS = {
    0: "failed", -1: "not supported", -2: "out of memory", -3: "invalid parameter", -4: "illegal parameter",
    -5: "version mismatch", -6: "no session",
}  # fmt: skip
"""IM_STATUS. Source: librga im2d_type.h."""


@rule(
    "RG027",
    "call-failed",
    over="rga",
    category="stale_buffer",
    rank=Rank.MEMORY,
    sources=("rga:R-B14", "rga:Z-19", "rga:Z-04", "rga:R-M11", "airockchip/librga#30"),
)
def check(ret: int, operation: str, written_later: bool, suspect: str) -> Iterator[Finding]:
    if ret > 0:
        return
    meaning = STATUS.get(ret, "failed")
    yield Finding(
        "{operation} returned {ret} ({meaning})"
        + (
            ", and something else wrote its destination later."
            if written_later
            else " and nothing wrote its destination after that."
        ),
        "1 and 2 are success. After a failure the destination holds what it held before: zeros or the picture before.",
        "Check the status, print imStrError(status) and the kernel's log, and stop or fall back to the CPU on failure.",
        {"operation": operation, "ret": ret, "meaning": meaning},
        severity="info" if written_later else "error",
        about=suspect,
    )
