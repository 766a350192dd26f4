#!/usr/bin/env python3
"""Write docs/reference/sources.md: the fact and the public places behind every short id that a rule cites.

    python tools/sources.py            write the page
    python tools/sources.py --check    exit code 1 where the page is not up to date

The entries are data: prepcheck/data/sources_*.json.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from prepcheck.data.sources import TITLES, Fact, all_facts, documents  # noqa: E402

PAGE = ROOT / "docs" / "reference" / "sources.md"
HEAD = """# Sources

Rules cite facts by short ids such as `mnn:I22` or `runtime:P-10`. Here stands what each states and where it comes from: a
document of the vendor with the section, a file or an issue of a public repository, a measurement with the version of the
package, or a conclusion that is marked as inferred. `prepcheck rules ID` shows the same under the rule. Written by
`tools/sources.py` from `prepcheck/data/sources_*.json`; do not edit.

Confidence: high = measured, or documented and seen; medium = documented, or well inferred; low = inferred. "Under emulation"
means that the vendor's own library ran on a PC with a stand-in for the driver: codes, messages, attributes and the bytes
handed to the NPU are real, no NPU computed anything. No Rockchip board and no GPU was measured.
"""


def marked_down(text: str) -> str:
    """Plain text as Markdown: nothing in it is markup."""
    return re.sub(r"[\\`*<>\[\]|{}]|(?<![^\W_])_|_(?![^\W_])", lambda m: "\\" + m[0], text)


def linked(place: str) -> str:
    """A place, an issue or a repository as a link."""
    found = re.match(r"(?P<repository>[\w.-]+/[\w.-]+)(?:#(?P<issue>\d+)|(?=: ))", place)
    if found is None:
        return marked_down(place)
    url = f"https://github.com/{found['repository']}" + (f"/issues/{found['issue']}" if found["issue"] else "")
    return f"[{marked_down(found[0])}]({url}){marked_down(place[found.end() :])}"


def entry(fact: Fact) -> list[str]:
    """One fact."""
    lines = [f"### {fact.id}", "", f"{marked_down(fact.statement)} Confidence: {fact.confidence}.", ""]
    return [*lines, *(f"- {linked(place)}" for place in fact.places), ""]


def page() -> str:
    """The text of the page."""
    lines = [HEAD, "## Documents", "", "| name in the places | published as |", "|---|---|"]
    lines += [f"| {marked_down(name)} | {marked_down(where)} |" for name, where in documents().items()]
    lines.append("")
    for prefix, title in TITLES.items():
        lines += [f"## {title}", ""]
        for fact in all_facts():
            if fact.id.startswith(f"{prefix}:"):
                lines += entry(fact)
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, say what is not up to date")
    check = parser.parse_args().check
    text = page()
    if not check:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print(f"{PAGE.relative_to(ROOT)} is not up to date: python tools/sources.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
