#!/usr/bin/env python3
"""Build sdist and wheel, look into both, install the wheel into an empty environment and use it from outside the checkout.

    python tools/check_package.py

Needs pip and the package index (build backend and dependencies). Prints what it did; exits 1 at the first thing amiss.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WHEEL = (
    "prepcheck/__init__.py", "prepcheck/py.typed", "prepcheck/data/chips.json", "prepcheck/data/symptoms.json", "prepcheck/data/sources_mnn.json",
    "prepcheck/locale/zh_CN/LC_MESSAGES/prepcheck.mo", "prepcheck/schemas/plan.schema.json",
    "prepcheck/schemas/contract.schema.json", "prepcheck/schemas/report.schema.json", "prepcheck/rules/sz/",
    "prepcheck/native/",
)  # fmt: skip
SDIST = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "schemas/plan.schema.json", "samples/03_rv1106_zero_copy/model.rknn",
         "tests/conftest.py", "docs/index.md")  # fmt: skip
UNWANTED = ("__pycache__", ".pyc", "docs/generated", ".pot")


def run(*argv: str | Path, cwd: Path | None = None, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command; what it printed. Ends the program where the exit code is another."""
    done = subprocess.run([str(a) for a in argv], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, argv))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def contents(names: list[str], wanted: tuple[str, ...], what: str) -> None:
    """All wanted names (or folders) are there, none that should not be."""
    for name in wanted:
        if not any(n.startswith(name) if name.endswith("/") else n == name for n in names):
            sys.exit(f"{what}: {name} is missing")
    for name in names:
        if any(part in name for part in UNWANTED):
            sys.exit(f"{what}: {name} should not be in it")
    print(f"{what}: {len(names)} files")


def main() -> None:
    """Build, look, install, use."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
        sdist, wheel = next(folder.glob("*.tar.gz")), next(folder.glob("*.whl"))
        with tarfile.open(sdist) as archive:
            contents([n.partition("/")[2] for n in archive.getnames()], SDIST, sdist.name)
        with zipfile.ZipFile(wheel) as packed:
            names = packed.namelist()
            contents(names, WHEEL, wheel.name)
            if any(n.startswith(("tests/", "docs/", "samples/")) for n in names):
                sys.exit("the wheel holds tests, docs or samples")
            print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
        venv = folder / "venv"
        run(sys.executable, "-m", "venv", venv)
        scripts = venv / ("Scripts" if os.name == "nt" else "bin")
        run(scripts / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", wheel)
        use(scripts, folder)
    print("package: all right")


def use(scripts: Path, folder: Path) -> None:
    """The main commands, from a folder that is not the checkout."""
    program = scripts / "prepcheck"
    model = ROOT / "samples" / "03_rv1106_zero_copy" / "model.rknn"
    picture = ROOT / "samples" / "03_rv1106_zero_copy" / "square.jpg"
    wanted = (
        (("--version",), "prepcheck"),
        (("rules", "SZ001"), "SZ001"),
        (("inspect", model), "NHWC [1, 400, 800, 3] int8"),
        (("validate", model, picture), "960000 bytes"),
        (("validate", model, picture, "--lang", "zh"), "警告"),
        (("explain", "--got", "32400", "--want", "3240000", "--shape", "1x3x120x90"), "100 × 32400"),
        (("export", model, "--to", "c-header"), "960000"),
        (("init", model), "prepcheck: plan/v1"),
    )
    for arguments, words in wanted:
        printed = run(program, *arguments, cwd=folder, codes=(0, 1))
        if words not in printed:
            sys.exit(f"prepcheck {' '.join(map(str, arguments))}: {words!r} is not in what it prints:\n{printed}")
    print(f"installed: {len(wanted)} commands, each says what it should")
    shown = run(scripts / "python", "-m", "pip", "check", cwd=folder)
    print("pip check:", shown.strip())


if __name__ == "__main__":
    main()
