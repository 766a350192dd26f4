"""What is fuzzed: for each target its seeds, how they are damaged, and what is done with the result."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.fuzz import mutating, seeds


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


def damaged(
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


def documents(found: Sequence[object], name: str) -> Callable[[Random], bytes]:
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
    return Target("rknn", damaged(found, mutating.damage_bytes, mutating.damage_table), _model("m.rknn"))


@target
def mnn() -> Target:
    """MNN models."""
    found = [*seeds.models("mnn", "mnn_extra", "mnn_bad"), *seeds.corpus("mnn")]
    return Target("mnn", damaged(found, mutating.damage_bytes, mutating.damage_table), _model("m.mnn"))


@target
def onnx_and_tflite() -> Target:
    """The original networks: read where no .rknn or .mnn is at hand."""
    return Target(
        "onnx-and-tflite",
        damaged(seeds.corpus("onnx-and-tflite"), mutating.damage_bytes, mutating.damage_table),
        _model("model"),
    )


@target
def any_model() -> Target:
    """The same bytes under a name that promises nothing."""
    found = [*seeds.models("rknn_bad", "mnn_bad"), *seeds.images()[:20], *seeds.arrays()[:4]]
    return Target("any-model", damaged(found, mutating.damage_bytes), _model("model.bin"))


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
    return Target("mnn-graph", damaged(found, mutating.damage_bytes, mutating.damage_table, mutating.damage_table), run)


@target
def plan() -> Target:
    """Plan documents as YAML and JSON."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.contract.loading import load_plan

        return load_plan(put(folder, "p.json" if data[:1] == b"{" and len(data) % 2 else "p.yaml", data))

    return Target("plan", documents(seeds.plans(), "plan"), run)


@target
def contract() -> Target:
    """Contract documents."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.contract.loading import contract_from_text
        from prepcheck.contract.yamldoc import read_text

        return contract_from_text(read_text(put(folder, "c.yaml", data)), "c.yaml")

    return Target("contract", documents(seeds.contracts(), "contract"), run)


@target
def log() -> Target:
    """Logs, threads and code of every runtime, with all that they state together."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.logs.reading import read_files

        return read_files([put(folder, "a.log", data)])

    return Target(
        "log",
        damaged(
            [*seeds.logs(), *seeds.corpus("log")], mutating.damage_text, mutating.damage_text, mutating.damage_bytes
        ),
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
    return Target("python-value", damaged(found, mutating.damage_text, mutating.damage_bytes), run)


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

    return Target("image", damaged([*seeds.images(), *seeds.corpus("image")], mutating.damage_bytes), run)


@target
def array() -> Target:
    """`.npy` and raw files."""

    def run(data: bytes, folder: Path) -> object:
        from prepcheck.contract.plan import Buffer
        from prepcheck.readers.arrays import array_facts, load_array

        load_array(data, "a.npy", "float16", [1, 4, 6, 3])
        return array_facts(put(folder, "a.npy", data), Buffer(dtype="uint8", shape=[1, 4, 6, 3]), name="a.npy")

    return Target(
        "array", damaged([*seeds.arrays(), *seeds.corpus("array")], mutating.damage_bytes, mutating.damage_text), run
    )


def damage_record(data: bytes, rng: Random) -> bytes:
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

    return Target("record", damaged(seeds.records(), damage_record), run)


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
        "test-folder", damaged([text, *seeds.corpus("test-folder")], mutating.damage_text, mutating.damage_bytes), run
    )
