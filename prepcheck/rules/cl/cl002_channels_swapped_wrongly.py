"""R and B are exchanged on the way, and end in the other order than in training.

What it checks
    The colour order after the last step against `training.color`, where one or more steps (or the runtime) exchange R and B.

Why it matters
    A swap too many undoes the right one, or spoils a picture that was right. rknn-toolkit 1 swaps at run time where the
    model was built with reorder '2 1 0'; a swap in the application then comes on top.

How it is computed
    The order is followed through all steps; RKNN1's reorder of the model counts as one more swap.

Example
    decode to RGB, convert_color to BGR, network trained on RGB.

Fix
    Leave out one swap.

Limits
    The names RGB2BGR and BGR2RGB mean the same exchange of bytes; what counts is the order that goes in.

References
    DataXujing/ncnn_android_yolov8#2; RKNN API guide 1.7.5 §3.2.3 (reorder).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CL002",
    "channels-swapped-wrongly",
    over="path",
    category="channel_order",
    severity="error",
    rank=Rank.VALUES,
    sources=("DataXujing/ncnn_android_yolov8#2", "RKNN API guide 1.7.5 §3.2.3", "runtime:V-03"),
)
def check(
    fed_color: str, training_color: str, swaps: int, runtime_swaps: bool, label: str, decoded_color: str | None = None
) -> Iterator[Finding]:
    if not swaps or {fed_color[:3], training_color[:3]} != {"RGB", "BGR"}:
        return
    values: dict[str, Value] = {
        "label": label,
        "fed": fed_color,
        "trained": training_color,
        "swaps": swaps,
        "decoded": decoded_color,
    }
    if runtime_swaps:
        yield Finding(
            "{label}: the v1 runtime exchanges R and B itself (reorder '2 1 0'), so the network gets {fed}; it was trained on {trained}.",
            "R and B are exchanged {swaps} time(s) in all, the runtime's included.",
            "Hand over the other order, or leave out the swap in the application.",
            values,
            fault="channels_swapped",
        )
        return
    yield Finding(
        "{label}: R and B are exchanged {swaps} time(s) on the way and end as {fed}; the network was trained on {trained}.",
        "The picture came as {decoded}; one swap less (or more) gives {trained}.",
        "Leave out one swap, or correct the order that the first step states.",
        values,
        fault="channels_swapped",
    )
