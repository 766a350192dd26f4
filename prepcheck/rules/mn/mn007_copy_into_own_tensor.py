"""The picture is copied into a tensor of the program's own, which no session reads.

What it checks
    Whether an input is never written before a run while copyFromHostTensor (or a host write) fills a tensor that the
    program made itself, and that is copied nowhere.

Why it matters
    Between two host tensors copyFromHostTensor does nothing and returns false. The input keeps what its memory held, and
    runSession returns 0 all the same.

How it is computed
    The destination of every copy; an own tensor that is later the source of a copy into the input is right.

Example
    copyFromHostTensor from `image` into `converted`, then runSession: `converted` is not an input.

Fix
    The destination must be the session's own tensor: getSessionInput(session, name)->copyFromHostTensor(&host).

Limits
    Only where the input itself is not written.

References
    alibaba/MNN#1855; measured: MNN 3.6.1 (host to host returns false).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import InputState
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN007",
    "copy-into-own-tensor",
    over="mnn_run",
    category="stale_buffer",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T28", "mnn:T7", "alibaba/MNN#1855"),
)
def check(inputs: list[tuple[int, str, InputState]], own_writes: list[tuple[str, int]]) -> Iterator[Finding]:
    if not own_writes:
        return
    name, at = own_writes[-1]
    for position, label, state in inputs:
        if state.written is None and state.lost is None and state.noop is None:
            yield Finding(
                "calls[{at}] copies into {name}, a tensor of the program's own; {label} itself is never written before the run.",
                "A copy between two host tensors does nothing and returns false, and a session reads only its own inputs: it runs "
                "on whatever their memory holds. runSession returns 0.",
                'Copy into the session\'s tensor: getSessionInput(session, "{label}")->copyFromHostTensor(&host).',
                {"at": at, "name": name, "label": label},
                where=f"calls[{at}]",
                about=f"inputs[{position}]",
            )
