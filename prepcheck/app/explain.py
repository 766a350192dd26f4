"""Pasted text, sizes, symptoms → what they mean: the facts in them, the rules about them, what they clear."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, field, replace

from prepcheck.app.assessing import assess, next_tests
from prepcheck.app.assessing import ruled_out as cleared
from prepcheck.app.sizes import Stated, questions
from prepcheck.app.validate import chosen
from prepcheck.app.version import VERSION
from prepcheck.contract.contract import Contract
from prepcheck.contract.report import Report, Subject
from prepcheck.engine.loading import EVERYWHERE, load
from prepcheck.engine.reporting import english, report_of
from prepcheck.engine.running import NotKnown, run
from prepcheck.errors import UsageError
from prepcheck.evidence.assessment import Assessment
from prepcheck.evidence.symptoms import MAX_TEXT, named
from prepcheck.facts.frames_log import frames
from prepcheck.facts.log import LogBook
from prepcheck.facts.world import World, make_world
from prepcheck.logs.reading import read_files
from prepcheck.logs.texts import Fed, decode
from prepcheck.records import dataclass

FAMILIES = (*EVERYWHERE, "rk", "mn", "rg")
_LINES_SHOWN = 2000


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be explained. texts: (name, text); files: paths; fed: (name, stream), read once, in bounded memory;
    model: a path or a contract; answers: as typed."""

    texts: Sequence[tuple[str, str]] = ()
    fed: Sequence[tuple[str, Fed]] = ()
    files: Sequence[str | os.PathLike[str]] = ()
    symptom: str | None = None
    answers: Sequence[str] = ()
    observations: Sequence[str] = ()
    model: str | os.PathLike[str] | Contract | None = None
    platform: str | None = None
    sizes: Stated = field(default_factory=Stated)


def explain(
    question: Question,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    translate: Callable[[str], str] = english,
) -> Report:
    """Explain. Raises PrepcheckError where there is nothing to explain or a file cannot be read."""
    if not (
        question.texts
        or question.files
        or question.fed
        or question.symptom
        or question.answers
        or question.observations
    ):
        if question.sizes.got is None or question.sizes.want is None:
            raise UsageError("nothing to explain: give a text, --file F, --symptom S, or --got N with --want N")
    book = read_files(question.files, question.texts, question.fed)
    world = world_of(question, book, translate)
    outcome = run(chosen(load(FAMILIES, log=True), select, ignore), world)
    assessment = assess(book, world)
    if not book.events and not world.extra.get("sizes") and not world.extra.get("named_symptoms"):
        outcome.unknown.append(_nothing_known(book))
        outcome.undecided += 1
    report = report_of(
        outcome, version=VERSION, subject=_subject(question), contract=world.contract or book.contract, translate=translate,
        ruled_out=cleared(assessment, translate),
        next_tests=next_tests(assessment, translate),
        details=_details(book, world, assessment),
    )  # fmt: skip
    if assessment.scope is not None:
        report = report.model_copy(update={"scope": assessment.scope})
    return report


def world_of(question: Question, book: LogBook, translate: Callable[[str], str] = english) -> World:
    """The world of a question: the model's contract (given, else none), what the lines state, what the user says."""
    contract = _contract(question.model)
    stated = question.sizes
    platform = question.platform or stated.platform
    extra: dict[str, tuple[object, ...]] = {
        "log": (book,),
        "sizes": tuple(questions(book, contract, replace(stated, platform=platform, translate=translate))),
        "named_symptoms": named(
            [
                *([question.symptom] if question.symptom else []),
                *(t for _, t in question.texts),
                *(decode(stream.sample)[:MAX_TEXT] for _, stream in question.fed),
                *([book.said] if question.files or question.fed else []),
            ],
            translate,
        ),
        "answers": tuple(question.answers),
        "observations": tuple(question.observations),
    }
    if contract is not None and contract.runtime == "mnn" and isinstance(question.model, (str, os.PathLike)):
        from prepcheck.app.mnn_graph_facts import log_graph_facts

        extra |= log_graph_facts(question.model, book)
    world = make_world(contract=contract, plan=None, declared=False, extra=extra)
    return replace(
        world,
        platform=(platform or world.platform or book.platform or "").lower() or None,
        runtime=stated.runtime or world.runtime or book.runtime,
        version=book.version,
    )


def _contract(model: str | os.PathLike[str] | Contract | None) -> Contract | None:
    if model is None or isinstance(model, Contract):
        return model
    from prepcheck.readers.model import read_model

    return read_model(model)


def _nothing_known(book: LogBook) -> NotKnown:
    return NotKnown(
        "log", "log", "lines",
        "none of the {count} lines is one that prepcheck knows",
        "give the lines that the runtime printed (RKNN, RGA, MNN, a toolkit), complete and from the start of the program",
        {"count": sum(book.counts.values())},
    )  # fmt: skip


def _subject(question: Question) -> Subject:
    model = question.model
    files = [os.fspath(f) for f in question.files]
    return Subject.model_construct(
        model=os.fspath(model) if isinstance(model, (str, os.PathLike)) else None, plan=None, images=[], buffers={},
        log=", ".join(files) or None, sha256=None,
    )  # fmt: skip


def _details(book: LogBook, world: World, assessment: Assessment) -> dict[str, object]:
    """Lines with their labels, what the text states, and every reading of every size pair."""
    from prepcheck.facts.log import SizeQuestion

    facts = {
        "runtime": world.runtime,
        "platform": world.platform,
        "version": book.version,
        "toolkit": book.toolkit,
        "driver": book.driver,
    }
    sizes = [
        {
            "got": q.got, "want": q.want, "where": q.where, "none_probability": round(q.none, 4),
            "readings": [
                {"kind": r.kind, "category": r.category, "equation": r.equation, "probability": round(r.probability, 4)}
                for r in q.readings
            ],
        }
        for q in world.extra.get("sizes", ()) if isinstance(q, SizeQuestion)
    ]  # fmt: skip
    details: dict[str, object] = {
        "labels": dict(sorted(book.counts.items())),
        "lines": [
            {"where": _where(x.file, x.line), "label": x.label, "kind": x.kind, "text": x.text}
            for x in book.lines[:_LINES_SHOWN]
        ],
        "stated": {k: v for k, v in facts.items() if v is not None},
    }
    if sizes:
        details["sizes"] = sizes
    found = frames(book)
    if found:
        details["frames"] = [{k: v for k, v in asdict(f).items() if v is not None and k != "file"} for f in found]
    if assessment.notes:
        details["notes"] = dict(assessment.notes)
    return details


def _where(file: int, line: int) -> str:
    return f"log:{line}" if file == 0 else f"log{file + 1}:{line}"
