"""An array that is a view with other strides.

What it checks
    Whether the elements of each array lie in memory in the order of its axes.

Why it matters
    RKNNLite hands the address of the array to the C runtime, which reads bytes one after the other: a transposed or sliced
    view may be read in the order of its parent. The simulator copies and is not concerned.

How it is computed
    `contiguous: false`, or strides other than packed ones.

Example
    numpy.transpose(array, (0, 2, 3, 1)) of a planar array; image[..., ::-1].

Fix
    numpy.ascontiguousarray(array) before the call.

Limits
    Newer releases may copy by themselves; hence a warning.

References
    jaylfc/taOS#43; measured: simulator of rknn-toolkit2 2.5.0 takes views as they are meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK040",
    "inference-not-contiguous",
    over="inference_input",
    category="layout",
    severity="warning",
    rank=Rank.LAYOUT,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:P-09", "jaylfc/taOS#43"),
    confidence="M",
)
def check(library: str, contiguous: bool, label: str, source_name: str | None) -> Iterator[Finding]:
    if contiguous:
        return
    yield Finding(
        "{buffer} is a view whose elements do not lie in memory in the order of its axes.",
        "The library may pass the address of its memory on, and the runtime reads bytes one after the other: rows, columns or "
        "channels then are those of the parent array.",
        "Make a copy in the right order first: numpy.ascontiguousarray(array).",
        {"buffer": source_name or label},
        severity="info" if library == "rknn-toolkit2" else None,
    )
