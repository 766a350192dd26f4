"""What the submitted input does to the answer of the network behind an .rknn.

What it checks
    The network (--onnx) was run here on the expected input and on the submitted one: largest element, cosine and largest
    difference of every output.

Why it matters
    A fault in the input may change everything or nothing; the answer says how much this one matters for this network.

How it is computed
    onnxruntime on the CPU; mean, std and the input's own codes are applied as the RKNN runtime does it.

Example
    Channels exchanged: class 281 in place of 285, cosine 0.71.

Fix
    None here; the fault itself is a finding of its own.

Limits
    One picture, the float network: an int8 model on the device answers a little differently.

References
    Computed with the installed onnxruntime.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.plain import Value
from prepcheck.facts.mnn_effect import OutputEffect
from prepcheck.registry import Finding, Rank, rule


@rule(
    "CN524",
    "answer-effect-onnx",
    over="run_effect",
    category="other",
    severity="info",
    rank=Rank.CONTENT,
    runtimes=("rknn", "rknn1"),
    sources=("computed: the model run on every hypothesis",),
    confidence="M",
)
def check(compared: list[OutputEffect]) -> Iterator[Finding]:
    for output in compared:
        values: dict[str, Value] = {
            "output": output.name, "got": output.submitted_top, "got_value": output.submitted_value, "want": output.top,
            "want_value": output.value, "cosine": output.cosine, "difference": output.difference,
        }  # fmt: skip
        close = output.top == output.submitted_top and (output.cosine or 0.0) > 0.999
        yield Finding(
            "{output}: the submitted input gives its largest value at {got} ({got_value:.6g}), the expected one at {want} "
            "({want_value:.6g}); cosine {cosine:.4f}, largest difference {difference:.6g}.",
            "The answer is the same (cosine {cosine:.4f}): what differs in the input does not matter for this picture."
            if close
            else "The answer is another one: what differs in the input matters.",
            "See the findings about the buffer for what to change; run again with the mended one.",
            values,
            where=f"outputs:{output.name}",
            about=f"run:{output.name}",
        )
