"""prepcheck explain."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from prepcheck.cli.judging import Judging
from prepcheck.cli.options import judging_options, output_options
from prepcheck.cli.output import Output
from prepcheck.errors import UsageError

if TYPE_CHECKING:
    from prepcheck.logs.texts import Fed


@click.command("explain", short_help="Explain a log, a size mismatch or a symptom.")
@click.argument("text", required=False)
@click.option("--file", "files", multiple=True, metavar="F", help="A log, a thread or code; - is stdin; repeatable.")
@click.option("--symptom", metavar="S", help="What you see, in your words.")
@click.option("--model", metavar="M", help="The model: its shapes, types and sizes are used.")
@click.option("--got", type=int, metavar="N", help="Bytes given.")
@click.option("--want", type=int, metavar="N", help="Bytes wanted.")
@click.option("--shape", metavar="1x3x120x90", help="Shape of the model's input.")
@click.option("--dtype", metavar="D", help="Element type of the model's input.")
@click.option("--layout", metavar="L", help="Layout of the model's input.")
@click.option("--platform", metavar="P", help="Chip: rk3588, rv1106, …")
@click.option("--runtime", metavar="R", help="rknn, rknn1, mnn, rga or generic.")
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="A",
    help='What the device answered: a file or "0.9994,0.0006"; repeatable.',
)
@judging_options
@output_options(page=True)
def command(
    text: str | None,
    files: tuple[str, ...],
    symptom: str | None,
    model: str | None,
    got: int | None,
    want: int | None,
    shape: str | None,
    dtype: str | None,
    layout: str | None,
    platform: str | None,
    runtime: str | None,
    answers: tuple[str, ...],
    judging: Judging,
    output: Output,
) -> int:
    """What pasted lines, two sizes or a symptom mean; what they clear; what to try next.

    \b
    prepcheck explain --file board.log --file dmesg.txt
    prepcheck explain --got 32400 --want 3240000 --shape 1x3x120x90
    prepcheck explain "E RKNN: rknn_inputs_set, param input size(10080) < model input size(40320)"
    """
    from prepcheck.app.explain import Question, explain
    from prepcheck.app.sizes import Stated

    if (got is None) != (want is None):
        raise UsageError("--got and --want belong together: give both")
    texts: list[tuple[str, str]] = []
    paths = [file for file in files if file != "-"]
    if text == "-":
        files = (*files, "-")
    elif text is not None and "\n" not in text and len(text) < 4096 and os.path.isfile(text):
        paths.append(text)
    elif text is not None:
        texts.append(("text", text))
    question = Question(
        texts=texts, files=paths, fed=_stdin() if "-" in files else (), symptom=symptom, answers=answers, model=model, platform=platform.lower() if platform else None,
        sizes=Stated(
            got=got, want=want, shape=_shape(shape), dtype=dtype, layout=layout,
            platform=platform.lower() if platform else None, runtime=runtime,
        ),
    )  # fmt: skip
    output.check_page(*paths, model)
    found = explain(question, select=judging.select, ignore=judging.ignore, translate=output.translate)
    report = judging.settle(found)
    output.write_page(report)
    output.emit(report, strict=judging.strict)
    return judging.exit_code(report)


def _stdin() -> Sequence[tuple[str, Fed]]:
    """Standard input as a text that is read as it comes. Raises EmptyFileError or WrongKindError."""
    from prepcheck.logs.texts import Fed

    return [("<stdin>", Fed(sys.stdin.buffer, "<stdin>"))]


def _shape(text: str | None) -> list[int] | None:
    """`1x3x120x90`, `1,3,120,90` or `[1, 3, 120, 90]` → the numbers. Raises UsageError."""
    if text is None:
        return None
    parts = re.split(r"[x×,*\s]+", text.strip().strip("[]()"))
    try:
        return [int(p) for p in parts if p]
    except ValueError:
        raise UsageError(f"--shape {text!r}: write the axes with x between, as 1x3x120x90") from None
