"""An output is read although no run computed it.

What it checks
    Whether a runSession comes before copyToHostTensor, and between the last write of an input and the last read.

Why it matters
    The output holds uninitialised memory (zeros, values like 1e27), or the answer of the picture before.

How it is computed
    The order of writes, runs and reads. Reading the answer of one picture while the next is written is no fault where a run
    follows.

Example
    copyFromHostTensor, copyToHostTensor: runSession was forgotten.

Fix
    Write, runSession, read.

Limits
    An input that is read back is not reported.

References
    blog.gitcode.com (output all zeros: runSession never called); measured: MNN 3.6.1 (1e22 before the first run).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN015",
    "read-before-run",
    over="mnn_read",
    category="stale_buffer",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T27", "measured: MNN 3.6.1"),
)
def check(output: str, runs_before: int, unrun_write: int | None, index: int) -> Iterator[Finding]:
    if runs_before == 0:
        yield Finding(
            "{output} is read at calls[{read}] before any runSession.",
            "Nothing was computed: the output holds uninitialised memory.",
            "Call runSession after the input is written and before the output is read.",
            {"output": output, "read": index},
            about="output",
        )
    elif unrun_write is not None:
        yield Finding(
            "{output} is read at calls[{read}], but no runSession follows the write at calls[{write}]: it is the answer of the run before.",
            "The input was written anew and the network was not run on it.",
            "Call runSession between the write and the read.",
            {"output": output, "read": index, "write": unrun_write},
            about="output",
        )
