"""An array whose shape is not the input's in the declared format.

What it checks
    Whether each array of inference() has the model's shape, written in the data_format that the call declares (nhwc where it
    declares none).

Why it matters
    The simulator refuses: `The input(ndarray) shape (1, 3, 48, 70) is wrong, expect 'nhwc' like (1, 48, 70, 3)!`. RKNNLite
    takes the bytes as they are: a planar array read as interleaved pixels gives plausible nonsense, or None.

How it is computed
    Shape against shape, batch included. Sizes that are the same in another order are called a layout fault.

Example
    (1, 3, 224, 224) with data_format nhwc for [1, 224, 224, 3].

Fix
    Transpose the array to NHWC; or say data_format="nchw" (RKNNLite from 1.6.0 on transposes on the host).

Limits
    Where height, width and channels coincide the mistake cannot be seen. Arrays with another number of axes and batches
    have rules of their own.

References
    Measured: simulator of rknn-toolkit2 2.5.0; marty1885/rknn-superresolution#3.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK036",
    "inference-shape",
    over="inference_input",
    category="layout",
    rank=Rank.LAYOUT,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:P-01", "runtime:P-02", "marty1885/rknn-superresolution#3"),
)
def check(
    input: InputThing, content_shape: list[int], model_shape: list[int], data_format: str | None, label: str, library: str
) -> Iterator[Finding]:
    shape, want = list(content_shape), list(model_shape)
    if len(shape) == len(want) - 1 and len(want) == 4 and library != "rknn-toolkit-lite2":
        shape = [1, *shape]  # these add the batch axis
    if len(shape) != len(want) or shape == want or shape[1:] == want[1:]:
        return
    said = data_format or "nhwc"
    values: dict[str, Value] = {"label": label, "shape": list(content_shape), "want": list(want), "said": said}
    other = sorted(shape[1:]) == sorted(want[1:])
    if other and len(want) == 4:
        yield Finding(
            "The array {shape} is not {said}: in that format {label} is {want}.",
            "The sizes are the same in another order. The simulator stops with `expect '{said}' like {want}`; on the board the "
            "{shape} bytes are read as {want}, which mixes rows, columns and channels."
            if data_format is not None
            else "No data_format is declared, which means nhwc. The simulator stops with `expect 'nhwc' like {want}`; on the board "
            "the {shape} bytes are read as {want}, which mixes rows, columns and channels.",
            "Transpose the array to {want} (numpy.ascontiguousarray(numpy.transpose(…))), or declare the format it has.",
            values,
        )
        return
    yield Finding(
        "The array {shape} does not fit {label}: {want} is wanted.",
        "inference() compares shapes; the simulator raises ValueError, RKNNLite returns None or reads beyond the array.",
        "Bring the array to {want}.",
        values,
        category="size" if not other else None,
    )
