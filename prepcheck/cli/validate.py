"""prepcheck validate."""

from __future__ import annotations

import click

from prepcheck.cli.judging import Judging
from prepcheck.cli.options import judging_options, named, output_options
from prepcheck.cli.output import Output, run_progress
from prepcheck.cli.video import is_video, validate_video

PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


@click.command("validate", short_help="Check an image's whole way into a model.")
@click.argument("model", required=False)
@click.argument("images", nargs=-1, metavar="[IMAGE ...]")
@click.option(
    "--plan",
    metavar="F",
    help="A plan (YAML or JSON), a record (.pcrec), or a ready plan: yolov8, … (`init --plans` lists them).",
)
@click.option("--buffer", "buffers", multiple=True, metavar="[NAME=]F", help="Bytes actually submitted (.npy or raw).")
@click.option("--previous", metavar="F", help="The frame before.")
@click.option("--log", metavar="F", help="What the runtime printed.")
@click.option(
    "--answer",
    "answers",
    multiple=True,
    metavar="A",
    help='What the device answered, for each image: a file, "0.9994,0.0006" or "282:0.41".',
)
@click.option("--onnx", metavar="F", help="The network that an .rknn was built from, to run it here.")
@click.option("--source", metavar="F", help="The network (.onnx, .tflite) that MODEL was converted from: what changed.")
@click.option("--run", is_flag=True, help="Run a .mnn here on the expected input and on the submitted one.")
@click.option("--every", type=click.IntRange(1), default=1, metavar="N", help="Of a video: every Nth frame.")
@click.option("--frames", type=click.IntRange(1), metavar="N", help="Of a video: at most N frames.")
@click.option("--allow-outside", is_flag=True, help="Let a plan name files outside its own folder.")
@click.option("--max-pixels", type=click.IntRange(1), default=64_000_000, show_default=True)
@judging_options
@output_options(page=True)
def command(
    model: str | None,
    images: tuple[str, ...],
    plan: str | None,
    buffers: tuple[str, ...],
    previous: str | None,
    log: str | None,
    answers: tuple[str, ...],
    onnx: str | None,
    source: str | None,
    run: bool,
    every: int,
    frames: int | None,
    allow_outside: bool,
    max_pixels: int,
    judging: Judging,
    output: Output,
) -> int:
    """Check everything that will be submitted to MODEL for each IMAGE.

    Without a plan the usual path is assumed: decode, stretch to the model's size, hand over uint8 (RKNN) or the file's
    type (MNN). IMAGE may be NAME=FILE for a model with several inputs. A plan that lies beside the model
    (m.rknn.prepcheck.yaml, then m.prepcheck.yaml) is used by itself. IMAGE may also be a video, /dev/video0 or a stream
    (rtsp://…): its frames are judged, and what is found is grouped.
    """
    from prepcheck.app.validate import validate
    from prepcheck.app.worlds import Request

    if plan is not None and model is not None and model.lower().endswith(PICTURES):
        images, model = (model, *images), None  # the model stands in the plan
    if any(is_video(image) for image in images):
        report = validate_video(
            model, images, plan=plan, every=every, frames=frames, allow_outside=allow_outside, max_pixels=max_pixels,
            others=bool(buffers or previous or log or answers or run or output.page), language=output.language,
            select=judging.select, ignore=judging.ignore, translate=output.translate,
        )  # fmt: skip
        report = judging.settle(report)
        output.emit(report, strict=judging.strict)
        return judging.exit_code(report)
    request = Request(
        model=model,
        images=named(images),
        plan=plan,
        buffers=named(buffers),
        previous=previous,
        log=log,
        answers=answers,
        run=run,
        allow_outside=allow_outside,
        max_pixels=max_pixels,
        onnx=onnx,
        source=source,
        progress=run_progress(bool(answers) and not output.quiet),
    )
    if output.page is not None:
        from prepcheck.app.report_file import validated

        report = validated(
            request, output.page, select=judging.select, ignore=judging.ignore, translate=output.translate,
            lang=output.language, settle=judging.settle,
        )  # fmt: skip
    else:
        report = judging.settle(
            validate(request, select=judging.select, ignore=judging.ignore, translate=output.translate)
        )
    output.emit(report, strict=judging.strict)
    return judging.exit_code(report)
