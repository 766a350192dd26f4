"""resizeTensor or a write is about an output.

What it checks
    Whether resizeTensor, a copy or a host write names an output of the model.

Why it matters
    Sizes of outputs follow from the inputs; resizing one breaks the session's own plan of memory, and what is written into
    an output is overwritten by the run.

How it is computed
    The names of the model's outputs.

Example
    resizeTensor on `output` before the second run: the second answer is wrong.

Fix
    Resize inputs only; outputs follow with resizeSession.

Limits
    Needs the model's outputs.

References
    alibaba/MNN#2871.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import Target
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN017",
    "output-resized",
    over="mnn_resize",
    category="session_config",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("alibaba/MNN#2871",),
)
def check(target: Target, shape: tuple[int, ...]) -> Iterator[Finding]:
    if target.kind != "output":
        return
    yield Finding(
        "resizeTensor is called on {name}, which is an output.",
        "Its sizes follow from the inputs. Set to {shape} by hand it no longer fits the memory that the session planned.",
        "Resize the inputs and call resizeSession; read the output's sizes after that.",
        {"name": target.name or "", "shape": shape},
        about=f"outputs:{target.name}",
    )
