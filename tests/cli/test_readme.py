"""Every command that the README shows is run, on files of the names that it uses; the two marked ones are as CI needs them."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.run import ROOT, SAMPLES, prepcheck
from tests.docs.files import with_models
from tests.readers.onnx_builder import classifier

README = (ROOT / "README.md").read_text(encoding="utf-8")
CHINESE = (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = sorted(
    {
        line
        for text in (README, CHINESE)
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
        if line.startswith("prepcheck ")
    }
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    three = SAMPLES / "03_rv1106_zero_copy"
    shutil.copy(three / "model.rknn", tmp_path / "model.rknn")
    shutil.copy(three / "street.jpg", tmp_path / "image.jpg")
    np.asarray(Image.open(three / "street.jpg")).tofile(tmp_path / "input.bin")
    (tmp_path / "pictures").mkdir()
    shutil.copy(three / "street.jpg", tmp_path / "pictures" / "1.jpg")
    (tmp_path / "dataset.txt").write_text("pictures/1.jpg\n", encoding="utf-8")
    shutil.copy(
        ROOT / "tests" / "importers" / "files" / "hf" / "clip_shortest_edge.json", tmp_path / "preprocessor_config.json"
    )
    (tmp_path / "model.onnx").write_bytes(classifier(height=400, width=800).model())
    log = "E RKNN: rknn_set_io_mem, input(in0) memory size must be: 11520, but is: 10080\n"
    (tmp_path / "board.log").write_text(log, encoding="utf-8")
    return tmp_path


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 12


@pytest.mark.parametrize("line", COMMANDS)
def test_command(line: str, folder: Path) -> None:
    if "--answer" in line:
        with_models(folder, line)
    if "--plan model.rknn.prepcheck.yaml" in line:
        assert prepcheck("init", "model.rknn", "-o", "model.rknn.prepcheck.yaml", cwd=folder).returncode == 0
    done = prepcheck(*shlex.split(line)[1:], cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    assert done.stderr == ""


def test_the_first_command_runs_the_main_job() -> None:
    first = BLOCKS[0].strip()
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/prepcheck validate ")
    arguments = shlex.split(first.rpartition("&&")[2])[1:]
    done = prepcheck(*arguments, cwd=ROOT)
    assert done.returncode == 0
    printed = " ".join(done.stdout.split())
    shown = re.search(r"```\n(warning RS001.*?)```", README, re.DOTALL)
    assert shown is not None
    for part in shown[1].split("…"):  # what stands between the marks of omission is printed like that
        for piece in part.split("\n\n"):
            assert " ".join(piece.split()) in printed
    for line in ("factor of 2", "960000 bytes"):
        assert line in shown[1]


def test_the_test_command_is_marked_for_ci() -> None:
    marked = re.search(r"<!-- tests -->\n```sh\n(.*?)\n```\n<!-- /tests -->", README, re.DOTALL)
    assert marked is not None
    assert marked[1] == 'python3 -m venv .venv && .venv/bin/pip install -e ".[test]" && .venv/bin/pytest'


def test_python_example_works(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    shutil.copy(folder / "image.jpg", folder / "a.jpg")
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    exec(compile(code[1], "README.md", "exec"), names)  # the README's own lines
    assert names["contract"] is not None
