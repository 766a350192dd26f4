"""Positioned reads: refusals, caps, files that shrink."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from prepcheck.errors import CorruptError, NotFoundError, ReadError, TooLargeError, TruncatedError, WrongKindError
from prepcheck.wire import source as module
from prepcheck.wire.source import Source


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "model.bin"
    made.write_bytes(bytes(range(200)))
    return made


def both(path: Path) -> list[Source]:
    return [Source.open(path), Source.from_bytes(path.read_bytes(), "b")]


def test_reads_anywhere(path: Path) -> None:
    for source in both(path):
        with source:
            assert source.size == 200
            assert source.read(10, 3) == bytes([10, 11, 12])
            assert source.read(0, 0) == b""
            assert source.read(200, 0) == b""
            assert source.head(500) == bytes(range(200))
            assert source.total_read == 203


def test_beyond_the_end_names_all_numbers(path: Path) -> None:
    for source in both(path):
        with source, pytest.raises(TruncatedError, match=r"ends at byte 200; 20 bytes at byte 190 .* 10 more"):
            source.read(190, 20)


@pytest.mark.parametrize("offset,n", [(-1, 2), (2, -1), (-5, -5)])
def test_negative_is_refused(path: Path, offset: int, n: int) -> None:
    with Source.open(path) as source, pytest.raises(CorruptError, match="negative"):
        source.read(offset, n)


def test_a_file_that_shrinks(path: Path) -> None:
    with Source.open(path) as source:
        os.truncate(path, 50)
        assert source.read(40, 10) == bytes(range(40, 50))
        with pytest.raises(TruncatedError, match=r"had 200 bytes .* 10 of 30 bytes at byte 40"):
            source.read(40, 30)


def test_one_read_is_capped(tmp_path: Path) -> None:
    big = tmp_path / "big"
    with big.open("wb") as made:
        made.truncate(1 << 30)
    with Source.open(big) as source, pytest.raises(TooLargeError, match=str(module.MAX_READ)):
        source.read(0, module.MAX_READ + 1)


def test_all_reads_together_are_capped(path: Path) -> None:
    with Source.open(path, max_total=450) as source:
        source.read(0, 200)
        source.read(0, 200)
        with pytest.raises(TooLargeError, match="450 bytes"):
            source.read(0, 100)


def test_closed(path: Path) -> None:
    source = Source.open(path)
    source.close()
    source.close()
    with pytest.raises(ReadError, match="closed"):
        source.read(0, 1)


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="folder") as folder:
        Source.open(tmp_path)
    assert folder.value.kind == "folder"
    with pytest.raises(NotFoundError, match="No such file"):
        Source.open(tmp_path / "missing")
    with pytest.raises(NotFoundError):
        Source.open("a\0b")
    with pytest.raises(NotFoundError):
        Source.open("x" * 5000)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_special_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WrongKindError) as pipe:  # and does not wait for a writer
        Source.open(tmp_path / "pipe")
    assert pipe.value.kind == "fifo"
    with pytest.raises(WrongKindError) as device:
        Source.open("/dev/null")
    assert device.value.kind == "device"
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "s"))
        with pytest.raises(WrongKindError) as sock:
            Source.open(tmp_path / "s")
    assert sock.value.kind == "socket"


def test_the_way_without_pread(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pread")
    with Source.open(path) as source:
        assert source.read(100, 50) == bytes(range(100, 150))
        os.truncate(path, 120)
        with pytest.raises(TruncatedError):
            source.read(100, 50)


def test_names_that_cannot_be_printed(tmp_path: Path) -> None:
    for name in (b"a\nb.rknn", b"\xff\x1b[31m.rknn"):
        made = os.fsencode(tmp_path) + b"/" + name
        with open(made, "wb") as file:
            file.write(b"x")
        with Source.open(os.fsdecode(made)) as source:
            assert source.name.isprintable()
            assert source.name.encode("utf-8")
