"""Files of a calibration list that rknn-toolkit2 does not read.

What it checks
    The endings of the files against those that the toolkit reads: .jpg .jpeg .png .bmp .npy, in any case.

Why it matters
    The build stops at the first of them, after minutes of preparation where it stands late in the list.

How it is computed
    The ending alone; the toolkit looks at nothing else.

Example
    `street.webp`: `Unsupport file street.webp!`.

Fix
    Convert them to .png or .jpg.

Limits
    Lists for rknn-toolkit2 only; prepcheck itself reads these files and judges them.

References
    Measured: rknn-toolkit2 2.5.0 with .webp, .gif, .tiff (refused), .PNG, .JPEG, .bmp (read).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.sample_set import LineProblem
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK402",
    "samples-file-endings",
    over="sample_set",
    category="image",
    severity="error",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("measured: rknn-toolkit2 2.5.0, dataset files with nine endings",),
    scope="conversion",
)
def check(toolkit_problems: tuple[LineProblem, ...]) -> Iterator[Finding]:
    bad = [p for p in toolkit_problems if p.kind == "ending"]
    if not bad:
        return
    yield Finding(
        "{count} files of the list have an ending that rknn-toolkit2 does not read; the first is {text} (line {line}).",
        "It reads .jpg, .jpeg, .png, .bmp and .npy, in any case, by the ending alone; the build stops with `Unsupport file`.",
        "Convert them to .png or .jpg.",
        {"count": len(bad), "line": bad[0].line, "text": bad[0].text},
    )
