"""Only a part of the bound memory is ever written.

What it checks
    Whether all writes into bound memory together have as many bytes as the input's pixels.

Why it matters
    The rest keeps what it held: zeros, or rows of an older picture.

How it is computed
    Bytes of all writes since the memory was made against the bytes of its pixels (padding left out).

Example
    One picture of 150528 bytes into the memory of a batch of 2.

Fix
    Write all rows of all images before rknn_run.

Limits
    Only where every write states its size; writes to the same place are counted each time.

References
    Arithmetic; measured: librknnrt 1.5.2 under emulation (the NPU reads batch b at b x size_with_stride / N).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.link_parts import Need
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM005",
    "memory-partly-written",
    over="bound",
    category="size",
    rank=Rank.MEMORY,
    runtimes=("rknn",),
    sources=("runtime:Z-21", "arithmetic"),
)
def check(
    written_bytes: int, pixel_bytes: int, need: Need, label: str, name_of_memory: str, call_where: str
) -> Iterator[Finding]:
    if written_bytes >= pixel_bytes:
        return
    yield Finding(
        "{written} bytes are written into {memory}; {label} reads {want}.",
        "{formula} = {want} ({of}). The other {rest} bytes hold zeros or an older picture.",
        "Write all {pixels} bytes of pixels before rknn_run.",
        {
            "written": written_bytes, "memory": name_of_memory, "label": label, "want": need.size, "formula": need.formula,
            "of": need.of, "pixels": pixel_bytes, "rest": need.size - written_bytes, "link": "write -> memory",
        },
        where=call_where,
    )  # fmt: skip
