"""Faults of the machine: size limits of files, a kill in the middle, a file cut while it is read, Ctrl-C, closed pipes, no network."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prepcheck.app.writing import write_atomically
from prepcheck.errors import PrepcheckError, TruncatedError
from prepcheck.readers.model import read_model_source
from prepcheck.wire.source import Source
from tests.cli.run import MODELS, ROOT, SAMPLES

MODEL = SAMPLES / "03_rv1106_zero_copy" / "model.rknn"
STREET = SAMPLES / "03_rv1106_zero_copy" / "street.jpg"
SLOW_WRITE = """
import os, sys
from prepcheck.app import writing
real = os.fsync
def fsync(handle):
    print("written", flush=True)
    sys.stdin.readline()
    real(handle)
os.fsync = fsync
writing.write_atomically(sys.argv[1], b"new" * 1000)
"""


def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """RLIMIT_FSIZE stands for a full disk: an error of the system, no half of a file."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    argv = [sys.executable, "-m", "prepcheck", "validate", MODEL, STREET, "--report", tmp_path / "r.html"]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, preexec_fn=limit, check=False, timeout=60)
    assert done.returncode == 2, done.stderr
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_in_the_middle_of_writing(number: int, tmp_path: Path) -> None:
    """The old file is as it was; what is left over is a temporary file, never half a report."""
    target = tmp_path / "report.html"
    target.write_bytes(b"old")
    with subprocess.Popen(
        [sys.executable, "-c", SLOW_WRITE, target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "written\n"
        child.send_signal(number)
        child.wait(timeout=30)
    assert target.read_bytes() == b"old"
    assert all(p.name.startswith(".prepcheck-") or p == target for p in tmp_path.iterdir())


def test_writing_twice_leaves_one_file(tmp_path: Path) -> None:
    target = tmp_path / "a"
    for data in (b"one", b"two"):
        write_atomically(target, data)
        assert target.read_bytes() == data
    assert list(tmp_path.iterdir()) == [target]
    assert target.stat().st_mode & 0o777 == 0o666 & ~_umask()
    with pytest.raises(PrepcheckError, match="cannot be written"):
        write_atomically(tmp_path / "no" / "such" / "folder", b"x")
    with pytest.raises(PrepcheckError, match="cannot be written"):
        write_atomically(target / "below a file", b"x")


def _umask() -> int:
    before = os.umask(0)
    os.umask(before)
    return before


@pytest.mark.parametrize("name", ["rknn/rk3588_imagenet_i8.rknn", "mnn/c3_nchw.mnn", "rknn/v1_two_inputs.rknn"])
def test_a_file_cut_while_it_is_read(name: str, tmp_path: Path) -> None:
    """Somebody still copies it: what was there when it was opened is gone when it is read."""
    path = tmp_path / Path(name).name
    path.write_bytes((MODELS / name).read_bytes())
    with Source.open(path) as source:
        os.truncate(path, 40)
        with pytest.raises(TruncatedError, match=r"had \d+ bytes when it was opened|ends at byte"):
            read_model_source(source, path.name)


def test_a_picture_cut_while_it_is_read(tmp_path: Path) -> None:
    from prepcheck.errors import ImageError
    from prepcheck.readers.images import OpenImage

    path = tmp_path / "a.jpg"
    path.write_bytes(STREET.read_bytes())
    with OpenImage(path) as image:
        os.truncate(path, path.stat().st_size // 3)
        with pytest.raises(ImageError, match="cut short"):
            image.pixels("RGB")


def _default_interrupt() -> None:
    """What is started in a shell's background ignores SIGINT, and so would the child."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c() -> None:
    """One word, the shell's exit code, no traceback."""
    with subprocess.Popen(
        [sys.executable, "-m", "prepcheck", "explain", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, cwd=ROOT, preexec_fn=_default_interrupt,
    ) as child:  # fmt: skip
        end = time.monotonic() + 30
        status = Path(f"/proc/{child.pid}/wchan")
        while time.monotonic() < end and "pipe" not in (status.read_text() if status.exists() else "pipe"):
            time.sleep(0.05)
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
    assert child.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in said
    assert "interrupted" in said


def test_reader_gone_at_once() -> None:
    """Standard output closed before the first word."""
    command = f"{sys.executable} -m prepcheck validate {MODEL} {STREET} --format json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT)
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("validate", "{m}", "{i}"),
    ("validate", "--plan", "{p}"),
    ("inspect", "{m}"),
    ("explain", "E RKNN: failed to submit!, op id: 3"),
    ("diff", "{m}", "{m}"),
    ("golden", "{m}", "{i}", "-o", "{t}/golden"),
    ("init", "{m}", "-o", "{t}/plan.yaml"),
    ("rules", "SZ003"),
    ("export", "{m}", "--to", "json-schema"),
    ("trace", "--source", "{t}/trace"),
    ("sweep", "{m}", "{s}"),
    ("import", "{q}"),
)


WITHOUT_SOCKETS = """
import json, os, socket, sys
class No(socket.socket):
    def __init__(self, *a, **k):
        os._exit(77)
socket.socket = No
socket.create_connection = socket.getaddrinfo = lambda *a, **k: os._exit(77)
from prepcheck.cli.main import main
for command in json.loads(sys.stdin.read()):
    try:
        main(command)
    except SystemExit as stop:
        sys.stderr.write(f"\\nCODE {stop.code}\\n")
"""


def test_every_command_without_a_network(tmp_path: Path) -> None:
    """No socket is even made: each command of the table runs in a process where that ends it."""
    from prepcheck.cli.main import COMMANDS as KNOWN

    assert {c[0] for c in COMMANDS} >= set(KNOWN) - {"completion"}
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.jpg").write_bytes(STREET.read_bytes())
    (tmp_path / "preprocessor_config.json").write_text(
        '{"do_resize": true, "size": {"height": 224, "width": 224}, "do_rescale": true}'
    )
    names = {"m": MODEL, "i": STREET, "p": MODEL.with_name("right.yaml"), "t": tmp_path, "s": tmp_path / "set",
             "q": tmp_path / "preprocessor_config.json"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_SOCKETS], input=json.dumps([[a.format(**names) for a in c] for c in COMMANDS]),
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=110,
    )  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert "a bug in prepcheck" not in done.stderr
    codes = [int(line.split()[1]) for line in done.stderr.splitlines() if line.startswith("CODE ")]
    assert len(codes) == len(COMMANDS)
    assert set(codes) <= {0, 1, 2}
