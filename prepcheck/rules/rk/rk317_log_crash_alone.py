"""The program crashed and nothing says why.

What it checks
    `Segmentation fault`, SIGSEGV and the like in a text with no other complaint.

Why it matters
    A crash hides the first error.

How it is computed
    Read off the line.

Example
    A null buffer in rknn_inputs_set ends so, without any message.

Fix
    RKNN_LOG_LEVEL=3, a debugger's backtrace, and the codes of every call before it.

Limits
    None known.

References
    measured: librknnrt 1.5.2 under emulation (null buffer: no message); runtime:G-13
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK317",
    "log-crash-alone",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.CONTENT,
    sources=(
        "measured: librknnrt 1.5.2 under emulation",
        "runtime:G-13",
    ),
    confidence="L",
    scope="cannot_tell",
)
def check(book: LogBook) -> Iterator[Finding]:
    event = next((e for e in book.firsts("crash") if e.label == "finding"), None)
    if event is None:
        return
    yield Finding(
        "The program crashed, and no line before it names a cause.",
        "Crashes without a message that are known: a null buffer in rknn_inputs_set, a model that failed to load and a program that went on, "
        "a buffer shorter than the batch needs.",
        "Print and check the code of every call (rknn_init first), set RKNN_LOG_LEVEL=3, and take a backtrace (gdb -ex run -ex bt).",
        {},
        where=event.where,
        about="log:code",
    )
