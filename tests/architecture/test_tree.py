"""What lies in the tree: short files everywhere, an origin and a licence for every binary, nothing that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = {".rknn", ".mnn", ".onnx", ".tflite", ".jpg", ".png", ".npy", ".pcrec", ".bin", ".webp", ".gif", ".zip"}
SOURCES = sorted(
    p for folder in ("tests", "tools", "samples", "docs", "prepcheck") for p in (ROOT / folder).rglob("*.py")
)


def test_no_python_file_is_long() -> None:
    """Tests too: a file of more than 400 lines has two reasons to change."""
    long = {
        str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_no_c_source_is_long() -> None:
    """One C header is one file to carry to a board; it may be longer, not without end."""
    for path in (ROOT / "prepcheck" / "native").iterdir():
        if path.suffix in (".c", ".h", ".hpp", ".in"):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= 600, path.name


def _binaries() -> dict[Path, list[Path]]:
    found: dict[Path, list[Path]] = {}
    for folder in ("tests", "samples"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in BINARY and "generated" not in path.parts and "__pycache__" not in path.parts:
                found.setdefault(path.parent, []).append(path)
    return found


@pytest.mark.parametrize("folder", sorted(_binaries()), ids=lambda p: str(p.relative_to(ROOT)))
def test_every_fixture_says_where_it_comes_from(folder: Path) -> None:
    """A README in the folder or above it, below tests/ or samples/, that states origin and licence."""
    here = folder
    while here != ROOT:
        text = " ".join(p.read_text(encoding="utf-8") for p in here.glob("README*.md"))
        if re.search(r"licen[cs]e", text, re.I):
            assert re.search(r"\b(made|built|drawn|generated|written|comes? from|taken from|recorded)\b", text, re.I), (
                here
            )
            return
        here = here.parent
    raise AssertionError(f"no README from {folder.relative_to(ROOT)} upwards states a licence")


def test_dependencies_have_lower_bounds() -> None:
    """CI installs the lowest ones that are stated; each has to state one."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    listed = re.findall(r'"([^"]+)"', text.partition("\ndependencies = [")[2].partition("\n]")[0])
    assert 0 < len(listed) <= 8, "few: each one is somebody else's release that can break a user's build"
    for entry in listed:
        assert re.fullmatch(r"[\w.\-]+>=[\d.]+(,<\d+)?", entry), entry
    assert "resolution lowest-direct" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_security_page() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for word in ("hostile", "never executed", "unpickled", "network", "report it", "python -m tests.fuzz"):
        assert word in text, word


def test_public_modules_keep_their_lists() -> None:
    """Every `__all__` names things that are there, once, in order."""
    import importlib

    for path in sorted((ROOT / "prepcheck").rglob("*.py")):
        if not re.search(r"^__all__\b", path.read_text(encoding="utf-8"), re.M) or path.parent.name == "native":
            continue
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        module = importlib.import_module(name)
        listed = list(module.__all__)
        assert len(listed) == len(set(listed)), name
        assert [n for n in listed if not hasattr(module, n)] == [], name


def test_nothing_runs_a_shell_or_unpickles() -> None:
    """Files of users are never executed: no eval, exec, pickle, shell, nor a YAML loader that makes objects."""
    bad = re.compile(
        r"(?<![\w.])(eval|exec)\(|\bpickle\b|shell=True|os\.system\(|allow_pickle=True|typ=\"unsafe\"|yaml\.load\("
    )
    allowed = re.compile(r"[\"'`#].*|re\.compile|no pickles")
    own_bytes = {"job.py"}  # a sweep's job goes to its own workers, as bytes that no file holds
    for path in (ROOT / "prepcheck").rglob("*.py"):
        if path.name in own_bytes:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = bad.search(line)
            if found and not allowed.search(line[: found.start()] or " "):
                raise AssertionError(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
