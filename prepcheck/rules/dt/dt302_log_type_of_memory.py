"""The memory is bound with an element type that the runtime does not take.

What it checks
    The lines `tensor type must be: X, but is: Y` and `tensor type : UINT8 not supported in pass_through == 1` of
    rknn_set_io_mem, and `only support uint8 dtype` of the PC side.

Why it matters
    The call fails (-5); a program that goes on runs on memory that nobody fills.

How it is computed
    Read off the line.

Example
    `input(in0) tensor type : UINT8 not supported in pass_through == 1`

Fix
    Pixels: type UINT8, fmt NHWC, pass_through 0. Bytes that are quantized already: type INT8, pass_through 1.

Limits
    None known.

References
    RKNN API guide 1.5.2 table 4-3; measured: librknnmrt 2.3.2 under emulation; runtime:M-04, runtime:M-05,
    runtime:M-16
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "DT302",
    "log-memory-type",
    over="logbook",
    category="dtype",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "RKNN API guide 1.5.2 table 4-3",
        "runtime:M-04",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("io_type_m"):
        yield Finding(
            "Memory for {name} is bound as {got}; the runtime takes {need}.",
            "rknn_set_io_mem refuses it, and nothing is bound.",
            "Set attr.type = RKNN_TENSOR_{need} before rknn_set_io_mem, and write such elements.",
            {"name": event.word("name") or "the tensor", "got": event.word("got"), "need": event.word("need")},
            where=event.where,
            about=f"log:input:{event.word('name')}",
        )
    for event in book.firsts("io_pt_m"):
        yield Finding(
            "Memory for {name} is bound as {got} with pass_through 1, which takes quantized elements only.",
            "With pass_through the runtime changes nothing: the bytes would have to be INT8 (or INT16) codes already. The call "
            "returns -5, and nothing is bound.",
            "For pixels set pass_through = 0, type = RKNN_TENSOR_UINT8, fmt = RKNN_TENSOR_NHWC; for ready codes set type = "
            "RKNN_TENSOR_INT8 and leave pass_through 1.",
            {"name": event.word("name") or "the tensor", "got": event.word("got")},
            where=event.where,
            about=f"log:input:{event.word('name')}",
        )
    for event in book.firsts("only_u8"):
        yield Finding(
            "This board takes uint8 arrays only through the PC connection.",
            "The PC side refuses every other element type for it.",
            "Give rknn.inference() a uint8 array of pixels; mean and std are applied by the model.",
            {},
            where=event.where,
            about="log:inference",
            confidence=0.6,
        )
