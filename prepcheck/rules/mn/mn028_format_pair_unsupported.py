"""ImageProcess has no conversion between the two formats, and says nothing.

What it checks
    Source and destination format against the pairs that MNN converts, for the destination's element type.

Why it matters
    convert returns 0 for a pair that it does not know. The destination keeps its old content, or uninitialised memory or raw
    source bytes are written into it.

How it is computed
    A table. float32: RGBA, BGRA, RGB, BGR and GRAY to each other except RGB → BGRA and BGR → RGBA; NV12, NV21 and I420 to these.
    uint8 besides: RGB and BGR to YCrCb, YUV, HSV, XYZ, BGR555, BGR565.

Example
    RGB → BGRA: nothing is written, the code is 0.

Fix
    A pair of the table: RGBA for RGB sources, BGRA for BGR ones, or 3 channels.

Limits
    None known.

References
    Measured: MNN 3.6.1, every pair; source: ImageProcessUtils::choose.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Effect, Verdict
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, rule

_WHAT = {
    Effect.NOTHING: "The destination keeps what it held before.",
    Effect.GARBAGE: "The destination is overwritten with uninitialised memory.",
    Effect.WRONG: "Bytes of the source are written into the destination as they are.",
    Effect.OVERRUN: "Bytes of the source are written into the destination as they are, and beyond its end.",
}


@rule(
    "MN028",
    "format-pair-unsupported",
    over="convert",
    category="color_space",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I14", "mnn:I1", "measured: MNN 3.6.1"),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    issue = verdict.by_rule("mnn:I14")
    if issue is None:
        return
    config = planned.config
    plain = {config.source_format, config.dest_format} <= {"RGB", "BGR", "RGBA", "BGRA", "GRAY"}
    yield Finding(
        "{label}: MNN converts no {source} to {dest} for a {dtype} destination, and returns 0.",
        _WHAT.get(issue.effect, _WHAT[Effect.WRONG]),
        "Use a destination of the same family (RGB → RGBA, BGR → BGRA) or three channels."
        if plain
        else "Use RGB, BGR, RGBA, BGRA or GRAY as the destination; make other colour spaces yourself.",
        {
            "label": label, "source": config.source_format, "dest": config.dest_format, "dtype": planned.dest.dtype,
            "effect": issue.effect.name.lower(),
        },
        category="channel_order" if plain else None,
    )  # fmt: skip
