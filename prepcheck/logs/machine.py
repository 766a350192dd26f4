"""Lines that no pattern knows: made by a machine or written by a person, and if by a machine, whether they complain."""

from __future__ import annotations

import re

from prepcheck.logs.cleaning import Line

_HEAD = re.compile(
    r"(?P<lvl>[VDIWEF])[ /](?P<tag>RKNN(?:API)?|RKNN_API|librga|rockchiprga|RgaUtils|im2d_rga(?:_impl)?|[a-z_]+\.(?:cpp|cc|c|py):\d+\]?"
    r"|[a-z_][a-zA-Z_]{2,30}(?= ?:)|MNN\w*|NPUTransfer|\[[\w./]+:\d+\])(?: ?:|\b) ?"
)
_FAILURE = re.compile(
    r"\b(?:errors?|fail(?:ed|ure|s)?|cannot|can't|can ?not|could not|couldn't|invalid|illegal|unsupport(?:ed)?|not support(?:ed)?"
    r"|exception|abort(?:ed)?|fatal|segmentation|core dumped|denied|refused|timed? ?out|unable|panic|overflow|mismatch(?:ed)?"
    r"|wrong|bad|missing|not found|no such|undefined|corrupt\w*|killed|oops)\b|错误|失败|异常|无效",
    re.I,
)
_NO_FAILURE = re.compile(r"\b(?:no|0|without) (?:errors?|failures?)\b|\berrors?[:=] ?0\b|succe|\berror rate\b", re.I)
_RUNTIME_WORD = re.compile(r"\b(?:rknn\w*|rknpu|rga\w*|im2d\w*|librga|librknn\w*|mnn\w*|opencl|vulkan)\b", re.I)
_PROSE = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|you|your|the|this|that|is|are|was|but|because|please|thanks?|hello|hi|what|why|how|when|where"
    r"|should|would|could|does|did|do|anyone|someone|any|same|problem|issue|tried|using|however|and|with|it|then|there|seems?|looks?|gives?|into|everything)\b",
    re.I,
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_CODE = re.compile(
    r"[;{}]\s*(?://.*)?$|^\s*(?://|/\*|#include|import |from \w+ import|def |class |return\b|if ?\(|for ?\(|auto |const )|->\w+\(|::\w+\("
)
_VALUE = re.compile(r"[\w./ \-\[\]]{1,60}\s*[:=]\s*\S")
_SHELL = re.compile(r"(?:[\w.-]+@[\w.-]+[:~\w/. -]*)?[$#>] ?\S|[A-Z]:\\")
_TRACE = re.compile(r'File "[^"]+", line \d+|Traceback \(most recent call last\)|^\s*(?:at [\w.$]+\(|#\d+ +0x)')


def classify(line: Line, text: str) -> tuple[str | None, str | None]:
    """(label, kind) of a line that no pattern knows; (None, None) where a person wrote it or it is code or empty."""
    if not re.search(r"[^\W\d_]{3}", text):
        return None, None
    if _TRACE.search(text):
        return "follow_up", "traceback"
    head = _HEAD.match(text)
    level = (head["lvl"] if head else None) or line.level
    complains = _FAILURE.search(text) is not None and _NO_FAILURE.search(text) is None
    if head is not None or line.source is not None:
        if level in ("E", "F") or (complains and level != "D"):
            related = head is not None or _RUNTIME_WORD.search(text) or _RUNTIME_WORD.search(line.tag or "")
            return ("not_understood", None) if related else ("harmless", "other_program")
        if level == "W" and (head is not None and _RUNTIME_WORD.search(head["tag"])):
            return "not_understood", None
        return "harmless", "information"
    if prose(text) or _CODE.search(text):
        return None, None
    if complains:
        return ("not_understood", None) if _VALUE.match(text) or _RUNTIME_WORD.search(text) else (None, None)
    return "harmless", "app_print"


def prose(text: str) -> bool:
    """Whether a person wrote a line: words of speech, or characters of a script that no runtime prints."""
    words = text.split()
    if len(_CJK.findall(text)) >= 2:
        return True
    spoken = len(_PROSE.findall(text))
    return len(words) >= 5 and spoken >= 2 and spoken * 6 >= len(words)


def is_trace(text: str) -> bool:
    """Whether a line belongs to a traceback."""
    return _TRACE.search(text) is not None
