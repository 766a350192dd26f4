"""RGA refused a pixel format or a color space mode.

What it checks
    `src unsupported … format, format = 0x…(name)`, `Not yuv to rgb does not need for color_sapce_mode`,
    `Unsupported full CSC mode`.

Why it matters
    imcheck fails, nothing is converted.

How it is computed
    Read off the line. The number is librga's (RK_FORMAT_…); the model zoo has numbers of its own, and 1 there is
    RGB888.

Example
    format 0x2d00 (XBGR_8888) as a source of RGA2.

Fix
    Another format, or the CPU.

Limits
    None known.

References
    strings of librga 1.10; rga:R-B11
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG307",
    "log-format-refused",
    over="logbook",
    category="color_space",
    severity="error",
    rank=Rank.TYPE,
    sources=(
        "strings of librga 1.10",
        "rga:R-B11",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("rga_format"):
        yield Finding(
            "RGA does not take format {name} for the {side}.",
            "No core of this chip has it there. Nothing was written.",
            "Convert to a format that it has (RGBA_8888, RGB_888, YCbCr_420_SP), or use the CPU for this step. If the name surprises: pass "
            "RK_FORMAT_… values, not those of another library's enumeration.",
            {"name": event.word("n") or f"0x{event.number('f') or 0:x}", "side": event.word("side")},
            where=event.where,
            about="log:rga",
        )
    for event in book.firsts("rga_csc"):
        yield Finding(
            "RGA refused the color space mode: it does not belong to this pair of formats.",
            "Modes are for YUV to RGB and RGB to YUV. Nothing was written.",
            "Leave color_space_mode at its default, or give the one that fits the direction.",
            {},
            where=event.where,
            about="log:rga",
        )
