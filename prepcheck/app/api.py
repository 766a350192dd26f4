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
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    allow_outside: bool = False,
) -> Report:
    """Check everything that will be submitted.

    model: path or contract (may stand in the plan). image: a path, several, or {input name: path}. plan: path or Plan.
    buffer: the bytes that are handed over: an array (shape, element type and contiguity are judged) or a path, or
    {input name: …}. Returns the report; it never raises on findings. Raises PrepcheckError where nothing can be judged.
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
    request = Request(model=model, images=images, plan=plan, buffers=buffers, allow_outside=allow_outside)
    return _validate(request, select=select, ignore=ignore)
