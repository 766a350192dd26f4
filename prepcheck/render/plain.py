"""Text that is safe to print: names out of files and logs never reach a terminal as control sequences."""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 (but tab and newline), DEL, C1
    "\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb"  # zero width, line separators, bidi overrides
    "\ud800-\udfff]"  # lone surrogates
)


def clean(text: str) -> str:
    """Control characters, bidirectional overrides and lone surrogates as visible escapes (`\\x1b`, `\\u202e`)."""
    return _UNSAFE.sub(lambda m: f"\\x{ord(m[0]):02x}" if ord(m[0]) < 256 else f"\\u{ord(m[0]):04x}", text)
