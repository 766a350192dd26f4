"""`--report`: the page beside the report. Nothing here runs, or is imported, unless it was asked for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from prepcheck.app.writing import write_atomically
from prepcheck.engine.reporting import english
from prepcheck.errors import PrepcheckError, UsageError
from prepcheck.render.html.model import Extras, InputPage, LogLine, Note

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import Prepared, Request
    from prepcheck.contract.contract import Contract
    from prepcheck.contract.report import Report
    from prepcheck.facts.diagnosis import BufferDiagnosis

LINES = 300
GENERATOR = b'<meta name="generator" content="prepcheck '
"""What a page of ours has near its beginning."""
PICTURED = 12
"""Inputs with pictures at most; of further ones the page shows the path and the contract."""
Translate = Callable[[str], str]


def _(text: str) -> str:
    """Marks a template for the catalogue; the page translates it."""
    return text


def check_target(path: str, inputs: Iterable[object]) -> None:
    """Refuse a target before any work is done. inputs: the files that the command reads.

    Raises UsageError for a folder, a folder that is not there or cannot be written, a file that the command reads, and a
    file that is no page of prepcheck: a report replaces an earlier one, nothing else.
    """
    folder = os.path.dirname(path) or "."
    if not path or path == "-":
        raise UsageError("--report takes the name of the page to write, as report.html")
    if os.path.isdir(path):
        raise UsageError(f"--report {path}: is a folder; name a file in it, as {os.path.join(path, 'report.html')}")
    if not os.path.isdir(folder):
        raise UsageError(f"--report {path}: there is no folder {folder}")
    for given in inputs:
        if isinstance(given, (str, os.PathLike)) and os.path.exists(path) and os.path.exists(given):
            if os.path.samefile(path, given):
                raise UsageError(f"--report {path}: this command reads that file; choose another name for the page")
    if os.path.isfile(path) and os.path.getsize(path) and not _is_page(path):
        raise UsageError(f"--report {path}: is there already and is no page of prepcheck; choose another name")
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise UsageError(f"--report {path}: cannot be written (no permission)")


def _is_page(path: str) -> bool:
    try:
        with open(path, "rb") as stream:
            head = stream.read(2048)
    except OSError as error:
        raise UsageError(f"--report {path}: is there already and cannot be read ({error.strerror})") from None
    return GENERATOR in head


def validated(
    request: Request,
    path: str,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    translate: Translate = english,
    lang: str = "en",
    settle: Callable[[Report], Report] | None = None,
) -> Report:
    """`app.validate.validate` with the page written. A refusal is written as a page too, then raised again.

    settle: takes out what does not count (baseline, ignored with a reason), as the command's own output does.
    """
    from prepcheck.app.validate import judge
    from prepcheck.app.worlds import prepare

    check_target(path, _files(request))
    try:
        prepared = prepare(request)
        report = judge(prepared, select=select, ignore=ignore, translate=translate)
        report = report if settle is None else settle(report)
    except PrepcheckError as error:
        _write(path, _refusal(error, request), Extras(), translate, lang)
        raise
    _write(path, report, extras(request, prepared, report), translate, lang)
    return report


def explained(report: Report, path: str, *, translate: Translate = english, lang: str = "en") -> None:
    """Write the page of a report without pictures: findings, a log's lines with their labels, what is cleared, next test."""
    found = report.details.get("lines")
    lines = [x for x in found if isinstance(x, dict)] if isinstance(found, list) else []
    told = [x for x in lines if x.get("label") not in ("harmless", "not_understood")] or lines
    kept = tuple(
        LogLine(str(x.get("where", "")), str(x.get("label", "")), str(x.get("text", ""))) for x in told[:LINES]
    )
    _write(path, report, Extras(lines=kept, lines_left_out=max(0, len(lines) - len(kept))), translate, lang)


def _write(path: str, report: Report, more: Extras, translate: Translate, lang: str) -> None:
    from prepcheck.render.html import render

    page = render(report, more, lang=lang, translate=translate)
    write_atomically(path, page.encode("utf-8", "backslashreplace"))


def _files(request: Request) -> list[object]:
    """Everything that the command reads."""
    images = [p for _, p in request.images]
    return [
        request.model,
        request.plan,
        request.previous,
        request.log,
        request.onnx,
        request.source,
        *images,
        *(b for _, b in request.buffers),
    ]


def _refusal(error: PrepcheckError, request: Request) -> Report:
    from prepcheck.app.unjudged import unjudged
    from prepcheck.contract.report import Subject

    def named(value: object) -> str | None:
        return os.fspath(value) if isinstance(value, (str, os.PathLike)) else None

    subject = Subject.model_construct(
        model=named(request.model), plan=named(request.plan), images=[os.fspath(p) for _, p in request.images],
        buffers={n or "input": named(b) or "<array>" for n, b in request.buffers}, log=named(request.log), sha256=None,
    )  # fmt: skip
    return unjudged(error, subject)


def extras(request: Request, prepared: Prepared, report: Report) -> Extras:
    """Pictures and chains of every input."""
    from prepcheck.app.report_chain import chains

    world = prepared.world
    steps = chains(world, report)
    if request.buffers and world.contract is not None:
        from prepcheck.app.testdir import expand

        request, _problems = expand(request, world.contract)
    if world.contract is None:
        return Extras(tuple(InputPage(name, chain=chain) for name, chain in steps.items()))
    pages: list[InputPage] = []
    for position, tensor in enumerate(world.contract.inputs):
        name = tensor.name or f"inputs[{position}]"
        if sum(page.views is not None for page in pages) >= PICTURED:
            pages.append(InputPage(name, chain=steps.get(name, ()), implicit=not world.declared))
        else:
            pages.append(_page(request, prepared, position, name, steps.get(name, ())))
    return Extras(tuple(pages))


def _page(request: Request, prepared: Prepared, position: int, name: str, chain: tuple[object, ...]) -> InputPage:
    from prepcheck.app.report_pictures import Given, views_of, world_dims
    from prepcheck.render.html.model import ChainStep

    world = prepared.world
    assert world.contract is not None
    steps = tuple(step for step in chain if isinstance(step, ChainStep))
    implicit = not world.declared
    image = image_of(request, world.contract, position)
    if image is None or world_dims(world.contract.inputs[position]) is None:
        return InputPage(name, chain=steps, implicit=implicit)
    diagnosis = next((d for d in _diagnoses(world.extra) if d.input == position), None)
    given = Given(image, _buffer(request, world.contract, position), diagnosis, request.max_pixels)
    views, notes = views_of(world, position, given)
    if views is not None:
        from prepcheck.app.report_chain import with_pictures
        from prepcheck.facts.path import steps_for

        steps = with_pictures(steps, steps_for(world, position), views.source)
    unnamed = [p for n, p in request.images if n is None]
    if len(unnamed) > 1 and image == unnamed[0]:
        notes.insert(
            0, Note(_("Shown is the first of {n} images: {name}"), {"n": len(unnamed), "name": os.fspath(image)})
        )
    return InputPage(name, os.fspath(image), views, steps, tuple(notes), implicit)


def _diagnoses(extra: object) -> list[BufferDiagnosis]:
    from prepcheck.facts.diagnosis import BufferDiagnosis

    found = extra.get("diagnosis", ()) if hasattr(extra, "get") else ()
    return [d for d in found if isinstance(d, BufferDiagnosis)]


def image_of(request: Request, contract: Contract, position: int) -> str | os.PathLike[str] | None:
    """The picture given for an input: by its name, else the first unnamed one for the only image input."""
    from prepcheck.facts.world import image_input

    tensor = contract.inputs[position]
    for name, path in request.images:
        if name is not None and name == (tensor.name or f"inputs[{position}]"):
            return path
    owner = image_input(contract)
    mine = len(contract.inputs) == 1 or (owner is not None and owner.index == tensor.index)
    return next((path for name, path in request.images if name is None), None) if mine else None


def _buffer(request: Request, contract: Contract, position: int) -> str | os.PathLike[str] | NDArray[np.generic] | None:
    from prepcheck.app.buffers import position_of

    for name, given in request.buffers:
        try:
            if position_of(contract, name) == position:
                return given
        except UsageError:
            continue
    return None
