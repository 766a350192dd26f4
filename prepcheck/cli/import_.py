"""prepcheck import."""

from __future__ import annotations

import click

from prepcheck.cli.output import write


@click.command("import", short_help="Turn another project's preprocessing file into a plan.")
@click.argument("foreign", required=False)
@click.option("--from", "kind", metavar="KIND", help="Which format it is; without FOREIGN the formats are listed.")
@click.option("--model", metavar="F", help="Complete the plan for this model: what to hand over, who normalises.")
@click.option("-o", "--output", metavar="F", help="Write to a file instead of stdout.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def command(
    foreign: str | None, kind: str | None, model: str | None, output: str | None, force: bool, debug: bool
) -> int:
    """Turn FOREIGN (preprocessor_config.json, MNN quantiser JSON, a Python file that calls rknn.config(), Ultralytics'
    metadata.yaml, MMDeploy's pipeline.json, a Frigate config, GStreamer's .modelinfo) into a plan.

    Each number is translated from that format's own formula, its words are kept under `about`, and what the file does not
    say is marked with `# ?`; what it says and probably does not mean with `# !`. Nothing is executed.
    """
    import sys
    from pathlib import Path

    from prepcheck.app.import_ import import_plan, kinds
    from prepcheck.app.writing import refuse_existing, write_atomically

    if foreign is None:
        write("".join(f"{name:<20} {title}\n" for name, title in kinds().items()))
        return 0
    if output is not None and not force:
        refuse_existing(output)
    folder = Path(output).parent if output is not None else None
    found = import_plan(foreign, kind, model=model, folder=folder)
    text = found.text()
    if output is None:
        write(text)
    else:
        write_atomically(output, text.encode("utf-8"))
        for doubt in found.doubts:
            sys.stderr.write(f"prepcheck: {doubt}\n")
    return 0
