"""An array with fewer (or more) axes than the input has.

What it checks
    Whether the arrays of inference() have as many axes as the model's inputs.

Why it matters
    RKNNLite on the board refuses an HWC array for a four-dimensional input (`The input[0] need 4dims input, but 3dims input
    buffer feed.`) and returns None. The simulator on the PC adds the missing axes with a warning, so the same line works
    there.

How it is computed
    Axes of the array against axes of the input, per library.

Example
    (640, 640, 3) for [1, 640, 640, 3].

Fix
    numpy.expand_dims(array, 0): the batch axis is part of the shape.

Limits
    rknn-toolkit (first generation) takes HWC arrays and is not judged.

References
    airockchip/rknn_model_zoo#105; leafqycc/rknn-multi-threaded#14; ultralytics/ultralytics#25986; measured: simulator of
    rknn-toolkit2 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK035",
    "inference-rank",
    over="inference_input",
    category="size",
    rank=Rank.LAYOUT,
    runtimes=("rknn",),
    sources=("runtime:P-03", "runtime:P-14", "airockchip/rknn_model_zoo#105", "ultralytics/ultralytics#25986"),
)
def check(
    library: str, input: InputThing, content_shape: list[int], model_shape: list[int], label: str
) -> Iterator[Finding]:
    given, want = len(content_shape), len(input.shape)
    if given == want or library == "rknn-toolkit":
        return
    values: dict[str, Value] = {
        "label": label, "given": given, "want": want, "shape": list(content_shape), "model": list(model_shape),
    }  # fmt: skip
    if library == "rknn-toolkit-lite2":
        yield Finding(
            "{label} needs {want} axes {model}; the array has {given} {shape}.",
            "RKNNLite prints `need {want}dims input, but {given}dims input buffer feed` and inference() returns None. The simulator "
            "on the PC would add the axis.",
            "Add the batch axis: numpy.expand_dims(array, 0).",
            values,
        )
    elif given > want:
        yield Finding(
            "{label} has {want} axes {model}; the array has {given} {shape}.",
            "The toolkit raises `The input shape … is wrong`: it adds missing axes and takes none away.",
            "Drop the extra axes: array.reshape({model}).",
            values,
        )
    else:
        yield Finding(
            "The array for {label} has {given} axes {shape}, the input {want} {model}; the simulator adds the rest.",
            "It prints a warning and puts axes of length 1 in front. RKNNLite on the board refuses the same array.",
            "Add the batch axis yourself: numpy.expand_dims(array, 0).",
            values,
            severity="info",
        )
