"""Where --report writes, what it refuses, and that nothing of it is loaded without being asked for."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.run import MODELS, SAMPLES, prepcheck
from tests.html.reading import Page

THREE = SAMPLES / "03_rv1106_zero_copy"
MODEL = THREE / "model.rknn"
IMAGE = THREE / "street.jpg"


def test_a_refusal_is_a_page_too(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = prepcheck("validate", tmp_path / "no.rknn", IMAGE, "--report", page)
    assert done.returncode == 2
    found = Page(page.read_text(encoding="utf-8"))
    assert "cannot be opened" in found.headings[0]
    assert "could not be judged" in found.text
    assert "not_found" in found.text


@pytest.mark.parametrize("name", ["", "-", "folder", "missing/out.html"])
def test_targets_that_are_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    target = str(tmp_path / name) if len(name) > 1 else name
    done = prepcheck("validate", MODEL, IMAGE, "--report", target, cwd=tmp_path)
    assert done.returncode == 2
    assert "--report" in done.stderr
    assert done.stdout == ""


def test_a_file_that_is_read_is_never_replaced(tmp_path: Path) -> None:
    image = tmp_path / "a.jpg"
    image.write_bytes(IMAGE.read_bytes())
    (tmp_path / "link.html").symlink_to(image)
    for target in (image, tmp_path / "link.html"):
        done = prepcheck("validate", MODEL, image, "--report", target)
        assert done.returncode == 2
        assert "reads that file" in done.stderr
    assert image.read_bytes() == IMAGE.read_bytes()


def test_a_file_that_is_no_page_is_never_replaced(tmp_path: Path) -> None:
    notes = tmp_path / "notes.html"
    notes.write_text("<!doctype html><p>dear diary", encoding="utf-8")
    done = prepcheck("validate", MODEL, IMAGE, "--report", notes)
    assert done.returncode == 2
    assert "no page of prepcheck" in done.stderr
    assert notes.read_text(encoding="utf-8") == "<!doctype html><p>dear diary"


def test_an_earlier_page_is_replaced_whole(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    page.write_text(
        '<!doctype html><meta name="generator" content="prepcheck 0.0.9"><p>an older page', encoding="utf-8"
    )
    assert prepcheck("validate", MODEL, IMAGE, "--report", page).returncode == 0
    first = page.read_bytes()
    assert b"an older page" not in first
    assert prepcheck("validate", MODEL, IMAGE, "--report", page).returncode == 0
    assert page.read_bytes() == first
    assert [p.name for p in tmp_path.iterdir()] == ["out.html"]
    assert stat.S_IMODE(page.stat().st_mode) & 0o400


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    done = prepcheck("validate", MODEL, IMAGE, "--report", folder / "out.html")
    assert done.returncode == 2
    assert "no permission" in done.stderr


def test_json_and_exit_code_are_as_without(tmp_path: Path) -> None:
    plain = prepcheck("validate", MODEL, IMAGE, "--format", "json")
    with_page = prepcheck("validate", MODEL, IMAGE, "--format", "json", "--report", tmp_path / "out.html")
    assert (plain.returncode, plain.stdout) == (with_page.returncode, with_page.stdout)


def test_nothing_is_loaded_unless_asked(tmp_path: Path) -> None:
    code = (
        "import sys; from prepcheck.cli.main import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "bad = [m for m in sys.modules if m.startswith(('jinja2', 'markupsafe', 'prepcheck.render.html', 'prepcheck.app.report'))]\n"
        "print('LOADED', bad)"
    )
    model = next(MODELS.rglob("*.rknn"), MODEL)
    for arguments in (["validate", str(model)], ["validate", str(MODEL), str(IMAGE)]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
        assert done.stdout.rstrip().endswith("LOADED []")


def test_other_commands_write_a_page_too(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    done = prepcheck("diff", THREE / "right.yaml", THREE / "pixels_as_int8.yaml", "--report", page)
    assert done.returncode in (0, 1)
    assert Page(page.read_text(encoding="utf-8")).tags["h1"] == 1
    assert prepcheck("sweep", MODEL, THREE, "--jobs", "1", "--report", page).returncode == 0
    assert "RS001" in Page(page.read_text(encoding="utf-8")).words


def test_what_is_ignored_with_a_reason_is_not_on_the_page(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    square = THREE / "square.jpg"
    assert prepcheck("validate", MODEL, square, "--strict", "--report", page).returncode == 1
    assert "factor of 2" in Page(page.read_text(encoding="utf-8")).headings[0]
    done = prepcheck("validate", MODEL, square, "--strict", "--ignore", "RS001=trained so", "--report", page)
    assert done.returncode == 0
    found = Page(page.read_text(encoding="utf-8"))
    assert "factor of 2" not in found.headings[0]
    assert "Ignored, with the reason" in found.headings
    assert "reason: trained so" in found.words
    assert all(r[1:] in found.ids for r in found.references if r.startswith("#"))
    assert len(found.ids) == len(set(found.ids))
