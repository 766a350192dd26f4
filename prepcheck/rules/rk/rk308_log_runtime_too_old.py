"""The runtime is too old for the model file.

What it checks
    `Invalid RKNN model version N`.

Why it matters
    rknn_init fails; nothing runs.

How it is computed
    Versions of the runtime, the Python package and the toolkit are taken from the other lines.

Example
    librknnrt 1.4.0 on the board, model file of version 6, rknn-toolkit-lite2 2.3.0.

Fix
    Replace /usr/lib/librknnrt.so by the release that belongs to the toolkit.

Limits
    The version of the Python package says nothing about librknnrt.so: it loads the one of the system.

References
    ultralytics/ultralytics#18928; runtime:G-23
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK308",
    "log-runtime-too-old",
    over="log:model_version",
    category="version",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "ultralytics/ultralytics#18928",
        "runtime:G-23",
    ),
    confidence="H",
    scope="device",
)
def check(first_event: LogEvent, book: LogBook) -> Iterator[Finding]:
    package = book.first("tk_ver")
    values: dict[str, Value] = {
        "number": first_event.number("ver"), "runtime": book.version, "package": package.word("ver") if package else None,
    }  # fmt: skip
    yield Finding(
        "librknnrt {runtime} is too old for this model: it does not know model files of version {number}."
        if book.version
        else "The board's librknnrt is too old for this model: it does not know model files of version {number}.",
        (
            "The Python package is {package}, but it loads the librknnrt.so of the system, and that one is {runtime}. "
            if package and book.version
            else "The Python package is {package}, but it loads the librknnrt.so of the system, which is older. "
            if package
            else ""
        )
        + "Nothing ran: the input is not concerned.",
        "Replace librknnrt.so (usually /usr/lib/librknnrt.so) by the release "
        + ("{package} or later" if package else "of the toolkit that built the model, or a later one")
        + (
            "; or build the model with the toolkit of version {runtime}."
            if book.version
            else "; or build the model with the toolkit of the version that the board's library has."
        ),
        values,
        about="log:init",
    )
