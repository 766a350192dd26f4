"""Files and arguments → a World: the model's contract, the plan (given, found beside the model, or the default), images."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from prepcheck.contract.contract import Contract
from prepcheck.contract.report import Subject
from prepcheck.errors import PlanError, PrepcheckError, UsageError
from prepcheck.facts.world import ArrayFacts, ImageFacts, World, make_world
from prepcheck.records import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from prepcheck.contract.plan import Plan

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be judged, as the user gave it. images, buffers: (input name or None, path). run: run the model here.

    onnx: the network of an .rknn, to run it here. progress: told how many of how many runs are done.
    source: the network (ONNX, TFLite) that the model was converted from, to say what conversion changed.
    """

    model: PathLike | Contract | None = None
    images: Sequence[tuple[str | None, PathLike]] = ()
    plan: PathLike | Plan | None = None
    buffers: Sequence[tuple[str | None, PathLike | NDArray[np.generic]]] = ()
    previous: PathLike | None = None
    log: PathLike | None = None
    answers: Sequence[str] = ()
    run: bool = False
    allow_outside: bool = False
    max_pixels: int = 64_000_000
    onnx: PathLike | None = None
    source: PathLike | None = None
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=False, slots=True)
class Prepared:
    """A world ready to be judged, and what was read on the way. implicit: the default plan was used."""

    world: World
    subject: Subject
    image_errors: list[PrepcheckError] = field(default_factory=list)
    plan_base: Path | None = None
    resize_library: str = "opencv"
    details: dict[str, object] = field(default_factory=dict)


def prepare(request: Request) -> Prepared:
    """Read everything that a judgement needs. Raises PrepcheckError where nothing can be judged."""
    if isinstance(request.model, (str, os.PathLike)) and os.path.isdir(request.model):
        from prepcheck.app.export_folder import opened

        request = opened(request)
    contract, model_name = _model(request.model)
    plan, plan_name, base, details = _plan(request, model_name)
    if plan is not None and contract is None:
        contract, model_name = _plan_model(plan, base, request.allow_outside, model_name)
    if contract is not None and contract.runtime in ("onnx", "tflite"):
        from prepcheck.app.defaults import for_one_picture

        contract = for_one_picture(contract)
    if contract is None and plan is None:
        raise UsageError("nothing to judge: give MODEL, or a plan with --plan")
    images, errors = _images(request.images)
    declared = plan is not None
    library = resize_library()
    if "ready_plan" in details and plan_name is not None:
        from prepcheck.app.ready import completed, document

        plan = completed(document(plan_name), contract, images, resize_library=library)
    problem: str | None = None
    if plan is None and contract is not None:
        from prepcheck.app.defaults import any_resize, default_plan_document

        if any_resize(contract, images):
            from prepcheck.pixels.opencv import opencv_problem

            problem = opencv_problem()
            library = "opencv" if problem is None else "pillow"
        plan = default_plan_document(contract, images, resize_library=library)
    arrays = _arrays(plan, base, request.allow_outside) if plan is not None and declared else {}
    subject = Subject.model_construct(
        model=model_name,
        plan=plan_name,
        images=[os.fspath(path) for _, path in request.images],
        buffers={
            name or "input": os.fspath(given) if isinstance(given, (str, os.PathLike)) else "<array>"
            for name, given in request.buffers
        },
        log=os.fspath(request.log) if request.log else None,
        sha256=None,
    )
    world = make_world(contract=contract, plan=plan, declared=declared, images=tuple(images), arrays=arrays)
    if problem is not None:
        world = replace(world, extra={**world.extra, "resizer_problem": (problem,)}, cache={}, memo={})
    if declared and plan is not None and world.contract is not None and world.contract.inputs:
        if "record" not in details:  # a wrong index in a record is the program's fault, and rules tell it
            from prepcheck.app.references import check_references

            check_references(plan, world.contract, plan_name or "plan")
    if request.buffers:
        from prepcheck.app.buffers import diagnoses
        from prepcheck.app.testdir import expand

        request, problems = expand(request, world.contract)
        found, more = diagnoses(world, request)
        extra = {**world.extra, "diagnosis": tuple(found), "testdir": problems}
        world = replace(world, extra=extra, arrays={**world.arrays, **more}, cache={}, memo={})
    if world.runtime == "mnn" and world.backend == "opencl" and declared:
        world = replace(world, extra={**world.extra, **_graph_facts(request, plan, base)}, cache={}, memo={})
    if request.run:
        from prepcheck.app.run_effect import run_details, run_effect

        effect = run_effect(world, request, _model_path(request, plan, base))
        world = replace(world, extra={**world.extra, "run_effect": (effect,)}, cache={}, memo={})
        details = {**details, "run": run_details(effect)}
    if request.source is not None:
        from prepcheck.readers.model import read_model

        if world.contract is None:
            raise UsageError("--source is compared with the model that was made of it: give MODEL as well")
        world = replace(world, extra={**world.extra, "source": (read_model(request.source),)}, cache={}, memo={})
    if request.log is not None or request.answers:
        world = replace(world, extra={**world.extra, **_evidence(request, world)}, cache={}, memo={})
    if request.onnx is not None or (request.answers and request.images):
        from prepcheck.app.answering import answered

        more_facts, told = answered(world, request, lambda: _model_path(request, plan, base))
        world = replace(world, extra={**world.extra, **more_facts}, cache={}, memo={})
        details = {**details, **told}
    return Prepared(world, subject, errors, base, library, details)


def _model_path(request: Request, plan: Plan | None, base: Path | None) -> PathLike:
    """The model's file. Raises UsageError where it was given as a contract."""
    file = plan.model.file if plan is not None and plan.model is not None else None
    if isinstance(request.model, (str, os.PathLike)):
        return request.model
    if request.model is not None or file is None:
        raise UsageError("--run needs the model's file, not a contract of it")
    return inside(base, file, request.allow_outside, "model")


def _graph_facts(request: Request, plan: Plan | None, base: Path | None) -> dict[str, tuple[object, ...]]:
    """What only the graph of an MNN model file tells: read only where a session on a GPU asks for it."""
    from prepcheck.app.mnn_graph_facts import graph_facts

    try:
        path = _model_path(request, plan, base)
    except UsageError:
        return {}

    return graph_facts(path, plan, plan.backend if plan is not None else None)


def _evidence(request: Request, world: World) -> dict[str, tuple[object, ...]]:
    """Raw facts out of a log and the answers given beside a model or plan."""
    extra: dict[str, tuple[object, ...]] = {"answers": tuple(request.answers)}
    if request.log is not None:
        from prepcheck.app.sizes import Stated, questions
        from prepcheck.logs.reading import read_files

        book = read_files([request.log], [])
        stated = Stated(platform=world.platform, runtime=world.runtime)
        extra |= {"log": (book,), "sizes": tuple(questions(book, world.contract, stated))}
    return extra


def resize_library() -> str:
    """`opencv` where cv2 can be found, else `pillow`. A cv2 that is there but does not load is found out when used."""
    return "opencv" if importlib.util.find_spec("cv2") is not None else "pillow"


def _model(model: PathLike | Contract | None) -> tuple[Contract | None, str | None]:
    if model is None or isinstance(model, Contract):
        return model, None
    from prepcheck.readers.model import read_model

    return read_model(model), os.fspath(model)


def plan_beside(model: PathLike) -> Path | None:
    """The plan that lies beside a model: m.rknn.prepcheck.yaml (or .json), then m.prepcheck.yaml (or .json)."""
    path = Path(model)
    for stem in (path.name, path.stem):
        for ending in (".prepcheck.yaml", ".prepcheck.json"):
            candidate = path.with_name(stem + ending)
            if candidate.is_file():
                return candidate
    return None


def _plan(request: Request, model_name: str | None) -> tuple[Plan | None, str | None, Path | None, dict[str, object]]:
    from prepcheck.contract.contract import Contract as ContractDocument

    source = request.plan
    if source is None and model_name is not None and not isinstance(request.model, ContractDocument):
        source = plan_beside(model_name)
    if source is None:
        return None, None, None, {}
    if not isinstance(source, (str, os.PathLike)):
        return source, None, None, {}
    from prepcheck.app.plans import load

    loaded = load(source)
    return loaded.plan, loaded.name, loaded.base, loaded.details


def _plan_model(
    plan: Plan, base: Path | None, allow_outside: bool, given: str | None
) -> tuple[Contract | None, str | None]:
    file = plan.model.file if plan.model else None
    if file is None:
        return None, given
    from prepcheck.readers.model import read_model

    path = inside(base, file, allow_outside, "model")
    return read_model(path), file


def inside(base: Path | None, name: str, allow_outside: bool, key: str) -> Path:
    """A path of a plan, relative to it. Raises PlanError where it leaves the plan's folder (links resolved)."""
    root = (base or Path()).resolve()
    path = (root / name).resolve()
    if not allow_outside and not path.is_relative_to(root):
        raise PlanError(
            f"{key}: {name!r} leads out of the plan's folder; move the file, or allow it with --allow-outside"
        )
    return path


def _images(given: Sequence[tuple[str | None, PathLike]]) -> tuple[list[ImageFacts], list[PrepcheckError]]:
    from prepcheck.readers.images import read_header

    found: list[ImageFacts] = []
    errors: list[PrepcheckError] = []
    for name, path in given:
        try:
            found.append(read_header(path, input_name=name))
        except PrepcheckError as error:
            errors.append(error)
    if errors and not found:
        raise errors[0]
    return found, errors


def _arrays(plan: Plan, base: Path | None, allow_outside: bool) -> Mapping[str, ArrayFacts]:
    found: dict[str, ArrayFacts] = {}
    for name, buffer in plan.buffers.items():
        if buffer.file is not None:
            from prepcheck.readers.arrays import array_facts

            path = inside(base, buffer.file, allow_outside, f"buffers.{name}.file")
            found[name] = array_facts(path, buffer, name=buffer.file)
    return found
