"""Code writes a session's input through its host pointer.

What it checks
    `input->host<T>()[…] = …` and memcpy into it, where the variable comes from getSessionInput in the same text.

Why it matters
    It is right only on the CPU and only where the file says NCHW or NHWC, in that order. In an NC4HW4 input the values land in
    wrong places; on a GPU the pointer is null.

How it is computed
    The index of a single element: for plane c, row y, column x of NCHW it is (c·H + y)·W + x. A product of two variables
    alone (r*c) reaches few places, and row 0 and column 0 all land on element 0.

Example
    for r, for c: host<float>()[r*c] = pixel[0].

Fix
    Fill a host tensor (TENSORFLOW for interleaved data, CAFFE for planes) and copyFromHostTensor; or ImageProcess::convert.

Limits
    With --model and an input that is NCHW it is an info, unless the index is a product.

References
    alibaba/MNN#2885; measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.facts.mnn_code import pointer_writes
from prepcheck.facts.world import World
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN322",
    "log-code-host-pointer",
    over="logbook",
    category="host_pointer",
    rank=Rank.CALL,
    sources=("mnn:T1", "mnn:G8", "alibaba/MNN#2885", "measured: MNN 3.6.1"),
)
def check(book: LogBook, world: World) -> Iterator[Finding]:
    for write in pointer_writes(book)[:4]:
        tensor = None
        if world.contract is not None:
            tensor = next((t for t in world.contract.inputs if t.name == write.name), None)
            if tensor is None and len(world.contract.inputs) == 1:
                tensor = world.contract.inputs[0]
        layout = tensor.layout if tensor is not None else None
        values: dict[str, Value] = {
            "variable": write.variable,
            "name": write.name,
            "index": write.index,
            "layout": layout,
        }
        plain = layout in ("NCHW", "NHWC")
        yield Finding(
            "The input is written through {variable}->host() with the index [{index}], a product: most of it is never written."
            if write.product
            else "The input is written through {variable}->host(): right only on the CPU, and only for an NCHW or NHWC file.",
            (
                "The place of row y, column x in plane c is (c·H + y)·W + x. {index} reaches only products; row 0 and column 0 all land on "
                "element 0, and other channels are not written at all. "
                if write.product
                else ""
            )
            + (
                "The file says {layout}."
                if layout is not None
                else "In an NC4HW4 input (prepcheck inspect MODEL) plain values land in wrong places, and on a GPU host() is null."
            ),
            "Make a host tensor (CAFFE for planes, TENSORFLOW for interleaved data), fill it, and call copyFromHostTensor; or let "
            "ImageProcess::convert write the input.",
            values,
            severity="error" if write.product or layout == "NC4HW4" else "info" if plain else "warning",
            where=write.event.where,
            about="log:host_pointer",
        )
