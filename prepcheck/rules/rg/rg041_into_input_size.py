"""RGA writes another size than the input has.

What it checks
    Whether the image that RGA writes into a model input's memory is as wide and high as the input.

Why it matters
    Rows of another length shift against the network's rows: a sheared picture; fewer rows leave old content
    below.

How it is computed
    Width and height of the destination against the input's (batch 1).

Example
    imresize to 416x416 into an input of 640x640.

Fix
    Give the destination the input's width and height; use a rectangle for a picture inside it.

Limits
    The pitch is judged where the memory is bound.

References
    Arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import Surface
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG041",
    "into-input-size",
    over="rga",
    category="size",
    rank=Rank.SIZE,
    sources=("arithmetic",),
)
def check(input: InputThing, dst: Surface, operation: str, where: str) -> Iterator[Finding]:
    dims = input.dims
    if not input.is_image or dims.n != 1 or (dst.width, dst.height) == (dims.w, dims.h):
        return
    yield Finding(
        "{operation} writes {width}x{height} into the memory of input {label}, which takes {w}x{h}.",
        "{width} x {height} x {c} = {got} bytes are written, the input reads {w} x {h} x {c} = {want} in rows of "
        "{w}.",
        "Resize to {w}x{h}, or give the destination that size and a rectangle for the picture.",
        {
            "operation": operation, "width": dst.width, "height": dst.height, "label": input.label, "w": dims.w,
            "h": dims.h,
            "c": dims.c, "got": dst.width * dst.height * dims.c, "want": dims.w * dims.h * dims.c,
        },
        where=where + ".dst",
        about=input.where,
    )  # fmt: skip
