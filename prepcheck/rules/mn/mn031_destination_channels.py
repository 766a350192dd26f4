"""The destination has another number of channels than the format writes.

What it checks
    Channels of the destination against the bytes of a pixel of `dest_format`.

Why it matters
    Fewer channels in an NHWC tensor: every row runs into the next and the last one beyond the tensor. More: the picture is
    misplaced, or channels stay 0.

How it is computed
    4 for RGBA and BGRA, 3 for RGB and BGR, 1 for GRAY. A float destination of 4 channels takes all of them (the fourth is 0);
    NCHW and NC4HW4 take the first channels.

Example
    RGBA into 1x224x224x3 float: 224·224·4 = 200704 values are written into 150528.

Fix
    dest_format RGB for three channels, GRAY for one.

Limits
    Three channels in planes with RGBA are right (the fourth is dropped).

References
    Measured: MNN 3.6.1 (heap overflow in NHWC).
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.pixels.image_process import Effect, Verdict
from prepcheck.pixels.image_process.config import PIXEL_BYTES
from prepcheck.pixels.image_process.plan import PlannedCall
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN031",
    "destination-channels",
    over="convert",
    category="size",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:I10", "measured: MNN 3.6.1"),
)
def check(planned: PlannedCall, verdict: Verdict, label: str) -> Iterator[Finding]:
    issue = verdict.by_rule("mnn:I10")
    if issue is None or issue.effect <= Effect.NOTE:
        return
    dims, pixel = planned.dest.dims, PIXEL_BYTES[planned.config.dest_format]
    values: dict[str, Value] = {
        "label": label, "format": planned.config.dest_format, "pixel": pixel, "channels": dims.c, "layout": planned.dest.layout,
        "got": dims.h * dims.w * pixel, "want": dims.h * dims.w * dims.c, "w": dims.w, "h": dims.h,
    }  # fmt: skip
    if issue.effect is Effect.OVERRUN:
        yield Finding(
            "{label}: {format} writes {pixel} values a pixel into an {layout} destination of {channels}: beyond the end of the tensor.",
            "{h}·{w}·{pixel} = {got} values go into room for {h}·{w}·{channels} = {want}; every row runs into the next.",
            "Choose the dest_format with {channels} channels.",
            values,
        )
    elif issue.effect is Effect.SUSPECT:
        yield Finding(
            "{label}: {format} has {pixel} channels, the destination {channels}: only the first ones are written or fit.",
            "{h}·{w}·{pixel} = {got} values are made, {h}·{w}·{channels} = {want} belong to the tensor; channels that the format lacks are 0.",
            "Choose the dest_format with {channels} channels.",
            values,
            severity="warning",
        )
    else:
        yield Finding(
            "{label}: {format} writes {pixel} values a pixel, packed, into rows of {channels}: the picture is misplaced.",
            "{h}·{w}·{pixel} = {got} values are written one after the other where {h}·{w}·{channels} = {want} are expected.",
            "Choose the dest_format with {channels} channels.",
            values,
        )
