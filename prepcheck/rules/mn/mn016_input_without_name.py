"""A model with several inputs is fed through a tensor that is not named.

What it checks
    Whether a write names no tensor although the model has several inputs.

Why it matters
    getSessionInput(session, nullptr) gives the alphabetically first input, not the first of the ONNX file. A picture lands
    in another input, and the one meant stays unwritten.

How it is computed
    The names in alphabetical order, and the sizes of the first one against those of the host tensor.

Example
    Inputs search, template and ids: without a name the tensor is ids.

Fix
    getSessionInput(session, "template"): name every input.

Limits
    A plan that only forgot to say the name reads the same: a warning where the sizes fit the first input.

References
    Measured: MNN 3.6.1 ('ids' before 'search' before 'template').
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.mnn_walk import Target
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN016",
    "input-without-name",
    over="mnn_write",
    category="session_config",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:T10", "measured: MNN 3.6.1"),
)
def check(
    target: Target,
    api: str,
    input_names: list[str],
    first_shape: tuple[str, list[int] | None],
    host_shape: list[int] | None = None,
) -> Iterator[Finding]:
    if target.kind != "unnamed":
        return
    first, shape = first_shape
    fits = (
        host_shape is None
        or shape is None
        or sorted(d for d in host_shape if d != 1) == sorted(d for d in shape if d != 1)
    )
    yield Finding(
        "{api} names no input; the model has {count}: {names}. Without a name MNN gives {first}, the alphabetically first."
        if fits
        else "{api} names no input: MNN gives {first} {shape}, the alphabetically first of {count} ({names}), and {host} is written.",
        "getSessionInput(session, nullptr) sorts by name; the order of the ONNX file plays no part. The input that was meant is not "
        "written.",
        "Name the tensor: getSessionInput(session, \"{example}\"), and `tensor: {example}` in the plan.",
        {
            "api": api, "count": len(input_names), "names": ", ".join(input_names), "first": first, "shape": None if shape is None else tuple(shape), "host": None if host_shape is None else tuple(host_shape),
            "example": next((n for n in input_names if n != first), first),
        },
        severity="warning" if fits else "error",
    )  # fmt: skip
