"""A package that registers rules is found, used, and where it raises, named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import SAMPLES

RULE = '''"""A rule of another package."""
from prepcheck.registry import Finding, Rank, rule


@rule("ZZ001", "plugin", over="input", category="size", rank=Rank.SIZE, sources=("none",))
def check(size: int):
    {body}
'''
SAYS = 'yield Finding("from a plugin: {size}", "it is there", "nothing", {"size": size})'
BREAKS = 'raise RuntimeError("a plugin broke")'
MODEL = SAMPLES / "03_rv1106_zero_copy" / "model.rknn"
IMAGE = SAMPLES / "03_rv1106_zero_copy" / "street.jpg"


def install(folder: Path, body: str) -> None:
    """A distribution as pip lays it out."""
    folder.mkdir(exist_ok=True)
    (folder / "their_rules.py").write_text(RULE.replace("{body}", body), encoding="utf-8")
    info = folder / "their_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-rules\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[prepcheck.rules]\ntheirs = their_rules\n", encoding="utf-8")


def run(*folders: Path) -> tuple[int, dict[str, object]]:
    code = "from prepcheck.cli.main import entry; entry()"
    path = os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", code, "validate", str(MODEL), str(IMAGE), "--format", "json"],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


def test_a_plugin_joins_in(tmp_path: Path) -> None:
    install(tmp_path / "site", SAYS)
    code, report = run(tmp_path / "nothing", tmp_path / "site")
    assert code == 1
    assert [f["message"] for f in report["findings"] if f["rule"] == "ZZ001"] == ["from a plugin: 960000"]


def test_without_one_nothing_is_found(tmp_path: Path) -> None:
    (tmp_path / "other-1.0.dist-info").mkdir()
    code, report = run(tmp_path)
    assert (code, report["findings"]) == (0, [])


def test_a_plugin_that_raises_is_named(tmp_path: Path) -> None:
    install(tmp_path / "site", BREAKS)
    code, report = run(tmp_path / "site")
    assert code == 2
    assert report["verdict"] == "unjudged"
    assert "ZZ001" in report["error"]["message"]


@pytest.mark.parametrize("kind", ["archive.zip", "missing"])
def test_odd_entries_of_the_path_do_no_harm(tmp_path: Path, kind: str) -> None:
    if kind.endswith("zip"):
        (tmp_path / kind).write_bytes(b"PK\5\6" + bytes(18))
    code, _ = run(tmp_path / kind)
    assert code == 0
