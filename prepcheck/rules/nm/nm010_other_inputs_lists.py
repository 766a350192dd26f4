"""The model applies the mean and std of another input.

What it checks
    For models with several inputs: whether another input's mean and std make the map that of training.

Why it matters
    mean_values and std_values are lists in the order of the inputs. An order that differs from the network's gives the
    picture the feature's values and the reverse.

How it is computed
    The maps are composed with the lists of each other input and compared with training's.

Example
    mean [[0], [123.675, 116.28, 103.53]] where the picture is input 0.

Fix
    Put the lists into the order of the inputs, as `inspect` shows it.

Limits
    Needs training's values for the input.

References
    config() of rknn-toolkit2: one list per input, in input order (API reference 2.3.2 §2.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.normalization import NormalizationStory
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM010",
    "other-inputs-lists",
    over="path",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=("API reference RKNN Toolkit2 2.3.2 §2.2 config",),
    scope="conversion",
)
def check(normalization: NormalizationStory, label: str) -> Iterator[Finding]:
    op, right = normalization.op, normalization.repaired
    if normalization.kind != "other_input" or op is None or right is None:
        return
    yield Finding(
        "{label} is normalised with mean {mean} and std {std}; the values of training are those of another input: {right_mean} "
        "and {right_std}.",
        "mean and std are lists in the order of the inputs; here two inputs have each other's.",
        "Put the lists of config() into the order of the inputs and build again.",
        {
            "label": label,
            "mean": op.mean,
            "std": op.std,
            "right_mean": right.mean,
            "right_std": right.std,
        },
    )
