"""The check of a converted model compared nothing, or ran on undefined input.

What it checks
    `Skip check`, and `TESTERROR Can't open FILE`.

Why it matters
    Without the reference of an output the check reports success; without an input's file it runs on uninitialised memory and
    may fail for that alone.

How it is computed
    The lines.

Example
    TEST_SUCCESS after "output: Skip check".

Fix
    One file for every input and output of input.json: <name>.txt, one number per element.

Limits
    None known.

References
    Measured: MNN converter 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN316",
    "log-nothing-compared",
    over="logbook",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("mnn:K2", "measured: MNN converter 3.6.1"),
    scope="cannot_tell",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("cv_skip"):
        yield Finding(
            'An output was not compared ("Skip check"): its reference is missing, and the test reports success all the same.',
            "The folder holds no <output>.txt for it, so TEST_SUCCESS says nothing.",
            "Write the reference of every output (prepcheck golden MODEL IMAGE -o DIR writes such a folder) and run the check again.",
            {"output": event.word("op")},
            where=event.where,
            about="log:skip",
        )
    for event in book.firsts("cv_test_input"):
        yield Finding(
            "{file} is missing: the check ran on uninitialised memory.",
            "A difference that it reports may come of that alone.",
            "Write the file of every input: <name>.txt, one number per element in N, C, H, W order.",
            {"file": event.word("file")},
            where=event.where,
            about="log:testinput",
        )
