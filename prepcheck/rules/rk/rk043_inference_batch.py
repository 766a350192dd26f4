"""Fewer images than the batch that the model was built with.

What it checks
    Whether the array of inference() has as many images as the model takes in one run.

Why it matters
    The simulator repeats a single image to fill the batch (`Try expand to [4, 3, 48, 64]`), so everything looks right on
    the PC. On the board the same call is refused, or the missing images are zeros or foreign bytes.

How it is computed
    First axis of the array against N of the input.

Example
    rknn_batch_size=4 and an array of [1, 64, 96, 3].

Fix
    Stack N images along axis 0; or build with batch 1.

Limits
    Rank-3 arrays count as one image.

References
    Measured: simulator of rknn-toolkit2 2.5.0; trouble shooting guide of rknn-toolkit 1.7.5 (missing images are zeros).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK043",
    "inference-batch",
    over="inference_input",
    category="batch",
    rank=Rank.LAYOUT,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:P-04", "runtime:P-18", "measured: simulator of rknn-toolkit2 2.5.0"),
)
def check(library: str, input: InputThing, content_shape: list[int], model_shape: list[int], label: str) -> Iterator[Finding]:
    n = model_shape[0] if len(model_shape) == 4 else 1
    given = content_shape[0] if len(content_shape) == len(model_shape) else 1
    rest = content_shape[1:] if len(content_shape) == len(model_shape) else content_shape
    if n == given or list(rest) != list(model_shape[1:]):
        return
    values: dict[str, Value] = {"label": label, "n": n, "given": given, "shape": list(content_shape), "model": list(model_shape)}
    if library == "rknn-toolkit2" and given == 1:
        yield Finding(
            "{label} takes {n} images a run, {given} is given; the simulator repeats it to {model}.",
            "All {n} answers are those of the one image, so the PC looks right. The board does not repeat: it refuses the call or "
            "fills the other {n} - 1 slots with what lies in memory.",
            "Stack {n} images along axis 0, or build with rknn_batch_size 1.",
            values,
            severity="warning",
        )
        return
    yield Finding(
        "{label} takes {n} images a run, {given} given: {shape} for {model}.",
        "The toolkit fills the missing images with 0; the time is that of {n}."
        if library == "rknn-toolkit" and given < n
        else "The shapes have to agree, batch included.",
        "Stack {n} images along axis 0, or build the model with batch {given}.",
        values,
    )
