"""prepcheck inspect."""

from __future__ import annotations

import click

from prepcheck.cli.judging import Judging
from prepcheck.cli.options import judging_options, output_options
from prepcheck.cli.output import Output


@click.command("inspect", short_help="Show the contract that a model file states.")
@click.argument("model")
@click.option("--sha256/--no-sha256", default=None, help="Hash the file (default: files up to 64 MiB).")
@judging_options
@output_options
def command(model: str, sha256: bool | None, judging: Judging, output: Output) -> int:
    """Show what MODEL expects: names, shapes, types, quantisation, strides, normalisation, and what to hand over."""
    from prepcheck.app.inspect import inspect

    report = judging.settle(inspect(model, sha256=sha256, translate=output.translate))
    output.emit(report, strict=judging.strict, what="contract")
    return judging.exit_code(report)
