"""The progress bar of a sweep: done of all, rate, time left."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from prepcheck.app.sweep import Watcher


class _Rate(ProgressColumn):
    """Samples a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.0f}/s")


@contextmanager
def bar(console: Console | None = None) -> Iterator[Watcher]:
    """A watcher that draws; it vanishes at the end."""
    columns = (BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console or Console(stderr=True), transient=True) as progress:
        task = progress.add_task("sweep", total=None)

        def begin(total: int, known: int) -> None:
            progress.update(task, total=total, completed=known)
            progress.start_task(task)

        yield Watcher(begin=begin, done=lambda count: progress.advance(task, count))
