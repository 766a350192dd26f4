"""--buffer with one of MNN's test folders: its inputs as submitted arrays, and what MNN would pass over in it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from prepcheck.facts.mnn_testdir import FolderProblem
from prepcheck.readers.mnn_testdir import Folder, compare_with_contract, is_testdir, read_testdir

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import Request
    from prepcheck.contract.contract import Contract

_NUMPY = {"int32": "int32", "uint8": "uint8", "int8": "int8"}


def expand(request: Request, contract: Contract | None) -> tuple[Request, tuple[FolderProblem, ...]]:
    """The request with folders replaced by the inputs in them that an image is there for, and the folders' problems.

    Raises the errors of `read_testdir`.
    """
    if contract is None or not any(_folder(given) for _, given in request.buffers):
        return request, ()
    buffers: list[tuple[str | None, str | os.PathLike[str] | NDArray[np.generic]]] = []
    problems: list[FolderProblem] = []
    for name, given in request.buffers:
        if not isinstance(given, (str, os.PathLike)) or not _folder(given):
            buffers.append((name, given))
            continue
        path = os.fspath(given)
        folder = read_testdir(path)
        for found in (*folder.problems, *compare_with_contract(folder, contract)):
            problems.append(FolderProblem(found.kind, found.tensor, found.got, found.want, path))
        buffers += _inputs(folder, contract, name, request)
    return replace(request, buffers=buffers), tuple(problems)


def _folder(given: object) -> bool:
    return isinstance(given, (str, os.PathLike)) and is_testdir(os.fspath(given))


def _inputs(
    folder: Folder, contract: Contract, only: str | None, request: Request
) -> list[tuple[str | None, str | os.PathLike[str] | NDArray[np.generic]]]:
    import numpy as np

    found: list[tuple[str | None, str | os.PathLike[str] | NDArray[np.generic]]] = []
    pictured = {n for n, _ in request.images}
    for tensor in folder.inputs:
        known = next((t for t in contract.inputs if t.name == tensor.name), None)
        complete = tensor.file is not None and tensor.count == tensor.expected and tensor.shape is not None
        if known is None or not complete or (only is not None and only != tensor.name):
            continue
        if tensor.name not in pictured and not (None in pictured and len(contract.inputs) == 1):
            continue  # without its picture nothing can be compared
        values = np.array(folder.values(tensor.name), _NUMPY.get(known.dtype or "", "float32"))
        found.append((tensor.name, values.reshape(tensor.shape or (-1,))))
    return found
