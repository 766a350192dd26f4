"""The library reads another struct than the program wrote.

What it checks
    A picture of 1 pixel in one direction in `smaller than 2 pixels, width = A, height = B`, where a frame of an
    ordinary size was given.

Why it matters
    Header and librga.so differ in the layout of rga_buffer_t, or the struct is filled in the wrong order: every
    field is off.

How it is computed
    One side at most 1, the other a frame's height rounded up to 16 (or any size of a frame).

Example
    1920x1080 given, 1088x1 seen: 1088 = 1080 rounded up to 16, a stride taken for a width.

Fix
    Compile with the headers (im2d.h, rga.h) that belong to the librga.so on the board.

Limits
    None known.

References
    cqu20160901/yolov11_dfl_rknn_Cplusplus#2; rga:R-B09, rga:R-B10
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.layouts import round_up
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG305",
    "log-struct-out-of-step",
    over="log:rga_two",
    category="version",
    severity="error",
    rank=Rank.CALL,
    sources=(
        "cqu20160901/yolov11_dfl_rknn_Cplusplus#2",
        "rga:R-B09",
        "rga:R-B10",
    ),
    confidence="M",
    scope="input",
)
def check(first_event: LogEvent, book: LogBook) -> Iterator[Finding]:
    w, h = first_event.number("w"), first_event.number("h")
    if w is None or h is None or min(w, h) > 1 or max(w, h) < 64:
        return
    frame = book.near(first_event, "zoo_img", "zoo_read", "zoo_jpeg", "zoo_image", before=200, after=0)
    fw, fh = (frame.number("w"), frame.number("h")) if frame is not None else (None, None)
    pitch = fh is not None and w == round_up(fh, 16)
    yield Finding(
        "The library sees a {side} picture of {w}x{h}"
        + (" although {fw}x{fh} was given." if fw else ", which no frame has."),
        "The fields of the buffer struct do not line up"
        + (" ({w} is {fh} rounded up to 16: a stride stands where the width is read)" if pitch else "")
        + ": the headers that the program was compiled with belong to another librga than the one loaded, or the struct is filled in the "
        "wrong order.",
        "Use im2d.h and rga.h of the librga.so that is on the board (it prints `rga_api version`), and wrapbuffer_… with all arguments "
        "instead of filling the struct by hand.",
        {"side": first_event.word("side"), "w": w, "h": h, "fw": fw, "fh": fh},
        about="log:rga",
    )
