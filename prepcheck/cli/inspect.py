"""prepcheck inspect."""

from __future__ import annotations

import click

from prepcheck.cli.options import emit, exit_code, judging_options, output_options, translate_for


@click.command("inspect", short_help="Show the contract that a model file states.")
@click.argument("model")
@click.option("--sha256/--no-sha256", default=None, help="Hash the file (default: files up to 64 MiB).")
@judging_options
@output_options
def command(
    model: str, sha256: bool | None, strict: bool, select: str, ignore: str, format_: str, lang: str | None, color: str,
    quiet: bool, verbose: bool, debug: bool,
) -> int:  # fmt: skip
    """Show what MODEL expects: names, shapes, types, quantisation, strides, normalisation, and what to hand over."""
    from prepcheck.app.inspect import inspect

    report = inspect(model, sha256=sha256, translate=translate_for(lang, format_))
    emit(report, format_=format_, color=color, quiet=quiet, verbose=verbose, lang=lang, what="contract")
    return exit_code(report, strict)
