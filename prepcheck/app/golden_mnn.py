"""The golden input and answer as one of MNN's own test folders, which its converter and ModuleBasic.out read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.errors import UsageError

if TYPE_CHECKING:
    from prepcheck.app.golden import Feed

FOLDER = "mnn_test"
MAX_ELEMENTS = 1 << 24
"""Numbers of one tensor that are written as text (about 200 MB)."""


def write_mnn_folder(target: Path, feeds: Sequence[Feed], answer: Mapping[str, str]) -> list[str]:
    """Write `mnn_test/` with input.json and one text of numbers for each input and output; the files, relative to `target`.

    answer: output name → .npy in `target`. Raises UsageError where a tensor's name leads out of the folder. Nothing is
    written where an answer is not known (an output without a reference is skipped and counts as success) or is too large.
    """
    import numpy as np

    from prepcheck.readers.mnn_testdir import INDEX, write_testdir

    if not answer or any(f.array.size > MAX_ELEMENTS for f in feeds):
        return []
    inputs = {f.tensor.name or f"input{f.position}": (f.array.shape, f.array.reshape(-1).tolist()) for f in feeds}
    outputs = {name: np.load(target / file, allow_pickle=False).reshape(-1).tolist() for name, file in answer.items()}
    if any(len(values) > MAX_ELEMENTS for values in outputs.values()):
        return []
    try:
        write_testdir(str(target / FOLDER), inputs, outputs)
    except ValueError as error:
        raise UsageError(f"{FOLDER}: {error}") from None
    return [f"{FOLDER}/{INDEX}", *(f"{FOLDER}/{name}.txt" for name in (*inputs, *outputs))]
