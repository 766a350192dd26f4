"""Bytes follow the end of the model.

What it checks
    Whether the file goes on after the part that ends a .rknn container (its JSON text).

Why it matters
    The converter writes nothing there. Harmless in itself, but such a file was appended to, or is two files in one: a
    download that was resumed at the wrong place, a model with a signature, a concatenation.

How it is computed
    Header, payload, eight bytes of length and the JSON text are added up and compared with the size of the file.

Example
    21450 bytes are accounted for, the file has 21550: 100 bytes too many.

Fix
    Export or copy the model again and compare sizes (`sha256sum` on both sides).

Limits
    JSON-only models of rknn-toolkit 1 carry their weights there; they are not reported.

References
    Container measured on models of rknn-toolkit2 1.1 to 2.5 and rknn-toolkit 1.3 to 1.7.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT001",
    "trailing-bytes",
    over="note:trailing_bytes",
    category="other",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "{bytes} bytes follow the end of the model.",
        "The container ends at offset {offset}; the converter writes nothing after it. The model itself reads as it should.",
        "Copy or export the model again and compare the file sizes; if the bytes are meant (a signature), ignore this.",
        {"bytes": values["bytes"], "offset": values["offset"]},
    )
