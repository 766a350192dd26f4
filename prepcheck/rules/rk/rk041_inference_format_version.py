"""data_format that an old RKNNLite does not take.

What it checks
    Whether data_format is nchw, or a list, with a RKNNLite before 1.6.0.

Why it matters
    Older releases take a text only (a list ends in KeyError) and have no nchw.

How it is computed
    Version of the plan, data_format of the call.

Example
    data_format=["nchw"] with 1.5.2.

Fix
    Transpose to NHWC and leave data_format out, or update to 1.6.0 or newer.

Limits
    Needs the version in the plan (of RKNNLite, which is that of the runtime in a matching installation).

References
    Changelog of rknn-toolkit-lite2; rockchip-linux/rknn-toolkit2#344 and #206.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.versions import is_older
from prepcheck.registry import Finding, Rank, rule

FIRST = "1.6.0"


@rule(
    "RK041",
    "inference-format-version",
    over="inference",
    category="version",
    rank=Rank.CALL,
    runtimes=("rknn",),
    sources=("runtime:P-15", "rockchip-linux/rknn-toolkit2#344", "rockchip-linux/rknn-toolkit2#206"),
)
def check(lite_formats: str | list[str], version: str) -> Iterator[Finding]:
    if not is_older(version, FIRST):
        return
    formats = lite_formats if isinstance(lite_formats, list) else [lite_formats]
    yield Finding(
        "RKNNLite {version} does not take data_format {said}; nchw and lists came with {first}.",
        "Older releases look the text up in a table of their own: a list raises KeyError, nchw is not in it.",
        "Transpose to NHWC and leave data_format out, or install {first} or newer.",
        {"version": version, "said": ", ".join(f or "none" for f in formats), "first": FIRST},
        about="inputs[0]",
    )
