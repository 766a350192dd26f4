"""The model takes several pictures a run.

What it checks
    Whether an input has a batch above 1 where a single picture was given on the command line.

Why it matters
    A program that hands over one picture feeds only the first slot: see SZ001.

How it is computed
    First number of the shape against the number of pictures given.

Example
    shape [4, 640, 640, 3]: 4 pictures of 1228800 bytes, 4915200 bytes in all.

Fix
    Hand over that many pictures, or build for a batch of 1.

Limits
    Only without a plan: a plan says what is handed over.

References
    Arithmetic; measured: the file of a model with rknn_batch_size says 1 in its shapes, the runtime reports the batch.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "SZ012",
    "one-picture-for-batch",
    over="input",
    category="batch",
    severity="warning",
    rank=Rank.SIZE,
    sources=("measured: models built with rknn_batch_size", "runtime:B-05"),
)
def check(dims: Dims, size: int, pictures_given: int, is_image: bool, label: str) -> Iterator[Finding]:
    if not is_image or dims.n <= 1 or pictures_given >= dims.n:
        return
    yield Finding(
        "{label} takes {batch} pictures a run ({want} bytes); {given} was given here.",
        "{want} / {batch} = {one} bytes a picture. A call with one picture fills the first slot only; the others hold what was there.",
        "Hand over {batch} pictures one behind the other, or build the model for a batch of 1.",
        {"label": label, "batch": dims.n, "want": size, "given": pictures_given, "one": size // dims.n},
    )
