"""Arrays of a calibration set have a shape that rknn-toolkit2 refuses.

What it checks
    The shape of each .npy against the network's input before conversion: the layout of the original model, NCHW for
    ONNX and PyTorch.

Why it matters
    The array has to come in the layout of the original model, not in that of the converted one: NHWC is refused
    though it is what the runtime takes.

How it is computed
    Equal shapes pass; three axes that equal the last three pass (the toolkit puts a 1 in front, with a warning);
    others do not.

Example
    [1, 16, 24, 3] for a model whose ONNX input is [1, 3, 16, 24].

Fix
    numpy.transpose(a, (0, 3, 1, 2)) before saving, or give images.

Limits
    Needs the shape before conversion, which files of rknn-toolkit2 hold; axes that are dynamic there match anything.

References
    Measured: rknn-toolkit2 2.5.0 (`shape (1, 16, 24, 3) is wrong, expect 'nchw' like (1, 3, 16, 24)`; CHW is
    expanded).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import InputSet, SampleSet
from prepcheck.registry import Finding, Rank, rule


@rule(
    "LY401",
    "samples-array-shape",
    over="set_input",
    category="layout",
    severity="error",
    rank=Rank.LAYOUT,
    runtimes=("rknn",),
    sources=("measured: rknn-toolkit2 2.5.0, NCHW, CHW, NHWC, HWC and other arrays as calibration data",),
    scope="conversion",
)
def check(
    calibrating: SampleSet, given: InputSet, label: str, source_shape: tuple[list[int], str]
) -> Iterator[Finding]:
    want, layout = source_shape
    bad = [a for a in given.arrays if not _fits(a.shape, want)]
    if not bad:
        return
    first = bad[0]
    yield Finding(
        "{count} of {total} arrays for {label} have a shape that rknn-toolkit2 refuses: {name} is {shape}, {want} ({layout}) is wanted.",
        "Calibration arrays come in the layout of the network before conversion, {layout} {want}, whatever the runtime takes later; "
        "{elements} elements are given, {wanted} are wanted.",
        "Transpose the arrays to {layout} before saving them, or give images.",
        {
            "count": len(bad), "total": len(given.arrays), "label": label, "name": first.name, "shape": list(first.shape),
            "want": list(want), "layout": layout, "elements": _count(first.shape), "wanted": _count(want),
        },
    )  # fmt: skip


def _fits(shape: tuple[int, ...], want: list[int]) -> bool:
    if len(shape) == 3 and len(want) == 4:
        shape = (1, *shape)
    return len(shape) == len(want) and all(w <= 0 or s == w for s, w in zip(shape, want, strict=True))


def _count(shape: tuple[int, ...] | list[int]) -> int:
    total = 1
    for n in shape:
        total *= n
    return total
