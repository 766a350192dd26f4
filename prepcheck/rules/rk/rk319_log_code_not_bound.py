"""A program makes memory and runs the model, and never binds the memory.

What it checks
    rknn_init, rknn_create_mem and rknn_run in one text of code, without rknn_set_io_mem and without rknn_inputs_set.

Why it matters
    rknn_run returns 0 even when no input was ever bound: the NPU works on memory of its own, and the answer does not depend
    on the picture.

How it is computed
    The calls that the code makes, comments left aside.

Example
    mem = rknn_create_mem(ctx, attr.size); memcpy(mem->virt_addr, …); rknn_run(ctx, NULL).

Fix
    rknn_set_io_mem(ctx, mem, &attr) for each input, once, before the first rknn_run.

Limits
    Where the text is not a whole program (no rknn_init, or no rknn_run), the call may stand elsewhere: unknown. A wrapper of
    that call in another file is not seen.

References
    RKNN API guide 1.5.2 §4.4; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepcheck.facts.base import Unstated
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK319",
    "log-code-not-bound",
    over="logbook",
    category="stale_buffer",
    severity="warning",
    rank=Rank.MEMORY,
    sources=("runtime:Z-19", "RKNN API guide 1.5.2 §4.4"),
    confidence="M",
)
def check(book: LogBook) -> Iterator[Finding]:
    calls = book.all("code_rknn_call")
    made = [e for e in calls if (e.word("call") or "").startswith("rknn_create_mem")]
    named = {e.word("call") for e in calls}
    if not made or named & {"rknn_set_io_mem", "rknn_inputs_set"}:
        return
    if not {"rknn_init", "rknn_run"} <= named:
        raise Unstated(
            "whole program", "memory is made, and no line that binds it is seen; the text is not a whole program",
            "give the code from rknn_init to rknn_run",
        )  # fmt: skip
    first = re.search(r"([\w.\[\]>-]+?)\s*=\s*rknn_create_mem", made[0].text)
    yield Finding(
        "rknn_run comes before {label} (inputs[{position}]) was set or bound.",
        "{memory} is written, but no rknn_set_io_mem binds it. rknn_run returns 0 all the same and computes on what the "
        "input memory happens to hold.",
        "Give inputs[{position}] with rknn_inputs_set, or bind memory with rknn_set_io_mem and fill it, before rknn_run.",
        {"label": "input 0", "position": 0, "memory": first[1] if first else "the memory of rknn_create_mem"},
        where=made[0].where,
        about="log:input0",
    )
