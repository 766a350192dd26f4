"""backendTest.out: nothing differs.

What it checks
    The runs of backendTest.out that printed no difference.

Why it matters
    It clears the backend for these operators, on the tool's input and within its tolerance. It does not clear the input code
    of a program, which the tool never runs.

How it is computed
    `Correct for N, name=…`, and the backend's number.

Example
    Metal agrees with the CPU for the operators 0 to 4 within 5 %.

Fix
    None.

Limits
    CPU against CPU proves repeatability only. NaN on both sides passes.

References
    MNN tools/cpp/backendTest.cpp.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_tests import BackendTest
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN314",
    "log-backend-test-right",
    over="backend_test",
    category="other",
    severity="info",
    rank=Rank.VALUES,
    sources=("mnn:K5",),
    scope="device",
)
def check(agreed: list[BackendTest]) -> Iterator[Finding]:
    test = agreed[0]
    ops = [e.number("n") for t in agreed for e in t.right if e.number("n") is not None]
    cpu = test.type == 0
    yield Finding(
        "backendTest.out: {backend} agrees with the CPU"
        + (" for {count} operators ({first} to {last})" if ops else "")
        + " within {tolerance:g} % of the largest value."
        if not cpu
        else "backendTest.out ran the CPU against itself: it repeats its results, and the model can be read.",
        "The input is the tool's own noise of ±0.05 (unless input.json lies beside the program), copied the same way on both sides: "
        "preprocessing and the program's copy are not tested."
        if not cpu
        else "Nothing is said of another backend, nor of preprocessing and the program's own copy.",
        "Nothing to mend here.",
        {
            "backend": test.backend, "count": len(ops), "first": min(ops, key=lambda n: n or 0, default=None),
            "last": max(ops, key=lambda n: n or 0, default=None), "tolerance": 100 * (test.tolerance or 0.05),
        },
    )  # fmt: skip
