"""The build's mean and std, as code states them, are for values 0..1, and pictures hold 0..255.

What it checks
    `mean_values` and `std_values` of config() in pasted code: whether all of them lie between 0 and 1.

Why it matters
    The toolkit's mean and std work on the pixels as they are read, 0..255. With 0.485 and 0.229 the network sees numbers
    up to 1100: calibration spans that range, and every picture saturates or looks alike.

How it is computed
    Every mean is above 0 and below 1, and every std as well.

Example
    mean 0.485, std 0.229: (255 − 0.485) / 0.229 = 1111.4; meant was (255/255 − 0.485) / 0.229 = 2.249.

Fix
    Multiply both lists by 255: [[123.675, 116.28, 103.53]] and [[58.395, 57.12, 57.375]].

Limits
    Where the data set consists of .npy files that hold 0..1 already, the lists are right; so it is a warning.

References
    RKNN-Toolkit2 user guide, config(): (x − mean) / std on the input's own values; measured: rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM303",
    "log-mean-unit",
    over="logbook",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0", "runtime:G-20"),
    confidence="H",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    given = {e.word("argument"): e for e in book.all("code_toolkit") if e.word("call") == "config"}
    mean, std = given.get("mean_values"), given.get("std_values")
    if mean is None or std is None:
        return
    means, stds = _numbers(mean), _numbers(std)
    shown: list[list[Value]] = [[*means], [*stds]]
    if not means or not stds or not all(0 < n < 1 for n in [*means, *stds]):
        return
    got, want = (255 - means[0]) / stds[0], (1 - means[0]) / stds[0]
    yield Finding(
        "mean_values {means} and std_values {stds} are for values 0..1; the toolkit applies them to pixels 0..255.",
        "(255 − {mean}) / {std} = {got:.1f}, where (1 − {mean}) / {std} = {want:.3f} was meant: the network sees values 255 times too "
        "large.",
        "Multiply both lists by 255: mean_values {scaled_means}, std_values {scaled_stds}. Right as they are only where the "
        "data set and the program hand over values 0..1.",
        {
            "means": shown[0], "stds": shown[1], "mean": means[0], "std": stds[0], "got": got, "want": want,
            "scaled_means": [round(255 * n, 3) for n in means], "scaled_stds": [round(255 * n, 3) for n in stds],
        },
        where=mean.where,
        about="log:build",
    )  # fmt: skip


def _numbers(event: LogEvent) -> list[float]:
    """The numbers of the first inner list; empty where it holds anything else."""
    value = json.loads(event.word("value") or "null")
    while isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or not all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in value):
        return []
    return [float(n) for n in value]
