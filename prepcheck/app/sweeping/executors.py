"""Who does the units: processes here, this process, or a Dask cluster. All are `concurrent.futures` executors."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from prepcheck.errors import UsageError

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext

_P = ParamSpec("_P")
_T = TypeVar("_T")
Opener = Callable[[], AbstractContextManager[Executor]]
"""Opens an executor; called again where the workers of the last one have died."""


class Here(Executor):
    """This process, at once: for --jobs 1 and for frames that are in memory."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Run it now."""
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # as every executor does: who asks for the result gets it (`drive` raises it)
            future.set_exception(error)
        return future


def usable_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def here() -> Iterator[Executor]:
    """This process."""
    yield Here()


def processes(jobs: int) -> Opener:
    """A pool of `jobs` processes on this machine, which end when this process does, however it ends."""

    @contextmanager
    def open_pool() -> Iterator[Executor]:
        pool = ProcessPoolExecutor(jobs, mp_context=_context(), initializer=_begin)
        try:
            yield pool
        except BaseException:  # an interruption too: no worker is left behind; what was raised goes on
            children = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for child in children:  # interrupted: a unit in the middle is not waited for
                with contextlib.suppress(OSError, ValueError):  # it has ended, or was closed, by itself
                    child.terminate()
            raise
        pool.shutdown(wait=True)

    return open_pool


def _context() -> BaseContext:
    """Forked from a server that has the modules, where there is one (POSIX); else new processes."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["prepcheck.app.sweeping.unit", "prepcheck.app.sweeping.warm"])
        return context
    return multiprocessing.get_context("spawn")


def _begin() -> None:
    """In a new worker: leave interrupts to the parent, and end with it."""
    import signal
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def dask(address: str) -> Opener:
    """The workers of a Dask cluster (`tcp://host:port`), which see the same files under the same paths.

    Raises UsageError where distributed is not installed or nobody answers.
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise UsageError('--dask needs the package distributed: pip install "prepcheck[dask]"') from None

    @contextmanager
    def open_cluster() -> Iterator[Executor]:
        try:
            client = distributed.Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            words = " ".join(str(error).split())[:200]
            raise UsageError(f"--dask {address}: no scheduler answers there ({words})") from None
        try:
            yield cast("Executor", client.get_executor(pure=False))
        finally:
            client.close()

    return open_cluster


def is_death(error: BaseException) -> bool:
    """Whether an error of a future says that the worker died over it, not that the work raised."""
    from concurrent.futures import BrokenExecutor

    return isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker"
