"""The reader's language: templates are translated before their places are filled. English is the source language."""

from __future__ import annotations

import gettext
from collections.abc import Callable
from pathlib import Path

LOCALES = Path(__file__).resolve().parent.parent / "locale"
LANGUAGES = {"zh": "zh_CN"}
"""What `--lang` takes besides `en`, and the catalogue that serves it."""


def translator(language: str) -> Callable[[str], str]:
    """The function that turns an English template into one of the language; what is missing stays English."""
    code = LANGUAGES.get(language)
    if code is None:
        return str
    found = gettext.translation("prepcheck", localedir=LOCALES, languages=[code], fallback=True)

    def translate(text: str) -> str:
        return found.gettext(text) if text else text

    return translate
