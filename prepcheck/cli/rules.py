"""prepcheck rules."""

from __future__ import annotations

import click

from prepcheck.cli.output import write


@click.command("rules", short_help="List the rules, or show the page of one.")
@click.argument("id", required=False)
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(id: str | None, format_: str) -> int:
    """List all rules, those of a family (two letters), or show the page of the rule ID."""
    from prepcheck.app.rules import listing, page

    if id is not None and len(id) > 2:
        write(page(id, format_))
    else:
        write(listing(id, format_))
    return 0
