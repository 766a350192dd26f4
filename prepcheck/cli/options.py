"""Options that several commands share. Each group reaches its command as one argument: `output` or `judging`."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial, wraps
from typing import TypeVar, overload

import click

from prepcheck.cli.judging import Judging, ids
from prepcheck.cli.output import FORMATS, Output

_R = TypeVar("_R")
_Command = Callable[..., _R]


@overload
def output_options(function: _Command[_R]) -> _Command[_R]: ...
@overload
def output_options(*, page: bool = False, more: tuple[str, ...] = ()) -> Callable[[_Command[_R]], _Command[_R]]: ...
def output_options(
    function: _Command[_R] | None = None, *, page: bool = False, more: tuple[str, ...] = ()
) -> _Command[_R] | Callable[[_Command[_R]], _Command[_R]]:
    """--format, --also, --lang, --color, -q, -v, --debug as `output: Output`. page: --report too. more: further formats."""
    if function is None:
        return partial(_output_options, page=page, more=more)
    return _output_options(function, page, more)


def _output_options(function: _Command[_R], page: bool, more: tuple[str, ...]) -> _Command[_R]:
    @wraps(function)
    def packed(
        *args: object, format_: str, also: tuple[tuple[str, str], ...], lang: str | None, color: str, quiet: bool,
        verbose: bool, debug: bool, report_file: str | None = None, **rest: object,
    ) -> _R:  # fmt: skip
        return function(*args, output=Output(format_, lang, color, quiet, verbose, also, report_file), **rest)

    command: _Command[_R] = packed
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
            callback=_also,
            help=f"Write the same report to F in another format ({', '.join(FORMATS[1:])}); repeatable.",
        ),
        click.option("--format", "format_", type=click.Choice((*FORMATS, *more)), default="text", show_default=True),
    ):
        command = option(command)
    if page:
        text = "Write a page with pictures too: one self-contained file."
        command = click.option("--report", "report_file", metavar="F.html", help=text)(command)
    return command


def _also(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for value in values:
        kind, _sign, file = value.partition("=")
        if kind not in FORMATS[1:] or not file:
            raise click.BadParameter(f"{kind}={file}: FORMAT=F, where FORMAT is one of {', '.join(FORMATS[1:])}")
        pairs.append((kind, file))
    return tuple(pairs)


def judging_options(function: _Command[_R]) -> _Command[_R]:
    """--strict, --select, --ignore, --ignore-file, --baseline as `judging: Judging`."""

    @wraps(function)
    def packed(
        *args: object, strict: bool, select: str, ignore: tuple[str, ...], ignore_file: str | None,
        baseline: str | None, **rest: object,
    ) -> _R:  # fmt: skip
        left_out = ids(",".join(v for v in ignore if "=" not in v))
        reasons = tuple(v for v in ignore if "=" in v)
        judging = Judging(strict, ids(select), left_out, reasons, ignore_file, baseline)
        return function(*args, judging=judging, **rest)

    command: _Command[_R] = packed
    for option in (
        click.option(
            "--baseline",
            metavar="REPORT.json",
            help="An earlier report: only findings that are not in it count.",
        ),
        click.option(
            "--ignore-file",
            metavar="F",
            help="Findings that do not count, each with its reason (YAML).",
        ),
        click.option(
            "--ignore",
            multiple=True,
            metavar="ID,… | ID=REASON",
            help="Leave these rules (or families) out; with a reason: run them, and list what they find as ignored.",
        ),
        click.option("--select", default="", metavar="ID,…", help="Run only these rules (or families)."),
        click.option("--strict", is_flag=True, help="A warning makes the exit code 1."),
    ):
        command = option(command)
    return command


def named(values: tuple[str, ...]) -> list[tuple[str | None, str]]:
    """`NAME=F` → (NAME, F); `F` → (None, F). A path that exists as it stands is never split."""
    found: list[tuple[str | None, str]] = []
    for value in values:
        name, sign, path = value.partition("=")
        found.append((name, path) if sign and not os.path.exists(value) and path else (None, value))
    return found
