"""The file that was loaded is no whole model of this runtime.

What it checks
    `Invalid RKNN format`, `parseRKNN from buffer: …`, `verify rknn file fail`, `failed to decode config data`.

Why it matters
    rknn_init fails; nothing runs.

How it is computed
    Read off the line.

Example
    A download that broke off, a Git LFS pointer, an .onnx under the name .rknn, a model of rknn-toolkit 1 for an
    RKNN2 chip.

Fix
    `prepcheck inspect MODEL` says which; compare sizes and sha256 with the file on the PC.

Limits
    None known.

References
    public logs; readers of this program
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK310",
    "log-model-file-damaged",
    over="log:bad_model_file",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=("public logs of 1.3 to 2.3",),
    confidence="H",
    scope="conversion",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "The runtime cannot read the model file.",
        "It is cut, is something else under that name (a Git LFS pointer, a web page, an ONNX file), or belongs to the other "
        "generation of the toolkit (1 or 2). Nothing ran: the input is not concerned.",
        "Run `prepcheck inspect` on the very file that is on the board, and compare its size and sha256 with the original.",
        {},
        about="log:init",
    )
