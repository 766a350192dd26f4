"""rknn_inputs_set although the flush of inputs is switched off.

What it checks
    Whether rknn_init got RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE and rknn_inputs_set is used.

Why it matters
    The flag leaves the cache of the input to the program, which has no handle on the memory that rknn_inputs_set copies
    into: the NPU may read what was there before.

How it is computed
    Flags of rknn_init before the call.

Example
    flags 0x4000, then rknn_inputs_set.

Fix
    Drop the flag, or use rknn_set_io_mem with rknn_mem_sync after each write.

Limits
    None known.

References
    rknn_api.h 2.3.2, comment of the flag.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Call, RknnInputsSet
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK013",
    "flush-off-with-inputs-set",
    over="call:rknn_inputs_set",
    category="cache_sync",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:G-22", "rknn_api.h 2.3.2, RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE"),
)
def check(call: Call, init_flags: frozenset[str]) -> Iterator[Finding]:
    if "DISABLE_FLUSH_INPUT_MEM_CACHE" not in init_flags:
        return
    assert isinstance(call, RknnInputsSet)
    first = call.inputs[0].index if call.inputs else 0
    yield Finding(
        "rknn_inputs_set is used although rknn_init switched the flush of input memory off.",
        "With RKNN_FLAG_DISABLE_FLUSH_INPUT_MEM_CACHE (0x4000) the program has to sync the input memory itself, and "
        "rknn_inputs_set gives it no memory to sync: the NPU may read the bytes of an earlier frame.",
        "Drop the flag, or bind memory with rknn_set_io_mem and call rknn_mem_sync(TO_DEVICE) after each write.",
        {},
        about=f"inputs[{first or 0}]",
    )
