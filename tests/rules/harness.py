"""Rule cases are data: a plan (or what a reader noticed), the outcome, and what the user must read.

expect: fail | pass | unknown          severity, category: of the finding, where stated
plan: {…}                              a plan document, its first line left out
notes: [{kind: …, values: {…}}]        what a reader noticed, for rules about notes
file: {…}                              the contract of a model file beside the plan
images: [{size: [w, h], mode: RGB, …}] headers of images
arrays: {name: {nbytes: …, low: …}}    statistics of buffer files
diagnosis: {fault: …, evidence: {…}}   what the comparison of a submitted buffer found
gpu_images: [{what: filter, …}]        OpenCL images that the model's graph needs
testdir: [{kind: count_short, …}]      what MNN passes over in a test folder
resizer_problem: "libGL.so.1: …"        why cv2 cannot be imported
run_effect: {outputs: [{…}]}           what a run of the model here gave
answers: {verdict: …, ranked: [{…}]}   what the weighing of answers gave
sample_set: {inputs: [{…}], …}         what a sweep gathered of a whole set
source: {…}                            the contract of the network that the model (`file`) was converted from
log: |  or  logs: [text, …]            pasted lines, for rules about logs
says: [number or word, …]              each must stand in message, explanation, fix or evidence
missing: FACT                          for unknown: the fact that is named
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from prepcheck.contract.contract import Contract
from prepcheck.contract.loading import plan_from_text
from prepcheck.contract.yamldoc import parse
from prepcheck.engine.loading import load_only, rule_files
from prepcheck.engine.reporting import to_finding
from prepcheck.engine.running import Outcome, run
from prepcheck.facts.answers import AnswerWeighing, WeighedFault
from prepcheck.facts.sample_set import ArrayFact, InputSet, LineProblem, Outlier, SampleSet
from prepcheck.facts.world import ArrayFacts, ImageFacts, World, make_world
from prepcheck.registry import RULES

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """One case of one rule."""

    rule: str
    path: Path
    body: dict[str, Any]


@cache
def cases() -> list[Case]:
    """All cases in the tree."""
    return [
        Case(path.parent.name, path, parse(path.read_text(encoding="utf-8"), path.name).value or {})  # type: ignore[arg-type]
        for path in sorted(CASES.glob("*/*.yaml"))
    ]


def world_of(body: dict[str, Any]) -> World:
    """The world that a case describes."""
    plan = None
    if "plan" in body:
        plan = plan_from_text(json.dumps({"prepcheck": "plan/v1", **body["plan"]}), "case.json")
    contract = None
    if "file" in body:
        contract = Contract.model_validate(body["file"])
    if "notes" in body:
        contract = Contract.model_validate(
            {"runtime": body.get("runtime", "rknn"), "inputs": body.get("inputs", []), "notes": body["notes"]}
        )
    images = tuple(
        ImageFacts(
            name=str(i.get("name", "a.jpg")), format=str(i.get("format", "jpeg")), size=tuple(i["size"]),
            mode=str(i.get("mode", "RGB")), bits=int(i.get("bits", 8)), frames=int(i.get("frames", 1)),
            orientation=i.get("orientation"), input=i.get("input"), decode_error=i.get("decode_error"),
        )
        for i in body.get("images", [])
    )  # fmt: skip
    arrays = {
        name: ArrayFacts(**{"name": name, **{k: tuple(v) if isinstance(v, list) else v for k, v in a.items()}})
        for name, a in body.get("arrays", {}).items()
    }
    extra: dict[str, tuple[object, ...]] = {}
    if "log" in body or "logs" in body or "sizes" in body:
        return log_world(body)
    if "diagnosis" in body:
        from prepcheck.facts.diagnosis import BufferDiagnosis

        given = {
            "buffer": "in",
            "file": "in.bin",
            "input": 0,
            "verdict": "fault",
            "image": "a.jpg",
            **body["diagnosis"],
        }
        given["faults"] = tuple(given.get("faults", [given["fault"]] if given.get("fault") else []))
        extra["diagnosis"] = (BufferDiagnosis(**given),)
    if "symptom" in body:
        from prepcheck.evidence.symptoms import named

        extra["named_symptoms"] = named([body["symptom"]])
    if "resizer_problem" in body:
        extra["resizer_problem"] = (body["resizer_problem"],)
    if "source" in body:
        extra["source"] = (Contract.model_validate(body["source"]),)
    extra |= graph_extra(body)
    if "difference" in body:
        from prepcheck.facts.difference import Difference

        extra["difference"] = (Difference(**body["difference"]),)
    return make_world(
        contract=contract, plan=plan, declared=body.get("declared", True), images=images, arrays=arrays, extra=extra
    )


def log_world(body: dict[str, Any]) -> World:
    """The world of pasted lines, as `explain` makes it."""
    from prepcheck.app.explain import Question, world_of
    from prepcheck.app.sizes import Stated
    from prepcheck.logs.reading import read_texts

    given = body.get("logs") or ([body["log"]] if "log" in body else [])
    texts = [(f"text {i + 1}", str(text)) for i, text in enumerate(given)]
    contract = None
    if "inputs" in body:
        contract = Contract.model_validate({"runtime": body.get("runtime", "rknn"), "inputs": body["inputs"]})
    stated = Stated(**body.get("sizes", {}))
    question = Question(texts=texts, platform=body.get("platform"), model=contract, sizes=stated)
    world = world_of(question, read_texts(texts))
    return replace(world, extra={**world.extra, **graph_extra(body)})


def graph_extra(body: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    """What only the graph of an MNN model tells, as a case states it."""
    from prepcheck.core.opencl_image import GpuImage

    images = body.get("gpu_images", [])
    found = tuple(GpuImage(**{k: tuple(v) if isinstance(v, list) else v for k, v in i.items()}) for i in images)
    extra: dict[str, tuple[object, ...]] = {"gpu_images": found} if found else {}
    if "testdir" in body:
        from prepcheck.facts.mnn_testdir import FolderProblem

        extra["testdir"] = tuple(
            FolderProblem(**{"got": None, "want": None, "folder": "d", **p}) for p in body["testdir"]
        )
    if "answers" in body:
        extra["answer_weighing"] = (weighing_of(body["answers"]),)
    if "sample_set" in body:
        extra["sample_set"] = (sample_set_of(body["sample_set"]),)
    if "run_effect" in body:
        from prepcheck.facts.mnn_effect import OutputEffect, RunEffect

        given = dict(body["run_effect"])
        outputs = tuple(
            OutputEffect(**{k: tuple(v) if isinstance(v, list) else v for k, v in o.items()})
            for o in given.pop("outputs", [])
        )
        extra["run_effect"] = (
            RunEffect(outputs=outputs, **{k: tuple(v) if isinstance(v, list) else v for k, v in given.items()}),
        )
    return extra


def weighing_of(given: dict[str, Any]) -> AnswerWeighing:
    """A weighing as a case states it: what is not stated is as for one answer of a two-class model."""
    ranked = tuple(
        WeighedFault(
            **{"label": r["name"], "evidence": {}, "expected": ((0.2, 0.8),), "ratio": 1.0, "posterior": 0.9, "distance": 0.5,
               "group": i, "excluded": False, **{k: _tuples(v) for k, v in r.items() if k != "evidence"},
               **{k: v for k, v in r.items() if k == "evidence"}}
        )
        for i, r in enumerate(given.get("ranked", []))
    )  # fmt: skip
    rest = {k: _tuples(v) for k, v in given.items() if k != "ranked"}
    return AnswerWeighing(**{"images": ("a.jpg",), "seen": ((0.1, 0.9),), "runner": "MNN", **rest, "ranked": ranked})


def sample_set_of(given: dict[str, Any]) -> SampleSet:
    """A set of samples as a case states it. `counts: {value: n}` stands for a histogram of all channels alike."""
    inputs = []
    for one in given.get("inputs", []):
        own = dict(one)
        if "counts" in own:
            row = [0] * 256
            for value, count in own.pop("counts").items():
                row[int(value)] = count
            own["histogram"] = [row] * len(own["extents"])
        own["arrays"] = tuple(
            ArrayFact(**{"finite": True, "whole": False, "dtype": "float32", **a, "shape": tuple(a["shape"])})
            for a in own.get("arrays", [])
        )
        own["odd_colour"] = tuple(Outlier(**o) for o in own.get("odd_colour", []))
        own["sizes"] = tuple((tuple(size), count, first) for size, count, first in own.get("sizes", []))
        inputs.append(InputSet(**{"input": 0, **{k: _tuples(v) for k, v in own.items()}}))
    problems = tuple(LineProblem(**p) for p in given.get("problems", []))
    rest = {k: v for k, v in given.items() if k not in ("inputs", "problems")}
    return SampleSet(
        **{"path": "dataset.txt", "samples": 30, "calibration": True, **rest}, problems=problems, inputs=tuple(inputs)
    )


def _tuples(value: Any) -> Any:
    return tuple(_tuples(v) for v in value) if isinstance(value, (list, tuple)) else value


def judge(case: Case) -> Outcome:
    """Run the case's rule, and only that."""
    if case.rule not in RULES:
        assert case.rule in rule_files(), f"{case.path}: there is no rule {case.rule}"
        load_only(case.rule)
    return run([RULES[case.rule]], world_of(case.body))


def problem(case: Case) -> str | None:
    """What is wrong with the outcome of a case; None where it is as expected."""
    outcome = judge(case)
    loud = [f for f in outcome.found if f.severity != "info"]
    expect = case.body["expect"]
    if expect == "pass":
        return f"false alarm: {to_finding(loud[0]).message}" if loud else None
    if expect == "unknown":
        facts = [u.fact for u in outcome.unknown]
        if loud or case.body.get("missing") not in facts:
            return f"wanted unknown {case.body.get('missing')}, got findings {len(loud)}, unknown {facts}"
        return None
    if expect == "info":
        loud = [f for f in outcome.found if f.severity == "info"]
    if not loud:
        return f"no finding; unknown: {[u.fact for u in outcome.unknown]}, passed {outcome.passed}"
    finding = to_finding(loud[0])
    for key in ("severity", "category", "where", "fault", "scope"):
        if key in case.body and getattr(finding, key, None) != case.body[key]:
            return f"{key} is {getattr(finding, key, None)!r}, wanted {case.body[key]!r}"
    text = " ".join([finding.message, finding.explanation, finding.fix, json.dumps(finding.evidence)])
    absent = [str(word) for word in case.body.get("says", []) if str(word) not in text]
    return f"does not say {absent}: {text}" if absent else None
