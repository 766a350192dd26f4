"""A shape that the dynamic model was not built for.

What it checks
    Whether what is handed over has one of the shapes of dynamic_input.

Why it matters
    rknn_set_input_shapes refuses any other shape, and the runtime then works with the one it had.

How it is computed
    Shape of the content, in the input's layout, against the list of the model.

Example
    Built for 64, 128 and 256 pixels, given 192.

Fix
    Resize or pad to one of the shapes, or build the model with this one too.

Limits
    Needs the shape of the buffer.

References
    marty1885/rknn-superresolution#3 (message of the runtime); RKNN API guide 1.5.2 §4.4.2.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import dims_of, shape_in
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK029",
    "shape-not-built",
    over="handover",
    category="size",
    rank=Rank.SIZE,
    runtimes=("rknn",),
    sources=("RKNN API guide 1.5.2 §4.4.2.3", "marty1885/rknn-superresolution#3"),
)
def check(
    input: InputThing, content_shape: list[int], label: str, content_layout: str = "UNDEFINED"
) -> Iterator[Finding]:
    shapes = input.tensor.dynamic
    if not shapes:
        return
    layout = input.tensor.layout or "UNDEFINED"
    dims = dims_of(content_layout, content_shape)
    given = shape_in(layout, dims) if dims is not None else None
    shape = list(given) if given is not None else list(content_shape)
    wanted = [list(s) for s in shapes]
    if shape in wanted or [1, *shape] in wanted:
        return
    listed: list[Value] = [list[Value](s) for s in wanted]
    yield Finding(
        "{label} gets {shape}; the model was built for {listed}.",
        "A dynamic model takes the shapes that it was built with and no other; rknn_set_input_shapes refuses {shape}, and the "
        "runtime goes on with the shape it had.",
        "Resize or pad to one of {listed}, or build with {shape} in dynamic_input.",
        {"label": label, "shape": list[Value](shape), "listed": listed},
    )
