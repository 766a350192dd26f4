"""The recorder for Python programs: what they hand to rknn-toolkit2, RKNNLite and MNN becomes a record (`.pcrec`).

It lives here, and not in `app`, because it uses the guard's own hooks (the watched MNN classes, the post-import patches):
the same place that can refuse a call can write it down. It imports `wire` for the file; `prepcheck.guarding.guard` does
not import this module.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, TracebackType

import numpy as np
from numpy.typing import NDArray

from prepcheck.errors import NotFoundError, UsageError
from prepcheck.guarding.hooks import patch_modules, undo_all
from prepcheck.guarding.mnn_faces import watch_classes
from prepcheck.guarding.tracing_mnn import TraceWatch, trace_modules
from prepcheck.guarding.tracing_rknn import trace_class
from prepcheck.wire.pcrec import JsonValue
from prepcheck.wire.pcrec_write import INPUT_BLOCKS, PcrecWriter, content_hash

BYTES_VARIABLE = "PREPCHECK_TRACE_BYTES"
"""Environment variable of both recorders: of how many runs the bytes of inputs and outputs are kept."""
MAX_KEPT = 256 << 20
"""Most bytes of one array that are kept; a larger one is only hashed."""


class Recorder:
    """One open record: events, content hashes, kept bytes. Safe from several threads, as its writer is."""

    def __init__(self, writer: PcrecWriter, keep_runs: int) -> None:
        self.writer = writer
        self.keep_runs = keep_runs
        self.runs = 0
        self._numbers: dict[int, int] = {}
        self._alive: list[object] = []

    def number(self, thing: object) -> int:
        """A small number for an object, the same as long as the record is open (the object is kept, so its id is its own)."""
        found = self._numbers.get(id(thing))
        if found is None:
            found = self._numbers[id(thing)] = len(self._numbers) + 1
            self._alive.append(thing)
        return found

    @property
    def keeping(self) -> bool:
        """Whether the bytes of the present run are kept."""
        return self.runs < self.keep_runs

    def content(self, array: NDArray[np.generic], blocks: int = INPUT_BLOCKS) -> dict[str, JsonValue]:
        """The hash of an array's bytes in C order and, while runs are kept, the number of the buffer that holds them."""
        data = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data if array.size else memoryview(b"")
        found: dict[str, JsonValue] = {"hash": content_hash(data, blocks)}
        if self.keeping and data.nbytes <= MAX_KEPT:
            found["blob"] = self.writer.blob(data)
        return found


class Record:
    """`with record("run.pcrec"):` records what the block does. Raises OSError where the file cannot be written."""

    def __init__(self, path: str | os.PathLike[str], keep_runs: int | None = None) -> None:
        self._path = path
        self._keep = _runs_from_environment() if keep_runs is None else keep_runs
        self._undo: Callable[[], None] | None = None
        self._writer: PcrecWriter | None = None

    def __enter__(self) -> Record:
        head: dict[str, JsonValue] = {"language": "python", "python": ".".join(map(str, sys.version_info[:3]))}
        board = _board()
        if board is not None:
            head["board"] = board
        self._writer = PcrecWriter(self._path, "prepcheck record (Python)", head)
        self._undo = install(Recorder(self._writer, self._keep))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._undo is not None:
            self._undo()
        if self._writer is not None:
            if error is not None and not isinstance(error, SystemExit):
                self._writer.event("exception", {"type": type(error).__name__, "text": str(error)[:1000]})
            self._writer.close()


def record(path: str | os.PathLike[str], keep_runs: int | None = None) -> Record:
    """Record every call to rknn-toolkit2, RKNNLite and MNN inside the block.

    path: the record to write. keep_runs: of how many runs the bytes of inputs and outputs are kept (default:
    PREPCHECK_TRACE_BYTES, else none; hashes are always written).
    """
    return Record(path, keep_runs)


def run_script(
    script: str,
    arguments: Sequence[str],
    out: str | os.PathLike[str],
    keep_runs: int | None = None,
    module: bool = False,
) -> int:
    """Run a Python program under the recorder, as `python script.py arguments` would (`-m` where `module`).

    Returns the program's exit code. What it raises passes through once the record is closed.
    Raises NotFoundError where the script is not there, UsageError where it is a folder without `__main__.py`.
    """
    path = Path(script)
    if not module and not path.exists():
        raise NotFoundError(f"{script}: no such program")
    if not module and path.is_dir() and not (path / "__main__.py").exists():
        raise UsageError(f"{script} is a folder without __main__.py")
    old_argv, old_path = sys.argv, list(sys.path)
    sys.argv = [script, *arguments]
    sys.path.insert(0, os.getcwd() if module else str(path.resolve().parent))
    try:
        with record(out, keep_runs):
            if module:
                runpy.run_module(script, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(script, run_name="__main__")
    except SystemExit as stop:
        return _exit_code(stop)
    finally:
        sys.argv, sys.path[:] = old_argv, old_path
    return 0


def install(recorder: Recorder) -> Callable[[], None]:
    """Record the classes of every runtime that is or will be imported; returns what undoes it."""

    def rknn(module: ModuleType) -> Callable[[], None]:
        return trace_class(module.RKNN, recorder, "rknn-toolkit2")

    def lite(module: ModuleType) -> Callable[[], None]:
        return trace_class(module.RKNNLite, recorder, "rknn-toolkit-lite2")

    def mnn(module: ModuleType) -> Callable[[], None]:
        return undo_all([watch_classes(module, TraceWatch(recorder)), trace_modules(module, recorder)])

    return patch_modules({"rknn.api": rknn, "rknnlite.api": lite, "MNN": mnn})


def _runs_from_environment() -> int:
    value = os.environ.get(BYTES_VARIABLE, "").strip()
    return int(value) if value.isdigit() else 0


def _board() -> str | None:
    """The board's device tree name, as the C recorder writes it: entries parted by blanks."""
    try:
        with open("/proc/device-tree/compatible", "rb") as file:
            return file.read(256).replace(b"\0", b" ").decode("ascii", "replace").strip() or None
    except OSError:
        return None


def _exit_code(stop: SystemExit) -> int:
    if stop.code is None:
        return 0
    if isinstance(stop.code, int):
        return stop.code
    print(stop.code, file=sys.stderr)
    return 1
