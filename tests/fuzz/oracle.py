"""What must hold for any input: a result or a named error, in under 2 s and 300 MiB, and nothing raw for a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from prepcheck.errors import PrepcheckError

SECONDS = 2.0
MIB = 300.0
HANG, STUCK = 15, 120
"""Seconds of CPU time, and of the clock (waiting for something), after which an input counts as a hang."""
RAW = frozenset(
    chr(c) for c in (*range(9), *range(11, 32), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)
"""Control characters and direction overrides: none of them may reach a terminal from a file. Tab and newline may."""


class Fault(AssertionError):
    """An input that breaks the promise."""


class Hang(BaseException):
    """Raised by the alarm; no `except Exception` may swallow it."""


def peak_mib(*, since_now: bool = False) -> float:
    """The most resident memory since it was last set back; since_now: set it back, and return what is held now.

    Where /proc does not tell (not Linux), the peak of the whole process, which only grows.
    """
    try:
        if since_now:
            Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise Hang

    before = [signal.signal(s, ring) for s in (signal.SIGALRM, signal.SIGPROF)]
    signal.alarm(STUCK)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for number, handler in zip((signal.SIGALRM, signal.SIGPROF), before, strict=True):
            signal.signal(number, handler)


def judge(run: Callable[[bytes], object], data: bytes, runs: int = 1) -> tuple[str, float, float]:
    """(outcome, CPU seconds, MiB) of one input. Raises Fault where the promise is broken.

    runs: how often `run` reads the input. Outcomes: "read", or the code of the named error.
    """
    base_mib = peak_mib(since_now=True)
    start = time.process_time()
    try:
        with _alarm():
            run(data)
        outcome = "read"
    except PrepcheckError as error:
        outcome = error.code
        if not error.message or len(error.message) > 20_000:
            raise Fault(f"a message of {len(error.message)} characters") from error
        if outcome == "internal":
            raise Fault(f"an internal error: {error.message}") from error
    except Hang:
        raise Fault(f"still running after {HANG} s of CPU time, or waiting for {STUCK} s") from None
    except Fault:
        raise
    except BaseException as error:
        raise Fault(f"{type(error).__name__}: {str(error)[:300]}") from error
    spent = time.process_time() - start
    if spent > SECONDS * runs:
        raise Fault(f"{spent:.1f} s")
    grown = peak_mib() - base_mib
    if grown > MIB:
        raise Fault(f"{grown:.0f} MiB")
    return outcome, spent, grown


class _Terminal(io.StringIO):
    """Counts as a terminal: what would be printed to one."""

    def isatty(self) -> bool:
        return True


def command(*arguments: object) -> None:
    """The command line in this process, as text for a terminal and as JSON: exit codes, one document, nothing raw."""
    from prepcheck.cli.main import main

    for form in ("text", "json"):
        out, err = _Terminal(), _Terminal()
        code: object = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main([str(a) for a in arguments] + ["--format", form, "--color", "never"])
            except SystemExit as stop:
                code = stop.code
        shown = out.getvalue() + err.getvalue()
        if code not in (0, 1, 2):
            raise Fault(f"exit code {code}")
        if "a bug in prepcheck" in shown or "Traceback (most recent" in err.getvalue():
            at = max(0, shown.find("a bug in prepcheck"))
            raise Fault(shown[at : at + 300])
        if form == "text":
            raw = RAW & set(shown)
            if raw:
                raise Fault(f"raw control characters {sorted(raw)!r} in {shown[:300]!r}")
        else:
            _document(out.getvalue(), code)


def _document(text: str, code: object) -> None:
    """Exactly one report; its verdict fits the exit code."""
    try:
        found = json.loads(text, parse_constant=lambda word: (_ for _ in ()).throw(ValueError(word)))
    except ValueError as error:
        raise Fault(f"no JSON document: {error}: {text[:200]!r}") from None
    verdict = found["verdict"]
    if code not in {"ok": (0,), "warning": (0, 1), "error": (1,), "unjudged": (2,)}[verdict]:
        raise Fault(f"verdict {verdict} with exit code {code}")
    if (found["error"] is not None) != (verdict == "unjudged"):
        raise Fault("an error without `unjudged`, or the reverse")
    text.encode("utf-8")
