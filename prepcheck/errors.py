"""The tree of exceptions and the exit codes. Imports nothing but the standard library.

Every error that prepcheck raises on purpose derives from `PrepcheckError` and carries a `code`, one of the values
of `error.code` in a report, so that the command line and the library tell the same story.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of every command."""

    OK = 0  # no error found; warnings are allowed unless --strict
    ERROR = 1  # at least one error found
    UNJUDGED = 2  # could not judge: wrong usage, unreadable or unrecognised input


def shortened(text: str, most: int) -> str:
    """The text, its middle left out where it is longer than `most` characters."""
    half = (most - 5) // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


class PrepcheckError(Exception):
    """Base of all errors of prepcheck.

    message: one or two sentences: what is wrong, where (file, offset or key), what was expected, what to do.
    kind: what the file is instead (`onnx`, `zip`, …), where that is known.
    """

    code = "internal"

    def __init__(self, message: str, *, kind: str | None = None) -> None:
        if len(message) > 4000:  # a hostile file may put a megabyte into a key
            message = f"{message[:1990]} ... {message[-1990:]}"
        super().__init__(message)
        self.message = message
        self.kind = kind


class UsageError(PrepcheckError):
    """The command line or a call of the library makes no sense."""

    code = "usage"


class NotFoundError(PrepcheckError):
    """A file that was named is not there, or is a folder."""

    code = "not_found"


class ReadError(PrepcheckError):
    """A file cannot be read as what it is said to be."""

    code = "corrupt"


class EmptyFileError(ReadError):
    """The file has no bytes."""

    code = "empty"


class TruncatedError(ReadError):
    """The file ends before what it announces."""

    code = "truncated"


class CorruptError(ReadError):
    """The file is of the right kind, and its content contradicts itself."""

    code = "corrupt"


class GitLfsPointerError(ReadError):
    """The file is the text that Git LFS leaves in place of the content."""

    code = "git_lfs_pointer"


class EncryptedError(ReadError):
    """The model is encrypted; nothing in it can be read."""

    code = "encrypted"


class WrongKindError(ReadError):
    """The file is something else; `kind` names it (`onnx`, `tflite`, `zip`, `html`, `png`, `unknown`, …)."""

    code = "wrong_kind"


class UnsupportedVersionError(ReadError):
    """The container version is not known."""

    code = "unsupported_version"


class TooLargeError(ReadError):
    """The file is beyond a stated limit."""

    code = "too_large"


class PlanError(PrepcheckError):
    """A plan (or another document of ours) does not say what its schema allows."""

    code = "plan"


class ImageError(PrepcheckError):
    """An image cannot be read or is beyond the limits."""

    code = "image"


class CheckFailed(PrepcheckError):
    """Raised by `Report.raise_for_errors()` and by a guard. `report` holds the whole report where there is one."""

    code = "check_failed"

    def __init__(self, message: str, report: object | None = None) -> None:
        super().__init__(message)
        self.report = report
