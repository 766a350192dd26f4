"""Files are written whole or not at all: into a temporary file beside the target, then renamed over it."""

from __future__ import annotations

import contextlib
import os
import tempfile

from prepcheck.errors import PrepcheckError, UsageError


def refuse_existing(path: str | os.PathLike[str]) -> None:
    """Raise UsageError where the file is there already."""
    if os.path.exists(path):
        raise UsageError(f"{os.fspath(path)} exists; choose another name, or --force to replace it")


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes to a file; on any failure (full disk, no such folder, interruption) the old file is as it was.

    A device or pipe is written directly. Raises UsageError with the system's words.
    """
    target = os.fspath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                stream.write(data)
            return
        folder = os.path.dirname(target) or "."
        handle, temporary = tempfile.mkstemp(prefix=".prepcheck-", dir=folder)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        except BaseException:  # an interruption too: no half-written file is left behind; what was raised goes on
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise _refusal(target, error) from None


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


def _refusal(target: str, error: OSError) -> PrepcheckError:
    return UsageError(f"{target}: cannot be written ({error.strerror or error}); nothing was changed there")
