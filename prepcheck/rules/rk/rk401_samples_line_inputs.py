"""Lines of a calibration list have another number of files than the model has inputs.

What it checks
    Each line of the list (dataset.txt) against the number of the model's inputs.

Why it matters
    rknn-toolkit2 counts the first line only and refuses to build there; a later line with fewer files raises a bare
    IndexError in the middle of the build, one with more is read wrong.

How it is computed
    Files on a line, split at spaces as the toolkit does, against the inputs of the contract.

Example
    `a.png` for a model with two inputs: `a.png b.png` is wanted.

Fix
    Write one file for each input on every line, in the order of the inputs, separated by one space.

Limits
    Lists for rknn-toolkit2 only.

References
    Measured: rknn-toolkit2 2.5.0 (`The input num: 1 in … not match input num: 2 in model`; IndexError on later
    lines).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import LineProblem
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK401",
    "samples-line-inputs",
    over="sample_set",
    category="size",
    severity="error",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("measured: rknn-toolkit2 2.5.0, dataset files with one and three files for two inputs",),
    scope="conversion",
)
def check(toolkit_problems: tuple[LineProblem, ...]) -> Iterator[Finding]:
    bad = [p for p in toolkit_problems if p.kind == "inputs"]
    if not bad:
        return
    yield Finding(
        "{count} lines of the list have another number of files than the model has inputs; the first is line {line}: {got} for {want}.",
        "Line {line}, `{text}`, split at spaces: {got}; the model has {want} inputs. The toolkit refuses to build where it is the "
        "first line, and stops in the middle of the build where it is a later one.",
        "Write {want} files on every line, in the order of the inputs, separated by single spaces.",
        {"count": len(bad), "line": bad[0].line, "text": bad[0].text, "got": bad[0].got, "want": bad[0].want},
    )
