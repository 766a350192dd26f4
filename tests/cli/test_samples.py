"""Every command of every sample's README works, and says what the README promises."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.run import SAMPLES, prepcheck, report

PLAIN = ["02_rv1126_batch100", "03_rv1106_zero_copy"]


def commands(sample: str) -> list[str]:
    text = (SAMPLES / sample / "README.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    return [line for line in lines if line.startswith("prepcheck ")]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    for sample in PLAIN:
        shutil.copytree(SAMPLES / sample, folder / sample)
    return folder


@pytest.mark.parametrize("sample", PLAIN)
def test_commands_in_their_order(sample: str, copies: Path) -> None:
    for line in commands(sample):
        done = prepcheck(*shlex.split(line)[1:], cwd=copies / sample)
        assert done.returncode in (0, 1), (line, done.stderr)
        assert done.stderr == "", line


def test_02_names_the_batch() -> None:
    folder = SAMPLES / "02_rv1126_batch100"
    found = report("explain", "--file", folder / "error.txt", "--shape", "1x3x120x90", code=1)
    assert found["findings"][0]["category"] == "batch"
    assert "3240000 = 100 × 32400 = 100 × (1·3·120·90)" in found["findings"][0]["message"]
    first = report("validate", "--plan", folder / "one_image.yaml", code=1)["findings"][0]
    assert first["category"] == "batch"
    for number in ("32400", "3240000", "100"):
        assert number in first["message"] + first["explanation"]
    assert report("validate", "--plan", folder / "hundred_images.yaml", code=0)["verdict"] == "ok"


def test_03_ends_with_the_test_that_separates() -> None:
    folder = SAMPLES / "03_rv1106_zero_copy"
    files = [
        x
        for name in ("board", "toolkit_own_model", "toolkit_official_model")
        for x in ("--file", folder / f"{name}.txt")
    ]
    found = report("explain", *files, code=0)
    assert found["scope"] == "cannot_tell"
    assert "black image" in found["next_tests"][0]["do"]
    cleared = " ".join(r["what"] + r["because"] for r in found["ruled_out"])
    for words in ("960000", "800x800", "122", "-123", "opset", "color"):
        assert words in cleared
    assert report("validate", "--plan", folder / "pixels_as_int8.yaml", code=1)["findings"][0]["category"] == "dtype"
    assert report("validate", "--plan", folder / "right.yaml", code=0)["verdict"] == "ok"
