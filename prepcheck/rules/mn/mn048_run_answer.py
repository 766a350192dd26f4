"""What the submitted input does to the answer.

What it checks
    The model was run here (--run) on the expected input and on the submitted one: largest element, cosine and largest
    difference of every output.

Why it matters
    A fault in the input may change everything or nothing; the answer says how much this one matters for this model.

How it is computed
    MNN on the CPU, one thread, both inputs through copyFrom of a host tensor.

Example
    Channels exchanged: class 281 in place of 285, cosine 0.71.

Fix
    None here; the fault itself is a finding of its own.

Limits
    One picture, on the CPU. Inputs that nothing was given for are zeros in both runs.

References
    Computed with the installed MNN.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_effect import OutputEffect, RunEffect
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN048",
    "run-answer",
    over="run_effect",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    runtimes=("mnn",),
    sources=("computed with the installed MNN",),
)
def check(compared: list[OutputEffect], effect: RunEffect) -> Iterator[Finding]:
    for output in compared:
        same = output.top == output.submitted_top
        close = output.cosine is not None and output.cosine > 0.999
        yield Finding(
            "{output}: the submitted input gives its largest value at {got} ({got_value:.6g}), the expected one at {want} "
            "({want_value:.6g}); cosine {cosine:.4f}, largest difference {difference:.6g}.",
            (
                "The answer is the same (cosine {cosine:.4f}): what differs in the input does not matter for this picture."
                if same and close
                else "The largest element is the same, other values are not."
                if same
                else "The answer is another one."
            )
            + (" {bad} values of the submitted run are not finite." if output.bad[1] else ""),
            "See the findings about the buffer for what to change; run again with the mended one.",
            {
                "output": output.name, "got": output.submitted_top, "got_value": output.submitted_value, "want": output.top,
                "want_value": output.value, "cosine": output.cosine, "difference": output.difference, "bad": output.bad[1],
                "inputs": ", ".join(effect.submitted),
            },
            where=f"outputs:{output.name}",
            about=f"run:{output.name}",
        )  # fmt: skip
