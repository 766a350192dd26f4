"""A plan to fill in: what the model settles is filled, what is not known stands as marked gaps (`# ?`).

The gaps are the `unknown` list that `validate` gives for the very plan that is written.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from prepcheck.app.defaults import default_plan, for_one_picture
from prepcheck.app.handover import hand_overs
from prepcheck.app.validate import judge
from prepcheck.app.worlds import Prepared
from prepcheck.contract.contract import Contract
from prepcheck.contract.loading import plan_from_text
from prepcheck.contract.report import Subject, Unknown
from prepcheck.facts.world import make_world
from prepcheck.readers.model import read_model
from prepcheck.render.json_ import plain

SCHEMA = "schemas/plan.schema.json"


def init(model: str | os.PathLike[str], folder: Path | None) -> str:
    """The text of a plan for a model. folder: where the plan will lie (None: the current folder).

    A model inside that folder is named by its path; one elsewhere is written into the plan as a contract, because paths
    of a plan stay inside its folder.
    """
    contract = read_model(model)
    if contract.runtime in ("onnx", "tflite"):
        contract = for_one_picture(contract)
    where = place(Path(model), folder)
    return _text(contract, where, _gaps(contract, _text(contract, where, [])))


def place(model: Path, folder: Path | None) -> str | None:
    """How the plan names the model: by its path below the plan's folder; on stdout only where it lies right here."""
    if folder is None:
        return model.name if model.resolve().parent == Path.cwd() else None
    try:
        return model.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return None


def _gaps(contract: Contract, text: str) -> list[Unknown]:
    plan = plan_from_text(text, "plan")
    world = make_world(contract=contract, plan=plan, declared=True)
    subject = Subject.model_construct(model=None, plan=None, images=[], buffers={}, log=None, sha256=None)
    return judge(Prepared(world, subject)).unknown


def _text(contract: Contract, place: str | None, gaps: list[Unknown]) -> str:
    plan = default_plan(contract, [])
    lines = [f"# yaml-language-server: $schema={SCHEMA}"]
    lines += ["prepcheck: plan/v1", f"runtime: {plan['runtime']}"]
    lines.append(f"platform: {plan['platform']}" if "platform" in plan else "# platform: rk3588")
    lines.append('# version: "2.3.2"      # the runtime on the device; it prints this at start')
    lines += _model(contract, place)
    for hand in hand_overs(contract, str(plan.get("platform") or "")):
        lines.append(f"# hand over {hand.input}: {hand.sentence}")
    lines.append("# What the application does. Change these to what yours does; every number is checked.")
    lines += _table("buffers", plan["buffers"])
    lines += _steps(plan["steps"])
    lines += _list("calls", plan["calls"], "")
    if gaps:
        lines.append("# Not known yet. Each line can be answered; until then `validate` lists it as unknown.")
        lines += [f"# ? {g.where} ({g.rule}): {g.reason}; {g.supply}" for g in gaps]
    return "\n".join(_one_line(line) for line in lines) + "\n"


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def _model(contract: Contract, place: str | None) -> list[str]:
    if place is not None:
        return [f"model: {_flow(place)}"]
    body = plain(contract)
    lines = ["model:                      # as the file states it (the file lies outside of this plan's folder)"]
    if isinstance(body, dict):
        for key in ("toolkit", "quantized", "batch", "custom_string", "container", "platforms"):
            if body.get(key) is not None:
                lines.append(f"  {key}: {_flow(body[key])}")
        for key in ("inputs", "outputs", "notes"):
            if body.get(key):
                lines += _list(key, [_stated(item) for item in body[key]], "  ")
    return lines


def _stated(value: object) -> object:
    """Without what is null or empty."""
    if isinstance(value, dict):
        return {k: _stated(v) for k, v in value.items() if v is not None and v not in ({}, [])}
    return value


def _table(name: str, value: object) -> list[str]:
    if not isinstance(value, dict) or not value:
        return []
    return [f"{name}:", *(f"  {_flow(key)}: {_flow(item)}" for key, item in value.items())]


def _steps(value: object) -> list[str]:
    if not isinstance(value, dict) or not value:
        return []
    lines = ["steps:"]
    for name, steps in value.items():
        lines += _list(_flow(name), steps, "  ")
    return lines


def _list(name: str, items: object, indent: str) -> list[str]:
    if not isinstance(items, list) or not items:
        return []
    return [f"{indent}{name}:", *(f"{indent}  - {_flow(item)}" for item in items)]


def _flow(value: object) -> str:
    """A value in YAML's flow style: JSON, which reads the same in YAML 1.1 and 1.2."""
    return json.dumps(value, ensure_ascii=True)
