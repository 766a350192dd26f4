"""Every command, plan and program that a page of docs/ shows is run; a `text` block is what the command before it prints."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.cli.run import ROOT, SAMPLES, prepcheck
from tests.docs.blocks import Block, blocks
from tests.docs.files import with_models
from tests.readers.onnx_builder import classifier

DOCS = ROOT / "docs"
PAGES = sorted(p for p in DOCS.rglob("*.md") if "generated" not in p.parts and p.parent.name != "start")
KNOWN = {"sh", "python", "yaml", "text", "json", "c", "{toctree}", "{eval-rst}", "{include}", ""}
ELSEWHERE = (
    "pip install",
    "python3 -m venv",
    "sphinx-build",
    "docker ",
    "dask ",
    "gcc ",
    "cc ",
    "LD_PRELOAD=",
    "pytest",
    "git ",
    "eval ",
)
"""Beginnings of shell lines that are no command of ours: they install, build or run on a board."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the pages speak of."""
    one, two, three = (SAMPLES / n for n in ("01_mnn_ostrack_gpu", "02_rv1126_batch100", "03_rv1106_zero_copy"))
    for source, name in (
        (three / "model.rknn", "model.rknn"), (three / "street.jpg", "image.jpg"), (three / "street.jpg", "a.jpg"),
        (three / "board.txt", "board.log"), (three / "toolkit_official_model.txt", "good.log"),
        (one / "tracker.mnn", "tracker.mnn"), (one / "frame.jpg", "frame.jpg"), (one / "config.cpp.txt", "config.cpp"),
        (two / "model.rknn", "batch100.rknn"), (two / "plate.png", "plate.png"),
    ):  # fmt: skip
        shutil.copy(source, tmp_path / name)
    np.asarray(Image.open(three / "street.jpg")).tofile(tmp_path / "input.bin")
    files = ROOT / "tests" / "importers" / "files"
    for source, name in (
        (files / "hf" / "clip_shortest_edge.json", "preprocessor_config.json"), (files / "rknn" / "detector.py", "convert.py"),
        (files / "ultralytics" / "detect.yaml", "metadata.yaml"), (files / "mnn" / "mobilenet_caffe.json", "quantizer.json"),
        (files / "modelinfo" / "ssd.modelinfo", "model.onnx.modelinfo"),
    ):  # fmt: skip
        shutil.copy(source, tmp_path / name)
    (tmp_path / "model.onnx").write_bytes(classifier(height=400, width=800).model())
    (tmp_path / "pictures").mkdir()
    for name in ("street", "square"):
        shutil.copy(three / f"{name}.jpg", tmp_path / "pictures" / f"{name}.jpg")
    (tmp_path / "dataset.txt").write_text("pictures/street.jpg\npictures/square.jpg\n", encoding="utf-8")
    return tmp_path


def test_there_are_pages() -> None:
    assert len(PAGES) >= 12
    assert sum(b.language == "sh" for p in PAGES for b in blocks(p)) >= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(DOCS)))
def test_page(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    printed = ""
    names: dict[str, object] = {}
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        assert block.language in KNOWN, where
        if block.language == "sh":
            printed = shell(block, folder, where)
        elif block.language == "text" and printed:
            for line in block.body.splitlines():
                assert line.strip().strip("…").strip() in printed, f"{where}: {line}"
        elif block.language == "yaml" and "prepcheck: plan/v1" in block.body:
            (folder / "plan.yaml").write_text(block.body, encoding="utf-8")
            done = prepcheck("validate", "--plan", "plan.yaml", "--strict", cwd=folder)
            assert done.returncode == ("# wrong" in block.body), f"{where}: {done.stdout}{done.stderr}"
        elif block.language == "python":
            program = compile(block.body, where, "exec")
            if page.name != "guard.md":  # that page's objects are on a board; its calls are run by tests/guarding
                exec(program, names)


def shell(block: Block, folder: Path, where: str) -> str:
    """Run the commands of a block; what they print, with its line breaks as they are and as blanks."""
    printed = ""
    for line in re.sub(r"\\\n\s*", "", block.body).splitlines():
        line = line.partition("  #")[0].strip()
        if not line.startswith("prepcheck "):
            assert not line or line.startswith(("#", *ELSEWHERE, "python ", "python -m ")), where
            continue
        if "$" in line or "|" in line:
            continue
        if "MNN" in where or "--run" in line:
            pytest.importorskip("MNN")
        if "--answer" in line:
            with_models(folder, line)
        arguments = shlex.split(line)[1:]
        if "golden" in arguments and "--force" not in arguments:
            arguments.append("--force")
        done = prepcheck(*arguments, cwd=folder)
        assert done.returncode in (0, 1), f"{where}: {line}: {done.stderr}"
        printed += done.stdout + " ".join(done.stdout.split())
    return printed
