"""Options that several commands share, and how a report leaves the program."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar, overload

import click

from prepcheck.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from prepcheck.contract.report import Report

_F = TypeVar("_F", bound=Callable[..., object])
FORMATS = ("text", "json", "sarif", "junit", "github")
_META = "prepcheck.cli."
"""Options that no command takes itself (baseline, ignored with a reason) lie in the context under this name."""


@overload
def output_options(function: _F) -> _F: ...
@overload
def output_options(*, more: tuple[str, ...]) -> Callable[[_F], _F]: ...
def output_options(function: _F | None = None, *, more: tuple[str, ...] = ()) -> _F | Callable[[_F], _F]:
    """--format, --also, --lang, --color, -q, -v, --debug. more: formats of this command alone."""
    return partial(_output_options, more=more) if function is None else _output_options(function, more)


def _output_options(function: _F, more: tuple[str, ...]) -> _F:
    for option in (
        click.option("--debug", is_flag=True, help="Show the traceback of an error."),
        click.option("-v", "--verbose", is_flag=True, help="Show evidence and everything unknown."),
        click.option("-q", "--quiet", is_flag=True, help="Only findings and the last line."),
        click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True),
        click.option("--lang", type=click.Choice(["en", "zh"]), default=None, help="Language of the text."),
        click.option(
            "--also",
            multiple=True,
            metavar="FORMAT=F",
            expose_value=False,
            callback=_also,
            help=f"Write the same report to F in another format ({', '.join(FORMATS[1:])}); repeatable.",
        ),
        click.option("--format", "format_", type=click.Choice((*FORMATS, *more)), default="text", show_default=True),
    ):
        function = option(function)
    return function


def report_option(function: _F) -> _F:
    """--report."""
    return click.option(
        "--report", "report_file", metavar="F.html", help="Write a page with pictures too: one self-contained file."
    )(function)


def judging_options(function: _F) -> _F:
    """--strict, --select, --ignore, --ignore-file, --baseline."""
    for option in (
        click.option(
            "--baseline",
            metavar="REPORT.json",
            expose_value=False,
            callback=_remember,
            help="An earlier report: only findings that are not in it count.",
        ),
        click.option(
            "--ignore-file",
            metavar="F",
            expose_value=False,
            callback=_remember,
            help="Findings that do not count, each with its reason (YAML).",
        ),
        click.option(
            "--ignore",
            multiple=True,
            metavar="ID,… | ID=REASON",
            callback=_ignore,
            help="Leave these rules (or families) out; with a reason: run them, and list what they find as ignored.",
        ),
        click.option("--select", default="", metavar="ID,…", help="Run only these rules (or families)."),
        click.option("--strict", is_flag=True, help="A warning makes the exit code 1."),
    ):
        function = option(function)
    return function


def _also(context: click.Context, _: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    pairs = [value.partition("=")[::2] for value in values]
    for kind, file in pairs:
        if kind not in FORMATS[1:] or not file:
            raise click.BadParameter(f"{kind}={file}: FORMAT=F, where FORMAT is one of {', '.join(FORMATS[1:])}")
    context.meta[_META + "also"] = pairs
    return values


def write_also(report: Report, pairs: list[tuple[str, str]]) -> None:
    """Write a report into files in other formats. Raises UsageError where a file cannot be written."""
    from prepcheck.app.writing import write_atomically

    for kind, file in pairs:
        write_atomically(file, machine_text(report, kind).encode("utf-8", "backslashreplace"))


def _remember(context: click.Context, parameter: click.Parameter, value: object) -> object:
    context.meta[_META + str(parameter.name)] = value
    return value


def _ignore(context: click.Context, _: click.Parameter, values: tuple[str, ...]) -> str:
    """What stands without a reason, as one comma list; what has one is remembered."""
    context.meta[_META + "ignore"] = [v for v in values if "=" in v]
    return ",".join(v for v in values if "=" not in v)


def settled(report: Report) -> Report:
    """The report without what is in the baseline or ignored with a reason: the one that is shown and decides."""
    context = click.get_current_context(silent=True)
    meta = context.meta if context is not None else {}
    reasons, file, baseline = (meta.get(_META + k) for k in ("ignore", "ignore_file", "baseline"))
    if not (reasons or file or baseline):
        return report
    done: dict[int, tuple[Report, Report]] = meta.setdefault(_META + "settled", {})
    known = done.get(id(report))
    if known is None:
        from prepcheck.app.accepting import parse_reason, read_baseline, read_ignores, settle

        entries = [parse_reason(r) for r in reasons or ()]
        for entry in entries:
            ids(entry.rule)  # an id that no rule has is a slip, and said to be one
        entries += read_ignores(file) if file else []
        result = settle(report, entries, read_baseline(baseline) if baseline else None, baseline)
        known = done[id(report)] = (report, result)
        done[id(result)] = (result, result)
    return known[1]


def ids(text: str) -> list[str]:
    """A comma list of rule ids or their beginnings. Raises UsageError for what no rule begins with."""
    from prepcheck.engine.loading import rule_files

    found = [part.strip().upper() for part in text.split(",") if part.strip()]
    for part in found:
        if not any(key.startswith(part) for key in rule_files()):
            from difflib import get_close_matches

            near = get_close_matches(part, list(rule_files()), n=1)
            hint = f"; did you mean {near[0]}?" if near else "; `prepcheck rules` lists them"
            raise UsageError(f"no rule begins with {part}{hint}")
    return found


def named(values: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """`NAME=F` → (NAME, F); `F` → (None, F). A path that exists as it stands is never split."""
    found: list[tuple[str | None, str]] = []
    for value in values:
        name, sign, path = value.partition("=")
        found.append((name, path) if sign and not os.path.exists(value) and path else (None, value))
    return found


def language(lang: str | None, format_: str) -> str:
    """`en` or `zh`: as asked; else, for a terminal's text only, by the locale."""
    if lang is not None:
        return lang
    if format_ != "text" or not sys.stdout.isatty():
        return "en"
    spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if spoken.lower().startswith("zh") else "en"


def translate_for(lang: str | None, format_: str) -> Callable[[str], str]:
    """The translation for an output: English for JSON unless a language was asked for, a terminal's text by the locale."""
    from prepcheck.app.language import translator

    return translator(language(lang, format_))


def emit(
    report: Report,
    *,
    format_: str,
    color: str,
    quiet: bool,
    verbose: bool,
    lang: str | None = None,
    what: str = "report",
    output: str | None = None,
) -> None:
    """Write a report in the format asked for: to stdout, or into the file `output`."""
    report = settled(report)
    emit_also(report)
    if format_ in ("text", "jsonl"):
        from prepcheck.render.text import render as render_text

        text = render_text(
            report, color=use_color(color) and output is None, width=terminal_width() if output is None else 100,
            quiet=quiet, verbose=verbose, translate=translate_for(lang, format_), what=what,
        )  # fmt: skip
        if "ignored" in report.details or "baseline" in report.details:
            from prepcheck.render.accepted_text import render as render_accepted

            text += render_accepted(report, translate_for(lang, format_))
        if "sweep" in report.details and not quiet:
            from prepcheck.render.sweep_text import render as render_head

            text = render_head(report, translate_for(lang, format_)) + text
    else:
        text = machine_text(report, format_)
    if output is None:
        write(text)
        return
    from prepcheck.app.writing import write_atomically

    write_atomically(output, text.encode("utf-8", "backslashreplace"))


def write_page(report: Report, path: str | None, lang: str | None, format_: str) -> None:
    """The page of --report for a report without pictures; nothing where no page was asked for."""
    if path is not None:
        from prepcheck.app.report_file import explained

        explained(settled(report), path, translate=translate_for(lang, format_), lang=language(lang, format_))


def check_page(path: str | None, *inputs: object) -> None:
    """Refuse a page's name before the work begins. inputs: the files that the command reads."""
    if path is not None:
        from prepcheck.app.report_file import check_target

        check_target(path, inputs)


def emit_also(report: Report) -> None:
    """Write the report into the files of --also."""
    context = click.get_current_context(silent=True)
    write_also(report, context.meta.get(_META + "also", []) if context is not None else [])


def machine_text(report: Report, format_: str) -> str:
    """A report for programs: json, sarif, junit or github."""
    if format_ == "json":
        from prepcheck.render.json_ import render

        return render(report)
    from prepcheck.app.locations import located

    if format_ == "junit":
        from prepcheck.render.junit import render as render_junit

        context = click.get_current_context(silent=True)
        return render_junit(located(report), strict=bool(context and context.params.get("strict")))
    from importlib import import_module

    return str(import_module(f"prepcheck.render.{format_}").render(located(report)))


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


def exit_code(report: Report, strict: bool) -> int:
    """0 no error, 1 an error (with --strict a warning too), 2 unjudged."""
    report = settled(report)
    if report.verdict == "unjudged":
        return int(ExitCode.UNJUDGED)
    if report.verdict == "error" or (strict and report.verdict == "warning"):
        return int(ExitCode.ERROR)
    return int(ExitCode.OK)
