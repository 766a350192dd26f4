"""Another runtime (onnxruntime, TensorFlow Lite) refused the shape.

What it checks
    `Got invalid dimensions for input`, `Invalid rank for input`, `Cannot set tensor: Dimension mismatch`, `… with
    shape […] from a Java object with shape […]`.

Why it matters
    The call is refused; the line names what the model takes.

How it is computed
    Each axis with what was given and what is wanted; a missing first axis is the batch; the same lengths in another
    order are a layout.

Example
    index: 2 Got: 1600 Expected: 640.

Fix
    Resize to the model's size, add the batch axis, or take the model that was exported for this size.

Limits
    None known.

References
    OleehyO/TexTeller#91, vietanhdev/samexporter#8, tensorflow/models#9319, breizhn/DTLN#6
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ310",
    "log-other-runtime-shape",
    over="logbook",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "OleehyO/TexTeller#91",
        "vietanhdev/samexporter#8",
        "tensorflow/models#9319",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("ort_dims"):
        numbers = event.numbers("list")
        axes = tuple(zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=False))
        if not axes:
            continue
        axis, got, need = axes[0]
        values: dict[str, Value] = {
            "name": event.word("name"), "axes": tuple(a for a, _, _ in axes), "gots": tuple(g for _, g, _ in axes),
            "needs": tuple(n for _, _, n in axes), "axis": axis, "got": got, "need": need,
        }  # fmt: skip
        if sorted(g for _, g, _ in axes) == sorted(n for _, _, n in axes) and len(axes) > 1:
            yield Finding(
                "Input {name}: axes {axes} are {gots} where {needs} is wanted: the same lengths in another order.",
                "Channels first and channels last are exchanged.",
                "Transpose the array into the model's order (numpy: transpose(0, 3, 1, 2) brings NHWC into NCHW).",
                values,
                where=event.where,
                category="layout",
                about="log:input0",
            )
        elif axis == 0 and len(axes) == 1:
            yield Finding(
                "Input {name}: a batch of {got} is given, the model takes {need}.",
                "Axis 0 is the batch, and it is fixed in the model.",
                "Give {need} items a call, or export with a dynamic batch.",
                values,
                where=event.where,
                category="batch",
                about="log:input0",
            )
        else:
            yield Finding(
                "Input {name}: axes {axes} are {gots}, the model takes {needs}.",
                "Axis {axis} has {got} where {need} is fixed in the model (axes 2 and 3 of an NCHW picture are height and width).",
                "Resize the picture to the model's size before it is handed over, or take the model that was exported for {got}.",
                values,
                where=event.where,
                about="log:input0",
            )
    for event in book.firsts("ort_rank", "tfl_rank"):
        got, need = event.number("got") or 0, event.number("need") or 0
        yield Finding(
            "The array has {got} axes, the model takes {need}"
            + (": the batch axis is missing." if need - got == 1 else "."),
            "A picture has height, width and channels; the model wants a batch of such in front.",
            "Add the axis: numpy.expand_dims(array, 0)." if need - got == 1 else "Give an array of {need} axes.",
            {"got": got, "need": need},
            where=event.where,
            about="log:input0",
        )
    for event in book.firsts("tfl_dim"):
        yield Finding(
            "Axis {axis} of input {i} has {got} where the model takes {need}.",
            "The array is of another size, or its axes stand in another order (TensorFlow Lite wants NHWC).",
            "Give {need} on axis {axis}: resize, or bring the axes into the model's order.",
            {
                "axis": event.number("axis"),
                "i": event.number("i"),
                "got": event.number("got"),
                "need": event.number("need"),
            },
            where=event.where,
            about="log:input0",
        )
    for event in book.firsts("tfl_shape"):
        yield Finding(
            "An array of shape {got} is given, the tensor has {need}.",
            "The axes have to agree one by one.",
            "Bring the array into shape {need}.",
            {"got": event.numbers("got"), "need": event.numbers("need")},
            where=event.where,
            about="log:input0",
        )
