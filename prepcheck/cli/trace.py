"""prepcheck trace."""

from __future__ import annotations

import click

from prepcheck.cli.output import write
from prepcheck.errors import UsageError


@click.command(
    "trace",
    short_help="Record what a program really hands over.",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option("--source", is_flag=True, help="Write the recorder's C source (for C and C++ programs on the board).")
@click.option("--mnn", is_flag=True, help="With --source: the C++ header for MNN.")
@click.option("--wrap", is_flag=True, help="With --source: the linker options for -Wl,--wrap instead of LD_PRELOAD.")
@click.option(
    "-o",
    "--output",
    metavar="F",
    help="The record (default prepcheck.pcrec), or where the source goes (default stdout).",
)
@click.option("-m", "--module", is_flag=True, help="SCRIPT is a module, as with python -m.")
@click.option(
    "--bytes", "runs", type=click.IntRange(0), default=None, metavar="N", help="Keep the bytes of the first N runs."
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.argument("script", required=False)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    source: bool,
    mnn: bool,
    wrap: bool,
    output: str | None,
    module: bool,
    runs: int | None,
    force: bool,
    debug: bool,
    script: str | None,
    arguments: tuple[str, ...],
) -> int:
    """Run a Python SCRIPT over rknn-toolkit2, RKNNLite or MNN and record its calls; or write the recorder for C programs.

    The record is a plan: prepcheck validate MODEL --plan prepcheck.pcrec
    """
    from prepcheck.app.writing import refuse_existing, write_atomically

    if source:
        from prepcheck.native import TRACER, TRACER_MNN, amalgamated, wrap_file

        text = wrap_file() if wrap else amalgamated(TRACER_MNN if mnn else TRACER)
        if output is None:
            write(text)
        else:
            if not force:
                refuse_existing(output)
            write_atomically(output, text.encode("utf-8"))
        return 0
    if script is None:
        raise UsageError("give a Python script to run, or --source for the C recorder")
    target = output or "prepcheck.pcrec"
    if not force:
        refuse_existing(target)
    from prepcheck.guarding.tracing import run_script

    return run_script(script, list(arguments), target, runs, module)
