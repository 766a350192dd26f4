"""The code blocks of a page, in their order."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[a-z{}-]*)\n(?P<body>.*?)^(?P=indent)```$", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Block:
    """One fenced block. line: where it starts in its file, from 1."""

    path: Path
    line: int
    language: str
    body: str


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a Markdown file."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(path, text.count("\n", 0, m.start()) + 1, m["language"], textwrap.dedent(m["body"]))
        for m in FENCE.finditer(text)
    ]
