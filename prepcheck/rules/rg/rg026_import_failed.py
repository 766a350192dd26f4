"""An import that failed.

What it checks
    Whether importbuffer_* returned a handle.

Why it matters
    0 and -1 (4294967295 as a handle) are failures: old driver, bad descriptor, scattered memory, too many
    mappings. Calls with such a handle do nothing.

How it is computed
    The return code that a record holds.

Example
    importbuffer_fd returned -1.

Fix
    Read the kernel's message. On RV1109, RV1126 and RK3399 an old driver has no imports: use wrapbuffer_fd.
    Release handles that are not used.

Limits
    Only records state return codes.

References
    librga importbuffer; airockchip/librga#53, #138; rockchip-linux/mpp#710.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG026",
    "import-failed",
    over="rgachannel",
    category="memory",
    rank=Rank.CALL,
    sources=("rga:R-B07", "rga:R-B08", "rga:R-B12", "rga:R-M04", "airockchip/librga#53"),
)
def check(import_ret: int, operation: str) -> Iterator[Finding]:
    if import_ret > 0 and import_ret != 0xFFFFFFFF:
        return
    yield Finding(
        "{operation} failed: it returned {ret}.",
        "0 and -1 are no handles (-1 is 4294967295 in the unsigned handle type). Calls that use it do nothing, and "
        "their destination "
        "keeps its old content.",
        "Look at dmesg for the cause: bad descriptor, memory that the core cannot reach, an old driver without "
        "imports, or too many "
        "handles that were never released.",
        {"operation": operation, "ret": import_ret},
    )
