"""validate --answer: every fault of the vocabulary run forward through the model, ranked by what the device answered.

Also validate --onnx: the network of an .rknn run here, on what should be submitted and on what was (`--buffer`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.app.answer_bench import Bench, Picture
from prepcheck.app.serving import Server, ServingError
from prepcheck.contract.contract import Contract
from prepcheck.core.layouts import dims_of
from prepcheck.errors import PrepcheckError, UsageError
from prepcheck.evidence.runs import read_answer
from prepcheck.facts.answers import AnswerWeighing
from prepcheck.facts.world import World, image_input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.app.worlds import PathLike, Request
    from prepcheck.core.answer_text import Answer

MAX_ANSWERS = 32
"""Answers that are weighed: 90 hypotheses twice each are some 180 runs for the first one."""
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
    try:
        pictures = [
            _picture(world, request, position, p, a, paths[:i])
            for i, (p, a) in enumerate(zip(paths, answers, strict=False))
        ]
    except UsageError:
        raise
    except PrepcheckError as error:
        return problem(f"an image cannot be read: {error}", "give a readable image for each answer")
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
