#!/usr/bin/env python3
"""Run the acceptance scripts that lie beside the checkout, print their scores, and hold them against a committed list.

    python tools/acceptance.py [--update]

`tests/acceptance_right.txt` names the items that are right (`case:p001`, `raw:seed2`, …). The list only grows: an item
in it that is no longer right fails the run, `--update` adds what has become right. The contracts must be all right.
Where `../shared/acceptance` does not lie beside the checkout, nothing is run and that is said.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "acceptance"
LIST = ROOT / "tests" / "acceptance_right.txt"
COMMAND = f"{sys.executable} -m prepcheck"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """One acceptance script."""
    argv = [sys.executable, str(SHARED / script), *arguments, "--prepcheck", COMMAND]
    return subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, check=False)


def cases() -> tuple[set[str], str]:
    """Ids that are right, and the last line."""
    done = run("run_cases.py", str(SHARED / "cases"), "--json", "--jobs", "2")
    report = json.loads(done.stdout)
    return {f"case:{item['id']}" for item in report["items"] if item["right"]}, report["line"]


def raw() -> tuple[set[str], str]:
    """Ids that are right, and the last line."""
    items = json.loads((SHARED / "raw" / "expected.json").read_text(encoding="utf-8"))["items"]
    lines = run("run_raw.py", str(SHARED / "raw")).stdout.splitlines()
    wrong = {match[1] for line in lines if (match := re.match(r"([\w.-]+): ", line)) and not line.startswith("raw: ")}
    return {f"raw:{item['id']}" for item in items if item["id"] not in wrong}, lines[
        -1
    ] if lines else "raw: nothing printed"


def main() -> int:
    """Exit status 0 where nothing that was right has become wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="add what has become right to the list")
    arguments = parser.parse_args()
    if not SHARED.is_dir():
        print("acceptance: ../shared/acceptance is not beside the checkout; not run")
        return 0
    contracts = run("check_contracts.py")
    print(contracts.stdout.splitlines()[-1] if contracts.stdout else contracts.stderr)
    right, line = cases()
    print(line)
    right_raw, line = raw()
    print(line)
    right |= right_raw
    known = set(LIST.read_text(encoding="utf-8").split()) if LIST.exists() else set()
    lost = sorted(known - right)
    for item in lost:
        print(f"acceptance: {item} was right and is not any more")
    if arguments.update:
        LIST.write_text("".join(f"{item}\n" for item in sorted(known | right)), encoding="utf-8")
        print(f"acceptance: {len(known | right)} items in {LIST.name}, {len(right - known)} new")
    elif right - known:
        print(f"acceptance: {len(right - known)} items have become right; run with --update")
    return 1 if lost or contracts.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
