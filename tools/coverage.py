#!/usr/bin/env python3
"""Write docs/coverage.md: which documented or measured rule of the vendor's software is the source of which rule here.

    python tools/coverage.py            write the page
    python tools/coverage.py --check    exit code 1 where the page is not up to date, or an id has no place

`tests/coverage/ids*.json` list what is to be covered (id, confidence, a few words each). The `sources` of the rules say
what is; the rest stands in `tests/coverage/reasons*.json` with one of three reasons.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from prepcheck.app.rules import all_pages  # noqa: E402
from prepcheck.data.sources import fact  # noqa: E402

DATA = ROOT / "tests" / "coverage"
PAGE = ROOT / "docs" / "coverage.md"
GROUPS = {
    "runtime:G": "rknn_inputs_set",
    "runtime:Z": "Zero-copy",
    "runtime:M": "The mini runtime (rv1103, rv1106 and their b forms)",
    "runtime:L": "Native layouts",
    "runtime:P": "Python",
    "runtime:V": "The first generation (rk1808, rk3399pro, rv1109, rv1126)",
    "runtime:B": "Batches, first and second run",
    "runtime:Q": "Quantised values",
    "format:5a": "mean, std, scale and zero point of a build",
    "format:5b": "What reaches memory by rknn_inputs_set",
    "format:5c": "What bound memory is taken for",
    "rga:": "RGA",
}
REASONS = {
    "unstated": "no input to a verifier states it",
    "allowed": "it says what is allowed",
    "part": "it is part of rule {rule}",
}


def load(stem: str) -> dict[str, dict[str, str]]:
    """All files of one kind, merged."""
    found: dict[str, dict[str, str]] = {}
    for path in sorted(DATA.glob(f"{stem}*.json")):
        found |= json.loads(path.read_text(encoding="utf-8"))
    return found


def sources() -> dict[str, list[str]]:
    """id → the rules that name it among their sources."""
    found: dict[str, list[str]] = defaultdict(list)
    for page in all_pages():
        for source in page.sources:
            found[source].append(page.id)
    return found


def problems(
    ids: dict[str, dict[str, str]], reasons: dict[str, dict[str, str]], used: dict[str, list[str]]
) -> list[str]:
    """What is wrong: ids without a place, reasons for what is covered, unknown ids, rules that do not exist."""
    rules = {page.id for page in all_pages()}
    found = [
        f"{key} is the source of no rule and has no reason" for key in ids if key not in used and key not in reasons
    ]
    found += [f"{key} has a reason and is the source of {', '.join(used[key])}" for key in reasons if key in used]
    found += [f"{key} has a reason and is not in the list" for key in reasons if key not in ids]
    found += [
        f"{key}: no rule {r['rule']}" for key, r in reasons.items() if r["reason"] == "part" and r["rule"] not in rules
    ]
    found += [f"{key}: unknown reason {r['reason']}" for key, r in reasons.items() if r["reason"] not in REASONS]
    prefixes = {key.partition(":")[0] for key in ids}
    found += [f"{key} is a source of {', '.join(rs)} and not in the list" for key, rs in used.items()
              if key.partition(":")[0] in prefixes and key not in ids and " " not in key]  # fmt: skip
    return found


def linked(key: str) -> str:
    """An id with a link to its fact and places."""
    entry = fact(key)
    return key if entry is None else f"[{key}](reference/sources.md#{entry.anchor})"


def page() -> str:
    """The text of the page."""
    ids, reasons, used = load("ids"), load("reasons"), sources()
    covered = sum(key in used for key in ids)
    lines = [
        "# Coverage",
        "",
        "What the vendor's documents say, and what was measured of the vendor's software, by number; beside each the rules of",
        "prepcheck that rest on it. An entry's number leads to its fact and where that comes from. Written by",
        "`tools/coverage.py` from the `sources` of the rules; do not edit.",
        "",
        f"{len(ids)} entries with confidence H (measured, or documented and seen) or M (documented, or well inferred): "
        f"{covered} are the source of a rule,",
        f"{len(ids) - covered} are not, each for one of three reasons: "
        + ", ".join(
            f"{sum(r['reason'] == k for r in reasons.values())} because {v.format(rule='X')}"
            for k, v in REASONS.items()
        )
        + ".",
    ]
    for prefix, title in GROUPS.items():
        mine = [key for key in ids if key.startswith(prefix)]
        if not mine:
            continue
        lines += ["", f"## {title}", "", "| entry | confidence | about | rules, or why none |", "|---|---|---|---|"]
        for key in mine:
            reason = reasons.get(key, {})
            if key in used:
                last = ", ".join(sorted(used[key]))
            else:
                last = REASONS[reason["reason"]].format(rule=reason.get("rule", "?")) if reason else "**missing**"
                last += f": {reason['note']}" if "note" in reason else ""
            lines.append(f"| {linked(key)} | {ids[key]['confidence']} | {ids[key]['about']} | {last} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write or check the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing, say what is not up to date")
    check = parser.parse_args().check
    wrong = problems(load("ids"), load("reasons"), sources())
    for line in wrong:
        print(line, file=sys.stderr)
    text = page()
    if check:
        if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
            wrong.append("docs/coverage.md is not up to date")
            print(wrong[-1], file=sys.stderr)
    else:
        PAGE.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
