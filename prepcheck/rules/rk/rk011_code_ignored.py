"""A call failed, and the program ran on.

What it checks
    Whether a record holds a failed RKNN call that is followed by rknn_run.

Why it matters
    rknn_run returns 0 after a failed rknn_inputs_set and after a failed rknn_set_io_mem, and computes on old or empty
    memory: the wrong answers come without any error.

How it is computed
    Return codes of the record; each code in words.

Example
    rknn_set_io_mem returned -5, rknn_run 0.

Fix
    Check every return code and stop at the first that is negative.

Limits
    Plans without return codes are not judged. What caused the failure may be another finding, which then stands first.

References
    rknn_api.h (codes); measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.failures import CODES, Failure
from prepcheck.registry import Finding, Rank, rule

CATEGORY = {
    "rknn_inputs_set": "stale_buffer", "rknn_set_io_mem": "zero_copy", "rknn_mem_sync": "cache_sync",
    "dma_buf_sync": "cache_sync", "rknn_init": "other", "rknn_run": "other", "rknn_outputs_get": "stale_buffer",
    "inference": "other",
}  # fmt: skip


@rule(
    "RK011",
    "code-ignored",
    over="plan",
    category="memory",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-14", "runtime:Z-19", "runtime:V-10", "rknn_api.h, error codes"),
)
def check(failures: list[Failure]) -> Iterator[Finding]:
    for failure in failures:
        if failure.api == "inference":
            yield Finding(
                "inference() raised or returned None at calls[{at}], and the program went on.",
                "The toolkit prints why it refuses an array and returns None instead of raising.",
                "Look at the lines that the toolkit printed there, and stop where inference() returns None.",
                {"at": failure.call, "code": failure.code},
                category="other", where=f"calls[{failure.call}]", about=failure.about,
            )  # fmt: skip
            continue
        yield Finding(
            "{api} at calls[{at}] returned {code} ({meaning}), and the program went on.",
            "No rknn_run followed it."
            if failure.run is None
            else "rknn_run at calls[{run}] came after it and computed on what the memory held before: the runtime does not "
            "remember a failed call, and returns 0.",
            "Check the code of {api}, print it and stop there; then mend what it complains about (the runtime prints a line "
            "with `E RKNN`).",
            {
                "api": failure.api, "at": failure.call, "code": failure.code, "run": failure.run,
                "meaning": CODES.get(failure.code, "unknown code"),
            },
            category=CATEGORY.get(failure.api), where=f"calls[{failure.call}]", about=failure.about,
        )  # fmt: skip
