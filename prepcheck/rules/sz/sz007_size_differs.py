"""The bytes given are not the bytes that the input takes: another resolution.

What it checks
    Bytes given against bytes wanted, where neither batch, element width, row padding, channels nor one axis explains them.

Why it matters
    A camera frame that was not resized has the wrong number of rows and columns. The call is refused, or the picture is read
    as rows of another length.

How it is computed
    bytes wanted = product of the shape · element width.

Example
    3141120 bytes for 192x192x3 = 110592: 28.4 times as many, no whole number.

Fix
    Resize the picture to the input's width and height before the hand-over.

Limits
    Inputs of dynamic size are not judged. A buffer up to a tenth longer given to rknn_inputs_set is a warning where nothing
    says that the picture in it is of another size: the runtime prints a line and takes the bytes that it needs.

References
    margelo/react-native-fast-tflite#17; librknnrt: "param input size(A) < model input size(B)" (measured: 1.5.2).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from prepcheck.core.layouts import Dims
from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ007",
    "size-differs",
    over="handover",
    category="size",
    severity="error",
    rank=Rank.SIZE,
    sources=(
        "margelo/react-native-fast-tflite#17",
        "runtime:G-01",
        "runtime:G-04",
        "measured: librknnrt 1.5.2 under emulation",
    ),
)
def check(
    size_story: SizeStory, label: str, api: str, dims: Dims | None = None, content_shape: list[int] | None = None
) -> Iterator[Finding]:
    if size_story.kind != "picture":
        return
    # librknnrt takes what it needs from the start of a longer buffer; a picture of another size stays an error
    longer = api == "rknn_inputs_set" and size_story.want < size_story.got < 1.1 * size_story.want
    severity = (
        "warning" if longer and (content_shape is None or prod(content_shape) == size_story.wanted.elements) else None
    )
    values: dict[str, Value] = {
        "label": label, "got": size_story.got, "want": size_story.want, "factor": size_story.factor, "api": api,
        "shape": size_story.wanted.shape, "dtype": size_story.wanted.dtype, "elements": size_story.wanted.elements,
        "got_elements": size_story.got_elements,
    }  # fmt: skip
    if dims is not None and dims.c in (1, 3, 4):
        yield Finding(
            "{api} gives {got} bytes for {label}, which takes {want} ({w}x{h}, {c} channels): the picture was not resized to it.",
            "{shape} of {dtype} are {elements} elements = {want} bytes. {got} bytes differ by a factor of {factor:.4g}, which no "
            "batch, element width or row padding explains.",
            "Resize to {w}x{h} before the hand-over: {want} bytes.",
            {**values, "w": dims.w, "h": dims.h, "c": dims.c},
            severity=severity,
        )
        return
    yield Finding(
        "{api} gives {got} bytes ({got_elements} elements) for {label}, which takes {want} ({elements}).",
        "{shape} of {dtype} are {elements} elements = {want} bytes; {got} bytes differ by a factor of {factor:.4g}.",
        "Give {shape} of {dtype}: {want} bytes.",
        values,
        severity=severity,
    )
