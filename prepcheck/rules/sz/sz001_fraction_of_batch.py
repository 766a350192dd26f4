"""The bytes given are a whole part of the batch that the model takes.

What it checks
    Whether the bytes are k images of N, where the model was built for N images a run.

Why it matters
    One call feeds all N images. With fewer the call is refused, or the runtime reads what lies behind the buffer: the other
    images are foreign memory, and answers change from run to run.

How it is computed
    bytes of one image = bytes wanted / N; bytes given / bytes of one image = k.

Example
    32400 bytes given, 3240000 wanted: 100 images of 32400 bytes.

Fix
    Build for a batch of 1 (rknn_batch_size), or hand over N images one behind the other.

Limits
    The rknn-toolkit2 simulator repeats a single image N times, which hides the fault on the PC: a warning there.

References
    Public reports on RKNN toolkit 1.7.5 (size 32400, min_size 3240000); measured: rknn-toolkit2 2.5.0 simulator; librknnrt
    1.5.2 does not check the size of a batch (RKNN API guide 1.5.2 §4.4).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sizes import SizeStory
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "SZ001",
    "fraction-of-batch",
    over="handover",
    category="batch",
    severity="error",
    rank=Rank.SIZE,
    sources=("runtime:G-05", "runtime:B-03", "runtime:P-04", "runtime:P-18"),
)
def check(size_story: SizeStory, label: str, api: str, library: str | None = None) -> Iterator[Finding]:
    if size_story.kind != "batch":
        return
    one = size_story.got // size_story.given if size_story.given else 0
    values: dict[str, Value] = {
        "label": label, "got": size_story.got, "want": size_story.want, "factor": size_story.factor, "given": size_story.given,
        "batch": size_story.of, "one": one, "api": api, "elements": size_story.wanted.elements, "shape": size_story.wanted.shape,
    }  # fmt: skip
    simulator = api == "inference" and library == "rknn-toolkit2" and size_story.given == 1
    if size_story.got > size_story.want:
        yield Finding(
            "{api} gives {got} bytes for {label}, which takes {want}: {given} images for a batch of {batch}.",
            "{got} / {given} = {one} bytes an image; the input takes {batch} of them a run, the rest is ignored or refused.",
            "Give one batch a run: {batch} image(s), {want} bytes.",
            values,
        )
        return
    yield Finding(
        "{api} gives {got} bytes for {label}, which takes {want}: {given} image(s) for a batch of {batch}.",
        "{want} / {batch} = {one} bytes an image, and {want} / {got} = {factor:.6g}: the model was built for {batch} images a run "
        "(shape {shape}).",
        "Build the model for a batch of 1, or give {batch} images one behind the other ({want} bytes).",
        values,
        severity="warning" if simulator else None,
        fault="batch_partial",
    )
