"""Interrupted sweeps: killed, interrupted by hand, with a damaged journal or changed files; the report is the same."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from tests.cli.run import ROOT, prepcheck
from tests.sweep.pictures import SMALL, folder, save, texture

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
UNITS = 6


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six units of pictures that take a few milliseconds each: links to 12 files of 960x540."""
    path = tmp_path_factory.mktemp("sweep")
    for number in range(12):
        save(path / "made" / f"{number}.jpg", texture(number, (960, 540)))
    (path / "p").mkdir()
    for number in range(UNITS * 16):
        os.link(path / "made" / f"{number % 12}.jpg", path / "p" / f"{number:04d}.jpg")
    (path / "p" / "0020.jpg").unlink()
    (path / "p" / "0020.jpg").write_bytes(b"")
    return path / "p"


def begin(pictures: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "prepcheck", "sweep", str(SMALL), str(pictures), "-j", "2", "--format", "json"]
    return subprocess.Popen(
        [*argv, "-o", str(out), *more], cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def lines(out: Path) -> int:
    journal = Path(f"{out}.journal")
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def wait_for(out: Path, process: subprocess.Popen[str], count: int) -> None:
    for _ in range(6000):
        if lines(out) >= count or process.poll() is not None:
            return
        time.sleep(0.005)


def test_killed_then_interrupted_then_finished_equals_uninterrupted(pictures: Path, tmp_path: Path) -> None:
    out, whole = tmp_path / "r.json", tmp_path / "whole.json"
    killed = begin(pictures, out)
    wait_for(out, killed, 2)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    first = lines(out)
    assert 2 <= first < UNITS + 1
    assert not out.exists()
    _no_orphans(killed.pid)
    interrupted = begin(pictures, out, "--resume")
    wait_for(out, interrupted, first + 1)
    os.kill(interrupted.pid, signal.SIGINT)
    _, said = interrupted.communicate(timeout=60)
    second = lines(out)
    if interrupted.returncode == 130:  # else it was done before the signal came
        assert first < second < UNITS + 1
        assert "--resume goes on" in said
        assert "Traceback" not in said
        finished = begin(pictures, out, "--resume")
        _, said = finished.communicate(timeout=60)
        assert (finished.returncode, said) == (1, "")
    assert not Path(f"{out}.journal").exists()
    assert prepcheck("sweep", SMALL, pictures, "-j", "1", "--format", "json", "-o", whole).returncode == 1
    assert out.read_bytes() == whole.read_bytes()


def _no_orphans(leader: int) -> None:
    """Workers end with the process that they worked for, even where that was killed."""
    for _ in range(400):
        left = []
        for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
            if entry.name.isdigit():
                try:
                    fields = (entry / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
                except OSError:
                    continue
                if int(fields[3]) == leader and fields[0] != "Z":
                    left.append(entry.name)
        if not left:
            return
        time.sleep(0.02)
    raise AssertionError(f"still there: {left}")


@pytest.fixture
def half(tmp_path: Path) -> tuple[Path, Path, bytes]:
    """(folder, report's name, uninterrupted report) with a journal whose last two units are gone."""
    pictures = folder(tmp_path / "p", 64)
    whole, out = tmp_path / "whole.json", tmp_path / "r.json"
    assert prepcheck("sweep", SMALL, pictures, "-j", "1", "--format", "json", "-o", whole).returncode == 0
    _journal(pictures, out)
    text = Path(f"{out}.journal").read_text(encoding="utf-8").splitlines(keepends=True)
    Path(f"{out}.journal").write_text("".join(text[:3]), encoding="utf-8")
    return pictures, out, whole.read_bytes()


def _journal(pictures: Path, out: Path) -> None:
    """Leave the journal of a whole sweep: its report cannot be written where a folder has its name."""
    out.mkdir()
    (out / "x").touch()
    assert prepcheck("sweep", SMALL, pictures, "-j", "1", "--format", "json", "-o", out).returncode == 2
    shutil.rmtree(out)
    assert lines(out) == 5


def resume(pictures: Path, out: Path) -> bytes:
    done = prepcheck("sweep", SMALL, pictures, "-j", "1", "--format", "json", "-o", out, "--resume")
    assert (done.returncode, done.stderr) == (0, "")
    return out.read_bytes()


def test_a_cut_or_damaged_line_is_done_again(half: tuple[Path, Path, bytes]) -> None:
    pictures, out, whole = half
    journal = Path(f"{out}.journal")
    head, one, two = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text(head + one.replace('"unit":0', '"unit":1') + two[: len(two) // 2], encoding="utf-8")
    assert resume(pictures, out) == whole


def test_a_changed_file_is_judged_again(half: tuple[Path, Path, bytes]) -> None:
    pictures, out, whole = half
    first = pictures / "000.png"
    first.write_bytes(b"")
    done = prepcheck("sweep", SMALL, pictures, "-j", "1", "--format", "json", "-o", out, "--resume")
    assert done.returncode == 1
    found = json.loads(out.read_bytes())
    assert found["details"]["sweep"]["unreadable"] == 1
    assert out.read_bytes() != whole


def test_a_journal_of_another_sweep_is_refused(half: tuple[Path, Path, bytes]) -> None:
    pictures, out, _ = half
    done = prepcheck("sweep", SMALL, pictures, "-o", out, "--resume", "--limit", "20", "--format", "json")
    assert done.returncode == 2
    assert "another sweep (other samples)" in json.loads(done.stdout)["error"]["message"]
    Path(f"{out}.journal").write_text("{}\n", encoding="utf-8")
    assert prepcheck("sweep", SMALL, pictures, "-o", out, "--resume").returncode == 2


def test_resume_without_a_journal_begins(tmp_path: Path) -> None:
    assert resume(folder(tmp_path / "p", 4), tmp_path / "r.json")


@pytest.mark.parametrize(
    "change",
    [
        {"ways": []}, {"ways": None}, {"ways": [{"findings": [{}], "unknown": [], "counts": [1, 2, 3]}]}, {"samples": []},
        {"histograms": {"0": [[1, 2]]}}, {"histograms": {"x": []}}, {"histograms": []}, {"unit": 99}, {"unit": "0"},
        {"histograms": {"0": [[0] * 256]}}, {"histograms": {"0": [[True] * 256]}}, {"unit": True}, {"unit": -1},
    ],
)  # fmt: skip
def test_lines_of_another_form_are_not_taken_in(half: tuple[Path, Path, bytes], change: dict[str, object]) -> None:
    pictures, out, whole = half
    journal = Path(f"{out}.journal")
    head, one, two = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    text = json.dumps({**json.loads(one[9:]), **change})
    journal.write_text(f"{head}{zlib.crc32(text.encode()):08x} {text}\n{two}", encoding="utf-8")
    assert resume(pictures, out) == whole


def test_what_is_done_is_not_done_again(half: tuple[Path, Path, bytes]) -> None:
    from prepcheck.app.sweep import SweepRequest, Watcher, sweep

    pictures, out, _ = half
    told: list[int] = []
    watcher = Watcher(begin=lambda total, known: told.extend((total, known)), done=told.append)
    request = SweepRequest(model=SMALL, paths=[str(pictures)], jobs=1, journal=f"{out}.journal", resume=True)
    sweep(request, watcher=watcher).finish()
    assert told == [64, 32, 16, 16]
    assert not Path(f"{out}.journal").exists()


def test_another_plan_beside_the_model_is_another_sweep(tmp_path: Path) -> None:
    pictures, out, model = folder(tmp_path / "p", 20), tmp_path / "r.json", tmp_path / "m.rknn"
    shutil.copy(SMALL, model)
    plan = tmp_path / "m.rknn.prepcheck.yaml"
    text = "prepcheck: plan/v1\nruntime: rknn\nsteps:\n  - decode: {library: pillow, color: RGB}\n"
    plan.write_text(text, encoding="utf-8")
    out.mkdir()
    (out / "x").touch()
    assert prepcheck("sweep", model, pictures, "-j", "1", "--format", "json", "-o", out).returncode == 2
    shutil.rmtree(out)
    plan.write_text(text.replace("RGB", "BGR"), encoding="utf-8")
    done = prepcheck("sweep", model, pictures, "-j", "1", "--format", "json", "-o", out, "--resume")
    assert done.returncode == 2
    assert "other model and plan" in json.loads(done.stdout)["error"]["message"]
