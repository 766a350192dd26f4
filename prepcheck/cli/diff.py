"""prepcheck diff."""

from __future__ import annotations

import click

from prepcheck.cli.options import (
    check_page,
    emit,
    exit_code,
    output_options,
    report_option,
    translate_for,
    write_page,
)
from prepcheck.errors import UsageError


@click.command("diff", short_help="Compare two models, plans, logs or records.")
@click.argument("files", nargs=-1, metavar="A B")
@click.option(
    "--lock", metavar="FILE", help="Hold one model against a committed contract; write it where there is none."
)
@click.option("--update", is_flag=True, help="With --lock: replace the committed contract.")
@click.option("--strict", is_flag=True, help="A warning makes the exit code 1.")
@report_option
@output_options
def command(
    files: tuple[str, ...], lock: str | None, update: bool, strict: bool, report_file: str | None, format_: str, lang: str | None, color: str,
    quiet: bool, verbose: bool, debug: bool,
) -> int:  # fmt: skip
    """Say what differs between A and B (models, contracts, plans, records, or logs), and what is equal and so cleared.

    Exit code 1 where contracts differ. With --lock FILE MODEL, a change of the model's contract fails.
    """
    from prepcheck.app.diff import diff
    from prepcheck.app.diff import lock as hold

    check_page(report_file, *files, lock)
    if lock is not None:
        if len(files) != 1:
            raise UsageError("diff --lock FILE MODEL: give exactly one model")
        report = hold(lock, files[0], update=update, translate=translate_for(lang, format_))
    else:
        if len(files) != 2:
            raise UsageError(f"diff A B: give two files, not {len(files)}")
        report = diff(files[0], files[1], translate=translate_for(lang, format_))
    write_page(report, report_file, lang, format_)
    emit(report, format_=format_, color=color, quiet=quiet, verbose=verbose, lang=lang, what="diff")
    return exit_code(report, strict)
