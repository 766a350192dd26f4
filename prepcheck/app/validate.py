"""The main job: read the contract, follow the plan, run the rules, say what to hand over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from prepcheck.app.handover import hand_overs
from prepcheck.app.path_lines import path_lines
from prepcheck.app.version import VERSION
from prepcheck.app.worlds import Prepared, Request, prepare
from prepcheck.contract.report import Report
from prepcheck.engine.loading import EVERYWHERE, families, load, load_only
from prepcheck.engine.reporting import english, report_of
from prepcheck.engine.running import Found, Outcome, run
from prepcheck.errors import PlanError
from prepcheck.facts.log import LogBook, log_book
from prepcheck.facts.world import World
from prepcheck.registry import Rule

if TYPE_CHECKING:
    from prepcheck.contract.plan import Plan


def validate(
    request: Request,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    translate: Callable[[str], str] = english,
) -> Report:
    """Judge a model with its images, plan and buffers. Raises PrepcheckError where nothing can be judged."""
    prepared = prepare(request)
    return judge(prepared, select=select, ignore=ignore, translate=translate)


def judge(
    prepared: Prepared,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    translate: Callable[[str], str] = english,
) -> Report:
    """Run the rules over a prepared world."""
    world = prepared.world
    outcome = run(chosen(rules_for(world), select, ignore), world)
    if _nothing_checked(prepared, outcome) and not select and not ignore:
        raise PlanError(
            f"{prepared.subject.plan}: nothing in this plan can be checked: it names no model, no buffer, no step and no call. "
            "Give the model as MODEL or under `model:`, and say what is handed over (`buffers:`, `calls:`, `steps:`); "
            "`prepcheck init MODEL` writes such a plan"
        )
    book = log_book(world)
    cleared, tests, scope = None, None, None
    if book is not None or _tried(world):
        from prepcheck.app.assessing import assess, next_tests, ruled_out

        found = assess(book or LogBook(), world)
        cleared, tests = ruled_out(found, translate), next_tests(found, translate)
        scope = None if any(f.severity != "info" for f in outcome.found) else found.scope
    if any(f.category in _VALUES and f.severity != "info" for f in outcome.found):
        from prepcheck.app.effects import with_effects

        outcome.found = with_effects(world, outcome.found)
    outcome.found += _image_errors(prepared)
    outcome.failed += len(prepared.image_errors)
    contract = world.contract
    return report_of(
        outcome,
        version=VERSION,
        subject=prepared.subject,
        contract=contract,
        translate=translate,
        hand_over=hand_overs(contract, world.platform, translate) if contract is not None else [],
        path=path_lines(world, outcome),
        details=prepared.details,
        ruled_out=cleared,
        next_tests=tests,
        scope=scope,
    )


def _nothing_checked(prepared: Prepared, outcome: Outcome) -> bool:
    """Whether there was nothing to look at: a plan without a model, a buffer, a step or a call is empty, not right."""
    world, plan = prepared.world, prepared.world.plan
    if outcome.passed or outcome.failed or outcome.undecided or prepared.image_errors or world.contract is not None:
        return False
    if world.extra.get("log") or _tried(world) or plan is None:
        return False
    return not (plan.model or plan.buffers or plan.steps or plan.calls or plan.session or plan.postprocess)


_VALUES = ("normalization", "quantization", "dtype")
"""Categories of findings whose effect on the values can be computed without a picture."""


def _tried(world: World) -> bool:
    """Whether observations or answers are stated."""
    return bool((world.plan and world.plan.observations) or world.extra.get("answers"))


def rules_for(world: World) -> list[Rule]:
    """The rules that can say anything about a world."""
    names = families(world.runtime, world.runtime == "rga" or (world.plan is not None and _uses_rga(world.plan)))
    left_out = set()
    if world.contract is None or not world.contract.notes:
        left_out.add("ct")  # all of CT is about what a reader noticed
    if world.plan is None or not _touches_memory(world.plan):
        left_out.add("mm")
    if not world.declared:
        left_out |= {"rk", "mn", "mm"}  # the calls of the usual path are ours: nobody made them yet
    without = [] if world.extra.get("diagnosis") else ["buffer_"]
    if not (world.extra.get("answer_weighing") or world.extra.get("run_effect")):
        without.append("answer_")
    if world.plan is None or not any(c.api == "inference" for c in world.plan.calls):
        without.append("inference_")
    rules = load(tuple(n for n in names if n not in left_out), without=tuple(without))
    if "ct" in left_out and world.file_contract is not None and world.declared and world.plan and world.plan.model:
        rules += load_only("CT045")  # the plan says something of a model whose file is given as well
    if "ct" in left_out and world.extra.get("source"):
        rules += load_only("CT047", "CT048", "CT049")
    if "mn" in left_out and (world.extra.get("run_effect") or world.extra.get("testdir")):
        rules += load_only("MN048", "MN049", "MN050")
    if world.extra.get("log"):
        rules += load(log=True, names=(*EVERYWHERE, "rk", "mn", "rg"))
    return rules


_MEMORY_CALLS = ("rknn_create_mem", "rknn_set_io_mem", "rknn_destroy_mem", "rknn_mem_sync", "write", "read", "alloc")


def _touches_memory(plan: Plan) -> bool:
    """Whether a plan tells of memory: who makes, binds, writes or reads it, or where a buffer lies."""
    return any(c.api.startswith(_MEMORY_CALLS) for c in plan.calls) or any(b.memory for b in plan.buffers.values())


def _uses_rga(plan: Plan) -> bool:
    """Whether a plan has RGA calls, or steps by RGA or by rknn_model_zoo (`library: zoo`), which uses it."""
    if any(c.api.startswith(("im", "importbuffer")) for c in plan.calls):
        return True
    steps = [s for group in plan.steps.values() for s in group] if isinstance(plan.steps, dict) else plan.steps
    return any(s.rga is not None or "zoo" in (getattr(s.resize or s.letterbox, "library", None),) for s in steps)


def chosen(rules: list[Rule], select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """The rules whose id begins with a selected prefix (all, where none is given) and with no ignored one."""
    wanted = tuple(s.upper() for s in select)
    unwanted = tuple(s.upper() for s in ignore)
    return [
        r for r in rules if (not wanted or r.id.startswith(wanted)) and not (unwanted and r.id.startswith(unwanted))
    ]


def _image_errors(prepared: Prepared) -> list[Found]:
    """Images that could not be read, where others can be judged: findings of family IM."""
    if not prepared.image_errors:
        return []
    from prepcheck.registry import RULES, Finding

    load(("im",))
    rule = RULES["IM001"]
    return [
        Found(
            rule,
            Finding(
                "{problem}",
                "The other images were judged; this one could not be.",
                "Give a readable image.",
                {"problem": e.message},
            ),
            "images",
            f"images:{i}",
            "error",
        )
        for i, e in enumerate(prepared.image_errors)
    ]
