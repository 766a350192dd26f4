"""The board's input is the same picture on another scale.

What it checks
    The input row of accuracy_analysis: cosine and distance of the simulator and of the board against the original
    network.

Why it matters
    Cosine 1 with a distance far from 0 means the same picture times a constant: mean, std or a division by 255 was
    applied once more or once less on the board's way.

How it is computed
    Cosine of the runtime columns at least 0.999, distance above 1 and far above the simulator's.

Example
    `[Input] images 1.00000 | 0.0 … 1.00000 | 404.33`

Fix
    Compare the mean_values and std_values of config() with what the program does to the picture before it hands it
    over.

Limits
    A cosine clearly below 1 is another picture or another order, not a scale.

References
    we0091234/crnn_plate_recognition#23
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM301",
    "log-input-row-scaled",
    over="logbook",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("we0091234/crnn_plate_recognition#23",),
    confidence="M",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("acc_row"):
        if (event.word("op") or "").lower() != "input":
            continue
        name = event.word("name")
        pairs = [
            ("simulator", "cos1", "euc1"),
            ("simulator", "cos2", "euc2"),
            ("board", "cos3", "euc3"),
            ("board", "cos4", "euc4"),
        ]
        sides: dict[str, tuple[float, float]] = {}
        for side, c, d in pairs:
            cos, distance = event.fields.get(c), event.fields.get(d)
            if isinstance(cos, float) and isinstance(distance, float) and side not in sides:
                sides[side] = (cos, distance)
        cos, distance = sides.get("board", sides.get("simulator", (1.0, 0.0)))
        reference = sides["simulator"][1] if "board" in sides else 0.0
        who = "board" if "board" in sides else "simulator"
        values: dict[str, Value] = {"name": name, "cos": cos, "distance": distance, "reference": reference, "who": who}
        if cos >= 0.999 and distance > max(1.0, 4 * reference):
            yield Finding(
                "Input {name}: the {who}'s input has cosine {cos:.5f} and distance {distance} to the reference (simulator {reference}): the "
                "same picture, on another scale.",
                "Cosine 1 says that only a constant factor (or offset) differs: the picture is divided by 255, or mean and std are applied, "
                "once more or once less on this way than on the other.",
                "Put mean and std in one place only: in config() (mean_values, std_values) and raw pixels into the board, or in the program "
                "with mean 0 and std 1 in config().",
                values,
                where=event.where,
                about="log:input0",
            )
        elif cos < 0.99:
            yield Finding(
                "Input {name}: the {who}'s input has cosine {cos:.5f} to the reference: it is not the same picture.",
                "Already before the first layer the two differ by more than a scale: other channel order, layout, size, or another file.",
                "Give both sides the very same array; compare colour order (RGB or BGR) and layout.",
                values,
                where=event.where,
                category="layout",
                about="log:input0",
            )
