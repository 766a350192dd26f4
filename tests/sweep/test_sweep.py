"""The command: groups with counts, broken files, sets to calibrate with, formats, the same bytes however many work."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.cli.run import MODELS, prepcheck
from tests.sweep.pictures import SMALL, folder, save, texture


def report(*arguments: object, code: int) -> dict[str, Any]:
    done = prepcheck("sweep", *arguments, "-j", "1", "--format", "json")
    assert done.returncode == code, (done.returncode, done.stdout[:1500], done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def rules(found: dict[str, Any], severity: str | None = None) -> list[str]:
    return [f["rule"] for f in found["findings"] if severity in (None, f["severity"])]


def finding(found: dict[str, Any], rule: str) -> dict[str, Any]:
    (one,) = [f for f in found["findings"] if f["rule"] == rule]
    return dict(one)


def test_a_clean_folder_is_ok(tmp_path: Path) -> None:
    found = report(SMALL, folder(tmp_path, 24), code=0)
    assert found["verdict"] == "ok"
    assert rules(found) == []
    told = found["details"]["sweep"]
    assert (told["samples"], told["judged"], told["unreadable"], told["kind"]) == (24, 24, 0, "folder")
    counts = told["inputs"]["images"]["channels"][0]
    assert (counts["low"], counts["high"], sum(counts["histogram"])) == (0, 255, 24 * 36 * 20)


def test_broken_files_do_not_stop_it_and_are_counted_once(tmp_path: Path) -> None:
    folder(tmp_path, 20, ending="jpg")
    (tmp_path / "003.jpg").write_bytes((tmp_path / "003.jpg").read_bytes()[:400])
    (tmp_path / "007.jpg").write_bytes(b"")
    (tmp_path / "008.jpg").write_bytes(b"<html>404</html>")
    (tmp_path / "009.npy").write_bytes(b"\x93NUMPY\x01\x00\xff")
    os.symlink("nowhere", tmp_path / "010b.jpg")
    found = report(SMALL, tmp_path, code=1)
    one = finding(found, "IM001")
    assert one["evidence"]["count"] == 5
    assert one["evidence"]["total"] == 22
    assert "003.jpg" in one["message"]
    assert len(one["evidence"]["problems"]) == 5
    assert found["details"]["sweep"]["judged"] == 17
    left_out = report(SMALL, tmp_path, "--ignore", "IM001", code=0)
    assert rules(left_out) == []
    assert left_out["details"]["sweep"]["unreadable"] == 5


def test_all_broken_is_unjudged(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"")
    found = report(SMALL, tmp_path, code=2)
    assert found["verdict"] == "unjudged"
    assert found["error"]["code"] == "image"
    assert "none of the 1 samples" in found["error"]["message"]


def test_findings_are_grouped(tmp_path: Path) -> None:
    folder(tmp_path, 6)
    for number in range(3):
        save(tmp_path / f"wide{number}.png", texture(90 + number, (80, 20)))
    found = report(SMALL, tmp_path, code=0)
    one = finding(found, "RS001")
    assert "3 of 9 samples" in one["message"]
    assert "wide0.png" in one["message"]
    assert [Path(s).name for s in one["evidence"]["samples"]] == ["wide0.png", "wide1.png", "wide2.png"]
    assert found["verdict"] == "warning"
    assert prepcheck("sweep", SMALL, tmp_path, "-j", "1", "--strict").returncode == 1
    assert rules(report(SMALL, tmp_path, "--ignore", "RS001", code=0)) == []


def test_a_list_to_calibrate_with(tmp_path: Path) -> None:
    lines = []
    for number in range(21):
        picture = np.clip(texture(number), 0, 180)
        save(tmp_path / "p" / f"{number}.png", picture.astype(np.uint8))
        lines.append(f"p/{number}.png")
    np.save(tmp_path / "n.npy", (texture(99).transpose(2, 0, 1)[None] / 255).astype(np.float32))
    np.save(tmp_path / "h.npy", texture(98)[None].astype(np.float32))
    (tmp_path / "dataset.txt").write_text("\n".join([*lines, "n.npy", "h.npy", "a b.png", "p/0.png"]), encoding="utf-8")
    found = report(SMALL, tmp_path / "dataset.txt", code=1)
    assert finding(found, "NM401")["severity"] == "error"
    assert "n.npy" in finding(found, "NM401")["message"]
    assert finding(found, "LY401")["evidence"]["shape"] == [1, 20, 36, 3]
    assert finding(found, "RK401")["evidence"]["line"] == 24
    assert finding(found, "IM401")["severity"] == "info"
    assert "IM402" not in rules(found)
    assert (
        report(SMALL, tmp_path / "dataset.txt", "--no-calibration", "--select", "LY,RK4,QT4", code=0)["findings"] == []
    )


def test_range_of_a_set_is_told_with_the_scale_it_gives(tmp_path: Path) -> None:
    for number in range(20):
        save(tmp_path / f"{number}.png", np.clip(texture(number), 0, 190).astype(np.uint8))
    found = report(SMALL, tmp_path, "--calibration", code=0)
    one = finding(found, "QT401")
    assert one["evidence"]["scale"] == pytest.approx(190 / 255)
    assert one["evidence"]["zero_point"] == -128
    assert "QT401" not in rules(report(SMALL, tmp_path, code=0))


def test_two_inputs_on_a_line(tmp_path: Path) -> None:
    model = MODELS / "rknn" / "rk3588_rgb_plus_gray_custom_i8.rknn"
    save(tmp_path / "rgb.png", texture(1))
    Image.fromarray(texture(2)[..., 0]).save(tmp_path / "gray.png")
    (tmp_path / "d.txt").write_text("rgb.png gray.png\n" * 2, encoding="utf-8")
    found = report(model, tmp_path / "d.txt", code=0)
    inputs = found["details"]["sweep"]["inputs"]
    assert {name: len(i["channels"]) for name, i in inputs.items()} == {"rgb": 3, "gray": 1}


def test_same_bytes_however_many_work(tmp_path: Path) -> None:
    folder(tmp_path / "p", 40, ending="jpg")
    (tmp_path / "p" / "005.jpg").write_bytes(b"")
    save(tmp_path / "p" / "zz.png", texture(5, (90, 40)))
    texts = []
    for jobs, format_ in ((1, "jsonl"), (2, "jsonl"), (1, "text")):
        out = tmp_path / f"{jobs}.{format_}"
        done = prepcheck("sweep", SMALL, tmp_path / "p", "-j", jobs, "--format", format_, "-o", out)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
        assert not Path(f"{out}.journal").exists()
        texts.append(out.read_bytes())
    assert texts[0] == texts[1]
    assert "41 samples of" in texts[2].decode()
    assert "\x1b" not in texts[2].decode()
    lines = [json.loads(line) for line in texts[1].splitlines()]
    assert len(lines) == 42
    assert lines[-1]["report"]["verdict"] == "error"
    assert [x["verdict"] for x in lines[:-1]].count("unjudged") == 1
    assert lines[5]["error"]["code"] == "image"
    assert lines[40]["findings"][0]["rule"] == "RS001"


def test_limit_and_sample(tmp_path: Path) -> None:
    folder(tmp_path, 30)
    done = prepcheck("sweep", SMALL, tmp_path, "--sample", 5, "--seed", 3, "--format", "json", "-j", "1")
    assert done.stderr == "drawn with --sample 5 --seed 3\n"
    told = json.loads(done.stdout)["details"]["sweep"]
    assert (told["samples"], told["found"], told["sample"], told["seed"]) == (5, 30, 5, 3)
    assert report(SMALL, tmp_path, "--limit", 4, code=0)["details"]["sweep"]["samples"] == 4


def test_plan_decides_what_is_done(tmp_path: Path) -> None:
    folder(tmp_path / "p", 3, size=(50, 50))
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "prepcheck: plan/v1\nruntime: rknn\nplatform: rk3566\nsteps:\n  - decode: {library: opencv, color: BGR}\n"
        "  - convert_color: {to: RGB}\n  - letterbox: {size: [36, 20], fill: 114}\n",
        encoding="utf-8",
    )
    found = report(SMALL, tmp_path / "p", "--plan", plan, code=0)
    histogram = found["details"]["sweep"]["inputs"]["images"]["channels"][0]["histogram"]
    assert histogram[114] >= 3 * 20 * 16  # the bars: 36 - 20 columns of 20 rows in each picture
    assert "RS001" not in rules(found)


def test_steps_that_cannot_be_run_are_unknown_not_a_crash(tmp_path: Path) -> None:
    folder(tmp_path / "p", 3)
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "prepcheck: plan/v1\nruntime: rknn\nsteps:\n  - decode: {library: pillow, color: RGB}\n"
        "  - crop: {box: [100, 100, 36, 20]}\n",
        encoding="utf-8",
    )
    found = report(SMALL, tmp_path / "p", "--plan", plan, "--calibration", code=1)
    assert any(u["rule"] == "QT401" and "3 pictures" in u["reason"] for u in found["unknown"])


def test_usage(tmp_path: Path) -> None:
    folder(tmp_path, 1)
    assert prepcheck("sweep", SMALL, tmp_path, "--resume").returncode == 2
    assert prepcheck("sweep", SMALL, tmp_path / "none").returncode == 2
    assert prepcheck("sweep", tmp_path / "none.rknn", tmp_path).returncode == 2
    assert prepcheck("sweep", SMALL, tmp_path, "-o", tmp_path / "no" / "x.json").returncode == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    folder(tmp_path, 2)
    os.mkfifo(tmp_path / "pipe.jpg")
    os.mkfifo(tmp_path / "pipe.npy")
    found = report(SMALL, tmp_path, code=1)
    assert finding(found, "IM001")["evidence"]["count"] == 2


def test_the_bar_tells_count_and_total() -> None:
    import io

    from rich.console import Console

    from prepcheck.cli.progress import bar

    stream = io.StringIO()
    with bar(Console(file=stream, force_terminal=True, width=80)) as watcher:
        watcher.begin(40, 16)
        watcher.done(16)
    assert "32/40" in stream.getvalue()


def test_a_worker_that_dies_costs_one_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever kills a process (here: a pool whose worker ends at a certain file) is found sample by sample."""
    from concurrent.futures import Future
    from concurrent.futures.process import BrokenProcessPool
    from contextlib import contextmanager

    from prepcheck.app import sweep as module
    from prepcheck.app.sweeping import executors

    class Mortal(executors.Here):
        dead = False

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.dead = self.dead or any("007" in sample.name for _, sample in args[2])
            if self.dead:
                future.set_exception(BrokenProcessPool("died"))
            else:
                future.set_result(fn(*args, **kwargs))
            return future

    @contextmanager
    def open_mortal() -> Any:
        yield Mortal()

    monkeypatch.setattr(module.executors, "here", open_mortal)
    found = report(SMALL, folder(tmp_path, 40), code=1)
    one = finding(found, "IM001")
    assert (one["evidence"]["count"], one["evidence"]["total"]) == (1, 40)
    assert "007.png: the process that read it died" in one["message"]
    assert found["details"]["sweep"]["inputs"]["images"]["pictures"] == 39


@pytest.mark.parametrize("kind", ["rknn", "mnn"])
def test_any_model_and_any_name(tmp_path: Path, kind: str) -> None:
    """Inputs that are no pictures, dynamic shapes, several inputs; a file name that is no UTF-8."""
    folder(tmp_path / "p", 2)
    np.save(tmp_path / "p" / "c.npy", np.zeros((1, 3, 20, 36), np.float32))
    if os.name == "posix":
        odd = os.fsencode(str(tmp_path / "p")) + b"/\xff\xfe.png"
        Path(os.fsdecode(odd)).write_bytes((tmp_path / "p" / "000.png").read_bytes())
    (tmp_path / "l.txt").write_text("p/000.png\np/001.png p/000.png\np/c.npy\n", encoding="utf-8")
    for model in sorted((MODELS / kind).glob(f"*.{kind}")):
        for path in ("p", "l.txt"):
            done = prepcheck("sweep", model, tmp_path / path, "-j", "1", "--format", "json")
            assert done.returncode in (0, 1), (model.name, path, done.stdout[-300:])
            assert json.loads(done.stdout)["verdict"] in ("ok", "warning", "error")
