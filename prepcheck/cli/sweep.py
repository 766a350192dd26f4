"""prepcheck sweep."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import click

from prepcheck.cli.options import (
    check_page,
    emit,
    exit_code,
    ids,
    judging_options,
    language,
    output_options,
    report_option,
    settled,
    translate_for,
    write_page,
)

if TYPE_CHECKING:
    from prepcheck.app.sweep import Swept, Watcher


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
@click.option("-o", "--output", metavar="F", help="Write the report to F; F.journal remembers what is done.")
@click.option("--resume", is_flag=True, help="Go on with an interrupted sweep (needs -o).")
@click.option("--dask", metavar="ADDRESS", help="Run on a Dask cluster: tcp://host:port.")
@click.option("--allow-outside", is_flag=True, help="Let a plan name files outside its own folder.")
@click.option("--max-pixels", type=click.IntRange(1), default=64_000_000, show_default=True)
@judging_options
@report_option
@output_options(more=("jsonl",))
def command(
    model: str,
    paths: tuple[str, ...],
    plan: str | None,
    jobs: int | None,
    limit: int | None,
    sample: int | None,
    seed: int,
    calibration: bool | None,
    output: str | None,
    resume: bool,
    dask: str | None,
    allow_outside: bool,
    max_pixels: int,
    strict: bool,
    select: str,
    ignore: str,
    report_file: str | None,
    format_: str,
    lang: str | None,
    color: str,
    quiet: bool,
    verbose: bool,
    debug: bool,
) -> int:
    """Check MODEL against every sample of PATH: folders, globs, images, or a list file such as rknn-toolkit2's dataset.txt.

    Findings are grouped by rule, with counts and examples. A list has one sample on each line, with one file for each
    input; relative paths begin at the list's own folder. .npy files are taken as the toolkit takes them for calibration.
    """
    from prepcheck.app.sweep import SweepRequest, sweep
    from prepcheck.errors import UsageError

    if resume and output is None:
        raise UsageError("--resume needs -o F: the journal lies beside the report")
    check_page(report_file, model, plan, *paths)
    request = SweepRequest(
        model=model,
        paths=paths,
        plan=plan,
        jobs=jobs,
        limit=limit,
        sample=sample,
        seed=seed,
        calibration=calibration,
        journal=None if output is None else f"{output}.journal",
        resume=resume,
        dask=dask,
        allow_outside=allow_outside,
        max_pixels=max_pixels,
        language=language(lang, format_),
        select=ids(select),
        ignore=ids(ignore),
    )
    if sample is not None:
        sys.stderr.write(f"drawn with --sample {sample} --seed {seed}\n")
    try:
        with _progress(quiet) as watcher:
            swept = sweep(request, translate=translate_for(lang, format_), watcher=watcher)
    except KeyboardInterrupt:
        if output is not None:
            sys.stderr.write(f"what is done stands in {output}.journal; the same command with --resume goes on\n")
        raise
    write_page(swept.report, report_file, lang, format_)
    if format_ == "jsonl":
        _lines(swept, output)
    else:
        emit(
            swept.report, format_=format_, color=color, quiet=quiet, verbose=verbose, lang=lang, output=output
        )  # fmt: skip
    swept.finish()
    return exit_code(swept.report, strict)


def _lines(swept: Swept, output: str | None) -> None:
    """One line for each sample, then the report."""
    from prepcheck.cli.options import emit_also, write
    from prepcheck.render.jsonl import render

    emit_also(settled(swept.report))
    text = render(swept.gathered.each(), settled(swept.report))
    if output is None:
        write(text)
        return
    from prepcheck.app.writing import write_atomically

    write_atomically(output, text.encode("utf-8", "backslashreplace"))


def _progress(quiet: bool) -> AbstractContextManager[Watcher | None]:
    """A bar with rate and time left, on stderr, where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        return nullcontext()
    from prepcheck.cli.progress import bar

    return bar()
