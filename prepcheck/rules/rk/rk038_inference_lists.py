"""The lists of inference() do not fit each other or the model.

What it checks
    How many arrays are given, and whether data_format and inputs_pass_through have as many entries and known values.

Why it matters
    The toolkit prints a line and returns None (`The lengths of data_format and inputs are not equal.`, `Unsupport data
    format`, `Inputs are invalid!`), raises IndexError for too few arrays, and ignores arrays that are too many.

How it is computed
    Lengths and values of the lists.

Example
    Two inputs, data_format=["nhwc"].

Fix
    One entry per input.

Limits
    Messages were seen in rknn-toolkit2 2.5.0; RKNNLite is judged alike.

References
    Measured: rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.calls import Inference
from prepcheck.registry import Finding, Rank, rule

FORMATS = ("nhwc", "nchw")


@rule(
    "RK038",
    "inference-lists",
    over="inference",
    category="other",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:P-08", "runtime:P-07", "measured: rknn-toolkit2 2.5.0"),
)
def check(call: Inference, given: list[str], wanted: int, library: str) -> Iterator[Finding]:
    if len(given) < wanted:
        yield Finding(
            "inference() gets {given} arrays; the model has {want} inputs.",
            "With too few arrays the toolkit raises IndexError, with an empty list it prints `Inputs are invalid!` and returns "
            "None.",
            "Give one array for each input, in the model's order.",
            {"given": len(given), "want": wanted},
            category="size", about="inputs[0]",
        )  # fmt: skip
    elif len(given) > wanted:
        yield Finding(
            "inference() gets {given} arrays; the model has {want} inputs, and the rest are ignored.",
            "Arrays beyond the inputs are dropped without a word: if the order is not the model's, the wrong ones are used.",
            "Give exactly {want} arrays, in the model's order.",
            {"given": len(given), "want": wanted},
            severity="warning", category="size", about="inputs[0]",
        )  # fmt: skip
    formats = call.data_format if isinstance(call.data_format, list) else [call.data_format] if call.data_format else []
    unknown = next((f for f in formats if f is not None and f.lower() not in FORMATS), None)
    if unknown is not None:
        yield Finding(
            "data_format {unknown} is not known; nhwc and nchw are.",
            "The toolkit prints `Unsupport data format` and returns None.",
            "Use nhwc or nchw.",
            {"unknown": unknown},
            category="layout", about="inputs[0]",
        )  # fmt: skip
    for name, entries in (("data_format", call.data_format), ("inputs_pass_through", call.pass_through)):
        if isinstance(entries, list) and len(entries) != len(given):
            yield Finding(
                "{name} has {entries} entries for {given} arrays.",
                "The toolkit prints that the lengths of {name} and inputs are not equal and returns None.",
                "Give {name} one entry for each array.",
                {"name": name, "entries": len(entries), "given": len(given)},
                about=f"{name}",
            )
    if library == "rknn-toolkit2" and call.pass_through and not isinstance(call.pass_through, list):
        yield Finding(
            "inputs_pass_through is {said}; a list is wanted, one 0 or 1 per input.",
            "A single value raises TypeError.",
            "Write inputs_pass_through=[1].",
            {"said": str(call.pass_through)},
            about="inputs_pass_through",
        )
