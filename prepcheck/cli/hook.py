"""For pre-commit: `python -m prepcheck.cli.hook plan FILE …` and `… lock MODEL …`: many files, one exit code.

plan: each file is a plan and is validated. lock: each model is held against MODEL.contract.json beside it, which has to
be committed once. The exit code is the worst of all files: 0, 1 or 2.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

KINDS = ("plan", "lock")


def main(arguments: Sequence[str]) -> int:
    """Check every file; one file's trouble does not keep the others from being checked."""
    if not arguments or arguments[0] not in KINDS:
        sys.stderr.write(f"usage: python -m prepcheck.cli.hook {'|'.join(KINDS)} FILE …\n")
        return 2
    kind, *files = arguments
    return max((_one(kind, file) for file in files), default=0)


def _one(kind: str, file: str) -> int:
    if kind == "plan":
        return _run("validate", "--plan", file, "-q")
    lock = f"{file}.contract.json"
    if not os.path.exists(lock):
        sys.stderr.write(
            f"{file}: no contract is committed; run `prepcheck diff --lock {lock} {file}` and add {lock}\n"
        )
        return 1
    return _run("diff", "--lock", lock, file, "-q")


def _run(*arguments: str) -> int:
    from prepcheck.cli.main import main as command

    try:
        command(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
