"""Python code makes a host tensor whose sizes and dimension type contradict each other.

What it checks
    Literal sizes of MNN.Tensor against Tensor_DimensionType_Caffe (N, C, H, W) or Tensorflow (N, H, W, C).

Why it matters
    Sizes are taken as the type says: (1, 3, 224, 224) as TENSORFLOW is a picture 3 high and 224 wide with 224 channels. The copy
    into the session compares nothing.

How it is computed
    Where the channels (1, 3 or 4) stand.

Example
    MNN.Tensor((1, 3, 224, 224), …, MNN.Tensor_DimensionType_Tensorflow).

Fix
    Tensorflow for (1, H, W, C), Caffe for (1, C, H, W).

Limits
    Sizes with 1, 3 or 4 on both sides say nothing.

References
    Measured: MNN 3.6.1 (NHWC shape declared CAFFE: misread, True); alibaba/MNN#92, alibaba/MNN#1424.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "MN334",
    "log-code-python-tensor",
    over="logbook",
    category="layout",
    severity="warning",
    rank=Rank.LAYOUT,
    sources=("mnn:T17", "alibaba/MNN#92", "alibaba/MNN#1424", "measured: MNN 3.6.1"),
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("code_py_tensor"):
        sizes = [part.strip() for part in (event.word("shape") or "").split(",") if part.strip()]
        kind = (event.word("dim") or "").lower()
        if len(sizes) != 4 or kind not in ("caffe", "tensorflow"):
            continue
        first, last = sizes[1] in ("1", "3", "4"), sizes[3] in ("1", "3", "4")
        if first == last or (kind == "caffe") == first:
            continue
        yield Finding(
            "A host tensor of sizes ({shape}) is declared {kind}: the channels stand "
            + ("second, and TENSORFLOW takes the last." if first else "last, and CAFFE takes the second."),
            "CAFFE reads N, C, H, W and TENSORFLOW N, H, W, C. The copy into the session compares nothing and returns True; every value lands in "
            "another place.",
            "Declare it MNN.Tensor_DimensionType_"
            + ("Caffe" if first else "Tensorflow")
            + ", or transpose the array and give its sizes.",
            {"shape": ", ".join(sizes), "kind": kind.upper()},
            where=event.where,
            about="log:py_tensor",
        )
