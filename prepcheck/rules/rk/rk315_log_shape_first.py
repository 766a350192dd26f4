"""A model of dynamic shape is used before its shape is set.

What it checks
    `query RKNN_QUERY_CURRENT_INPUT_ATTR error, please call rknn_set_input_shape first`.

Why it matters
    Attributes and sizes are those of no shape at all.

How it is computed
    Read off the line.

Example
    rknn_query before rknn_set_input_shapes.

Fix
    rknn_set_input_shapes right after rknn_init, then query, then make memory.

Limits
    None known.

References
    RKNN API guide 1.5.2 §4.4.2.3; runtime:Z-20
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK315",
    "log-shape-first",
    over="log:dyn_first",
    category="session_config",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "RKNN API guide 1.5.2 §4.4.2.3",
        "runtime:Z-20",
    ),
    confidence="H",
    scope="input",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    yield Finding(
        "{what} is asked before a shape is set: this model has dynamic shapes.",
        "Sizes and strides are known only for a chosen shape.",
        "Call rknn_set_input_shapes first (RKNN_QUERY_INPUT_DYNAMIC_RANGE lists what is possible), then query and make memory.",
        {"what": first_event.word("what")},
        about="log:input0",
    )
