"""prepcheck diff."""

from __future__ import annotations

import click

from prepcheck.cli.judging import exit_code
from prepcheck.cli.options import output_options
from prepcheck.cli.output import Output
from prepcheck.errors import UsageError


@click.command("diff", short_help="Compare two models, plans, logs or records.")
@click.argument("files", nargs=-1, metavar="A B")
@click.option(
    "--lock", metavar="FILE", help="Hold one model against a committed contract; write it where there is none."
)
@click.option("--update", is_flag=True, help="With --lock: replace the committed contract.")
@click.option("--strict", is_flag=True, help="A warning makes the exit code 1.")
@output_options(page=True)
def command(files: tuple[str, ...], lock: str | None, update: bool, strict: bool, output: Output) -> int:
    """Say what differs between A and B (models, contracts, plans, records, or logs), and what is equal and so cleared.

    Exit code 1 where contracts differ. With --lock FILE MODEL, a change of the model's contract fails.
    """
    from prepcheck.app.diff import diff
    from prepcheck.app.diff import lock as hold

    output.check_page(*files, lock)
    if lock is not None:
        if len(files) != 1:
            raise UsageError("diff --lock FILE MODEL: give exactly one model")
        report = hold(lock, files[0], update=update, translate=output.translate)
    else:
        if len(files) != 2:
            raise UsageError(f"diff A B: give two files, not {len(files)}")
        report = diff(files[0], files[1], translate=output.translate)
    output.write_page(report)
    output.emit(report, strict=strict, what="diff")
    return exit_code(report, strict)
