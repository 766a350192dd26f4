"""C and C++ sources that users build for their board: the recorder of calls. Package data, never compiled at install."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
TRACER: Final = "prepcheck_trace.c"
TRACER_MNN: Final = "prepcheck_trace_mnn.hpp"
WRAP: Final = "prepcheck_trace.wrap"
_INCLUDE: Final = re.compile(r'^#include "(prepcheck_\w+\.h(?:pp)?)"\n', re.MULTILINE)
_HOOK: Final = re.compile(r"^(?:PC_HOOK\(\s*[\w *]+,\s*|PCT_IM(?:2\(\"\w+\",|FILL\(|PROCESS\()\s*)(\w+)", re.MULTILINE)
_IMPORTS: Final = re.compile(r"^PCT_IMPORTS\((\w+), \"\w+\", [\w *]+, (\w+), (\w+)\)", re.MULTILINE)


def source(name: str) -> str:
    """One source file as text. Raises KeyError for a name that is not here."""
    path = FOLDER / name
    if path.parent != FOLDER or not path.is_file():
        raise KeyError(name)
    return path.read_text(encoding="utf-8")


def amalgamated(name: str = TRACER) -> str:
    """A source with its own headers put in where they are included first: one file to carry to the board."""
    seen: set[str] = set()

    def put_in(found: re.Match[str]) -> str:
        header = found[1]
        if header in seen:
            return ""
        seen.add(header)
        return _INCLUDE.sub(put_in, source(header))

    return _INCLUDE.sub(put_in, source(name))


def hooks() -> list[str]:
    """Every symbol that the recorder catches, sorted: what `--wrap` has to be given."""
    text = amalgamated()
    found = {name for name in _HOOK.findall(text) if name != "symbol"}
    for names in _IMPORTS.findall(text):
        found.update(names)
    return sorted(found)


def wrap_file() -> str:
    """Content of prepcheck_trace.wrap, the options file that makes a linker send the calls through the recorder."""
    return "".join(f"-Wl,--wrap={name}\n" for name in hooks())
