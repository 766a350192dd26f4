"""Too few bytes for a batch, which the runtime does not refuse.

What it checks
    Whether rknn_inputs_set gives fewer bytes than a model built with rknn_batch_size reads.

Why it matters
    librknnrt 1.5.2 checks no size for batched inputs: it returns 0 and copies every image of the batch from behind the
    buffer. What lies there changes from run to run, so the answers do; or the program dies.

How it is computed
    Elements of all images, times the width of the declared type, against the size of the call.

Example
    Batch 4 of 36x20x3: 2160 bytes given, 8640 read.

Fix
    Hand over all images in one buffer, one after the other; or build with rknn_batch_size 1.

Limits
    Measured on librknnrt 1.5.2; other versions may refuse the call with -5.

References
    Measured: librknnrt 1.5.2 under emulation (memory dump behind the buffer).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.dtypes import nbytes
from prepcheck.facts.model import InputThing
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK005",
    "batch-not-checked",
    over="handover:rknn_inputs_set",
    category="batch",
    rank=Rank.SIZE,
    runtimes=("rknn",),
    sources=("runtime:G-05", "format:5b-11", "measured: librknnrt 1.5.2 under emulation"),
    versions=("1.5.2",),
)
def check(input: InputThing, given_nbytes: int, declared_dtype: str, label: str) -> Iterator[Finding]:
    dims = input.dims
    want = nbytes(declared_dtype, dims.elements)
    if dims.n < 2 or given_nbytes >= want:
        return
    one = want // dims.n
    yield Finding(
        "{label} takes {n} images a run: {want} bytes; {given} bytes are given, and the runtime reads {over} bytes beyond them.",
        "{n} x {one} bytes = {want}. librknnrt does not check the size of a batched input: rknn_inputs_set returns 0, "
        "images {first} to {n} are whatever lies behind the buffer, and the answer changes from run to run.",
        "Put all {n} images into one buffer of {want} bytes, or build the model with rknn_batch_size 1.",
        {
            "label": label, "n": dims.n, "want": want, "given": given_nbytes, "over": want - given_nbytes, "one": one,
            "first": given_nbytes // one + 1, "factor": dims.n,
        },
    )  # fmt: skip
