"""The program was compiled with another rknn_api.h than the library's.

What it checks
    `rknn_query, info_len(A) < sizeof(rknn_tensor_attr)(B)!`

Why it matters
    The query fails, and the attributes that the program then prints and uses are zeros.

How it is computed
    The two sizes of the same struct.

Example
    372 bytes in the program, 376 in the library.

Fix
    Compile with the rknn_api.h that belongs to the librknnrt.so on the board.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit#440; measured: librknnmrt 2.3.2 under emulation; runtime:Z-18
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK304",
    "log-header-of-other-version",
    over="log:query_len",
    category="version",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "rockchip-linux/rknn-toolkit#440",
        "runtime:Z-18",
    ),
    confidence="H",
    scope="device",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "The program's {struct} has {got} bytes, the library's has {need}: it was compiled with another rknn_api.h.",
        "The query fails with -5 and fills nothing; attributes printed after it (n_dims=0, sizes 0) mean nothing, and buffers made "
        "from them are wrong.",
        "Compile again with the rknn_api.h of the librknnrt.so (or librknnmrt.so) that is on the board, and link that one.",
        {"struct": first_event.word("st"), "got": first_event.number("got"), "need": first_event.number("need")},
        about="log:init",
    )
