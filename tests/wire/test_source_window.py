"""Positioned reads and windows: whole messages, limits at their border, little-endian scalars by hand."""

from __future__ import annotations

import errno
import os
import stat
import struct
from pathlib import Path

import pytest

from prepcheck.errors import CorruptError, NotFoundError, ReadError, TooLargeError, TruncatedError, WrongKindError
from prepcheck.wire import source as module
from prepcheck.wire import window as window_module
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "m.bin"
    made.write_bytes(bytes(range(200)))
    return made


def test_limits() -> None:
    assert (module.MAX_READ, module.MAX_TOTAL) == (16777216, 67108864)
    assert (window_module.PAGE, window_module.MAX_PAGES) == (4096, 2048)
    assert Source.from_bytes(b"")._max_total == 67108864
    assert Source("n", 0)._max_total == 67108864


def test_a_source_of_bytes() -> None:
    source = Source.from_bytes(b"abcdef")
    assert (source.name, source.size, source.total_read) == ("<bytes>", 6, 0)
    assert source.read(2, 3) == b"cde"
    assert source.total_read == 3
    assert source.head(2) == b"ab"
    assert Source.from_bytes(b"x", "named", max_total=7)._max_total == 7
    assert Source.from_bytes(b"x", "named").name == "named"


def test_a_source_of_a_file(path: Path) -> None:
    with Source.open(path, max_total=9) as source:
        assert (source.name, source.size, source.total_read, source._max_total) == (str(path), 200, 0, 9)
        assert source.read(199, 1) == b"\xc7"
    with Source.open(path) as source:
        assert source._max_total == 67108864


def message(error: pytest.ExceptionInfo[BaseException]) -> str:
    return str(error.value)


def test_what_a_refused_read_says() -> None:
    source = Source.from_bytes(bytes(100), "s")
    with pytest.raises(CorruptError) as negative:
        source.read(-1, 5)
    assert message(negative) == "s: a read of 5 bytes at byte -1 was asked for; neither may be negative."
    with pytest.raises(TruncatedError) as beyond:
        source.read(90, 11)
    assert message(beyond) == "s ends at byte 100; 11 bytes at byte 90 are needed, 1 more than there are."
    source.close()
    with pytest.raises(ReadError) as closed:
        source.read(90, 10)
    assert message(closed) == "s is closed; 10 bytes at byte 90 cannot be read any more."
    assert source.total_read == 0


def test_one_read_may_be_as_long_as_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source.from_bytes(bytes(100), "s")
    monkeypatch.setattr(module, "MAX_READ", 50)
    assert source.read(10, 50) == bytes(50)
    with pytest.raises(TooLargeError) as large:
        source.read(10, 51)
    assert message(large) == "s: 51 bytes at byte 10 asked for at once; the limit is 50."


def test_all_reads_may_be_as_long_as_the_budget() -> None:
    source = Source.from_bytes(bytes(100), "s", max_total=150)
    source.read(0, 100)
    assert source.read(20, 50) == bytes(50)
    with pytest.raises(TooLargeError) as large:
        source.read(30, 1)
    assert message(large) == "s: more than 150 bytes would have to be read to judge the file; stopped at byte 30."


@pytest.mark.parametrize("positioned", [True, False])
def test_a_file_that_hands_out_its_bytes_in_small_parts(
    path: Path, monkeypatch: pytest.MonkeyPatch, positioned: bool
) -> None:
    """A network file system may answer short; the rest is asked for where the first part ended."""
    pread, asked = os.pread, []

    def short(fd: int, n: int, at: int) -> bytes:
        asked.append((n, at))
        return pread(fd, min(n, 30), at)

    read = os.read
    if positioned:
        monkeypatch.setattr(os, "pread", short)
    else:
        monkeypatch.delattr(os, "pread")
        monkeypatch.setattr(os, "read", lambda fd, n: read(fd, min(n, 30)))
    with Source.open(path) as source:
        assert source.read(50, 70) == bytes(range(50, 120))
        assert source.read(0, 10) == bytes(range(10))
        assert source.read(5, 0) == b""
    if positioned:
        assert asked == [(70, 50), (40, 80), (10, 110), (10, 0)]


def test_a_file_that_became_shorter_says_how_many_bytes_came(path: Path) -> None:
    with Source.open(path) as source:
        os.truncate(path, 50)
        with pytest.raises(TruncatedError) as error:
            source.read(40, 30)
    assert message(error) == (
        f"{path} had 200 bytes when it was opened and now ends before byte 70: 10 of 30 bytes at byte 40 came. "
        "Something is still writing the file."
    )


def test_a_disk_that_fails_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(fd: int, n: int, at: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pread", broken)
    with Source.open(path) as source, pytest.raises(ReadError) as error:
        source.read(40, 30)
    assert message(error) == f"{path}: reading 30 bytes at byte 40 failed: Input/output error."
    assert isinstance(error.value.__cause__, OSError)


def test_closing_gives_the_file_back(path: Path) -> None:
    source = Source.open(path)
    number = source._fd
    assert os.fstat(number).st_size == 200
    source.close()
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(number)
    source.close()
    with Source.from_bytes(b"abc") as memory:
        pass
    with pytest.raises(ReadError, match="closed"):
        memory.read(0, 1)


@pytest.mark.parametrize(
    ("mode", "error", "kind", "words"),
    [
        (stat.S_IFDIR, NotFoundError, "folder", "n is a folder, a file is needed: name a file inside it."),
        (stat.S_IFIFO, WrongKindError, "fifo", "n is a pipe, not a regular file: copy its content into a file."),
        (stat.S_IFSOCK, WrongKindError, "socket", "n is a socket, not a regular file: copy its content into a file."),
        (stat.S_IFCHR, WrongKindError, "device", "n is a device, not a regular file: copy its content into a file."),
        (stat.S_IFBLK, WrongKindError, "device", "n is a device, not a regular file: copy its content into a file."),
        (stat.S_IFLNK, WrongKindError, "special", "n is not a regular file."),
    ],
)
def test_what_is_no_regular_file(mode: int, error: type[ReadError], kind: str, words: str) -> None:
    with pytest.raises(error) as raised:
        module._refuse_special("n", mode | 0o644)
    assert (message(raised), getattr(raised.value, "kind", None)) == (words, kind)


def test_a_regular_file_is_let_through() -> None:
    module._refuse_special("n", stat.S_IFREG | 0o644)


def test_why_a_file_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as folder:
        Source.open(tmp_path)
    assert message(folder) == f"{tmp_path} is a folder, a file is needed: name a file inside it."
    with pytest.raises(NotFoundError) as missing:
        Source.open(tmp_path / "none")
    assert message(missing) == f"{tmp_path / 'none'} cannot be opened: No such file or directory."
    assert isinstance(missing.value.__cause__, FileNotFoundError)
    with pytest.raises(NotFoundError) as null:
        Source.open("a\0b")
    assert message(null) == "a\\x00b cannot be opened: embedded null byte."


def test_a_name_given_to_something_else_in_between_is_refused_and_closed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """os.stat sees the file, os.open gets the folder that took its name."""
    real, opened = os.open, []

    def other(name: object, flags: int) -> int:
        opened.append(real(path.parent, os.O_RDONLY))
        return opened[-1]

    monkeypatch.setattr(os, "open", other)
    with pytest.raises(NotFoundError) as error:
        Source.open(path)
    monkeypatch.undo()
    assert message(error) == f"{path} is a folder, a file is needed: name a file inside it."
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(opened[0])


def test_a_file_is_opened_to_be_read_without_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, seen = os.open, []

    def noted(name: str, flags: int) -> int:
        seen.append(flags)
        return real(name, os.O_RDONLY)

    names = ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK")  # not every system has each of them
    monkeypatch.setattr(os, "open", noted)
    for k, name in enumerate(names):
        monkeypatch.setattr(os, name, 1 << (20 + k), raising=False)
    Source.open(path).close()
    for name in names:
        monkeypatch.delattr(os, name)
    Source.open(path).close()
    assert seen == [os.O_RDONLY | 7 << 20, os.O_RDONLY]


def test_the_descriptor_0_is_one_like_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that was started without standard input gets it for the first file that it opens."""
    closed: list[int] = []
    source = Source("n", 10, fd=0)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pread", lambda fd, n, at: bytes([fd + at]) * n)
        patch.setattr(os, "close", closed.append)
        assert source.read(3, 2) == b"\x03\x03"
        source.close()
        source.close()
    assert closed == [0]


@pytest.mark.parametrize(
    ("name", "text"),
    [("é/模型.rknn", "é/模型.rknn"), (b"a\nb", "a\\nb"), (b"\xff\x1b[31m", "\\xff\\x1b[31m"), (b"a\tb", "a\\tb")],
)
def test_names_as_they_are_printed(name: str | bytes, text: str) -> None:
    assert module._named(os.fsdecode(name)) == text


def test_scalars_are_little_endian() -> None:
    data = b"\xff" + bytes([1, 2, 3, 4, 5, 6, 7, 0x88]) + struct.pack("<fd", 0.15625, -0.1)
    window = Window(Source.from_bytes(data, "w"), 1)
    assert [window.integer(code, 0) for code in "bBhHiIqQ"] == [
        1, 1, 0x0201, 0x0201, 0x04030201, 0x04030201, 0x8807060504030201 - (1 << 64), 0x8807060504030201,
    ]  # fmt: skip
    assert (window.integer("b", 7), window.integer("h", 6), window.integer("i", 4)) == (-0x78, -0x77F9, -0x77F8F9FB)
    assert (window.real("f", 8), window.real("d", 12)) == (0.15625, -0.1)
    assert (window.start, window.length, window.source.name) == (1, 20, "w")


def test_what_is_outside_a_window_names_the_place_in_the_file() -> None:
    window = Window(Source.from_bytes(bytes(100), "w"), 30, 20)
    with pytest.raises(CorruptError) as error:
        window.take(15, 6)
    assert message(error) == (
        "w: byte 45 (0x2d): 6 bytes are referred to, outside the part of 20 bytes that holds them. "
        "The file is damaged: copy or export it again."
    )
    assert window.take(15, 5) == bytes(5)
    for at, n in ((-1, 1), (0, -1), (20, 1)):
        with pytest.raises(CorruptError):
            window.take(at, n)
    assert window.take(20, 0) == b""


@pytest.mark.parametrize(("start", "length"), [(-1, 1), (0, -1), (50, 51), (101, 0), (101, None)])
def test_a_window_lies_inside_its_file(start: int, length: int | None) -> None:
    with pytest.raises(TruncatedError) as error:
        Window(Source.from_bytes(bytes(100), "w"), start, length)
    told = 100 - start if length is None else length
    assert message(error) == f"w ends at byte 100; a part of {told} bytes is announced at byte {start}."


def test_a_window_may_be_empty_or_the_whole_file() -> None:
    source = Source.from_bytes(bytes(100), "w")
    assert Window(source).length == Window(source, 0, 100).length == 100
    assert Window(source, 100).length == Window(source, 100, 0).length == Window(source, 0, 0).length == 0


def test_pages_are_read_whole_and_once() -> None:
    content = bytes((7 * k) & 255 for k in range(3 * 4096 + 100))
    source = Source.from_bytes(content, "w", max_total=1 << 40)
    window = Window(source, 50)
    assert window.take(4090, 6) == content[4140:4146]  # ends with the first page
    assert source.total_read == 4096
    assert window.take(4096, 4096) == content[4146:8242]  # the second page, whole
    assert source.total_read == 8192
    assert window.take(4095, 2) == content[4145:4147]  # over the border: read beside the pages
    assert source.total_read == 8194
    assert window.take(12288 + 40, 10) == content[12378:12388]  # the last page is short
    assert source.total_read == 8194 + 50
    window.take(0, 1)
    window.take(5000, 9)
    assert source.total_read == 8194 + 50


def test_the_store_of_pages_starts_anew_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_module, "MAX_PAGES", 2)
    source = Source.from_bytes(bytes(4 * 4096), "w")
    window = Window(source)
    for page, pages_read in ((0, 1), (1, 2), (0, 2), (2, 3), (0, 4), (2, 4)):
        window.take(page * 4096, 1)
        assert source.total_read == pages_read * 4096
