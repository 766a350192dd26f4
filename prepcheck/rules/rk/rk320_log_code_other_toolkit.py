"""config() in code is given what only the other generation of rknn-toolkit takes.

What it checks
    reorder_channel and channel_mean_value beside a chip of rknn-toolkit2; names of quantized_dtype of the other generation.

Why it matters
    rknn-toolkit2 refuses them: config() raises ValueError, nothing is built, and an older model file that still lies there is
    loaded. rknn-toolkit 1 does not know the names w8a8 and the like.

How it is computed
    The literal arguments against the chip in target_platform, or against the toolkit that the lines name.

Example
    target_platform='rk3588' with quantized_dtype='asymmetric_affine-u8': expected are w8a8, w8a16, w16a16i_dfp, w4a16.

Fix
    rknn-toolkit2: quant_img_RGB2BGR, mean_values and std_values, quantized_dtype='w8a8'.

Limits
    Without a chip or a version in the text the generation is not known. rknn-toolkit2 before 1.4 and from 2.3 on take
    different names (asymmetric_quantized-8 and w8a8): these two are not told apart.

References
    measured: rknn-toolkit2 2.5.0 (ValueError: 'reorder_channel' is not support); User Guide RKNN Toolkit 1.7.5, config.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.base import Unstated
from prepcheck.facts.log import LogBook
from prepcheck.facts.toolkit_code import config_arguments, generation, value_of
from prepcheck.registry import Finding, Rank, rule

FIRST_ONLY = {"reorder_channel": "quant_img_RGB2BGR", "channel_mean_value": "mean_values, std_values"}
"""Arguments of rknn-toolkit 1 → what rknn-toolkit2 has instead. Source: config() of 1.7.5 and 2.5.0."""
FIRST_TYPES = ("asymmetric_affine-u8", "dynamic_fixed_point-i8", "dynamic_fixed_point-i16")
"""quantized_dtype of rknn-toolkit 1. Source: User Guide RKNN Toolkit 1.7.5, config."""
SECOND_TYPES = ("w8a8", "w8a16", "w16a16i", "w16a16i_dfp", "w4a16", "asymmetric_quantized-8")
"""quantized_dtype of rknn-toolkit2. Source: config() of 2.5.0, User Guide 1.5 and later."""


@rule(
    "RK320",
    "log-code-other-toolkit",
    over="logbook",
    category="version",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: rknn-toolkit2 2.5.0", "User Guide RKNN Toolkit 1.7.5, config"),
    confidence="M",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    generation_ = generation(book)
    for event in config_arguments(book):
        argument, said = event.word("argument") or "", value_of(event)
        if argument in FIRST_ONLY:
            of, instead = 1, FIRST_ONLY[argument]
        elif argument == "quantized_dtype" and said in (*FIRST_TYPES, *SECOND_TYPES):
            of = 1 if said in FIRST_TYPES else 2
            instead = "w8a8" if of == 1 else "asymmetric_affine-u8"
        else:
            continue
        if generation_ is None:
            raise Unstated(
                "toolkit", "which generation of rknn-toolkit runs this code is not stated",
                "give the line with target_platform, or what the toolkit prints at start",
            )  # fmt: skip
        if generation_ == of:
            continue
        named = f"{argument}={said!r}" if argument == "quantized_dtype" else argument
        yield Finding(
            "{named} belongs to {owner}; this code runs {running}.",
            "config() stops with an error there (rknn-toolkit2 2.5.0 raises ValueError), nothing is built, and an older model file "
            "that still lies there may be loaded.",
            "Use {instead} instead.",
            {
                "named": named[:80], "owner": "rknn-toolkit 1" if of == 1 else "rknn-toolkit2", "instead": instead,
                "running": "rknn-toolkit2" if of == 1 else "rknn-toolkit 1",
            },
            where=event.where,
            about="log:build",
        )  # fmt: skip
