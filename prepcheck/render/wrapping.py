"""Lines of Chinese text: broken between any two characters, not only at spaces, and no line begins with a closing sign."""

from __future__ import annotations

import re

_WIDE = "\u2e80-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
"""CJK signs, ideographs and full-width forms. Source: Unicode, blocks."""
_ANY = re.compile(f"[{_WIDE}]")
_UNIT = re.compile(f"[（《「『【〔［“‘]*(?:[{_WIDE}]|[^{_WIDE}\\s]+)[，。、；：？！）》」』】〕］”’…;,.:]*|\\s+")
"""What stays together: one ideograph or one run without spaces, with the brackets before and the signs after it."""


def is_wide(text: str) -> bool:
    """Whether a text holds a CJK character."""
    return _ANY.search(text) is not None


def wrap(text: str, width: int) -> str:
    """The text with line breaks so that no line is wider than `width` columns, where a unit is not wider itself."""
    from rich.cells import cell_len

    lines: list[str] = []
    line, used = "", 0
    for unit in _UNIT.findall(text):
        wide = cell_len(unit)
        if unit.isspace() and not line:
            continue
        if line and used + wide > width:
            lines.append(line.rstrip())
            line, used = "", 0
            if unit.isspace():
                continue
        line, used = line + unit, used + wide
    return "\n".join([*lines, line.rstrip()]) if line else "\n".join(lines)
