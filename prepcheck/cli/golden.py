"""prepcheck golden."""

from __future__ import annotations

import click

from prepcheck.cli.options import named
from prepcheck.cli.output import write


@click.command("golden", short_help="Write the exact bytes to hand over.")
@click.argument("model")
@click.argument("images", nargs=-1, required=True, metavar="IMAGE ...")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the files.")
@click.option("--plan", metavar="F", help="A plan document that says how the picture is prepared.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def command(model: str, images: tuple[str, ...], output: str, plan: str | None, force: bool, debug: bool) -> int:
    """Write the bytes that IMAGE should become for MODEL, and the C lines and commands that feed them.

    They split "the model on the board" from "my input code". IMAGE may be NAME=FILE; inputs that are no pictures take .npy.
    """
    from prepcheck.app.golden import golden
    from prepcheck.render.plain import clean

    done = golden(model, named(images), output, plan=plan, force=force)
    lines = [f"{done.folder}: {', '.join(done.files)}"]
    for feed in done.feeds:
        lines.append(f"  {feed.tensor.name}: {len(feed.data)} bytes of {feed.dtype} {feed.layout} for {feed.call}")
    lines.append(f"  expected answer: {', '.join(done.answer.values()) or done.note}")
    write(clean("\n".join(lines)) + "\n")
    return 0
