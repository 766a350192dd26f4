"""Mean and std values that the converter or the runtime does not take as they are meant.

What it checks
    `The mean_values […] is invalid format!` of config(), `has A mean values, which is out of range (1-B)`,
    `Channels(A) of input[N] > RKNN_MAX_NUM_CHANNEL`, `n_dims = A, mean_values and std_values is invalid`.

Why it matters
    The values are refused, or silently left out: then the input is not normalized.

How it is computed
    Read off the line.

Example
    [[0.5, 0, 0]] mixes real numbers and integers.

Fix
    One inner list for each input, all numbers of one kind; more than 15 channels: normalize on the host.

Limits
    None known.

References
    measured: rknn-toolkit2 2.5.0; rockchip-linux/rknn-toolkit#36; strings of librknn_runtime 1.7.5; runtime:P-10,
    runtime:V-05
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "NM302",
    "log-mean-lists",
    over="logbook",
    category="normalization",
    severity="error",
    rank=Rank.VALUES,
    sources=(
        "measured: rknn-toolkit2 2.5.0",
        "rockchip-linux/rknn-toolkit#36",
        "runtime:P-10",
        "runtime:V-05",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("tk_mean_list"):
        yield Finding(
            "config() does not take {what} {value}.",
            "One inner list for each input is wanted, and the numbers of a list all of one kind: integers and real numbers mixed are refused.",
            "Write every number with a decimal point: [[0.5, 0.0, 0.0]].",
            {"what": event.word("what"), "value": event.word("value")},
            where=event.where,
            about="log:build",
            scope="conversion",
        )
    for event in book.firsts("v1_means"):
        yield Finding(
            "Input {i} has {got} mean values; the version 1 runtime has room for {need}.",
            "The call fails: more than {need} channels cannot be normalized by this runtime.",
            "Build with mean 0 and std 1 for this input (or reorder_channel and mean_values left out), and normalize on the host.",
            {"i": event.number("i"), "got": event.number("got"), "need": event.number("need")},
            where=event.where,
            about="log:input0",
        )
    for event in book.firsts("v1_channels"):
        yield Finding(
            "Input {i} has {got} channels, more than {need}: mean is set to 0 and std to 1.",
            "The normalization that was given at conversion is not applied.",
            "Normalize on the host and hand over float32.",
            {"i": event.number("i"), "got": event.number("got"), "need": event.number("need")},
            where=event.where,
            about="log:input0",
            severity="warning",
        )
    for event in book.firsts("mean_dims"):
        yield Finding(
            "Input {i} has {n} axes: its mean and std are not applied.",
            "They act on pictures (4 axes) only.",
            "Normalize this input on the host.",
            {"i": event.number("i"), "n": event.number("n")},
            where=event.where,
            about="log:input0",
            severity="warning",
        )
