"""The ratio is kept, but the picture is not padded to the input's size.

What it checks
    Whether a picture that was resized with its ratio kept (or padded) ends smaller than the input.

Why it matters
    The rest of the input is what lies behind the picture in memory, or the call refuses the size. Padding computed modulo a
    stride (32, 64) is zero for 640x480 although 160 rows are missing.

How it is computed
    Size after the last step of the host against width and height of the input.

Example
    1024x768 → 640x480, pad 0, input 640x640: 640 − 480 = 160 rows are missing.

Fix
    Pad to the full size: (640 − 480)/2 = 80 rows above and 80 below.

Limits
    Inputs of dynamic size are not judged.

References
    Geekgineer/YOLOs-CPP#101.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import Dims
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RS004",
    "padding-missing",
    over="path",
    category="resize",
    severity="error",
    rank=Rank.VALUES,
    sources=("Geekgineer/YOLOs-CPP#101",),
)
def check(final_size: tuple[int, int], dims: Dims, meant_to_pad: bool) -> Iterator[Finding]:
    (w, h), columns, rows = final_size, dims.w - final_size[0], dims.h - final_size[1]
    if not meant_to_pad or min(columns, rows) < 0 or columns + rows == 0:
        return
    yield Finding(
        "The picture ends as {w}x{h}; the input is {width}x{height}: {columns} columns and {rows} rows are missing.",
        "Keeping the ratio gives {w}x{h}, and nothing is added to it: {width} − {w} = {columns}, {height} − {h} = {rows}.",
        "Pad to {width}x{height} (half of it on each side, where training centred the picture).",
        {"w": w, "h": h, "width": dims.w, "height": dims.h, "columns": columns, "rows": rows},
    )
