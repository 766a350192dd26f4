"""What the model answers to the expected input, and when it runs again.

What it checks
    The model was run here (--run): its largest element, a second run with the input written anew, and a second run without.

Why it matters
    A right session repeats itself when its inputs are written before every run. Without that the memory of the inputs was
    recycled and another answer comes out: the difference shows how much it matters for this model.

How it is computed
    MNN on the CPU, one thread: run twice in one session, with and without writing in between.

Example
    0 with the input written anew, 0.21 without.

Fix
    Copy every input before every run.

Limits
    Networks of a single layer keep their input by chance.

References
    Computed with the installed MNN; alibaba/MNN#861.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_effect import RunEffect
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN049",
    "run-again",
    over="run_effect",
    category="determinism",
    severity="info",
    rank=Rank.CONTENT,
    runtimes=("mnn",),
    sources=("computed with the installed MNN", "alibaba/MNN#861"),
)
def check(effect: RunEffect) -> Iterator[Finding]:
    for output in effect.outputs:
        repeats = output.again == 0
        yield Finding(
            "{output}: largest value {value:.6g} at {top} of {elements}; a second run "
            + ("repeats it exactly" if repeats else "differs by up to {again:.6g}")
            + ", one without writing the input again differs by up to {unwritten:.6g}.",
            (
                "The session gives the memory of its inputs to later layers: write them before every run."
                if output.unwritten > 0
                else "This network leaves its input in place; others do not."
            )
            + (" {bad} values are not finite." if output.bad[0] else "")
            + (" Nothing was given for {zeros}: zeros." if effect.zeros else ""),
            "Copy every input before every runSession.",
            {
                "output": output.name, "value": output.value, "top": output.top, "elements": output.elements, "again": output.again,
                "unwritten": output.unwritten, "bad": output.bad[0], "zeros": ", ".join(effect.zeros),
            },
            where=f"outputs:{output.name}",
            about=f"run_again:{output.name}",
        )  # fmt: skip
