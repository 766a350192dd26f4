"""Python code declares interleaved pixels as planes.

What it checks
    MNN.Tensor((1, 3, H, W), …, array, Tensor_DimensionType_Caffe) where the array comes from cv2.imread (H, W, 3) and no transpose
    stands between.

Why it matters
    MNN.Tensor takes the array's memory as it lies; the shape moves nothing. R, G, B of neighbouring pixels become neighbours of one
    plane: the network sees three grey, thrice repeated pictures.

How it is computed
    The variable is followed from the reading to the tensor through calls that move no axis (resize, cvtColor, astype, arithmetic,
    reshape).

Example
    image = cv2.resize(cv2.imread(f), (224, 224)); MNN.Tensor((1, 3, 224, 224), MNN.Halide_Type_Float, image, …_Caffe).

Fix
    np.ascontiguousarray(image.transpose(2, 0, 1)), or the sizes (1, H, W, 3) with Tensor_DimensionType_Tensorflow.

Limits
    Code is read, not run; a function that is not in the text ends the trail.

References
    Measured: MNN 3.6.1; alibaba/MNN#92, alibaba/MNN#1424.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN337",
    "log-code-interleaved-array",
    over="logbook",
    category="layout",
    severity="warning",
    rank=Rank.LAYOUT,
    sources=("mnn:T17", "alibaba/MNN#92", "alibaba/MNN#1424", "measured: MNN 3.6.1"),
    confidence="M",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("code_interleaved_array"):
        sizes = [part.strip() for part in (event.word("shape") or "").split(",") if part.strip()]
        if len(sizes) != 4:
            continue
        yield Finding(
            "{var} holds interleaved pixels ({h}, {w}, 3), and MNN.Tensor is told ({shape}), CAFFE: planes.",
            "MNN.Tensor takes the memory as it lies; a shape moves nothing. The three values of a pixel become neighbours in one plane, so the "
            "network sees no picture that it knows. copyFrom compares nothing and returns True.",
            "Give np.ascontiguousarray({var}.transpose(2, 0, 1)) with these sizes; or keep {var} and declare (1, {h}, {w}, 3) with "
            "MNN.Tensor_DimensionType_Tensorflow.",
            {"var": event.word("var"), "shape": ", ".join(sizes), "h": sizes[2], "w": sizes[3]},
            where=event.where,
            about="log:py_tensor",
        )
