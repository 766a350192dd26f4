"""How a report leaves the program: what --format, --also, --lang, --color, -q, -v and --report ask for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from prepcheck.records import dataclass

if TYPE_CHECKING:
    from prepcheck.contract.report import Report

FORMATS = ("text", "json", "sarif", "junit", "github")
"""Formats of every report. The first is for people."""


@dataclass(frozen=True, slots=True)
class Output:
    """The options of one command line. also: (format, file) pairs. page: the file of --report."""

    format: str
    lang: str | None
    color: str
    quiet: bool
    verbose: bool
    also: tuple[tuple[str, str], ...]
    page: str | None = None

    @property
    def language(self) -> str:
        """`en` or `zh`: as asked; else, for a terminal's text only, by the locale."""
        if self.lang is not None:
            return self.lang
        if self.format != "text" or not sys.stdout.isatty():
            return "en"
        spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        return "zh" if spoken.lower().startswith("zh") else "en"

    @property
    def translate(self) -> Callable[[str], str]:
        """The translation into `language`."""
        from prepcheck.app.language import translator

        return translator(self.language)

    def check_page(self, *inputs: object) -> None:
        """Refuse the page's name before the work begins. inputs: the files that the command reads."""
        if self.page is not None:
            from prepcheck.app.report_file import check_target

            check_target(self.page, inputs)

    def write_page(self, report: Report) -> None:
        """The page of a report without pictures; nothing where no page was asked for."""
        if self.page is not None:
            from prepcheck.app.report_file import explained

            explained(report, self.page, translate=self.translate, lang=self.language)

    def emit(self, report: Report, *, strict: bool = False, what: str = "report", file: str | None = None) -> None:
        """Write a report in the format asked for, to stdout or into a file, and into the files of --also."""
        self.emit_also(report, strict=strict)
        if self.format in FORMATS[1:]:
            put(machine_text(report, self.format, strict=strict), file)
        else:
            put(self._text(report, what, file is None), file)

    def emit_also(self, report: Report, *, strict: bool = False) -> None:
        """Write the report into the files of --also."""
        write_also(report, self.also, strict=strict)

    def _text(self, report: Report, what: str, screen: bool) -> str:
        from prepcheck.render.text import render as render_text

        translate = self.translate
        text = render_text(
            report, color=screen and use_color(self.color), width=terminal_width() if screen else 100,
            quiet=self.quiet, verbose=self.verbose, translate=translate, what=what,
        )  # fmt: skip
        if "ignored" in report.details or "baseline" in report.details:
            from prepcheck.render.accepted_text import render as render_accepted

            text += render_accepted(report, translate)
        if "sweep" in report.details and not self.quiet:
            from prepcheck.render.sweep_text import render as render_head

            text = render_head(report, translate) + text
        return text


def machine_text(report: Report, format_: str, *, strict: bool = False) -> str:
    """A report for programs: json, sarif, junit or github. strict: a warning is a failure of JUnit."""
    if format_ == "json":
        from prepcheck.render.json_ import render

        return render(report)
    from prepcheck.app.locations import located

    if format_ == "junit":
        from prepcheck.render.junit import render as render_junit

        return render_junit(located(report), strict=strict)
    from importlib import import_module

    return str(import_module(f"prepcheck.render.{format_}").render(located(report)))


def write_also(report: Report, pairs: Sequence[tuple[str, str]], *, strict: bool = False) -> None:
    """Write a report into files in other formats. Raises UsageError where a file cannot be written."""
    for kind, file in pairs:
        put(machine_text(report, kind, strict=strict), file)


def put(text: str, file: str | None) -> None:
    """Write text to stdout, or into a file at once or not at all."""
    if file is None:
        write(text)
        return
    from prepcheck.app.writing import write_atomically

    write_atomically(file, text.encode("utf-8", "backslashreplace"))


def write(text: str) -> None:
    """Write text to stdout as UTF-8, whatever the locale."""
    data = text.encode("utf-8", "backslashreplace")
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write(text)
    else:
        sys.stdout.flush()
        buffer.write(data)
        buffer.flush()


def run_progress(wanted: bool) -> Callable[[int, int], None] | None:
    """Tells on stderr how many runs of a model are done, where that is a terminal; None elsewhere."""
    if not wanted or not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        if done % 10 == 0 or done == total:
            sys.stderr.write(f"\r{done}/{total}" if done < total else "\r" + " " * 24 + "\r")
            sys.stderr.flush()

    return tell


def use_color(choice: str) -> bool:
    """auto: on a terminal, unless NO_COLOR is set (no-color.org)."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """Columns of the terminal; 100 where there is none."""
    if not sys.stdout.isatty():
        return 100
    import shutil

    return max(50, min(140, shutil.get_terminal_size((100, 24)).columns))
