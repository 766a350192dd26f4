"""channel_mean_value of rknn-toolkit 1, as code states it, is for values 0..1, or has not one divisor behind its means.

What it checks
    The text of channel_mean_value: means and one divisor for each input, inputs parted by `#`.

Why it matters
    It works on pixels 0..255 as they are read. '0.485 0.456 0.406 0.225' makes numbers up to 1131 of them; a text with three or
    six numbers is not what the toolkit takes apart.

How it is computed
    Two or four numbers an input, the last one not 0; whether all of them lie between 0 and 1.

Example
    '123.675 116.28 103.53 0.229' is NM305's; '0 0 0' lacks the divisor.

Fix
    '123.675 116.28 103.53 57.4' (all times 255), or mean_values and std_values (rknn-toolkit 1.7).

Limits
    Only a literal text. Several divisors, one for each channel, cannot be said in this argument.

References
    User Guide RKNN Toolkit 1.7.5, config.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.toolkit_code import config_arguments, parts, value_of
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "NM306",
    "log-code-channel-mean-value",
    over="logbook",
    category="normalization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("User Guide RKNN Toolkit 1.7.5, config",),
    confidence="M",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in config_arguments(book):
        if event.word("argument") != "channel_mean_value" or not isinstance(value_of(event), str):
            continue
        text = str(value_of(event))
        for numbers in parts(text):
            values: dict[str, Value] = {"text": text[:80], "numbers": list(numbers), "count": len(numbers)}
            if len(numbers) not in (2, 4) or numbers[-1] == 0:
                yield Finding(
                    "channel_mean_value '{text}' is not means and one divisor for each input.",
                    "{count} numbers stand for one input: three means and one divisor for colour ('0 0 0 255'), one and one for gray, "
                    "inputs parted by '#'; the divisor is not 0.",
                    "Write 'M0 M1 M2 S', or use mean_values and std_values, which have a divisor for each channel.",
                    values, where=event.where, about="log:build",
                )  # fmt: skip
                return
            mean, std = numbers[0], numbers[-1]
            if not all(0 < n < 1 for n in numbers):
                continue
            yield Finding(
                "channel_mean_value '{text}' is for values 0..1; the toolkit applies it to pixels 0..255.",
                "(255 − {mean}) / {std} = {got:.1f}, where (1 − {mean}) / {std} = {want:.3f} was meant: the network sees values 255 "
                "times too large.",
                "Multiply all numbers by 255: '{scaled}'. Right as they are only where the data set and the program hand over "
                "values 0..1.",
                values | {
                    "mean": mean, "std": std, "got": (255 - mean) / std, "want": (1 - mean) / std,
                    "scaled": " ".join(f"{255 * n:.6g}" for n in numbers),
                },
                where=event.where, about="log:build",
            )  # fmt: skip
            return
