"""A name that the runtime stumbles over.

What it checks
    Whether an input's name holds a quote or a backslash.

Why it matters
    librknnrt 1.5.2 aborts in rknn_query for such a model: the name breaks the JSON in which it keeps them.

How it is computed
    The characters of the name.

Example
    it's.

Fix
    Rename the input in the ONNX and convert again.

Limits
    None known.

References
    Measured: librknnrt 1.5.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT017",
    "name-breaks-runtime",
    over="note:name_breaks_runtime",
    category="model_conversion",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: librknnrt 1.5.2 under emulation",),
    confidence="M",
    scope="conversion",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The name {name} holds {characters}: librknnrt 1.5.2 aborts when the model's tensors are queried.",
        "The runtime keeps names in a JSON text without escaping them.",
        "Rename the input in the original network and convert again.",
        {"name": values["name"], "characters": values["characters"]},
    )
