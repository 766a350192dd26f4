"""The converter failed, or left an option out.

What it checks
    `Converted Failed!`, `These Op Not Support: …`, `Framework Input ERROR`, `Not support option: X`.

Why it matters
    The exit code is 0 in all these cases: a script goes on with the old file, or none.

How it is computed
    The lines.

Example
    Not support option: keepInputformat (a small f): the conversion went on without it.

Fix
    Test for "Converted Success!" and for a new file; spell the option as --help does.

Limits
    None known.

References
    Measured: MNN converter 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.mnn_convert_args import misread
from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN317",
    "log-conversion-failed",
    over="logbook",
    category="model_conversion",
    rank=Rank.CONTRACT,
    sources=("mnn:C4", "mnn:C5", "measured: MNN converter 3.6.1"),
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    ops = book.first("cv_ops")
    failed = ops or book.first("cv_failed", "cv_framework")
    if failed is not None:
        yield Finding(
            "The conversion failed: these operators are not supported: {ops}."
            if ops is not None
            else "The conversion failed.",
            "The converter's exit code is 0 all the same; a file that is there is an older one."
            + (
                ""
                if failed.kind != "cv_framework"
                else " It was not told what kind of file it gets, or the file is no model."
            ),
            "Export with operators that MNN has (another opset, without the postprocessing), or --allowCustomOp with your own."
            if ops is not None
            else "Check -f (ONNX, TF, TFLITE, CAFFE) and the file; look for the first error above this line.",
            {"ops": ops.word("ops") if ops is not None else None},
            where=failed.where,
            about="log:conversion",
        )
    for event in book.firsts("cv_option"):
        option = event.word("option") or ""
        near = next((m.known for m in misread([f"--{option.lstrip('-')}"])), None)
        yield Finding(
            "The converter does not know the option {option}; the conversion went on without it.",
            "--{known} was probably meant."
            if near
            else "It is not in the converter's list (3.6.1); another version may know it.",
            "Spell it as MNNConvert --help does, and convert again.",
            {"option": option, "known": near},
            severity="warning",
            where=event.where,
            about=f"log:option:{option}",
        )
