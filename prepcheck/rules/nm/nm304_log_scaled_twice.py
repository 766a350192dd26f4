"""The build holds mean and std, and the program's code scales the picture as well.

What it checks
    `mean_values` and `std_values` of config() in pasted code, and a picture that the same texts divide by 255, 128 or 127.5 before
    it goes into inference() or inputs[N].buf.

Why it matters
    Mean and std of config() are inside the model: the runtime applies them to whatever it is given. A picture that the program has
    scaled to 0..1 is scaled once more, and the network sees an almost constant picture: nothing is found, scores are equal and low.
    No other quantisation cures that.

How it is computed
    The variable is followed through the code from the division to the call. (1 − mean) / std is what the brightest value becomes;
    (255 − mean) / std is what was meant.

Example
    std 255 in config(), `img / 255.0` on the board: 255 becomes 1, then 1 / 255 = 0.0039; meant was 1.

Fix
    Give inference() the uint8 pixels as they are; or build with mean 0 and std 1.

Limits
    Code is read, not run: branches and code in other files are not known. Lists between 0 and 1 are left to NM303.

References
    RKNN-Toolkit2 user guide, config(): (x − mean) / std on the input's own values; measured: rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM304",
    "log-scaled-twice",
    over="logbook",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("measured: rknn-toolkit2 2.5.0", "runtime:G-20", "runtime:P-06"),
    confidence="M",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    given = {e.word("argument"): e for e in book.all("code_toolkit") if e.word("call") == "config"}
    std = given.get("std_values")
    scaled = book.first("code_scaled_input")
    if std is None or scaled is None:
        return
    stds = _numbers(std)
    means = _numbers(given["mean_values"]) if "mean_values" in given else [0.0]
    if not stds or not means or max(stds) <= 1 or min(stds) <= 0:
        return
    got, want = (1 - means[0]) / stds[0], (255 - means[0]) / stds[0]
    yield Finding(
        "The picture is scaled twice: the code does `{how}` (line {at}), and the model itself applies mean {mean} and std {std}.",
        "mean_values and std_values of config() are inside the model, on the board and in the simulator. The program makes 1 of 255, and "
        "the model makes (1 − {mean}) / {std} = {got:.4f} of that, where (255 − {mean}) / {std} = {want:.4f} was meant: the network sees an "
        "almost constant picture. Quantisation and its algorithm have no part in it.",
        "Hand over the uint8 pixels 0..255 as they are (leave out the scaling in line {at}); or build with mean 0 and std 1, calibrated "
        "on scaled values.",
        {
            "how": scaled.word("how"),
            "at": scaled.number("at"),
            "mean": means[0],
            "std": stds[0],
            "got": got,
            "want": want,
        },
        where=scaled.where,
        about="log:input0",
    )


def _numbers(event: LogEvent) -> list[float]:
    """The numbers of the first inner list; empty where it holds anything else."""
    value = json.loads(event.word("value") or "null")
    while isinstance(value, list) and value and isinstance(value[0], list):
        value = value[0]
    if not isinstance(value, list) or not all(isinstance(n, (int, float)) and not isinstance(n, bool) for n in value):
        return []
    return [float(n) for n in value]
