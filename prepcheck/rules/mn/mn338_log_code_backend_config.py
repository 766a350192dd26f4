"""A BackendConfig is filled and never handed to the session's configuration.

What it checks
    A local BackendConfig whose precision, power or memory is assigned in code that makes a session, without a line that assigns
    `backendConfig`.

Why it matters
    ScheduleConfig.backendConfig is a pointer, null at first: the session then runs with Precision_Normal, whatever was set.

How it is computed
    Declarations, assignments and the call that makes the session, in one text.

Example
    BackendConfig bc; bc.precision = BackendConfig::Precision_High; net->createSession(config).

Fix
    config.backendConfig = &bc, before createSession; bc has to live until then.

Limits
    A configuration that another file or a function hands on is not seen; without createSession in the text it is unknown.

References
    MNN Interpreter.hpp, ScheduleConfig.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.base import Unstated
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN338",
    "log-code-backend-config",
    over="logbook",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    sources=("MNN Interpreter.hpp, ScheduleConfig",),
    confidence="M",
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    uses = book.all("code_mnn_use")
    for made in [e for e in uses if e.word("what") == "declared"]:
        name = made.word("object")
        filled = [
            e for e in book.all("code_mnn")
            if e.file == made.file and e.word("object") == name and e.word("field") in ("precision", "power", "memory")
        ]  # fmt: skip
        if not filled or any(e.file == made.file and e.word("what") == "handed" for e in uses):
            continue
        if not any(e.file == made.file and e.word("what") == "session" for e in uses):
            raise Unstated(
                "session", "a BackendConfig is filled, and no line that makes a session is seen",
                "give the code up to createSession",
            )  # fmt: skip
        yield Finding(
            "{name}.{field} = {value} has no effect: no line hands {name} to the session's configuration.",
            "ScheduleConfig.backendConfig is a null pointer unless it is assigned; the session then runs with Precision_Normal, "
            "Power_Normal and Memory_Normal.",
            "Add config.backendConfig = &{name} before createSession.",
            {"name": name, "field": filled[0].word("field"), "value": filled[0].word("value")},
            where=filled[0].where,
            about="log:schedule",
        )
        return
