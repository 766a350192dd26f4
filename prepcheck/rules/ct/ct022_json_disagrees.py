"""The two descriptions in the file disagree.

What it checks
    Whether the JSON part names the same inputs as the compiled graph.

Why it matters
    The runtime goes by the compiled graph; tools that read the JSON show something else.

How it is computed
    Names and dims of both parts.

Example
    graph `images`, JSON `data`.

Fix
    Export the model again.

Limits
    None known.

References
    Measured: containers of rknn-toolkit2 1.1 to 2.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT022",
    "json-disagrees",
    over="note:json_disagrees",
    category="other",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: containers of rknn-toolkit2 1.1 to 2.5",),
    confidence="H",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "inputs[{input}]: the compiled graph says {graph} for its {field}, the JSON part says {json}.",
        "The runtime goes by the graph, and so does the contract shown here.",
        "Export the model again; do not edit the file by hand.",
        {"input": values["input"], "graph": values["graph"], "field": values["field"], "json": values["json"]},
    )
