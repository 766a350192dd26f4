"""What is fuzzed: for each target its seeds, how they are damaged, and what is done with the result."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType

from prepcheck.errors import PrepcheckError
from tests.fuzz import mutating, seeds
from tests.fuzz.oracle import command


@dataclass(frozen=True)
class Target:
    """name: for --target. make: a damaged input. run: what reads it; whatever it raises is judged by the oracle.

    runs: how often `run` reads it (a whole command: as text and as JSON).
    """

    name: str
    make: Callable[[Random], bytes]
    run: Callable[[bytes, Path], object]
    runs: int = 1


TARGETS: dict[str, Callable[[], Target]] = {}
"""Targets by name, made when they are asked for."""


def target(make: Callable[[], Target]) -> Callable[[], Target]:
    """Register a target under its function's name."""
    TARGETS[make.__name__.replace("_", "-")] = make
    return make


def _from(
    found: Sequence[bytes], *ways: Callable[[bytes, Random], bytes], whole: float = 0.02
) -> Callable[[Random], bytes]:
    """One of the seeds, damaged one way, spliced now and then, rarely left alone."""

    def make(rng: Random) -> bytes:
        data = rng.choice(found)
        if rng.random() < whole:
            return data
        if rng.random() < 0.05:
            return mutating.splice(data, rng.choice(found), rng)
        return rng.choice(ways)(data, rng)

    return make


def _documents(found: Sequence[object], name: str) -> Callable[[Random], bytes]:
    """Documents damaged as values and written as JSON or YAML, or damaged as text."""
    kept = seeds.corpus(name)

    def make(rng: Random) -> bytes:
        if kept and rng.random() < 0.1:
            return mutating.damage_text(rng.choice(kept), rng)
        value = rng.choice(found)
        if rng.random() < 0.7:
            value = mutating.damage_document(value, rng)
        data = mutating.as_json(value)
        if rng.random() < 0.3:
            data = mutating.damage_text(json.dumps(value, indent=1).encode(), rng)
        return data

    return make


def put(folder: Path, name: str, data: bytes) -> Path:
    """A file with these bytes."""
    path = folder / name
    path.write_bytes(data)
    return path


def _model(name: str) -> Callable[[bytes, Path], object]:
    def run(data: bytes, folder: Path) -> object:
        from prepcheck.readers.model import read_model_source
        from prepcheck.wire.source import Source

        contract = read_model_source(Source.from_bytes(data, name), name)
        return contract.model_dump_json(by_alias=True).encode("utf-8")

    return run


@target
def rknn() -> Target:
    """RKNN models, both generations."""
    found = [*seeds.models("rknn", "rknn_bad"), *seeds.corpus("rknn")]
    return Target("rknn", _from(found, mutating.damage_bytes, mutating.damage_table), _model("m.rknn"))


@target
def mnn() -> Target:
    """MNN models."""
    found = [*seeds.models("mnn", "mnn_extra", "mnn_bad"), *seeds.corpus("mnn")]
    return Target("mnn", _from(found, mutating.damage_bytes, mutating.damage_table), _model("m.mnn"))


@target
def onnx_and_tflite() -> Target:
    """The original networks: read where no .rknn or .mnn is at hand."""
    return Target(
        "onnx-and-tflite",
        _from(seeds.corpus("onnx-and-tflite"), mutating.damage_bytes, mutating.damage_table),
        _model("model"),
    )


@target
def any_model() -> Target:
    """The same bytes under a name that promises nothing."""
    found = [*seeds.models("rknn_bad", "mnn_bad"), *seeds.images()[:20], *seeds.arrays()[:4]]
    return Target("any-model", _from(found, mutating.damage_bytes), _model("model.bin"))


@target
def mnn_graph() -> Target:
    """The view of an MNN graph: shapes, weights' sizes, OpenCL images."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.readers.mnn_graph import read_graph
        from prepcheck.readers.mnn_images import predict_images
        from prepcheck.wire.source import Source

        graph = read_graph(Source.from_bytes(data, "m.mnn"))
        return predict_images(graph, (16384, 16384))

    found = [*seeds.models("mnn", "mnn_extra"), *seeds.corpus("mnn")]
    return Target("mnn-graph", _from(found, mutating.damage_bytes, mutating.damage_table, mutating.damage_table), run)


@target
def plan() -> Target:
    """Plan documents as YAML and JSON."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.contract.loading import load_plan

        return load_plan(put(folder, "p.json" if data[:1] == b"{" and len(data) % 2 else "p.yaml", data))

    return Target("plan", _documents(seeds.plans(), "plan"), run)


@target
def contract() -> Target:
    """Contract documents."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.contract.loading import contract_from_text
        from prepcheck.contract.yamldoc import read_text

        return contract_from_text(read_text(put(folder, "c.yaml", data)), "c.yaml")

    return Target("contract", _documents(seeds.contracts(), "contract"), run)


@target
def log() -> Target:
    """Logs, threads and code of every runtime, with all that they state together."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.logs.reading import read_files

        return read_files([put(folder, "a.log", data)])

    return Target(
        "log",
        _from([*seeds.logs(), *seeds.corpus("log")], mutating.damage_text, mutating.damage_text, mutating.damage_bytes),
        run,
    )


@target
def python_value() -> Target:
    """Python literals as logs and code hold them."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.wire.pyrepr import parse

        try:
            return parse(data.decode("utf-8", "replace"))
        except ValueError as error:  # what the module promises to raise
            return error

    found = [b"{'a': [1, 2.5, None, True], 'b': (1,), 'c': 'x\\n'}", b"dict(mean=[[0, 0, 0]], std=[[255]*3])", b"[[1, 3, 224, 224]]",
             *seeds.corpus("python-value")]  # fmt: skip
    return Target("python-value", _from(found, mutating.damage_text, mutating.damage_bytes), run)


@target
def image() -> Target:
    """Headers of pictures, and pixels where there are not many."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.readers.images import decode, read_header

        path = put(folder, "i.bin", data)
        facts = read_header(path)
        return (
            decode(path, "RGB", exif=True, max_pixels=1_000_000)
            if facts.size[0] * facts.size[1] <= 1_000_000
            else facts
        )

    return Target("image", _from([*seeds.images(), *seeds.corpus("image")], mutating.damage_bytes), run)


@target
def array() -> Target:
    """`.npy` and raw files."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.contract.plan import Buffer
        from prepcheck.readers.arrays import array_facts, load_array

        load_array(data, "a.npy", "float16", [1, 4, 6, 3])
        return array_facts(put(folder, "a.npy", data), Buffer(dtype="uint8", shape=[1, 4, 6, 3]), name="a.npy")

    return Target(
        "array", _from([*seeds.arrays(), *seeds.corpus("array")], mutating.damage_bytes, mutating.damage_text), run
    )


def _damage_record(data: bytes, rng: Random) -> bytes:
    """Values inside of events, with right check sums; or the frames themselves."""
    if rng.random() < 0.25:
        return mutating.damage_bytes(data, rng)
    events = list(seeds.events_of(data))
    for _ in range(rng.randrange(1, 5)):
        if events:
            at = rng.randrange(len(events))
            changed = mutating.damage_value(events[at], rng)
            events[at] = changed if isinstance(changed, dict) else {"api": "rknn_run", "x": changed}
    if rng.random() < 0.2:
        rng.shuffle(events)
    return seeds.frames(events)


@target
def record() -> Target:
    """Records of calls (.pcrec)."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.readers.record import record_to_plan

        return record_to_plan(put(folder, "r.pcrec", data))

    return Target("record", _from(seeds.records(), _damage_record), run)


@target
def test_folder() -> Target:
    """MNN's test folders: input.json and one text for each tensor."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.readers.mnn_testdir import read_testdir

        index, _, numbers = data.partition(b"\0\0")
        place = folder / "testdir"
        place.mkdir(exist_ok=True)
        put(place, "input.json", index)
        put(place, "x.txt", numbers)
        return read_testdir(str(place))

    text = b'{"inputs": [{"name": "x", "shape": [1, 3, 2, 2]}], "outputs": ["y"]}\0\0' + b"\n".join(
        b"0.5" for _ in range(12)
    )
    return Target(
        "test-folder", _from([text, *seeds.corpus("test-folder")], mutating.damage_text, mutating.damage_bytes), run
    )


RKNN = seeds.MODELS / "rknn" / "rk3588_mini_i8.rknn"
CARD = seeds.CORPUS / "image" / "card.png"


def _command(name: str, make: Callable[[Random], bytes], file: str, *arguments: str) -> Target:
    """A target that is a whole command; `{}` among the arguments is the damaged file."""

    def run(data: bytes, folder: Path) -> object:
        path = put(folder, file, data)
        command(*(a.format(path) for a in arguments))
        return None

    return Target(name, make, run, runs=2)


@target
def whole_inspect() -> Target:
    """`inspect` on a damaged model."""
    found = seeds.models("rknn", "mnn", "rknn_bad", "mnn_bad")
    return _command(
        "whole-inspect", _from(found, mutating.damage_bytes, mutating.damage_table), "m.bin", "inspect", "{}"
    )


@target
def whole_model() -> Target:
    """`validate` with a damaged model and a good picture."""
    found = seeds.models("rknn", "mnn")
    return _command(
        "whole-model", _from(found, mutating.damage_bytes, mutating.damage_table), "m.bin", "validate", "{}", str(CARD)
    )


@target
def whole_plan() -> Target:
    """`validate --plan` with a damaged plan."""
    return _command("whole-plan", _documents(seeds.plans(), "plan"), "p.yaml", "validate", "--plan", "{}")


@target
def whole_image() -> Target:
    """`validate` with a damaged picture."""
    return _command(
        "whole-image",
        _from([*seeds.images(), *seeds.corpus("image")], mutating.damage_bytes),
        "i.png",
        "validate",
        str(RKNN),
        "{}",
    )


@target
def whole_buffer() -> Target:
    """`validate --buffer` with a damaged buffer."""
    make = _from([*seeds.arrays(), *seeds.corpus("array")], mutating.damage_bytes)
    return _command("whole-buffer", make, "b.npy", "validate", str(RKNN), str(CARD), "--buffer", "{}")


@target
def whole_log() -> Target:
    """`explain --file` with a damaged log."""
    make = _from(
        [*seeds.logs(), *seeds.corpus("log")], mutating.damage_text, mutating.damage_text, mutating.damage_bytes
    )
    return _command("whole-log", make, "a.log", "explain", "--file", "{}")


@target
def whole_record() -> Target:
    """`validate --plan` with a damaged record."""
    return _command("whole-record", _from(seeds.records(), _damage_record), "r.pcrec", "validate", "--plan", "{}")


@target
def whole_diff() -> Target:
    """`diff` of a good plan and a damaged one."""
    return _command(
        "whole-diff",
        _documents(seeds.plans(), "plan"),
        "p.yaml",
        "diff",
        str(seeds.SAMPLES / "03_rv1106_zero_copy" / "right.yaml"),
        "{}",
    )


@cache
def importers() -> dict[str, ModuleType]:
    """The modules of prepcheck.importers that have `recognises` and `read`, by name."""
    import prepcheck.importers as package

    found = {}
    for module in pkgutil.iter_modules(package.__path__):
        loaded = importlib.import_module(f"prepcheck.importers.{module.name}")
        if hasattr(loaded, "recognises") and hasattr(loaded, "read"):
            found[module.name] = loaded
    return found


@target
def whole_import() -> Target:
    """`import` on damaged files of every format that is known: examples lie in corpus/import and in the importers' tests."""
    folder = seeds.ROOT / "tests" / "importers"
    found = [
        p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.suffix in (".json", ".yaml", ".yml", ".txt", ".modelinfo")
    ]
    found += seeds.corpus("import")
    names = ("preprocessor_config.json", "pipeline.json", "config.yml", "a.modelinfo", "build.py", "config.json")

    def make(rng: Random) -> bytes:
        data = rng.choice(found)
        try:
            value = json.loads(data)
        except ValueError:
            return mutating.damage_text(data, rng)
        if rng.random() < 0.3:
            return mutating.damage_text(data, rng)
        return mutating.as_json(mutating.damage_document(value, rng))

    def run(data: bytes, place: Path) -> object:
        path = put(place, names[sum(data[:64]) % len(names)], data)
        if not os.path.exists(
            os.path.join(os.path.dirname(importlib.import_module("prepcheck.cli").__file__ or ""), "import_.py")
        ):
            raise PrepcheckError("no importer is here")
        command("import", path)
        return None

    return Target("whole-import", make, run, runs=2)
