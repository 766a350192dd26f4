"""convert is told another YUV format than the frame has.

What it checks
    The source format against the colour of the source buffer, or of the steps before, where one of them is YUV.

Why it matters
    NV12 holds U before V, NV21 V before U: named wrong, blue and red are exchanged in the chroma (mean difference 12 steps).
    Other mistakes give noise. The code is 0.

How it is computed
    The names.

Example
    A frame in NV21 (Android cameras), source_format YUV_NV12.

Fix
    Name the format that the camera or decoder delivers.

Limits
    RGB named BGR is followed to the end and judged there (CL001).

References
    Measured: MNN 3.6.1 (NV12 declared NV21).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule

_YUV = frozenset({"NV12", "NV21", "I420", "YUYV"})


@rule(
    "MN039",
    "yuv-named-wrong",
    over="convert",
    category="color_space",
    rank=Rank.VALUES,
    runtimes=("mnn",),
    sources=("mnn:I21", "measured: MNN 3.6.1"),
)
def check(source_color: str, said_color: str, label: str) -> Iterator[Finding]:
    if source_color == said_color or not {source_color, said_color} & _YUV:
        return
    swapped = {source_color, said_color} == {"NV12", "NV21"}
    yield Finding(
        "{label}: the frame is {real}, convert is told {said}.",
        "The two differ only in the order of U and V: red and blue are exchanged in the colours, by 12 steps on average."
        if swapped
        else "The bytes are taken for another format: luma and chroma are mixed up.",
        "source_format {fix}.",
        {
            "label": label,
            "real": source_color,
            "said": said_color,
            "fix": f"YUV_{source_color}" if source_color in _YUV else source_color,
        },
        fault="uv_swapped" if swapped else None,
    )
