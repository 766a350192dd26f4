"""Bounded, positioned reads of a file or of bytes: what every reader of a model sits on.

No mmap: a file that is truncated while it is mapped kills the process with SIGBUS; a positioned read only comes back
short, and that is a named error here. Every read is checked against the size that the file had when it was opened,
against a cap for one read, and against a budget for all of them, so that no length field can cost memory or time.
"""

from __future__ import annotations

import os
import stat
import threading
from types import TracebackType
from typing import Final, final

from prepcheck.errors import CorruptError, NotFoundError, ReadError, TooLargeError, TruncatedError, WrongKindError

MAX_READ: Final = 16 << 20
"""Most bytes of one read. Far above any header, JSON part or name that a model of ours needs (measured: ≤ 600 kB)."""
MAX_TOTAL: Final = 64 << 20
"""Most bytes that one Source hands out in all; keeps a judgement under 200 MiB and 2 s whatever the file says."""

_SPECIAL: Final = (
    (stat.S_ISFIFO, "fifo", "a pipe"),
    (stat.S_ISSOCK, "socket", "a socket"),
    (stat.S_ISCHR, "device", "a device"),
    (stat.S_ISBLK, "device", "a device"),
)


def _named(path: str | os.PathLike[str]) -> str:
    """The path as text that can be printed and encoded, whatever bytes it holds."""
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def _refuse_special(name: str, mode: int) -> None:
    """Raise the error that fits where `mode` is not that of a regular file."""
    if stat.S_ISDIR(mode):
        raise NotFoundError(f"{name} is a folder, a file is needed: name a file inside it.", kind="folder")
    for test, kind, words in _SPECIAL:
        if test(mode):
            raise WrongKindError(f"{name} is {words}, not a regular file: copy its content into a file.", kind=kind)
    if not stat.S_ISREG(mode):
        raise WrongKindError(f"{name} is not a regular file.", kind="special")


@final
class Source:
    """Random access to `size` bytes, by `read(offset, n)`. Close it, or use it in a `with`.

    name: how messages call the file. size: bytes when it was opened. total_read: bytes handed out so far.
    Reads may come from several threads.
    """

    __slots__ = ("_closed", "_data", "_fd", "_lock", "_max_total", "name", "size", "total_read")

    def __init__(self, name: str, size: int, *, fd: int = -1, data: bytes = b"", max_total: int = MAX_TOTAL) -> None:
        self.name = name
        self.size = size
        self.total_read = 0
        self._fd = fd
        self._data = data
        self._max_total = max_total
        self._lock = threading.Lock()
        self._closed = False

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, max_total: int = MAX_TOTAL) -> Source:
        """Open a regular file. Raises NotFoundError (missing, folder, no permission) and WrongKindError (pipe, device)."""
        name = _named(path)
        try:
            _refuse_special(name, os.stat(path).st_mode)  # before opening: opening a pipe would wait for a writer
            flags = (
                os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
            )
            fd = os.open(path, flags)
        except (OSError, ValueError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
            raise NotFoundError(f"{name} cannot be opened: {reason}.") from fault
        try:
            status = os.fstat(fd)  # again: the name may have been given to something else in between
            _refuse_special(name, status.st_mode)
        except BaseException:  # an interruption too: the file is closed; what was raised goes on
            os.close(fd)
            raise
        return cls(name, status.st_size, fd=fd, max_total=max_total)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "<bytes>", *, max_total: int = MAX_TOTAL) -> Source:
        """The same interface over bytes in memory."""
        return cls(name, len(data), data=data, max_total=max_total)

    def read(self, offset: int, n: int) -> bytes:
        """Exactly `n` bytes at `offset`.

        Raises TruncatedError where the file has no such bytes (or no longer has them), TooLargeError over the caps.
        """
        if offset < 0 or n < 0:
            raise CorruptError(
                f"{self.name}: a read of {n} bytes at byte {offset} was asked for; neither may be negative."
            )
        if offset + n > self.size:
            raise TruncatedError(
                f"{self.name} ends at byte {self.size}; {n} bytes at byte {offset} are needed, "
                f"{offset + n - self.size} more than there are."
            )
        if n > MAX_READ:
            raise TooLargeError(f"{self.name}: {n} bytes at byte {offset} asked for at once; the limit is {MAX_READ}.")
        with self._lock:
            if self._closed:
                raise ReadError(f"{self.name} is closed; {n} bytes at byte {offset} cannot be read any more.")
            self.total_read += n
            if self.total_read > self._max_total:
                raise TooLargeError(
                    f"{self.name}: more than {self._max_total} bytes would have to be read to judge the file; "
                    f"stopped at byte {offset}."
                )
            if self._fd < 0:
                return self._data[offset : offset + n]
            return self._pull(offset, n)

    def _pull(self, offset: int, n: int) -> bytes:
        """Read from the file descriptor until `n` bytes are there. The lock is held: seek and read belong together."""
        parts: list[bytes] = []
        missing = n
        while missing:
            at = offset + n - missing
            try:
                if hasattr(os, "pread"):
                    part = os.pread(self._fd, missing, at)
                else:  # Windows
                    os.lseek(self._fd, at, os.SEEK_SET)
                    part = os.read(self._fd, missing)
            except OSError as fault:
                raise ReadError(
                    f"{self.name}: reading {missing} bytes at byte {at} failed: {fault.strerror}."
                ) from fault
            if not part:
                raise TruncatedError(
                    f"{self.name} had {self.size} bytes when it was opened and now ends before byte {offset + n}: "
                    f"{n - missing} of {n} bytes at byte {offset} came. Something is still writing the file."
                )
            parts.append(part)
            missing -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def head(self, n: int) -> bytes:
        """The first `n` bytes, or as many as there are."""
        return self.read(0, min(n, self.size))

    def close(self) -> None:
        """Close the file; reading afterwards is a ReadError. Closing twice does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
        self._fd, self._data, self._closed = -1, b"", True

    def __enter__(self) -> Source:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
