"""validate --run: what the model answers to the expected input, to the submitted one, and when it runs again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.app.run_mnn import MnnMissing, run_mnn
from prepcheck.contract.contract import Tensor
from prepcheck.core.layouts import is_static
from prepcheck.errors import UsageError
from prepcheck.facts.mnn_effect import OutputEffect, RunEffect
from prepcheck.facts.world import World, image_input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import Request

    Arrays = Mapping[str, NDArray[np.generic]]

MAX_ELEMENTS = 1 << 27
"""Elements of all inputs together that a run here takes: 512 MiB of float32."""
_INSTALL = 'pip install "prepcheck[mnn]"'


def run_effect(world: World, request: Request, model: str | os.PathLike[str]) -> RunEffect:
    """Run the model on the CPU in a child process. Raises UsageError where there is no .mnn to run or no picture for it."""
    contract = world.contract
    if contract is None or contract.runtime != "mnn":
        raise UsageError("--run runs .mnn models only: a .rknn cannot be computed on a PC")
    if any(t.shape is None or not is_static(t.shape) for t in contract.inputs):
        raise UsageError(
            "--run: the model has inputs of open sizes; state them in a plan with resizeTensor, or export fixed sizes"
        )
    total = sum(prod(t.shape or []) for t in contract.inputs)
    if total > MAX_ELEMENTS:
        raise UsageError(f"--run: the inputs have {total} elements; at most {MAX_ELEMENTS} are run here")
    expected, zeros = _expected(world, request, contract.inputs)
    submitted, problem = _submitted(world, request, contract.inputs, expected)
    try:
        again = run_mnn(Path(model), expected, runs=2)
        unwritten = run_mnn(Path(model), expected, runs=2, rewrite=False)
        other = run_mnn(Path(model), {**expected, **submitted}) if submitted else None
    except MnnMissing as error:
        installed = "installed" not in str(error)
        return RunEffect(problem=str(error), supply="mend the model or the plan first" if installed else _INSTALL)
    names = sorted(n for n in again if not n.endswith("@0"))
    outputs = tuple(_output(n, again, unwritten, other) for n in names)
    supply = "give the buffer in the type and layout that the hand-over states" if problem is not None else ""
    return RunEffect(outputs, tuple(sorted(submitted)), tuple(zeros), problem, supply)


def _expected(
    world: World, request: Request, inputs: Sequence[Tensor]
) -> tuple[dict[str, NDArray[np.generic]], list[str]]:
    """The array of every input in the file's order of axes; zeros where nothing is given, named."""
    import numpy as np

    from prepcheck.app.golden import feed_of

    owner = image_input(world.contract) if world.contract is not None else None
    arrays: dict[str, NDArray[np.generic]] = {}
    zeros = []
    for position, tensor in enumerate(inputs):
        name = tensor.name or f"inputs[{position}]"
        mine = [p for n, p in request.images if n is not None and n == tensor.name]
        if not mine and (len(inputs) == 1 or (owner is not None and owner.index == tensor.index)):
            mine = [p for n, p in request.images if n is None]
        if mine:
            arrays[name] = feed_of(world, tensor, position, mine[0], len(inputs) == 1).array
        else:
            arrays[name] = np.zeros(tensor.shape or [], np.dtype(tensor.dtype or "float32"))
            zeros.append(name)
    if len(zeros) == len(inputs):
        raise UsageError("--run needs a picture: prepcheck validate MODEL IMAGE --run (NAME=IMAGE for several inputs)")
    return arrays, zeros


def _submitted(
    world: World, request: Request, inputs: Sequence[Tensor], expected: Arrays
) -> tuple[dict[str, NDArray[np.generic]], str | None]:
    """The submitted buffers as the session would get them: the bytes taken for what the hand-over says they are."""
    from prepcheck.app.buffers import position_of

    found: dict[str, NDArray[np.generic]] = {}
    problem = None
    for given_name, given in request.buffers:
        assert world.contract is not None
        position = position_of(world.contract, given_name)
        name = inputs[position].name or f"inputs[{position}]"
        made = _as_copied(world, position, given, expected[name])
        if isinstance(made, str):
            problem = made
        else:
            found[name] = made
    return found, problem


def _as_copied(
    world: World, position: int, given: str | os.PathLike[str] | NDArray[np.generic], like: NDArray[np.generic]
) -> NDArray[np.generic] | str:
    """Bytes in the type and layout of the hand-over → the input's order of axes; a text where they cannot be that."""
    import numpy as np

    from prepcheck.facts.base import things
    from prepcheck.facts.handover import HandoverThing
    from prepcheck.readers.arrays import load_array, npy_header, read_bytes

    layout = None
    for thing in things(world, "handover"):
        if isinstance(thing, HandoverThing) and thing.handover.input == position:
            layout = thing.content_layout if thing.content is not None and thing.content.layout is not None else None
            break
    if isinstance(given, (str, os.PathLike)):
        data = read_bytes(given)
        head = npy_header(data, os.fspath(given))
        array = load_array(data, os.fspath(given), None, None) if head is not None else np.frombuffer(data, np.uint8)
        raw = head is None
    else:
        array, raw = given, False
    if not raw and array.dtype != like.dtype:
        return f"the submitted array is {array.dtype}, the input takes {like.dtype}: MNN copies nothing of it"
    data = np.ascontiguousarray(array).tobytes()
    if len(data) != like.nbytes:
        return f"the submitted buffer has {len(data)} bytes, the input takes {like.nbytes}"
    flat = np.frombuffer(data, like.dtype)
    last = layout in ("HWC", "NHWC")
    target_last = world.contract is not None and world.contract.inputs[position].layout == "NHWC"
    if like.ndim != 4 or last == target_last:
        return flat.reshape(like.shape)
    if last:
        n, c, h, w = like.shape
        return np.ascontiguousarray(np.moveaxis(flat.reshape(n, h, w, c), -1, 1))
    n, h, w, c = like.shape
    return np.ascontiguousarray(np.moveaxis(flat.reshape(n, c, h, w), 1, -1))


def _output(name: str, again: Arrays, unwritten: Arrays, other: Arrays | None) -> OutputEffect:
    import numpy as np

    first = np.asarray(again[f"{name}@0"], np.float64).reshape(-1)
    made = OutputEffect(
        name=name, shape=tuple(int(d) for d in again[name].shape), elements=int(first.size), top=_top(first),
        value=float(first[_top(first)]) if first.size else 0.0, largest=_largest(first),
        again=_largest(np.asarray(again[name], np.float64).reshape(-1) - first),
        unwritten=_largest(np.asarray(unwritten[name], np.float64).reshape(-1) - first),
        bad=(int(np.count_nonzero(~np.isfinite(first))), 0),
    )  # fmt: skip
    return with_submitted(made, first, None if other is None else other.get(name))


def output_effect(name: str, want: NDArray[np.generic], got: NDArray[np.generic] | None) -> OutputEffect:
    """One output of single runs: for the expected input, and for the submitted one where there is one."""
    import numpy as np

    first = np.asarray(want, np.float64).reshape(-1)
    made = OutputEffect(
        name=name, shape=tuple(int(d) for d in want.shape), elements=int(first.size), top=_top(first),
        value=float(first[_top(first)]) if first.size else 0.0, largest=_largest(first), again=0.0, unwritten=0.0,
        bad=(int(np.count_nonzero(~np.isfinite(first))), 0),
    )  # fmt: skip
    return with_submitted(made, first, got)


def with_submitted(made: OutputEffect, first: NDArray[np.float64], other: NDArray[np.generic] | None) -> OutputEffect:
    """The same with how the answer to the submitted input compares; first: the expected answer, flat."""
    from dataclasses import replace

    import numpy as np

    if other is None or other.size != first.size:
        return made
    second = np.asarray(other, np.float64).reshape(-1)
    norm = float(np.linalg.norm(np.nan_to_num(first)) * np.linalg.norm(np.nan_to_num(second)))
    cosine = float(np.dot(np.nan_to_num(first), np.nan_to_num(second))) / norm if norm else 0.0
    return replace(
        made, submitted_top=_top(second), submitted_value=float(second[_top(second)]) if second.size else 0.0,
        cosine=cosine, difference=_largest(second - first), bad=(made.bad[0], int(np.count_nonzero(~np.isfinite(second)))),
    )  # fmt: skip


def _top(values: NDArray[np.float64]) -> int:
    import numpy as np

    return int(np.argmax(np.nan_to_num(values, nan=-np.inf))) if values.size else 0


def _largest(values: NDArray[np.float64]) -> float:
    """Largest absolute value of those that are finite."""
    import numpy as np

    finite = values[np.isfinite(values)]
    return float(np.abs(finite).max()) if finite.size else 0.0


def run_details(effect: RunEffect) -> dict[str, object]:
    """The numbers as data."""
    from dataclasses import asdict

    return {
        "backend": "cpu",
        "submitted": list(effect.submitted),
        "zeros": list(effect.zeros),
        "outputs": [asdict(o) for o in effect.outputs],
        **({"problem": effect.problem} if effect.problem is not None else {}),
    }
