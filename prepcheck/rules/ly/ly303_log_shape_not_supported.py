"""A shape was set that the model does not have.

What it checks
    The block `rknn_set_input_shapes error, … supported input shapes are as follows` with the shapes and what was
    set.

Why it matters
    The input is not set, inference() returns None.

How it is computed
    What was set is compared with every supported shape: the same axes in another order are a layout fault, another
    length is a fault of size.

Example
    supported [1,224,224,1] NHWC, set [1,1,224,224]: the same axes with the channels first.

Fix
    Hand the array over in the order of the supported shape.

Limits
    None known.

References
    marty1885/rknn-superresolution#3
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "LY303",
    "log-shape-not-supported",
    over="logbook",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=("marty1885/rknn-superresolution#3",),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    if book.first("dyn_given") is None:
        for event in book.firsts("dyn_set")[:1]:
            yield Finding(
                "{name}: a shape was set that the model does not have.",
                "The lines after this one name the supported shapes and what was set; they are not in this text.",
                "Give the whole block, and set one of the shapes that it lists.",
                {"name": event.word("name")},
                where=event.where,
                category="size",
                about="log:input0",
            )
    for given in book.firsts("dyn_given"):
        dims = given.numbers("dims")
        known = [e for e in book.all("dyn_shape") if e.file == given.file and 0 <= given.line - e.line <= 64]
        shapes = [e.numbers("shape") for e in known]
        if not dims or not shapes or dims in shapes:
            continue
        same = next((s for s in shapes if sorted(s) == sorted(dims)), None)
        best = same or min(
            shapes, key=lambda s: (len(s) != len(dims), sum(a != b for a, b in zip(s, dims, strict=False)))
        )
        values: dict[str, Value] = {"name": given.word("name") or "the input", "given": dims, "wanted": best}
        if same is not None:
            yield Finding(
                "{name}: shape {given} was set, the model has {wanted}: the same axes in another order.",
                "The array has its channels first, the runtime wants them last: {given} is the NCHW form of {wanted} (NHWC). The "
                "call fails, and inference() returns None.",
                "Bring the array into the order of {wanted}: array.transpose(0, 2, 3, 1) for NCHW data, or leave the picture as "
                "height x width x channels and add the batch axis.",
                values,
                where=given.where,
                about="log:input0",
            )
        else:
            yield Finding(
                "{name}: shape {given} was set, the model has {wanted}.",
                "The model was exported for fixed shapes, and this is none of them; the call fails, and inference() returns None.",
                "Resize or pad the input to {wanted}, or export the model with this shape among its dynamic_input shapes.",
                values,
                where=given.where,
                category="size",
                about="log:input0",
            )
