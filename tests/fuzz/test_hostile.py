"""Inputs made to do harm: bombs, deep nesting, numbers that are none, names with control characters, ways out of a folder."""

from __future__ import annotations

import io
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from prepcheck.errors import CorruptError, ImageError, NotFoundError, PlanError, PrepcheckError, TooLargeError
from tests.cli.run import SAMPLES, prepcheck, report
from tests.fuzz import oracle, seeds
from tests.fuzz.mutating import NAMES

MODEL = SAMPLES / "03_rv1106_zero_copy" / "model.rknn"
CARD = seeds.CORPUS / "image" / "card.png"
HEAD = b"prepcheck: plan/v1\n"


_MEASURED = """
import sys, time
from prepcheck.cli.main import main
try:
    main(sys.argv[1:])
finally:
    peak = open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]
    sys.stderr.flush(), sys.stdout.flush()
    print('MEASURED', time.process_time(), int(peak) / 1024)
"""


def bounded(*arguments: object, cpu: float = 2.0, mib: float = 300.0) -> tuple[int, str]:
    """A command in a process of its own: its exit code and what it printed, within CPU time and resident memory."""
    argv = [sys.executable, "-c", _MEASURED, *map(str, arguments)]
    done = subprocess.run(
        argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=seeds.ROOT, check=False
    )
    shown, _, figures = done.stdout.rpartition("MEASURED ")
    seconds, peak = map(float, figures.split())
    assert seconds < cpu, f"{seconds:.1f} s"
    assert peak < mib, f"{peak:.0f} MiB"
    assert "Traceback" not in shown
    assert "a bug in prepcheck" not in shown, shown
    return done.returncode, shown


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("laugh.yaml", HEAD + b"a: &a [1]\n" + b"".join(b"%c: &%c [*%c,*%c,*%c]\n" % (98 + i, 98 + i, 97 + i, 97 + i, 97 + i) for i in range(20)), "anchors"),
        ("flow.yaml", HEAD + b"steps: " + b"[" * 500_000, "limit"),
        ("nested.yaml", HEAD + b"steps: " + b"[" * 900 + b"]" * 900, "nested deeper"),
        ("wide.yaml", HEAD + b"calls:\n" + b"- {api: rknn_run}\n" * 50_000, "limit"),
        ("calls.json", json.dumps({"prepcheck": "plan/v1", "calls": [{"api": "rknn_run"}] * 40_000}).encode(), "40000 calls"),
        ("steps.json", json.dumps({"prepcheck": "plan/v1", "steps": [{"scale": {"by": 2}}] * 9000}).encode(), "9000 steps"),
        ("faults.json", json.dumps({"prepcheck": "plan/v1", "calls": [{"api": "rknn_rux"}] * 4000}).encode(), "more"),
        ("deep.json", b'{"prepcheck": "plan/v1", "steps": ' + b"[" * 400_000, "nested too deep"),
        ("half.json", b'{"prepcheck": "plan/v1", "platform": "\\ud83d"}', "half of a character"),
        ("merge.yaml", HEAD + b"<<: {runtime: rknn}\n", "<<"),
        ("python.yaml", HEAD + b'x: !!python/object/apply:os.system ["id"]\n', "tags"),
        ("long.yaml", HEAD + b"platform: " + b"a" * 1_000_000, ""),
    ],
)  # fmt: skip
def test_documents_that_explode(name: str, text: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text)

    def run(_: bytes) -> None:
        done = prepcheck("validate", "--plan", tmp_path / name)
        assert words in done.stderr + done.stdout
        assert done.returncode == 2 or name == "long.yaml"

    oracle.judge(run, b"")


@pytest.mark.parametrize(
    "value", ["1e999", "-1e999", "NaN", "Infinity", "-Infinity", "9" * 400, "1" + "0" * 60, "-0", "1e-400"]
)
@pytest.mark.parametrize(
    "place", ['"buffers": {"b": {"size": %s}}', '"steps": [{"scale": {"by": %s}}]', '"steps": [{"resize": {"size": [%s, 8]}}]', '"device": {"memory_gib": %s}']
)  # fmt: skip
def test_numbers_that_are_none(place: str, value: str, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"prepcheck": "plan/v1", "runtime": "rknn", ' + place % value + "}")
    found = report("validate", "--plan", tmp_path / "p.json")
    assert found["verdict"] in ("unjudged", "error", "warning", "ok")
    assert "bug" not in (found["error"] or {}).get("message", "")


@pytest.mark.parametrize("name", [n for n in NAMES if "\x00" not in n and n != "\ud83d" and len(n) < 100], ids=ascii)
def test_names_reach_no_terminal_raw(name: str, tmp_path: Path) -> None:
    """As the name of a buffer, of an input, of a file, and inside a log."""
    plan = {
        "prepcheck": "plan/v1", "runtime": "rknn", "platform": "rk3588",
        "model": {"inputs": [{"index": 0, "name": name, "layout": "NHWC", "shape": [1, 8, 8, 3], "dtype": "uint8"}]},
        "buffers": {name: {"dtype": "float32", "shape": [9, 8, 3], "layout": "HWC"}},
        "calls": [{"api": "rknn_inputs_set", "inputs": [{"index": 0, "buffer": name, "type": "UINT8", "fmt": "NHWC", "size": 7}]},
                  {"api": "rknn_run"}],
    }  # fmt: skip
    file = tmp_path / "p.json"
    file.write_text(json.dumps(plan))
    oracle.command("validate", "--plan", file)
    log = tmp_path / "a.log"
    log.write_text(
        f"E RKNN: failed to submit!, op id: 3, op name: {name}, flags: 0x5\n{name} rknn_inputs_set fail! ret=-5\n"
    )
    oracle.command("explain", "--file", log)
    oracle.command("explain", f"E RKNN: {name}: input data size 5 is invalid")
    oracle.command("inspect", tmp_path / f"{name.replace('/', '_')}.rknn")


@pytest.mark.parametrize(
    ("key", "where"),
    [("model", "../out.rknn"), ("model", "/etc/hostname"), ("model", "link.rknn"), ("model", "sub/../../out.rknn"), ("model", "folder/out.rknn"),
     ("file", "../out.npy"), ("file", "/etc/hostname"), ("file", "link.npy")],
)  # fmt: skip
def test_plans_stay_in_their_folder(key: str, where: str, tmp_path: Path) -> None:
    home = tmp_path / "plan"
    (home / "sub").mkdir(parents=True)
    for name in ("out.rknn", "out.npy"):
        (tmp_path / name).write_bytes(MODEL.read_bytes())
        os.symlink(tmp_path / name, home / name.replace("out", "link"))
    os.symlink(tmp_path, home / "folder")
    body = {"prepcheck": "plan/v1", "runtime": "rknn"}
    body |= {"model": where} if key == "model" else {"buffers": {"b": {"dtype": "uint8", "file": where}}}  # type: ignore[dict-item]
    (home / "p.json").write_text(json.dumps(body))
    done = prepcheck("validate", "--plan", home / "p.json")
    assert done.returncode == 2
    assert "leads out of the plan's folder" in done.stderr
    assert "--allow-outside" in done.stderr
    allowed = prepcheck("validate", "--plan", home / "p.json", "--allow-outside")
    assert "leads out" not in allowed.stderr


def test_pictures_that_announce_too_much(tmp_path: Path) -> None:
    from prepcheck.readers.images import decode, read_header

    path = tmp_path / "a.png"
    path.write_bytes(seeds.png_of(100_000, 100_000))
    with pytest.raises(ImageError, match="limit"):
        decode(path, "RGB")
    assert read_header(path).size == (100_000, 100_000)
    oracle.judge(lambda _: oracle.command("validate", MODEL, path), b"", 2)


def test_a_text_bomb_inside_a_picture(tmp_path: Path) -> None:
    import zlib

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"\0" * 50_000_000, 9))
    whole = CARD.read_bytes()
    path = tmp_path / "a.png"
    path.write_bytes(whole[:33] + bomb + whole[33:])
    code, _ = bounded("validate", MODEL, path)
    assert code in (0, 2)


def test_pictures_that_programs_draw_are_refused(tmp_path: Path) -> None:
    from prepcheck.readers.images import read_header

    path = tmp_path / "a.eps"
    path.write_text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n(%pipe%id) (w) file\n%%EOF\n")
    with pytest.raises(ImageError, match="program"):
        read_header(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    from prepcheck.readers.arrays import read_bytes
    from prepcheck.readers.images import read_header
    from prepcheck.readers.model import read_model

    os.mkfifo(tmp_path / "p")
    for read in (read_header, read_model, read_bytes):
        with pytest.raises(PrepcheckError):
            read(tmp_path / "p")


def test_pickles_are_refused(tmp_path: Path) -> None:
    stream = io.BytesIO()
    np.save(stream, np.array([os.system, {"a": 1}], dtype=object), allow_pickle=True)
    (tmp_path / "a.npy").write_bytes(stream.getvalue())
    done = prepcheck("validate", MODEL, CARD, "--buffer", tmp_path / "a.npy")
    assert done.returncode == 2
    assert "no pickles" in done.stderr


def test_arrays_that_announce_too_much(tmp_path: Path) -> None:
    from prepcheck.readers.arrays import npy_header

    head = (
        b"\x93NUMPY\x01\x00v\x00"
        + b"{'descr': '<f8', 'fortran_order': False, 'shape': (9999999999, 99999999), }".ljust(117)
        + b"\n"
    )
    with pytest.raises(PrepcheckError, match="bytes"):
        npy_header(head, "a.npy")
    deep = b"\x93NUMPY\x01\x00" + struct.pack("<H", 40_000) + b"(" * 40_000
    with pytest.raises(CorruptError):
        npy_header(deep, "a.npy")


def test_zip_bombs_under_the_name_of_a_model(tmp_path: Path) -> None:
    import zipfile

    path = tmp_path / "m.rknn"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.rknn", b"\0" * 50_000_000)
    code, shown = bounded("inspect", path)
    assert code == 2
    assert "zip" in shown


def test_a_sparse_file_of_100_gigabytes(tmp_path: Path) -> None:
    for name, head in (("m.rknn", b"RKNN" + bytes(4) + struct.pack("<QQ", 0x1004, 99 << 30)), ("m.mnn", b"\x18\0\0\0")):
        path = tmp_path / name
        with open(path, "wb") as stream:
            stream.write(head)
            stream.truncate(100 << 30)
        assert bounded("inspect", path)[0] == 2
    from prepcheck.contract.loading import load_plan
    from prepcheck.readers.arrays import read_bytes

    with pytest.raises(TooLargeError):
        read_bytes(tmp_path / "m.rknn")
    with pytest.raises((TooLargeError, PlanError)):
        load_plan(tmp_path / "m.rknn")


def test_a_record_of_very_many_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from prepcheck.readers import record
    from prepcheck.readers.record import record_to_plan

    assert record.MAX_EVENTS == 60_000
    monkeypatch.setattr(record, "MAX_EVENTS", 500)
    one = seeds.frames([{"api": "rknn_run", "ctx": "0x1", "ret": 0}])
    magic, frame = one[:8], one[8:]
    assert seeds.frames([]) == magic
    (tmp_path / "r.pcrec").write_bytes(magic + frame * 505)
    found = record_to_plan(tmp_path / "r.pcrec")
    assert found.runs == 500
    assert any("only the first 500 events" in n for n in found.notes)


def test_nothing_is_there() -> None:
    for arguments in (
        ("inspect", "/nowhere/m.rknn"),
        ("validate", "--plan", "/nowhere/p.yaml"),
        ("validate", MODEL, "/nowhere/i.png"),
    ):
        assert prepcheck(*arguments).returncode == 2
    from prepcheck.contract.yamldoc import read_text

    with pytest.raises(NotFoundError):
        read_text("/nowhere/p.yaml")
