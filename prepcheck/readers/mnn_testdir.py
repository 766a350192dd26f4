"""MNN's test folders: `input.json` names inputs and outputs, `<name>.txt` holds one number for each element.

Numbers stand in the order of the ONNX tensor (N, C, H, W for images), whatever layout the .mnn has. MNN's own reading is
lenient: a missing output file is "Skip check" and success, a missing input leaves uninitialised data, a short file leaves
what was in memory. Sources: MNN tools/script/testMNNFromOnnx.py, tools/cpp/ModuleBasic.cpp; measured: --testdir of the
converter 3.6.1. What the folder's reader takes for granted is checked here before MNN does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from prepcheck.contract.contract import Contract
from prepcheck.core.float32 import shortest
from prepcheck.errors import CorruptError, NotFoundError, WrongKindError
from prepcheck.readers.mnn_numbers import read_numbers
from prepcheck.wire.source import Source

INDEX: Final = "input.json"
_MAX_INDEX: Final = 1 << 20
_MAX_TENSORS: Final = 4096


@dataclass(frozen=True, slots=True)
class FolderTensor:
    """One input or output of the folder.

    shape: as input.json states it, None where it does not (outputs never). value: a constant that stands in for a file.
    file: the name of the file that was found, None where none was. count: numbers in it. expected: how many the shape
    asks for.
    """

    name: str
    shape: tuple[int, ...] | None
    value: float | None
    file: str | None
    count: int | None
    expected: int | None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the folder that MNN passes over.

    kind: input_file_missing, output_file_missing, count_short, count_long, not_a_number, shape_unknown, not_in_model,
    missing_from_folder or shape_differs. tensor: its name. got, want: numbers or shapes, as they apply. text: in words.
    """

    kind: str
    tensor: str
    got: str | None
    want: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A read folder. extra: the keys of input.json for ModuleBasic.out (shapeMutable, repeat, freq, …)."""

    path: str
    inputs: tuple[FolderTensor, ...]
    outputs: tuple[FolderTensor, ...]
    extra: Mapping[str, str]
    problems: tuple[Problem, ...]

    def values(self, name: str) -> Sequence[float]:
        """The numbers of an input or output. Raises NotFoundError where there is no file and no constant."""
        for tensor in (*self.inputs, *self.outputs):
            if tensor.name == name and tensor.file is not None:
                return read_numbers(os.path.join(self.path, tensor.file)).values
            if tensor.name == name and tensor.value is not None and tensor.expected is not None:
                return [tensor.value] * tensor.expected
        raise NotFoundError(f"{self.path}: no numbers of a tensor named {name} are in the folder.")


def is_testdir(path: str) -> bool:
    """Whether a folder looks like one of MNN's test folders."""
    return os.path.isfile(os.path.join(path, INDEX))


def read_testdir(path: str) -> Folder:
    """Read and count a folder; the numbers themselves are read when they are asked for.

    Raises NotFoundError without input.json, WrongKindError and CorruptError where that is not what MNN reads.
    """
    if not os.path.isdir(path):
        raise NotFoundError(f"{path} is not a folder; an MNN test folder holds {INDEX} and <name>.txt files.")
    document = _index(os.path.join(path, INDEX))
    problems: list[Problem] = []
    inputs = tuple(_input(path, entry, problems) for entry in _list(document, "inputs", path))
    outputs = tuple(_output(path, i, name, problems) for i, name in enumerate(_list(document, "outputs", path)))
    extra = {key: json.dumps(value) for key, value in document.items() if key not in ("inputs", "outputs")}
    return Folder(path, inputs, outputs, extra, tuple(problems))


def _index(path: str) -> dict[str, object]:
    with Source.open(path) as source:
        if source.size > _MAX_INDEX:
            raise CorruptError(f"{path} has {source.size} bytes; an index of tensors has at most {_MAX_INDEX}.")
        raw = source.read(0, source.size)
    try:
        document = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as fault:
        raise CorruptError(f"{path} is not JSON: {fault}.") from fault
    if not isinstance(document, dict) or "inputs" not in document:
        raise WrongKindError(
            f"{path} has no key `inputs`; MNN's test folders have `inputs` and `outputs`.", kind="json"
        )
    return document


def _list(document: Mapping[str, object], key: str, path: str) -> list[object]:
    found = document.get(key, [])
    if not isinstance(found, list) or len(found) > _MAX_TENSORS:
        raise CorruptError(f"{path}/{INDEX}: `{key}` must be a list of at most {_MAX_TENSORS} entries.")
    return found


def _input(path: str, entry: object, problems: list[Problem]) -> FolderTensor:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        raise CorruptError(f"{path}/{INDEX}: every input is an object with a `name`; one is {json.dumps(entry)[:80]}.")
    name = str(entry["name"])
    shape = _shape(entry.get("shape"))
    value = entry.get("value")
    constant = float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    expected = prod(shape) if shape is not None and all(d >= 0 for d in shape) else None
    if shape is None:
        problems.append(Problem("shape_unknown", name, None, None, f"{name}: input.json states no shape."))
    file = _file(path, name)
    if file is None:
        if constant is None:
            text = f"{name}: {name}.txt is missing; MNN prints TESTERROR and runs on uninitialised memory."
            problems.append(Problem("input_file_missing", name, None, f"{name}.txt", text))
        return FolderTensor(name, shape, constant, None, None, expected)
    count = _count(path, file, name, expected, problems)
    return FolderTensor(name, shape, constant, file, count, expected)


def _output(path: str, position: int, entry: object, problems: list[Problem]) -> FolderTensor:
    if not isinstance(entry, str):
        raise CorruptError(f"{path}/{INDEX}: every output is a name; one is {json.dumps(entry)[:80]}.")
    file = _file(path, entry) or _file(path, str(position))  # ModuleBasic.out falls back to the output's place
    if file is None:
        text = f'{entry}: {entry}.txt is missing; MNN prints "Skip check" and reports success without comparing.'
        problems.append(Problem("output_file_missing", entry, None, f"{entry}.txt", text))
        return FolderTensor(entry, None, None, None, None, None)
    return FolderTensor(entry, None, None, file, _count(path, file, entry, None, problems), None)


def _shape(stated: object) -> tuple[int, ...] | None:
    if not isinstance(stated, list) or not all(isinstance(d, int) and not isinstance(d, bool) for d in stated):
        return None
    return tuple(stated)


def _file(path: str, name: str) -> str | None:
    """The tensor's file inside the folder; a name with slashes lies in subfolders, one that leads outside is not read."""
    relative = os.path.normpath(f"{name}.txt")
    if os.path.isabs(relative) or relative.startswith("..") or "\0" in name:
        return None
    return relative if os.path.isfile(os.path.join(path, relative)) else None


def _count(path: str, file: str, name: str, expected: int | None, problems: list[Problem]) -> int:
    numbers = read_numbers(os.path.join(path, file))
    count = len(numbers.values)
    if numbers.bad is not None:
        text = f"{name}: {file} holds {numbers.bad!r} at line {numbers.bad_line}; {count} numbers stand before it."
        problems.append(Problem("not_a_number", name, numbers.bad, None, text))
    elif expected is not None and count != expected:
        kind = "count_short" if count < expected else "count_long"
        text = f"{name}: {file} holds {count} numbers, the shape asks for {expected}."
        problems.append(Problem(kind, name, str(count), str(expected), text))
    return count


def compare_with_contract(folder: Folder, contract: Contract) -> tuple[Problem, ...]:
    """What in the folder does not fit the model: names on either side only, and shapes (−1 in the model fits anything).

    The folder states shapes in ONNX order; inputs in NHWC (TensorFlow models) are compared by their elements only.
    """
    found = []
    model = {t.name: t for t in contract.inputs}
    for given in folder.inputs:
        tensor = model.pop(given.name, None)
        if tensor is None:
            names = ", ".join(sorted(n or "" for n in (t.name for t in contract.inputs)))
            found.append(
                Problem("not_in_model", given.name, None, names, f"{given.name}: the model's inputs are {names}.")
            )
        elif (
            given.shape is not None and tensor.shape is not None and not _fits(given.shape, tensor.shape, tensor.layout)
        ):
            got, want = ("x".join(map(str, s)) for s in (given.shape, tensor.shape))
            found.append(
                Problem("shape_differs", given.name, got, want, f"{given.name}: {got} here, {want} in the model.")
            )
    for name in sorted(n or "" for n in model):
        text = f"{name}: an input of the model that the folder does not give; it stays uninitialised."
        found.append(Problem("missing_from_folder", name, None, None, text))
    return tuple(found)


def _fits(given: Sequence[int], model: Sequence[int], layout: str | None) -> bool:
    if layout == "NHWC":
        return -1 in model or prod(given) == prod(model)
    return len(given) == len(model) and all(b in (-1, a) for a, b in zip(given, model, strict=True))


def write_testdir(
    path: str,
    inputs: Mapping[str, tuple[Sequence[int], Sequence[float]]],
    outputs: Mapping[str, Sequence[float]],
) -> None:
    """Write a folder that `MNNConvert --testdir`, ModuleBasic.out and testMNNFromOnnx.py read.

    inputs: name → (shape, numbers in N, C, H, W order); outputs: name → numbers. Raises ValueError where a count does not
    fit its shape or a name leads outside the folder.
    """
    for name, (shape, numbers) in inputs.items():
        if len(numbers) != prod(shape):
            wanted = "·".join(map(str, shape))
            raise ValueError(f"{name}: {len(numbers)} numbers given, {prod(shape)} wanted for {wanted}")
    os.makedirs(path, exist_ok=True)
    for name, numbers in [*((n, v) for n, (_, v) in inputs.items()), *outputs.items()]:
        relative = os.path.normpath(f"{name}.txt")
        if os.path.isabs(relative) or relative.startswith("..") or "\0" in name:
            raise ValueError(f"the tensor name {name!r} leads outside the folder")
        target = os.path.join(path, relative)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="ascii") as file:
            file.writelines(f"{_text(number)}\n" for number in numbers)
    index = {"inputs": [{"name": n, "shape": list(s)} for n, (s, _) in inputs.items()], "outputs": list(outputs)}
    with open(os.path.join(path, INDEX), "w", encoding="utf-8") as file:
        json.dump(index, file, indent=4)
        file.write("\n")


def _text(number: float) -> str:
    """Shortest text that is the same float32; whole numbers without a fraction, so that int inputs read them too."""
    value = float(number)
    return str(int(value)) if value.is_integer() and abs(value) < 1 << 53 else repr(shortest(value))
