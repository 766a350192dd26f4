"""INI texts as GLib's key files write them: `[section]`, `key=value`, `#` comments; the place of every key."""

from __future__ import annotations

from prepcheck.errors import CorruptError, TooLargeError
from prepcheck.importers.document import Document, Path, Plain

MAX_LINES = 20_000


def parse(text: str, name: str) -> Document:
    """Sections of keys with texts as values. Raises CorruptError with the line of what is no INI, or stands twice."""
    sections: dict[str, Plain] = {}
    places: dict[Path, tuple[int, int]] = {}
    current: dict[str, Plain] | None = None
    section = ""
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise TooLargeError(f"{name}: over {MAX_LINES} lines; a preprocessing file has tens.")
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if not line.endswith("]") or len(line) < 3:
                raise CorruptError(f"{name}:{number}:1: {line[:60]!r} is no section; one is written [name]")
            section = line[1:-1]
            if section in sections:
                first = places[(section,)][0]
                raise CorruptError(f"{name}:{number}:1: section [{section}] stands twice (first in line {first})")
            current = {}
            sections[section] = current
            places[(section,)] = (number, 1)
            continue
        key, sign, value = line.partition("=")
        key = key.strip()
        if not sign or not key or current is None:
            what = "stands before any section" if sign and current is None else "is no `key=value`"
            raise CorruptError(f"{name}:{number}:1: {line[:60]!r} {what}")
        if key in current:
            first = places[(section, key)][0]
            raise CorruptError(
                f"{name}:{number}:1: [{section}] {key} stands a second time (first in line {first}); readers keep one of the two"
            )
        places[(section, key)] = (number, raw.index("=") + 2)
        current[key] = value.strip()
    return Document(name, "ini", text, sections, places)
