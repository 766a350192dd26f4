"""--keepInputFormat does not do what it says: the input became NC4HW4.

What it checks
    The spelling of --keepInputFormat in the converter's arguments, against the layout that the model has.

Why it matters
    In 3.6.1 the option is on by default, and only the text `=1` keeps it on: bare, `=true` or followed by a word it is
    switched off. The advice of 2.x threads ("add --keepInputFormat") now does the opposite. The input is NC4HW4, and every
    program that writes plain NCHW through the host pointer (or gives a plain Var to the Module API) is wrong.

How it is computed
    The arguments as the converter's parser reads them; elements plain and packed.

Example
    1x3x64x96 with the bare flag: 24576 floats in the memory for 18432 of the picture.

Fix
    Leave the flag out (3.x) or write --keepInputFormat=1, then look at the file: `prepcheck inspect m.mnn`.

Limits
    The file's layout decides, not the arguments: where it is NCHW nothing is said. An info where the input is fed by copies,
    which convert.

References
    alibaba/MNN#2473; measured: converter 3.6.1, eight spellings; source: cxxopts.hpp, parse_value of bool.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.mnn_convert_args import KeepInputFormat
from prepcheck.facts.mnn_writes import MnnWriteThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN018",
    "keep-input-format",
    over="mnn_input",
    category="model_conversion",
    rank=Rank.CONTRACT,
    runtimes=("mnn",),
    sources=("mnn:C1", "mnn:C2", "alibaba/MNN#2473", "measured: MNN converter 3.6.1"),
    scope="conversion",
)
def check(
    keep_input_format: KeepInputFormat,
    layout: str,
    label: str,
    plain_elements: int,
    packed_elements: int,
    source_layout: str | None,
    pointer_write: MnnWriteThing | None,
) -> Iterator[Finding]:
    if keep_input_format.keeps or not keep_input_format.meant or layout != "NC4HW4" or source_layout == "NC4HW4":
        return
    yield Finding(
        "{typed} did not keep the input's layout: {label} is NC4HW4 in the model ({packed} floats in memory for {plain}).",
        "MNN's converter reads the option as a number: only =1 keeps the layout, the bare flag and the word true switch it off (3.6.1, "
        "where it is on by default)."
        + (" {plain} plain values are written through host() into memory packed as {packed}." if pointer_write else " Copies from a host "
           "tensor convert, so nothing is wrong as the input is fed here."),
        "Convert again without the flag, or with --keepInputFormat=1, and check the file; or feed the input by copyFromHostTensor.",
        {"typed": keep_input_format.typed, "label": label, "plain": plain_elements, "packed": packed_elements},
        severity="error" if pointer_write is not None else "info",
    )  # fmt: skip
