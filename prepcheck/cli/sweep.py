"""prepcheck sweep."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from prepcheck.cli.judging import Judging
from prepcheck.cli.options import judging_options, output_options
from prepcheck.cli.output import Output, put

if TYPE_CHECKING:
    from prepcheck.app.sweep import Watcher


@click.command("sweep", short_help="Validate a folder, glob or dataset.txt.")
@click.argument("model")
@click.argument("paths", nargs=-1, required=True, metavar="PATH ...")
@click.option("--plan", metavar="F", help="A plan document (YAML or JSON).")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Processes at work (default: one for each core).")
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N samples.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only N samples, drawn at random with --seed.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of --sample.")
@click.option(
    "--calibration/--no-calibration",
    default=None,
    help="Whether the set is one to calibrate with (default: a list called dataset.txt or alike, for an RKNN model).",
)
@click.option("-o", "--output", "file", metavar="F", help="Write the report to F; F.journal remembers what is done.")
@click.option("--resume", is_flag=True, help="Go on with an interrupted sweep (needs -o).")
@click.option("--dask", metavar="ADDRESS", help="Run on a Dask cluster: tcp://host:port.")
@click.option("--allow-outside", is_flag=True, help="Let a plan name files outside its own folder.")
@click.option("--max-pixels", type=click.IntRange(1), default=64_000_000, show_default=True)
@judging_options
@output_options(page=True, more=("jsonl",))
def command(
    model: str,
    paths: tuple[str, ...],
    plan: str | None,
    jobs: int | None,
    limit: int | None,
    sample: int | None,
    seed: int,
    calibration: bool | None,
    file: str | None,
    resume: bool,
    dask: str | None,
    allow_outside: bool,
    max_pixels: int,
    judging: Judging,
    output: Output,
) -> int:
    """Check MODEL against every sample of PATH: folders, globs, images, or a list file such as rknn-toolkit2's dataset.txt.

    Findings are grouped by rule, with counts and examples. A list has one sample on each line, with one file for each
    input; relative paths begin at the list's own folder. .npy files are taken as the toolkit takes them for calibration.
    """
    from prepcheck.app.sweep import SweepRequest, sweep
    from prepcheck.errors import UsageError

    if resume and file is None:
        raise UsageError("--resume needs -o F: the journal lies beside the report")
    output.check_page(model, plan, *paths)
    request = SweepRequest(
        model=model,
        paths=paths,
        plan=plan,
        jobs=jobs,
        limit=limit,
        sample=sample,
        seed=seed,
        calibration=calibration,
        journal=None if file is None else f"{file}.journal",
        resume=resume,
        dask=dask,
        allow_outside=allow_outside,
        max_pixels=max_pixels,
        language=output.language,
        select=judging.select,
        ignore=judging.ignore,
    )
    if sample is not None:
        sys.stderr.write(f"drawn with --sample {sample} --seed {seed}\n")
    try:
        with _progress(output.quiet) as watcher:
            swept = sweep(request, translate=output.translate, watcher=watcher)
    except KeyboardInterrupt:
        if file is not None:
            sys.stderr.write(f"what is done stands in {file}.journal; the same command with --resume goes on\n")
        raise
    report = judging.settle(swept.report)
    output.write_page(report)
    if output.format == "jsonl":
        from prepcheck.render.jsonl import render

        output.emit_also(report, strict=judging.strict)
        put(render(swept.gathered.each(), report), file)
    else:
        output.emit(report, strict=judging.strict, file=file)
    swept.finish()
    return judging.exit_code(report)


def _progress(quiet: bool) -> AbstractContextManager[Watcher | None]:
    """A bar with rate and time left, on stderr, where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from prepcheck.cli.progress import bar

    return bar()
