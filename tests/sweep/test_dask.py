"""The same units on a Dask cluster, a real one of two processes on this machine, with a worker killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from prepcheck.app.sweeping.executors import dask
from prepcheck.errors import UsageError
from tests.cli.run import ROOT, prepcheck
from tests.sweep.pictures import SMALL, save, texture


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_worker_killed_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="distributed is not installed (the extra dask)")
    for number in range(12):
        save(tmp_path / "made" / f"{number}.jpg", texture(number, (1280, 720)))
    (tmp_path / "p").mkdir()
    for number in range(640):
        os.link(tmp_path / "made" / f"{number % 12}.jpg", tmp_path / "p" / f"{number:04d}.jpg")
    (tmp_path / "p" / "0020.jpg").unlink()
    (tmp_path / "p" / "0020.jpg").write_bytes(b"")
    whole, out = tmp_path / "whole.json", tmp_path / "dask.json"
    arguments = ["sweep", SMALL, tmp_path / "p", "--format", "json"]
    assert prepcheck(*arguments, "-j", "1", "-o", whole).returncode == 1
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        before = set(client.run(os.getpid).values())
        assert len(before) == 2
        killed: list[int] = []

        def kill() -> None:
            for _ in range(20_000):
                journal = Path(f"{out}.journal")
                if journal.exists() and journal.read_bytes().count(b"\n") >= 4:
                    killed.append(min(before))
                    os.kill(killed[0], signal.SIGKILL)
                    return
                time.sleep(0.005)

        killer = threading.Thread(target=kill)
        killer.start()
        argv = [sys.executable, "-m", "prepcheck", *(str(a) for a in arguments)]
        argv += ["--dask", cluster.scheduler_address, "-o", str(out)]
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False, timeout=400)
        killer.join()
        assert done.returncode == 1, done.stderr
        assert killed, "the worker was to be killed while units were at work"
        assert killed[0] not in set(client.run(os.getpid).values())
    assert out.read_bytes() == whole.read_bytes()


def test_nobody_answers() -> None:
    pytest.importorskip("distributed", reason="distributed is not installed (the extra dask)")
    done = prepcheck("sweep", SMALL, ROOT / "samples", "--dask", "nonsense://x", "--format", "json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["error"]["code"] == "usage"


def test_without_distributed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="prepcheck\\[dask\\]"):
        dask("tcp://127.0.0.1:1")
