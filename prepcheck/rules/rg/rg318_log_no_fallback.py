"""RGA failed and the CPU has no pointer: the input was not written.

What it checks
    A failed conversion followed by `try convert image use cpu` with `dst … virAddr=0x(nil)`.

Why it matters
    The CPU path of the model zoo's helper returns -1 without a pointer; where that is ignored the NPU runs on what
    the memory held.

How it is computed
    The destination line and the fallback line.

Example
    `dst width=800 height=400 fmt=0x1 virAddr=0x(nil) fd=3` and `try convert image use cpu`.

Fix
    Cure RGA's failure; give the destination's virt_addr so that there is a fallback; check the code of
    convert_image.

Limits
    None known.

References
    rknn_model_zoo utils/image_utils.c and RV1106 demos; rga:Z-05, runtime:M-14
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG318",
    "log-no-fallback",
    over="logbook",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "rknn_model_zoo utils/image_utils.c",
        "rga:Z-05",
        "runtime:M-14",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("zoo_cpu", "zoo_align")[:1]:
        dst = book.near(event, "zoo_image", before=30, after=0)
        sides = [
            e
            for e in book.all("zoo_image")
            if e.file == event.file and e.word("side") == "dst" and e.line <= event.line
        ]
        last = sides[-1] if sides else dst
        if last is None or last.word("side") != "dst" or (last.word("va") or "") not in ("(nil)", "(null)", "0"):
            continue
        if any(e.file == event.file and event.line <= e.line <= event.line + 4 for e in book.all("zoo_finish")):
            continue
        yield Finding(
            "The picture was to be converted by the CPU, but the destination (fd {fd}) has no pointer: the input was not written.",
            "virAddr is nil: without it the helper's CPU path returns -1. Where the program goes on, the NPU runs on what the memory held.",
            "Set the destination's virt_addr to mem->virt_addr besides its fd, stop on a code other than 0, and cure what RGA refused.",
            {"fd": last.number("fd")},
            where=event.where,
            about="log:fallback",
        )
