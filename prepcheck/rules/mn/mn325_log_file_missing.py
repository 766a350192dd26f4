"""A file of the model is missing, or the model cannot be read.

What it checks
    `Can't open file:F`, `createFromFile failed`.

Why it matters
    Without its .weight file a model still loads and runs: code 0, garbage. A file that is no model gives no session.

How it is computed
    The lines.

Example
    Can't open file:net.mnn.weight: answers like 3.4e38.

Fix
    Put <model>.weight beside the model, under the very name of the model, or setExternalFile.

Limits
    A .weight file that is cut short prints nothing: `prepcheck inspect MODEL` compares the sizes.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN325",
    "log-file-missing",
    over="logbook",
    category="model_conversion",
    rank=Rank.CONTRACT,
    sources=("mnn:F9", "mnn:F1", "measured: MNN 3.6.1"),
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("mnn_no_file"):
        file = event.word("file") or ""
        weights = file.endswith(".weight")
        yield Finding(
            "{file} is missing: the model runs without its weights." if weights else "{file} cannot be opened.",
            "runSession returns 0 and the answer is garbage (3.4e38, zeros): the input is not the cause."
            if weights
            else "MNN prints the name as it was given; a path relative to another folder is the usual reason.",
            "Put the .weight file beside the model under the model's name, or call setExternalFile."
            if weights
            else "Give the full path, and check who may read it.",
            {"file": file},
            where=event.where,
            about="log:file",
        )
    failed = book.first("mnn_create_failed")
    if failed is not None and "createfromfile" in failed.text.lower():
        yield Finding(
            "MNN could not read the model.",
            "The file is cut, encrypted, a Git-LFS pointer, or of another kind; `prepcheck inspect FILE` says which.",
            "Run prepcheck inspect on the very file of the device.",
            {},
            where=failed.where,
            about="log:model",
        )
