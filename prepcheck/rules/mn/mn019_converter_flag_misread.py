"""An argument of the converter does not do what it says.

What it checks
    Flags that are switched on by being named, with a value that says no; and options that the converter does not know.

Why it matters
    --saveStaticModel=0 still saves a static model, which then ignores resizeTensor; --saveExternalData=0 still writes the
    weights into a second file, without which the model computes garbage. A misspelled option is one line in the log ("Not
    support option"), and the conversion goes on without it.

How it is computed
    The arguments against the converter's own list.

Example
    --keepInputformat=0: unknown, the input stays NCHW.

Fix
    Leave the flag out; spell the option as `MNNConvert --help` does.

Limits
    The list is that of 3.6.1. An unknown option is reported only where a known one is spelled nearly so.

References
    Measured: MNN converter 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.mnn_convert_args import misread
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN019",
    "converter-flag-misread",
    over="model",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    runtimes=("mnn",),
    sources=("mnn:C3", "mnn:C4", "measured: MNN converter 3.6.1"),
    scope="conversion",
)
def check(build_options: list[str]) -> Iterator[Finding]:
    for found in misread(build_options):
        if found.kind == "counted":
            yield Finding(
                "{typed} switches the option on, not off.",
                "The converter counts the flag and does not read its value.",
                "Leave the flag out.",
                {"typed": found.typed},
                about=f"model:{found.typed}",
            )
        elif found.known is not None:
            yield Finding(
                "The converter has no option {typed}; --{known} was probably meant.",
                'It prints one line ("Not support option") and converts without it.',
                "Write --{known}.",
                {"typed": found.typed, "known": found.known},
                about=f"model:{found.typed}",
            )
