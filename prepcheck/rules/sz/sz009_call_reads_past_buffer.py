"""The call says more bytes than the buffer holds.

What it checks
    The size in the call against the size (or shape and type) of the buffer that it names.

Why it matters
    The rest is read from foreign memory: garbage in the input, answers that change, a crash now and then.

How it is computed
    Bytes of the call against bytes of the buffer.

Example
    A mask of 48 bool bytes, copied as 192 bytes of int32.

Fix
    Give the size that the buffer holds; widen the elements first where the input wants wider ones.

Limits
    A buffer that is larger than its content is fine.

References
    alibaba/MNN#2871 (bool written into an int32 map), airockchip/rknn-toolkit2#62.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ009",
    "call-reads-past-buffer",
    over="handover",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=("alibaba/MNN#2871", "airockchip/rknn-toolkit2#62"),
)
def check(stated_nbytes: int, held_nbytes: int, label: str, api: str, source_name: str | None) -> Iterator[Finding]:
    if stated_nbytes <= held_nbytes:
        return
    yield Finding(
        "{api} reads {got} bytes for {label} from {buffer}, which holds {held}.",
        "{got} − {held} = {beyond} bytes come from foreign memory.",
        "Give {held} bytes, or make {buffer} as large as the input wants (widen its elements where the type differs).",
        {
            "api": api,
            "got": stated_nbytes,
            "held": held_nbytes,
            "label": label,
            "buffer": source_name or "the buffer",
            "beyond": stated_nbytes - held_nbytes,
        },
    )
