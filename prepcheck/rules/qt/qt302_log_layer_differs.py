"""A layer computes something else than the original network does.

What it checks
    The rows of accuracy_analysis behind the input row.

Why it matters
    It tells where accuracy is lost: by quantization (simulator, single), on the NPU (runtime, single), or by adding
    up (entire only).

How it is computed
    The first row whose *single* cosine is below 0.98 is named; a fall of the *entire* columns alone is accumulated
    error and not reported.

Example
    `[Conv] x 0.85 | 120.0 0.86 | 118.0`

Fix
    Hybrid quantization for the layer named, more or better calibration pictures; for the NPU's column another
    toolkit release.

Limits
    Distances are sums over many elements: they say nothing by themselves.

References
    rknn-toolkit2 user guide, accuracy analysis
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "QT302",
    "log-layer-differs",
    over="logbook",
    category="quantization",
    severity="warning",
    rank=Rank.VALUES,
    sources=("rknn-toolkit2 user guide",),
    confidence="M",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    rows = [e for e in book.firsts("acc_row") if (e.word("op") or "").lower() != "input"]
    for key, who, scope in (("cos2", "simulator", "conversion"), ("cos4", "NPU", "device")):
        first = next(((e, c) for e in rows if isinstance(c := e.fields.get(key), float) and c < 0.98), None)
        if first is None:
            continue
        low, cosine = first
        quantized = low.fields.get("cos2")
        if key == "cos4" and isinstance(quantized, float) and quantized < 0.98:
            continue
        yield Finding(
            "Layer {name} ({op}), fed with the right input, has cosine {cos:.5f} on the {who}.",
            "Its input is the reference's, so the loss arises in this layer"
            + (
                ": quantization. The picture handed over is not concerned."
                if key == "cos2"
                else " on the NPU: the simulator has it right."
            ),
            "Quantize this layer with more bits (hybrid quantization) or calibrate with pictures like the real ones."
            if key == "cos2"
            else "Try another release of toolkit and runtime, and report the layer.",
            {"name": low.word("name"), "op": low.word("op"), "cos": cosine, "who": who},
            where=low.where,
            about=f"log:layer:{who}",
            scope=scope,
        )
