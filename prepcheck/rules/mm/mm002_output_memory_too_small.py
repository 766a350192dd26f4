"""Memory bound to an output is smaller than what the NPU writes.

What it checks
    Whether the memory of an output has the bytes of the layout that is bound.

Why it matters
    The native layout fills channels up to blocks of C2 and may pad rows: it is larger than the ordinary attribute says.
    The NPU writes beyond the memory, or the call is refused.

How it is computed
    fmt NC1HWC2 (or memory made by NATIVE_OUTPUT_ATTR): size_with_stride of the native attribute, else blocks of C2
    channels. Other formats: elements times the width of the bound type.

Example
    255x80x80 int8: 1632000 bytes; NC1HWC2 with C2 = 16: 16 x 80 x 80 x 16 = 1638400.

Fix
    Query RKNN_QUERY_NATIVE_OUTPUT_ATTR and allocate its size_with_stride.

Limits
    Outputs that are never bound are no fault.

References
    airockchip/rknn_model_zoo#448; RKNN API guide 1.5.2 §4.4.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.link_parts import Need
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MM002",
    "output-memory-too-small",
    over="bound_output",
    category="zero_copy",
    rank=Rank.SIZE,
    runtimes=("rknn",),
    sources=("runtime:Z-10", "airockchip/rknn_model_zoo#448", "RKNN API guide 1.5.2 §4.4"),
)
def check(capacity: int, need: Need, label: str, name_of_memory: str) -> Iterator[Finding]:
    if capacity >= need.size:
        return
    yield Finding(
        "{memory} has {got} bytes; output {label} bound so writes {want}.",
        "{formula} = {want} ({of}); {short} bytes are missing. The ordinary attribute gives the plain size; the native layout "
        "fills up blocks of channels.",
        "Query the attribute that is bound (RKNN_QUERY_NATIVE_OUTPUT_ATTR for NC1HWC2) and make the memory with its "
        "size_with_stride: {want} bytes.",
        {
            "memory": name_of_memory, "got": capacity, "want": need.size, "formula": need.formula, "of": need.of,
            "short": need.size - capacity, "label": label, "link": "memory -> binding",
        },
    )  # fmt: skip
