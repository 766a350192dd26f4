"""prepcheck export."""

from __future__ import annotations

import click

from prepcheck.cli.judging import ids
from prepcheck.cli.output import write
from prepcheck.errors import ExitCode, UsageError


@click.command("export", short_help="Write a contract in another form.")
@click.argument("model", required=False)
@click.option("--plan", metavar="F", help="Plan document or record (.pcrec).")
@click.option("--to", "kind", metavar="KIND", help="What to write; without it the kinds are listed.")
@click.option("-o", "--output", metavar="F", help="Write to a file instead of stdout.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--ignore", default="", metavar="ID,…", help="Leave these rules out where the plan is judged.")
@click.option("--allow-outside", is_flag=True, help="Paths of the plan may lead out of its folder.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def command(
    model: str | None, plan: str | None, kind: str | None, output: str | None, force: bool, ignore: str,
    allow_outside: bool, debug: bool,
) -> int:  # fmt: skip
    """Write the contract of MODEL, or a plan that is found right, in another form.

    A kind that carries a plan's numbers on (c-snippet) is written only where the plan has no error: exit code 1 else.
    """
    import sys

    from prepcheck.app.export import NotRight, export, kinds
    from prepcheck.app.worlds import Request
    from prepcheck.app.writing import refuse_existing, write_atomically

    if kind is None:
        if model is not None or plan is not None:
            raise UsageError(f"say what to write with --to: {', '.join(kinds())}")
        write("".join(f"{name:<20} {title}\n" for name, title in kinds().items()))
        return int(ExitCode.OK)
    if output is not None and not force:
        refuse_existing(output)
    try:
        text = export(Request(model=model, plan=plan, allow_outside=allow_outside), kind, ignore=ids(ignore))
    except NotRight as wrong:
        sys.stderr.write(f"prepcheck: {wrong.message}\n")
        return int(ExitCode.ERROR)
    if output is None:
        write(text)
    else:
        write_atomically(output, text.encode("utf-8"))
    return int(ExitCode.OK)
