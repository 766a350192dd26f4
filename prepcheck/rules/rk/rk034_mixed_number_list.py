"""A list of means or stds that mixes whole numbers and fractions.

What it checks
    Whether a sub-list of mean_values or std_values in the converter's arguments holds both 0 and 0.5, say.

Why it matters
    rknn.config() refuses it: `ValueError: The mean_values [[0.5, 0, 0]] is invalid format!`.

How it is computed
    The arguments as typed, read as Python literals.

Example
    mean_values=[[0.5, 0, 0]]

Fix
    Write all numbers alike: [[0.5, 0.0, 0.0]].

Limits
    Only what is written as a literal can be read.

References
    Measured: rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK034",
    "mixed-number-list",
    over="model",
    category="model_conversion",
    rank=Rank.CONTRACT,
    runtimes=("rknn",),
    sources=("runtime:P-10", "measured: rknn-toolkit2 2.5.0"),
    scope="conversion",
)
def check(build_options: list[str]) -> Iterator[Finding]:
    for option in build_options:
        name, _, text = option.partition("=")
        if name.strip() not in ("mean_values", "std_values"):
            continue
        try:
            value = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        for part in value if isinstance(value, (list, tuple)) else ():
            kinds = {type(n) for n in part if isinstance(n, (int, float))} if isinstance(part, (list, tuple)) else set()
            if kinds >= {int, float}:
                yield Finding(
                    "{name} holds whole numbers and fractions in one list: {part}.",
                    "rknn.config() compares the types of the numbers and raises `ValueError: The {name} … is invalid format!`.",
                    "Write all numbers of the list as fractions (0.0 instead of 0).",
                    {"name": name.strip(), "part": str(list(part))},
                    about=f"model:{name.strip()}",
                )
