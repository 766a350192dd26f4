"""One physical line as pasted → the text that the runtime printed: no colours, prefixes, quote marks, bullets.

What a log collector put in front (logcat, syslog, journal, dmesg, Python logging, ROS, containers) is taken off; the
level and tag that it states are kept, because some runtimes print theirs only there.
"""

from __future__ import annotations

import html
import re

from prepcheck.records import dataclass

MAX_LINE = 1 << 16
"""Characters of one physical line that are read; what is behind is cut off."""

_ANSI = re.compile(r"(?:\x1b|\\x1b|\\033|\\e)\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?")
_ORPHAN_ANSI = re.compile(r"(?<![\w\]])\[(?:0|1|0;\d\d|1;\d\d|3\d|9\d|[01];?3\dm?)m(?!\w*\])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u200b-\u200f\u2028\u2029\u2060\ufeff]")

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3000: " ", 0x3001: ",", 0x3002: ".", 0x300C: '"', 0x300D: '"', 0x3010: "[", 0x3011: "]", 0x3014: "[", 0x3015: "]",
    0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x201A: ",", 0x00A0: " ", 0x2002: " ", 0x2003: " ", 0x2009: " ",
    0x202F: " ", 0x2212: "-", 0x2010: "-", 0x2011: "-", 0xFE50: ",", 0xFE55: ":", 0x2236: ":", 0x02D0: ":",
}  # fmt: skip
"""Full-width and typographic signs → what the runtime printed."""

_STAMP = r"\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?"
_LEVELS = {"verbose": "D", "debug": "D", "info": "I", "notice": "I", "warn": "W", "warning": "W", "error": "E", "err": "E",
           "critical": "E", "fatal": "E", "trace": "D"}  # fmt: skip
_WORD = r"(?:verbose|debug|info|notice|warn(?:ing)?|err(?:or)?|critical|fatal|trace)"

_QUOTE = re.compile(r"\s*(?:>\s?)+(?!>)")
_BULLET = re.compile(r"\s*(?:[-*+•·●○◦▪–—‣][ \t]+|\(?\d{1,3}[.)][ \t]+(?=[A-Za-z\[\"'`]))")
_PREFIXES: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    # logcat -v threadtime, with and without the year; the tag is padded
    ("logcat", "d", re.compile(r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}\s+\d+\s+\d+ (?P<lvl>[VDIWEFA]) (?P<tag>[^:]{0,40}?)\s*: ?")),
    # Android Studio, old and new
    ("logcat", "d", re.compile(r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s+\d+-\d+/\S+ (?P<lvl>[VDIWEFA])/(?P<tag>[^:]{1,40}?)\s*: ?")),
    ("logcat", "d", re.compile(r"(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\s+\d+-\d+\s+(?P<tag>\S+)\s+(?:\S+\s+)??(?P<lvl>[VDIWEFA])\s+")),
    # logcat -v time and -v brief
    ("logcat", "dl", re.compile(r"(?:(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} )?(?P<lvl>[VDIWEFA])/(?P<tag>[\w.\-+ ]{1,40}?)\s*(?:\(\s*\d+\))?: ?")),
    # syslog and journal: `Aug 12 10:00:00 host demo[123]: `, `2024-08-12T10:00:00+00:00 host kernel: `
    ("syslog", "ld", re.compile(rf"(?:[A-Z][a-z]{{2}}\s+\d{{1,2}} \d\d:\d\d:\d\d(?:\.\d+)?|{_STAMP}) [\w.\-]+ (?P<tag>[\w./\-@()]+)(?:\[\d+\])?: ?")),
    # dmesg, with printk level, monotonic or wall clock
    ("kernel", "<[", re.compile(r"(?:<\d{1,3}>)?\[ {0,8}\d{1,9}\.\d{6}\](?:\[\s*[TC]\d+\])? ?")),
    ("kernel", "<[", re.compile(r"(?:<\d{1,3}>)?\[[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d \d{4}\] ?")),
    ("kernel", "d", re.compile(r"\d{1,3},\d+,\d+,[-c+];(?=\S)")),
    # librga 1.9 and later: `31348 im2d_rga_impl rga_dump_opt(1502): `, `67148   1330   1330 E   librga: `
    ("rga", "d", re.compile(r"\d{1,10}\s+(?:\d{1,7}\s+\d{1,7}\s+(?P<lvl>[VDIWEFA])\s+(?:im2d_rga(?:_impl)?|librga)\s*:|im2d_rga(?:_impl)?\s+\w+\(\d+\)\s*:) ?")),
    # ROS: `[INFO] [1690000000.123456789] [node]: `, `[ERROR] [1690000000.1]: `
    ("ros", "[", re.compile(rf"\[\s*(?P<word>{_WORD})\] ?\[\d+\.\d+\](?: ?\[[\w./\-]+\])?: ?", re.I)),
    # spdlog, glog, Python logging, containers
    ("app", "[", re.compile(rf"\[{_STAMP}\](?: ?\[[\w./\- ]+\])* ?\[(?P<word>{_WORD})\] ?", re.I)),
    ("app", "d", re.compile(rf"{_STAMP}(?:[ |]*-?[ ]?(?:[\w.]+ - )?\[?(?P<word>{_WORD})\]?[ :|\-]+)", re.I)),
    ("app", "l", re.compile(r"(?P<lvl>[IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.\-]+:\d+\] ?")),
    ("app", "d[", re.compile(rf"\[?{_STAMP}\]?\s+")),
    ("app", "l", re.compile(r"[a-z][\w.\-]{0,40}-\d{1,3}\s*\| (?=\S)")),
)  # fmt: skip
"""Kind, what it begins with (d: a digit, l: a letter, or the sign itself), pattern; the first that matches counts."""
_BY_LEAD = {lead: tuple((kind, p) for kind, leads, p in _PREFIXES if lead in leads) for lead in "dl[<"}
_MAX_PREFIXES = 6
_TELLING = re.compile(r"rknn|rga|npu|mnn|hardware name|swiotlb|dma|im2d|mpp|v4l2|adreno|opencl", re.I)
"""Tags that say something themselves: kernel lines under logcat carry their first word as the tag."""


@dataclass(frozen=True, slots=True)
class Line:
    """One cleaned physical line. number: from 1. level, tag: of the collector's prefix. source: kind of that prefix.

    own: it is read for itself, not only because the one before it may go on in it.
    """

    number: int
    text: str
    level: str | None = None
    tag: str | None = None
    source: str | None = None
    own: bool = True


def clean(raw: str, number: int = 1, own: bool = True) -> Line:
    """Take off everything that pasting and log collectors added. Never fails; what is unknown stays as it is."""
    text = raw[:MAX_LINE]
    if "\x1b" in text or "\\x1b" in text or "\\033" in text or "\\e[" in text:
        text = _ANSI.sub("", text)
    if "[" in text and "m" in text:
        text = _ORPHAN_ANSI.sub("", text)
    if not text.isascii():
        text = text.translate(_WIDE)
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = _CONTROL.sub("", text.replace("\t", " "))
    level: str | None = None
    tag: str | None = None
    source: str | None = None
    for _ in range(_MAX_PREFIXES):
        stripped = _off(text)
        if stripped is not None:
            text = stripped
            continue
        match, kind = _prefix(text)
        if match is None:
            break
        groups = match.groupdict()
        level = groups.get("lvl") or (_LEVELS.get((groups.get("word") or "").lower())) or level
        tag = (groups.get("tag") or "").strip() or tag
        source = kind or source
        text = text[match.end() :]
        if kind == "logcat" and tag is not None and _TELLING.search(tag):
            text = f"{level} {tag}: {text}"
            break
    return Line(number, text.strip().strip("`").strip(), level, tag, source, own)


_MARKS = frozenset(">`*-+•·●○◦▪–—‣(0123456789")
"""What quote marks, bullets and numbers of lists begin with."""


def _off(text: str) -> str | None:
    """The text without one layer of quote marks or a bullet; None where there is none."""
    head = text.lstrip()
    if head[:1] not in _MARKS:
        return None
    for pattern in (_QUOTE, _BULLET):
        match = pattern.match(text)
        if match is not None and match.end() < len(text):
            return text[match.end() :]
    if head[:3] in ("```", "***") or head[:2] == "**":
        return head.lstrip("`*").rstrip("*")
    return None


def _prefix(text: str) -> tuple[re.Match[str] | None, str | None]:
    head = text.lstrip()
    lead = head[:1]
    offset = len(text) - len(head)
    for kind, pattern in _BY_LEAD.get("l" if lead.isalpha() else "d" if lead.isdigit() else lead, ()):
        match = pattern.match(text, offset)
        if match is not None and match.end() < len(text.rstrip()):
            return match, kind
    return None, None
