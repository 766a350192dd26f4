"""A page read back: whether it is well formed, its tags, its text, what it refers to."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "link", "img", "br", "hr", "input", "rect", "path", "line"}


class Page(HTMLParser):
    """tags: how often each occurs; text: what is visible, one string per run of text; references: every URL; ids."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter[str] = Counter()
        self.text: list[str] = []
        self.references: list[str] = []
        self.ids: list[str] = []
        self.handlers: list[str] = []
        self.headings: list[str] = []
        self._open: list[str] = []
        self.source = source
        self.feed(source)
        self.close()
        assert not self._open, f"never closed: {self._open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for key, value in attrs:
            if key in ("src", "href", "srcset", "data", "action", "poster", "xlink:href"):
                self.references.append(value or "")
            if key == "id":
                self.ids.append(value or "")
            if key.startswith("on"):
                self.handlers.append(key)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open[-1] == tag, f"</{tag}> closes <{self._open[-1]}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] in ("style", "script"):
            self.references += re.findall(r"url\(([^)]*)\)|@import\s+(\S+)", data)
            return
        words = " ".join(data.split())
        if words:
            self.text.append(words)
            if self._open and self._open[-1] in ("h1", "h2"):
                self.headings.append(words)

    @property
    def words(self) -> str:
        """All visible text."""
        return " ".join(self.text)
