"""The array given to inference() has another shape than the model takes.

What it checks
    The lines `The input(ndarray) shape (…) is wrong, expect 'nhwc' like (…)!` and `The input shape … is wrong,
    expect […]` of rknn-toolkit2.

Why it matters
    inference() raises or returns None.

How it is computed
    The two shapes are compared: the same lengths in another order, another batch, another size, or another number
    of axes.

Example
    (1, 3, 48, 70) where (1, 48, 70, 3) is wanted: NCHW for NHWC.

Fix
    Transpose, resize, or give as many images as the batch.

Limits
    The second line states the wanted shape in the network's own order (NCHW).

References
    measured: rknn-toolkit2 2.5.0 simulator; runtime:P-02, runtime:P-03
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "LY304",
    "log-array-shape",
    over="logbook",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    sources=(
        "measured: rknn-toolkit2 2.5.0 simulator",
        "runtime:P-02",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("tk_shape", "tk_shape2"):
        got, need = event.numbers("got"), event.numbers("need")
        if got == need or not need:
            continue
        values: dict[str, Value] = {"got": got, "need": need, "got_axes": len(got), "need_axes": len(need)}
        where = event.where
        if len(got) != len(need):
            yield Finding(
                "The array has {got_axes} axes {got}, the model takes {need_axes}: {need}.",
                "No axis is left out or added beyond axes of length 1 in front.",
                "Give an array of {need_axes} axes; the wanted lengths are {need} (in the network's own order).",
                values,
                where=where,
                category="size",
                about="log:input0",
            )
        elif sorted(got) == sorted(need):
            yield Finding(
                "The array is {got}, the model takes {need}: the same lengths in another order.",
                "The array is channels first where channels last are wanted (or the reverse). With data_format not set it is read "
                "as nhwc.",
                "Bring the array into the order {need} (numpy: transpose), or state data_format=['nchw'] where the runtime takes it.",
                values,
                where=where,
                about="log:input0",
            )
        else:
            axis = next(i for i, (a, b) in enumerate(zip(got, need, strict=True)) if a != b)
            batch = axis == 0 and got[1:] == need[1:]
            yield Finding(
                "The array is {got}, the model takes {need}: axis {axis} has {have} where {want} is wanted.",
                "The model was built for a batch of {want} images."
                if batch
                else "The picture has not the model's size.",
                "Give {want} images, or build with batch {have}."
                if batch
                else "Resize the picture to the model's size first.",
                {**values, "axis": axis, "have": got[axis], "want": need[axis]},
                where=where,
                category="batch" if batch else "size",
                about="log:input0",
            )
