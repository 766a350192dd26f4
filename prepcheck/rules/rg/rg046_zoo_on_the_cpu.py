"""rknn_model_zoo converts on the CPU.

What it checks
    Whether a resize or letterbox by rknn_model_zoo's convert_image is done by RGA or falls back to the CPU.

Why it matters
    RGA is used only where source and destination widths are multiples of 16 (4 in examples built for
    RV1103/RV1106). The CPU's scaler samples from the top left corner and gives clearly other pixels (20 to 40
    dB); it also needs both virtual addresses.

How it is computed
    Both widths modulo 16; on rv1103 and rv1106 modulo 4 in the examples that define RV1106_1103.

Example
    500 pixels wide: 500 mod 16 = 4.

Fix
    Choose widths that are multiples of 16, or compare with `library: zoo` as the filter; give the target a
    virtual address where the CPU may have to write.

Limits
    Older copies of the file have no such gate. Steps count where their `library` is zoo.

References
    rknn_model_zoo utils/image_utils.c, utils/CMakeLists.txt.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.contract.steps import Step
from prepcheck.pixels.chain import State
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG046",
    "zoo-on-the-cpu",
    over="path",
    category="resize",
    severity="info",
    rank=Rank.VALUES,
    sources=("rga:Z-02", "rga:Z-03", "rga:Z-04", "rga:Z-07"),
)
def check(steps: list[Step], states: list[State], platform: str | None = None) -> Iterator[Finding]:
    for i, step in enumerate(steps):
        used = step.resize or step.letterbox
        before = states[i].size
        after = states[i + 1].size
        if used is None or used.library != "zoo" or before is None or after is None:
            continue
        need = 4 if platform in ("rv1103", "rv1106") else 16
        odd = [w for w in (before[0], after[0]) if w % need]
        if odd:
            yield Finding(
                "The {step} from {before} to {after} runs on the CPU: a width of {odd} is no multiple of {need}.",
                "convert_image takes RGA only where both widths are multiples of {need} ({odd} mod {need} = {rest}). "
                "Its CPU scaler "
                "samples from the top left corner and truncates: other pixels than RGA's.",
                "Use widths that are multiples of {need}, or expect the CPU's pixels; the target needs a virtual "
                "address.",
                {
                    "step": step.kind, "before": f"{before[0]}x{before[1]}",
                    "after": f"{after[0]}x{after[1]}",
                    "odd": odd[0], "need": need, "rest": odd[0] % need,
                },
                where=f"steps[{i}]",
                severity="info",
            )  # fmt: skip
