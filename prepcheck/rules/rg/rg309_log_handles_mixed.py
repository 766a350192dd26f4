"""One buffer is a handle, the other an address.

What it checks
    `librga only supports the use of handles only or no handles, [src,dst] = [a, b]`

Why it matters
    The call fails, nothing is converted.

How it is computed
    Read off the line.

Example
    [3, 0]: the source has handle 3, the destination none.

Fix
    importbuffer_… and wrapbuffer_handle for every channel, or for none.

Limits
    None known.

References
    strings of librga 1.10; rga:R-B02
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG309",
    "log-handles-mixed",
    over="log:rga_mixed",
    category="memory",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "strings of librga 1.10",
        "rga:R-B02",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "Source and destination are given in two ways: handles {a} and {b}.",
        "librga takes handles for all channels or for none. Nothing was written.",
        "Import both buffers (importbuffer_fd, importbuffer_virtualaddr) and wrap the handles, or wrap both by fd or address.",
        {"a": first_event.number("a"), "b": first_event.number("b")},
        about="log:rga",
    )
