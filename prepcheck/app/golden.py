"""The exact bytes to put into a model's memory, the expected answer where a runner is at hand, and how to feed them.

It answers one question: is it the model on the board, or my input code? The bytes are known to be right; if the board
answers them as expected, the fault is in the code that fills the memory.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.app.golden_text import feed_c, readme
from prepcheck.app.worlds import Prepared, Request, prepare
from prepcheck.app.writing import write_atomically
from prepcheck.contract.contract import Tensor
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from prepcheck.facts.world import World, image_input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Feed:
    """What one input gets. data: the bytes for the tensor's memory; array: the same, packed, for tools that take .npy."""

    tensor: Tensor
    position: int
    file: str
    npy: str
    call: str
    dtype: str
    layout: str
    w_stride: int | None
    data: bytes
    array: NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class Golden:
    """Everything that was written. answer: output name → file, where the model could be run here; note: why not."""

    folder: Path
    files: tuple[str, ...]
    feeds: tuple[Feed, ...]
    answer: dict[str, str]
    note: str


def golden(
    model: str | os.PathLike[str],
    images: Sequence[tuple[str | None, str | os.PathLike[str]]],
    folder: str | os.PathLike[str],
    *,
    plan: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> Golden:
    """Write input.bin, input.npy, expected answers, feed.c and README.md into a folder.

    images: (input name or None, picture or .npy for an input that is no picture). Raises UsageError where an input gets
    nothing, or where the folder is not empty and `force` is not given.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: is a file; give a folder for the golden files")
    if target.is_dir() and any(target.iterdir()) and not force:
        raise UsageError(f"{target}: is not empty; choose another folder, or --force")
    pictures = [(n, p) for n, p in images if not os.fspath(p).endswith(".npy")]
    prepared = prepare(Request(model=model, images=pictures, plan=plan))
    feeds = _feeds(prepared, images)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{target}: cannot be made ({error.strerror})") from None
    files = _write(target, feeds)
    answer, note = _answers(prepared.world, Path(model), feeds, target)
    world = prepared.world
    if world.runtime == "mnn":
        from prepcheck.app.golden_mnn import write_mnn_folder

        files += write_mnn_folder(target, feeds, answer)
    for name, text in (
        ("feed.c", feed_c(world.runtime or "", feeds)),
        ("README.md", readme(os.fspath(model), world, feeds, answer, note)),
        ("golden.json", json.dumps(_manifest(world, feeds, answer, note), indent=1, sort_keys=True) + "\n"),
    ):
        if text:
            write_atomically(target / name, text.encode("utf-8"))
            files.append(name)
    return Golden(target, tuple(sorted([*files, *answer.values()])), tuple(feeds), answer, note)


def _feeds(prepared: Prepared, images: Sequence[tuple[str | None, str | os.PathLike[str]]]) -> list[Feed]:
    contract = prepared.world.contract
    if contract is None:
        raise UsageError("golden needs a model")
    owner = image_input(contract)
    feeds: list[Feed] = []
    for position, tensor in enumerate(contract.inputs):
        mine = [p for n, p in images if n == tensor.name and n is not None]
        if not mine and (len(contract.inputs) == 1 or (owner is not None and owner.index == tensor.index)):
            mine = [p for n, p in images if n is None]
        if not mine:
            raise UsageError(
                f"input {tensor.name} {tensor.shape} gets nothing: add {tensor.name}=FILE (a picture or .npy)"
            )
        feeds.append(feed_of(prepared.world, tensor, position, mine[0], len(contract.inputs) == 1))
    return feeds


def feed_of(world: World, tensor: Tensor, position: int, path: str | os.PathLike[str], only: bool) -> Feed:
    """What an input gets for a picture or an .npy. Raises UsageError where the picture cannot become that input."""
    import numpy as np

    from prepcheck.app.expected import decode_color, prospect
    from prepcheck.core.rockchip import ZERO_COPY_ONLY
    from prepcheck.pixels.memory import rows_at_pitch
    from prepcheck.readers.arrays import load_array, read_bytes
    from prepcheck.readers.images import decode

    stem = "input" if only else f"input{position}"
    if os.fspath(path).endswith(".npy"):
        array = load_array(read_bytes(path), os.fspath(path), None, None)
        call = "copyFromHostTensor" if world.runtime == "mnn" else "rknn_inputs_set"
        return _raw(tensor, position, stem, array, call)
    color = decode_color(world, position)
    outlook = prospect(world, position, decode(path, color), color, [])
    dims = dims_of(tensor.layout or "", tensor.shape or [])
    assert dims is not None  # prospect has looked
    if world.runtime in ("rknn", "rknn1"):
        pixels = outlook.expected.pixels
        batch = np.repeat(pixels[None], dims.n, axis=0)
        stride = tensor.w_stride if tensor.size_with_stride is not None else None
        data = rows_at_pitch(pixels, stride, dims.n, tensor.size_with_stride)
        call = "rknn_set_io_mem" if world.runtime == "rknn" or world.platform in ZERO_COPY_ONLY else "rknn_inputs_set"
        return Feed(tensor, position, f"{stem}.bin", f"{stem}.npy", call, "uint8", "NHWC", stride, data, batch)
    result = outlook.run.result
    if tensor.dtype == "int8" and result.dtype != np.int8:
        raise UsageError(
            f"input {tensor.name} takes int8 codes, and an .mnn does not say what they stand for: pixels 0..255 do not fit. "
            f"Give a plan whose steps end in `quantize: {{scale: …, zero_point: …}}`, or an .npy of codes"
        )
    values = np.ascontiguousarray(result[None] if result.ndim == 3 else result)
    if outlook.run.states[-1].layout in ("HWC", "NHWC"):
        values = np.ascontiguousarray(np.moveaxis(values, -1, 1))
    values = np.repeat(values.astype(tensor.dtype or "float32"), dims.n, axis=0)
    layout = "NCHW"
    if tensor.layout == "NHWC":
        values, layout = np.ascontiguousarray(np.moveaxis(values, 1, -1)), "NHWC"
    return Feed(
        tensor,
        position,
        f"{stem}.bin",
        f"{stem}.npy",
        "copyFromHostTensor",
        str(values.dtype),
        layout,
        None,
        values.tobytes(),
        values,
    )


def _raw(tensor: Tensor, position: int, stem: str, array: NDArray[np.generic], call: str) -> Feed:
    import numpy as np

    if list(array.shape) != (tensor.shape or []):
        raise UsageError(f"{tensor.name}: the array is {list(array.shape)}, the model takes {tensor.shape}")
    values = np.ascontiguousarray(array)
    layout = tensor.layout or "UNDEFINED"
    if layout == "NC4HW4":
        layout = "NCHW"  # the array is plain; the copy packs
    return Feed(
        tensor,
        position,
        f"{stem}.bin",
        f"{stem}.npy",
        call,
        str(values.dtype),
        layout,
        None,
        values.tobytes(),
        values,
    )


def _write(target: Path, feeds: Sequence[Feed]) -> list[str]:
    import io

    import numpy as np

    files: list[str] = []
    for feed in feeds:
        stream = io.BytesIO()
        np.save(stream, feed.array, allow_pickle=False)
        write_atomically(target / feed.file, feed.data)
        write_atomically(target / feed.npy, stream.getvalue())
        files += [feed.file, feed.npy]
    return files


def _answers(world: World, model: Path, feeds: Sequence[Feed], target: Path) -> tuple[dict[str, str], str]:
    if world.runtime != "mnn":
        return {}, (
            "the answer is not known here: a .rknn cannot be run on a PC. Run the original network (ONNX) or the toolkit's "
            "simulator on input.npy, and compare"
        )
    from prepcheck.app.run_mnn import MnnMissing, run_mnn

    try:
        outputs = run_mnn(model, {f.tensor.name or "": f.array for f in feeds})
    except MnnMissing as error:
        return {}, str(error)
    import io

    import numpy as np

    written: dict[str, str] = {}
    for number, (name, array) in enumerate(outputs.items()):
        stream = io.BytesIO()
        np.save(stream, array, allow_pickle=False)
        file = "expected.npy" if len(outputs) == 1 else f"expected{number}.npy"
        write_atomically(target / file, stream.getvalue())
        written[name] = file
    return written, "MNN on the CPU of this machine"


def _manifest(world: World, feeds: Sequence[Feed], answer: dict[str, str], note: str) -> dict[str, object]:
    return {
        "runtime": world.runtime,
        "platform": world.platform,
        "inputs": [
            {
                "name": f.tensor.name,
                "file": f.file,
                "npy": f.npy,
                "bytes": len(f.data),
                "dtype": f.dtype,
                "layout": f.layout,
                "w_stride": f.w_stride,
                "call": f.call,
            }
            for f in feeds
        ],
        "expected": answer,
        "note": note,
    }
