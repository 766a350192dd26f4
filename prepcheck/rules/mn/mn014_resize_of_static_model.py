"""resizeTensor on a model that was saved with fixed sizes.

What it checks
    Whether resizeTensor asks other sizes of a model that the converter saved with --saveStaticModel.

Why it matters
    The call is accepted and changes nothing: shapes inside the file are fixed. The session runs with the old sizes and
    returns 0 while the program copies a picture of the new ones.

How it is computed
    The file's usage field, and the sizes.

Example
    1x3x224x224 in the file, resizeTensor to 1x3x320x320.

Fix
    Convert without --saveStaticModel (`--saveStaticModel=0` still switches it on), or keep the file's sizes.

Limits
    Needs the model file.

References
    Measured: MNN 3.6.1.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN014",
    "resize-of-static-model",
    over="mnn_resize",
    category="model_conversion",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:F13", "mnn:C3", "measured: MNN 3.6.1"),
    scope="conversion",
)
def check(is_static: bool, shape: tuple[int, ...], file_shape: list[int], label: str) -> Iterator[Finding]:
    if not is_static or list(shape) == file_shape:
        return
    yield Finding(
        "resizeTensor asks {shape} of {label}, but the model was saved with fixed sizes: it stays {file}.",
        "The call is accepted and changes nothing, and runSession returns 0 with the old sizes.",
        "Convert the model without --saveStaticModel, or hand over {file}.",
        {"shape": shape, "label": label, "file": tuple(file_shape)},
    )
