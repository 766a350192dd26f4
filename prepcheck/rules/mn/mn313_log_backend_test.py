"""backendTest.out found an operator whose output differs from the CPU's.

What it checks
    The runs of backendTest.out in the text, backend by backend: the first operator that differs, its values, and what
    precision changed.

Why it matters
    The tool feeds its own input (±0.05, or the folder's), so the application's input code has no part in it: it is the backend,
    its precision, or a limit of the device.

How it is computed
    `I: A != B`: place, value of the tested backend, value of the CPU. −65472 next to a value far beyond is the end of half
    precision. Where precision High moves the first wrong operator, two causes lie one behind the other.

Example
    Vulkan: operator 244 at Normal (−65472 for −632698304), operator 302 at High (0.335693 for 0.796851).

Fix
    Precision high against overflow; what stays is a fault of the backend: report it with the operator.

Limits
    Tolerance is 5 % of the largest value. Reads floats even for integer inputs; NaN passes. "Correct" on the CPU proves only
    that the CPU repeats itself.

References
    MNN tools/cpp/backendTest.cpp; Z-Xiong/OSTrack-mnn#1; measured on software devices.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_log import NamedOp
from prepcheck.facts.mnn_tests import BackendTest
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN313",
    "log-backend-test",
    over="backend_test",
    category="other",
    rank=Rank.VALUES,
    sources=("mnn:K5", "mnn:G7", "Z-Xiong/OSTrack-mnn#1"),
    scope="device",
)
def check(failed: list[BackendTest], ops: list[NamedOp]) -> Iterator[Finding]:
    first = failed[0]
    pair = first.first_pair
    later = next((t for t in failed[1:] if t.precision == 1 and first.precision != 1), None)
    moved = later is not None and later.first_op != first.first_op
    half = first.half_range
    values: dict[str, Value] = {
        "backend": first.backend, "op": first.first_op, "at": pair[0] if pair else None, "got": pair[1] if pair else None,
        "want": pair[2] if pair else None, "tolerance": 100 * (first.tolerance or 0.05), "precision": first.precision_name,
        "later": later.first_op if later else None, "named": ", ".join(f"{o.asked} = {o.name} ({o.type})" for o in ops),
        "high": first.arguments(precision=1),
    }  # fmt: skip
    if later is not None and later.first_pair is not None:
        values |= {"later_got": later.first_pair[1], "later_want": later.first_pair[2]}
    story = ""
    if pair is not None:
        story += "At element {at} it has {got:.9g}, the CPU {want:.9g}. "
    if half:
        story += "{got:.9g} is next to the largest half-precision number, 65504: precision {precision} stores halves on {backend}. "
    if moved and later is not None:
        story += "With High the first wrong operator is {later}"
        story += " ({later_got:.6g} for {later_want:.6g})" if "later_got" in values else ""
        story += ": a second fault, which precision does not cure. "
    elif later is not None:
        story += "High gives the same operator: precision is not the cause. "
    yield Finding(
        "{backend} differs from the CPU, first at operator {op} (allowed: {tolerance:g} % of the largest value)."
        + (" {named}." if ops else ""),
        story + "The tool makes its own input, so no input code of a program has a part in it.",
        "Report operator {later} of this model to MNN with both values; until then keep the CPU, with precision high on {backend} where half "
        "precision is not enough."
        if moved
        else "Run it with precision High ({high}); an operator that stays wrong is a fault of the backend: report it with its name."
        if later is None and first.precision != 1
        else "Report operator {op} of this model to MNN with both values.",
        values,
    )
