"""A value of the convert call is one that MNN cannot have.

What it checks
    Padding (one byte), sides of source and destination, and numbers beyond float32 in mean, normal and matrix.

Why it matters
    The program cannot do what the plan says; what it does instead is not known.

How it is computed
    The bounds of MNN's Config and Matrix.

Example
    padding 300: it is kept as one byte, 44.

Fix
    State what the program really sets.

Limits
    None known.

References
    MNN/ImageProcess.hpp (setPadding takes uint8_t).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN005",
    "convert-value-impossible",
    over="convert",
    category="other",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("MNN/ImageProcess.hpp",),
)
def check(impossible: str, label: str) -> Iterator[Finding]:
    yield Finding(
        "The convert call for {label} cannot be made as stated. {problem}.",
        "MNN has no such value, so nothing can be said of what is written.",
        "State the values that the program sets.",
        {"label": label, "problem": impossible.rstrip(".")},
    )
