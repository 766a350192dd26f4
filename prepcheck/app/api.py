"""The library's verbs: what the command line does, for Python programs (`import prepcheck as pc`)."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from prepcheck.app.validate import validate as _validate
from prepcheck.app.worlds import Request
from prepcheck.contract.contract import Contract
from prepcheck.contract.report import Report

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.contract.plan import Plan

Path = str | os.PathLike[str]


def load(model: Path) -> Contract:
    """The contract that a model file (.rknn or .mnn) states.

    Raises PrepcheckError (a named subclass: not found, empty, truncated, wrong kind, …) where it cannot be read.
    """
    from prepcheck.readers.model import read_model

    return read_model(model)


def inspect(model: Path) -> Report:
    """The contract with what its reader noticed, as a report."""
    from prepcheck.app.inspect import inspect as _inspect

    return _inspect(model)


def validate(
    model: Path | Contract | None = None,
    image: Path | Sequence[Path] | Mapping[str, Path] | None = None,
    *,
    plan: Path | Plan | None = None,
    buffer: Path | NDArray[np.generic] | Mapping[str, Path | NDArray[np.generic]] | None = None,
    answer: str | Sequence[str] = (),
    onnx: Path | None = None,
    source: Path | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    allow_outside: bool = False,
) -> Report:
    """Check everything that will be submitted.

    model: path or contract (may stand in the plan). image: a path, several, or {input name: path}. plan: path or Plan.
    buffer: the bytes that are handed over: an array (shape, element type and contiguity are judged) or a path, or
    {input name: …}. answer: what the device answered for each image ("0.9994,0.0006", "282:0.41,281:0.2", or a file); onnx:
    the network that an .rknn was built from, to run it here; source: the same (.onnx or .tflite), to say what conversion
    changed. plan may also be the name of a ready plan ("yolov8"). Returns the report; it never raises on findings. Raises PrepcheckError where nothing can be judged.
    """
    images: list[tuple[str | None, Path]] = []
    if isinstance(image, Mapping):
        images = list(image.items())
    elif isinstance(image, (str, os.PathLike)):
        images = [(None, image)]
    elif image is not None:
        images = [(None, path) for path in image]
    buffers: list[tuple[str | None, Path | NDArray[np.generic]]] = []
    if isinstance(buffer, Mapping):
        buffers = list(buffer.items())
    elif buffer is not None:
        buffers = [(None, buffer)]
    request = Request(
        model=model, images=images, plan=plan, buffers=buffers, allow_outside=allow_outside, onnx=onnx, source=source,
        answers=[answer] if isinstance(answer, str) else list(answer),
    )  # fmt: skip
    return _validate(request, select=select, ignore=ignore)


def explain(
    text: str | Sequence[str] | None = None,
    *,
    file: Path | Sequence[Path] = (),
    symptom: str | None = None,
    model: Path | Contract | None = None,
    platform: str | None = None,
    runtime: str | None = None,
    layout: str | None = None,
    dtype: str | None = None,
    shape: Sequence[int] | None = None,
    got: int | None = None,
    want: int | None = None,
    answer: str | Sequence[str] = (),
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Report:
    """What pasted lines, two byte counts or a symptom mean; what they clear; what to try next.

    text, file: logs, threads, code; one or several. model: path or contract. got, want: bytes; shape in elements in the
    order of layout. answer: what the device answered. Returns the report; it never raises on findings. Raises
    PrepcheckError (UsageError, NotFoundError, WrongKindError, …) where nothing can be explained.
    """
    from prepcheck.app.explain import Question
    from prepcheck.app.explain import explain as _explain
    from prepcheck.app.sizes import Stated

    texts = [text] if isinstance(text, str) else list(text or ())
    files = [file] if isinstance(file, (str, os.PathLike)) else list(file)
    question = Question(
        texts=[(f"text {i + 1}", t) for i, t in enumerate(texts)],
        files=files,
        symptom=symptom,
        answers=[answer] if isinstance(answer, str) else list(answer),
        model=model,
        platform=platform,
        sizes=Stated(got=got, want=want, shape=shape, dtype=dtype, layout=layout, platform=platform, runtime=runtime),
    )
    return _explain(question, select=select, ignore=ignore)
