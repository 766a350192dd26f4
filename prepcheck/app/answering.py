"""validate --answer: every fault of the vocabulary run forward through the model, ranked by what the device answered.

Also validate --onnx: the network of an .rknn run here, on what should be submitted and on what was (`--buffer`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.app.network import Feeder, mnn_feeder, onnx_feeder
from prepcheck.app.serving import Server, ServingError
from prepcheck.contract.contract import Contract
from prepcheck.core.layouts import dims_of
from prepcheck.core.plain import to_value
from prepcheck.errors import UsageError
from prepcheck.evidence.runs import read_answer
from prepcheck.facts.answers import AnswerWeighing, WeighedFault
from prepcheck.facts.world import World, image_input
from prepcheck.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import PathLike, Request
    from prepcheck.core.answer_text import Answer
    from prepcheck.forensics.answers import Hypothesis, Noise, Seen, Weighed
    from prepcheck.forensics.answers.forward import Renderer
    from prepcheck.forensics.answers.reading import Output, Reading
    from prepcheck.forensics.model import Expected

    Arrays = Mapping[str, NDArray[np.generic]]

MAX_ANSWERS = 32
"""Answers that are weighed: 90 hypotheses twice each are some 180 runs for the first one."""
FINAL = 8.0
"""Standard deviations at which a hypothesis is given up after one image: twice what excludes it."""
Facts = tuple[dict[str, tuple[object, ...]], dict[str, object]]


def answered(world: World, request: Request, model: Callable[[], PathLike]) -> Facts:
    """Facts and details of the answers (`answer_weighing`) and of runs through --onnx (`run_effect`).

    model: the model's file. Raises UsageError where the answers or --onnx are not what they must be; a model that cannot be
    run here is a fact.
    """
    facts: dict[str, tuple[object, ...]] = {}
    details: dict[str, object] = {}
    contract = world.contract
    if contract is None:
        raise UsageError(
            "--onnx needs a model (or a plan with one) beside it: the contract says what the device is given"
        )
    if request.onnx is not None:
        from prepcheck.app.serving import onnx_python

        onnx_python()
        if not request.images:
            raise UsageError("--onnx needs a picture: prepcheck validate MODEL IMAGE --onnx F")
        if not os.path.isfile(request.onnx):
            raise UsageError(f"--onnx {os.fspath(request.onnx)}: no such file")
        if world.runtime != "mnn":  # an .mnn runs by itself: --run
            from prepcheck.app.onnx_effect import onnx_effect

            effect, told = onnx_effect(world, request)
            if effect is not None:
                facts["run_effect"] = (effect,)
                details["run"] = told
    if request.answers and request.images:
        found = _weighing(world, request, contract, model)
        if found is not None:
            facts["answer_weighing"] = (found,)
            if found.problem is None:
                details["answers"] = told_of(found)
    return facts, details


@dataclass(frozen=True, slots=True)
class Picture:
    """One image with its answer: what should have become of it."""

    name: str
    answer: Answer
    expected: Expected
    file: bytes
    settled: bool


def owner_of(contract: Contract) -> int | None:
    """The input that answers are about: the only picture."""
    if len(contract.inputs) == 1:
        return 0
    owner = image_input(contract)
    return owner.index if owner is not None else None


def _weighing(
    world: World, request: Request, contract: Contract, model: Callable[[], PathLike]
) -> AnswerWeighing | None:
    answers = [read_answer(text) for text in request.answers if text.strip().strip("[]")]
    position = owner_of(contract)
    if not answers or position is None:
        return None
    tensor = contract.inputs[position]
    label = tensor.name or f"inputs[{position}]"
    paths = [p for n, p in request.images if n is None or n == tensor.name]
    if len(answers) > len(paths):
        raise UsageError(
            f"{len(answers)} answers for {len(paths)} images: give each answer's image, in the same order "
            "(validate MODEL A.jpg B.jpg --answer … --answer …)"
        )
    if len(answers) > MAX_ANSWERS:
        raise UsageError(f"{len(answers)} answers; at most {MAX_ANSWERS} are weighed at once: give the clearest ones")

    def problem(why: str, cure: str) -> AnswerWeighing:
        return AnswerWeighing(input=position, label=label, problem=why, supply=cure)

    if request.onnx is None and world.runtime != "mnn":
        return problem(
            "the answer cannot be held against the picture: a .rknn cannot be run here",
            "give the network that it was built from: --onnx MODEL.onnx",
        )
    if len(contract.inputs) > 1:
        return problem(
            f"the model has {len(contract.inputs)} inputs, and an answer depends on all of them",
            "dump the input and give it with --buffer",
        )
    if dims_of(tensor.layout or "", tensor.shape or []) is None or any(d <= 0 for d in tensor.shape or []):
        return problem(
            "the input is no picture of a fixed size", "state its shape in a plan (resizeTensor), or --buffer"
        )
    pictures = [
        _picture(world, request, position, p, a, paths[:i])
        for i, (p, a) in enumerate(zip(paths, answers, strict=False))
    ]
    try:
        file = Path(request.onnx if request.onnx is not None else model())
        with Server(file, onnx=request.onnx is not None) as server:
            bench = Bench(world, contract, position, pictures, server, os.fspath(file), request.progress)
            if bench.feeder is None:
                return problem(
                    "mean and std that the model applies are not known, so the network cannot be fed",
                    "add `build: {mean: [[…]], std: [[…]]}` to the model in a plan ([[0,0,0]] and [[1,1,1]]: nothing is done)",
                )
            found = bench.weighing(label)
            if found.verdict != "left":
                return found
            from prepcheck.app.answer_card import by_card, card_size

            return replace(found, card=by_card(world, request, bench, found), card_size=card_size(bench))
    except ServingError as error:
        return problem(str(error), "mend that first; --buffer needs no run")


def _picture(
    world: World, request: Request, position: int, path: PathLike, answer: Answer, before: Sequence[PathLike]
) -> Picture:
    from prepcheck.app.expected import decode_color, prospect
    from prepcheck.readers.arrays import read_bytes
    from prepcheck.readers.images import decode

    world = own_world(world, request, path)
    color = decode_color(world, position)
    earlier = [before[-1]] if before else [request.previous] if request.previous is not None else []
    previous = [(os.fspath(p), decode(p, color, max_pixels=request.max_pixels)) for p in earlier]
    pixels = decode(path, color, max_pixels=request.max_pixels)
    if not world.declared and previous and previous[0][1].shape != pixels.shape:
        previous = _stretched(previous, pixels)
    found = prospect(world, position, pixels, color, previous)
    return Picture(
        os.fspath(path), answer, found.expected, read_bytes(path)[: found.expected.spec.nbytes], found.settled
    )


def _stretched(
    previous: list[tuple[str, NDArray[np.uint8]]], like: NDArray[np.uint8]
) -> list[tuple[str, NDArray[np.uint8]]]:
    """Earlier frames at this picture's size: the default plan has one size (what it makes of both is a stretch anyway)."""
    from prepcheck.forensics.filters import resize

    return [(n, resize(p if p.ndim == 3 else p[..., None], like.shape[:2], "opencv-bilinear").reshape(
        (*like.shape[:2], *p.shape[2:]))) for n, p in previous]  # fmt: skip


def own_world(world: World, request: Request, path: PathLike) -> World:
    """The world of one picture: the default plan depends on its size."""
    if world.declared or world.contract is None:
        return world
    from prepcheck.app.defaults import default_plan_document
    from prepcheck.app.worlds import resize_library

    name = os.fspath(path)
    mine = tuple(i for i in world.images if i.name == name) or world.images
    plan = default_plan_document(world.contract, mine, resize_library=resize_library())
    return replace(world, plan=plan, images=mine, cache={}, memo={})


class Bench:
    """The model with its pictures: what it would answer under every hypothesis."""

    def __init__(
        self, world: World, contract: Contract, position: int, pictures: Sequence[Picture], server: Server, file: str,
        progress: Callable[[int, int], None] | None,
    ) -> None:  # fmt: skip
        self.contract, self.position, self.pictures, self.server = contract, position, pictures, server
        tensor, spec = contract.inputs[position], pictures[0].expected.spec
        dims = dims_of(tensor.layout or "", tensor.shape or [])
        assert dims is not None
        self.onnx = world.runtime != "mnn" or file.lower().endswith(".onnx")
        self.feeder: Feeder | None = (
            onnx_feeder(world, tensor, position, dims, spec, server.inputs, file)
            if self.onnx
            else mnn_feeder(tensor, position, dims, spec)
        )
        self.file = file
        self.quantized = self.onnx and bool(contract.quantized or (tensor.scale and tensor.dtype in ("int8", "uint8")))
        self.reading: Reading | None = None
        self.tried: list[Hypothesis] = []
        self._kept: dict[bytes, Arrays] = {}
        self._progress, self._done, self._total = progress, 0, 1

    @property
    def noise(self) -> Noise:
        """How far the device's answers may lie from the runner's."""
        from prepcheck.forensics.answers import FLOAT, QUANTIZED

        step = next((t.scale or 0.0 for t in self.contract.outputs), 0.0) if self.quantized else 0.0
        return replace(QUANTIZED, step=step) if self.quantized else FLOAT

    def hypotheses(self) -> list[Hypothesis]:
        """All that could have happened, by the picture whose shape is least like the model's."""
        import numpy as np

        from prepcheck.forensics.answers import hypotheses_for
        from prepcheck.forensics.signatures import encoded

        def unlike(p: Picture) -> float:
            (h, w), size = p.expected.image.shape[:2], p.expected.spec.size
            return float(abs(h * size[1] - w * size[0]) / (h * w))

        chosen = max(self.pictures, key=unlike)
        spec = chosen.expected.spec
        single = replace(spec, shape=(1, *spec.shape[1:])) if spec.batch > 1 else spec
        earlier = any(p.expected.previous for p in self.pictures)
        source = chosen.expected.image.shape
        return hypotheses_for(
            single, (source[0], source[1]), previous=earlier, file_format=encoded(np.frombuffer(chosen.file, np.uint8))
        )

    def answers(self, elements: NDArray[np.generic]) -> Arrays:
        """The model's outputs for elements as the device reads them; the same ones are run once."""
        assert self.feeder is not None
        array = self.feeder.array(elements)
        key = hashlib.blake2b(array.tobytes(), digest_size=16).digest()
        if key not in self._kept:
            if len(self._kept) > 512:
                self._kept.clear()
            found = self.server.run({self.feeder.name: array})
            small = sum(v.size for v in found.values()) < 100_000
            if not small:
                return found
            self._kept[key] = found
        return self._kept[key]

    def weighing(self, label: str) -> AnswerWeighing:
        """Run, compare, rank."""
        from prepcheck.forensics.answers import AS_PLANNED, weigh

        hypotheses = self.tried = self.hypotheses()
        self._total = 2 * len(hypotheses) * len(self.pictures)
        alive = [True] * len(hypotheses)
        seen: list[Seen] = []
        runs: list[list[Sequence[NDArray[np.float64]] | None]] = []
        taken: list[str] = []
        for number, picture in enumerate(self.pictures):
            reading, row = self._row(picture, hypotheses, alive, number)
            self.reading = reading
            seen.append(reading.seen)
            runs.append(row)
            taken += [n for n in reading.notes if n not in taken]
            if number + 1 < len(self.pictures):
                found = weigh(hypotheses, [seen[-1]], [row], self.noise)
                far = {id(r.hypothesis) for r in found.ranked if r.distance > FINAL and r.hypothesis.name != AS_PLANNED}
                alive = [a and id(h) not in far for a, h in zip(alive, hypotheses, strict=True)]
        found = weigh(hypotheses, seen, runs, self.noise)
        return self._fact(found, label, tuple(taken), seen)

    def _row(
        self, picture: Picture, hypotheses: Sequence[Hypothesis], alive: Sequence[bool], number: int
    ) -> tuple[Reading, list[Sequence[NDArray[np.float64]] | None]]:
        from prepcheck.forensics.answers.forward import Renderer
        from prepcheck.forensics.answers.reading import read

        first = Renderer(picture.expected, picture.file)
        planned = first.elements(hypotheses[0])
        assert planned is not None
        outputs = self.answers(planned)
        try:
            reading = read(picture.answer, self._outputs(outputs), outputs, self._slots())
        except ValueError as error:
            raise UsageError(f"--answer {number + 1} (for {picture.name}): {error}") from None
        renderers = [first, Renderer(picture.expected, picture.file, second=True)]
        row: list[Sequence[NDArray[np.float64]] | None] = [
            self._variants(renderers, h, reading) if a else None for h, a in zip(hypotheses, alive, strict=True)
        ]
        return reading, row

    def _variants(
        self, renderers: Sequence[Renderer], hypothesis: Hypothesis, reading: Reading
    ) -> list[NDArray[np.float64]] | None:
        found = []
        for renderer in renderers:
            elements = renderer.elements(hypothesis)
            self._done += 1
            if self._progress is not None:
                self._progress(self._done, self._total)
            if elements is not None:
                found.append(reading.of(self.answers(elements)))
        return found or None

    def _slots(self) -> int:
        assert self.feeder is not None
        return self.feeder.slots

    def _outputs(self, found: Arrays) -> list[Output]:
        """The runner's outputs with what the contract says of their codes (by name, else by place where counts agree)."""
        from prepcheck.forensics.answers.reading import Output

        names = list(self.server.outputs) or sorted(found)
        names = [n for n in names if n in found]
        told = {t.name: t for t in self.contract.outputs}
        out = []
        for place, name in enumerate(names):
            tensor = told.get(name)
            if tensor is None and len(names) == len(self.contract.outputs):
                tensor = self.contract.outputs[place]
            codes = tensor is not None and tensor.dtype in ("int8", "uint8", "int16") and bool(tensor.scale)
            scale = tensor.scale if codes and tensor is not None else None
            zero = (tensor.zero_point or 0) if tensor is not None else 0
            out.append(
                Output(name, int(found[name].size), scale, zero, (tensor.dtype if tensor else None) or "float32")
            )
        return out

    def _fact(self, found: Weighed, label: str, taken: tuple[str, ...], seen: Sequence[Seen]) -> AnswerWeighing:
        page, category = page_of(found.name)
        return AnswerWeighing(
            verdict=found.verdict, name=found.name, images=tuple(p.name for p in self.pictures),
            seen=tuple(_five(s.values.tolist()) for s in seen),
            ranked=tuple(
                WeighedFault(
                    r.hypothesis.name, r.hypothesis.label, {k: to_value(v) for k, v in r.hypothesis.evidence.items()},
                    tuple(_five(e) for e in r.expected), round(r.ratio, 6), round(r.posterior, 6), round(r.distance, 2), r.group,
                    r.excluded,
                )
                for r in found.ranked
            ),
            input=self.position, label=label, runner="onnxruntime" if self.onnx else "MNN",
            settled=all(p.settled for p in self.pictures), quantized=self.quantized, page=page, category=category, taken=taken,
            chance=round(found.chance, 6),
        )  # fmt: skip


def _five(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(float(f"{v:.9g}") for v in values[:5])


def page_of(name: str | None) -> tuple[str, str]:
    """(id, category) of the rule that explains a fault of the vocabulary; empty where there is none."""
    if name is None:
        return "", "other"
    from prepcheck.engine.loading import EVERYWHERE, load

    for rule in load(EVERYWHERE):
        if rule.over == f"diagnosis:{name}":
            return rule.id, rule.category
    return "", "other"


def told_of(found: AnswerWeighing) -> dict[str, object]:
    """The whole table as data."""
    return {
        "verdict": found.verdict, "runner": found.runner, "images": list(found.images), "seen": [list(s) for s in found.seen],
        "quantized": found.quantized, "something_else": found.chance, "read_as": list(found.taken),
        "hypotheses": [
            {
                "name": r.name, "parameters": dict(r.evidence), "expected": [list(e) for e in r.expected], "ratio": r.ratio,
                "posterior": r.posterior, "distance": r.distance, "class": r.group, "excluded": r.excluded,
            }
            for r in found.ranked
        ],
    }  # fmt: skip
