"""Code feeds a module, and the model's input is NC4HW4: forward converts nothing.

What it checks
    `forward` or `onForward` in pasted code, with a model (--model) whose input is NC4HW4.

Why it matters
    A session's copyFromHostTensor packs; a module takes the variable's memory as it is. An NCHW or NHWC variable is misread
    without a message.

How it is computed
    The layout in the file, and whether `_Convert(…, NC4HW4)` or `convert(…)` stands in the code.

Example
    module.forward([x]) with an NCHW const for a 3-channel NC4HW4 input.

Fix
    x = expr.convert(x, expr.NC4HW4) before forward; or convert the model with --keepInputFormat=1.

Limits
    Needs the model.

References
    alibaba/MNN#2162; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN326",
    "log-code-module",
    over="logbook",
    category="layout",
    severity="warning",
    rank=Rank.LAYOUT,
    sources=("mnn:U1", "alibaba/MNN#2162", "measured: MNN 3.6.1"),
)
def check(book: LogBook, world: World) -> Iterator[Finding]:
    event = book.first("code_module")
    packed = (
        [t.name or "input" for t in world.contract.inputs if t.layout == "NC4HW4"] if world.contract is not None else []
    )
    converted = any("nc4hw4" in label.text.lower() for label in book.lines) or "nc4hw4" in (
        event.text.lower() if event else ""
    )
    if event is None or not packed or converted:
        return
    yield Finding(
        "The module is fed by forward, and {names} is NC4HW4 in the file: forward converts nothing.",
        "A session's copy packs the channels; a module reads the variable's memory as it is. Plain NCHW or NHWC values are misread without a "
        "message.",
        "Convert before forward: x = MNN.expr.convert(x, MNN.expr.NC4HW4), in C++ _Convert(x, NC4HW4); or convert the model again with "
        "--keepInputFormat=1.",
        {"names": ", ".join(packed)},
        where=event.where,
        about="log:module",
    )
