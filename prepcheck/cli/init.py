"""prepcheck init."""

from __future__ import annotations

import click

from prepcheck.cli.output import write
from prepcheck.errors import UsageError


@click.command("init", short_help="Write a plan to fill in for a model.")
@click.argument("model", required=False)
@click.option("-o", "--output", metavar="F", help="Write to a file instead of stdout.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option(
    "--test-card",
    nargs=2,
    type=click.IntRange(8, 8192),
    metavar="W H",
    help="Write a picture on which every fault shows (-o F.png).",
)
@click.option("--ready", metavar="NAME", help="Begin with a ready plan (yolov8, mobilenet-v2, …), completed for MODEL.")
@click.option("--plans", is_flag=True, help="List the ready plans.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def command(
    model: str | None, output: str | None, force: bool, test_card: tuple[int, int] | None, ready: str | None, plans: bool,
    debug: bool,
) -> int:  # fmt: skip
    """Write a plan for MODEL: what the model settles is filled in, what is not known is marked with `# ?`."""
    from pathlib import Path

    from prepcheck.app.writing import refuse_existing, write_atomically

    if plans:
        from prepcheck.app.ready import names

        write("".join(f"{name:<24} {title}\n" for name, title in names().items()))
        return 0
    if output is not None and not force:
        refuse_existing(output)
    if test_card:
        from prepcheck.app.testcard import png

        if output is None:
            raise UsageError("a test card is a picture: say where with -o card.png")
        write_atomically(output, png(*test_card))
        return 0
    if model is None:
        raise UsageError("give MODEL, or --test-card W H")
    folder = Path(output).parent if output is not None else None
    if ready is not None:
        from prepcheck.app.import_ import ready_plan

        text = ready_plan(ready, model, folder)
    else:
        from prepcheck.app.init import init

        text = init(model, folder)
    if output is None:
        write(text)
    else:
        write_atomically(output, text.encode("utf-8"))
    return 0
