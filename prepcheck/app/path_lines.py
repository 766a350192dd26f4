"""The path of each input as a chain, one line a step: what it leaves, who does it, and the findings that happen there.

Steps come first, then how the bytes reach the NPU: one call that copies, or the links of zero-copy (who writes, which
memory, how it is synced, how it is bound).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field

from prepcheck.contract.report import StepLine
from prepcheck.engine.merging import merge
from prepcheck.engine.running import Found, Outcome
from prepcheck.facts.base import things
from prepcheck.facts.handover import HandoverThing
from prepcheck.facts.link_texts import handed
from prepcheck.facts.links import BoundThing
from prepcheck.facts.path import PathThing
from prepcheck.facts.world import World
from prepcheck.records import dataclass

_STEP = re.compile(r"steps(?:\.[^\[]+)?\[(\d+)\]\Z")
_CALL = re.compile(r"calls\[(\d+)\]\Z")

_KINDS = {
    "resize": ("resize", "letterbox", "crop", "pad", "image_process", "rga"),
    "normalization": ("normalize", "scale", "image_process"),
    "quantization": ("quantize",),
    "channel_order": ("convert_color", "decode", "image_process", "rga"),
    "color_space": ("convert_color", "decode", "rga"),
    "layout": ("transpose",),
}
"""Where a finding of a category belongs that names no step: the last step of these kinds."""

_LINKS = {"write": "write", "memory": "memory", "binding": "bind"}
"""The line of the first end of a broken link; a link to the sync that is missing belongs to the line of the sync."""


@dataclass(frozen=False, slots=True)
class _Line:
    """One line before it is frozen. step: its place among the steps; call: the call where it happens; link: its name."""

    text: str
    where: str
    after: str
    note: str | None = None
    step: int | None = None
    call: int | None = None
    link: str | None = None
    findings: list[str] = field(default_factory=list)


def path_lines(world: World, outcome: Outcome) -> dict[str, list[StepLine]]:
    """Every input that has steps or a hand-over, by its name."""
    found = merge(outcome.found)
    first: dict[int, HandoverThing] = {}
    for thing in things(world, "handover"):
        if isinstance(thing, HandoverThing):
            first.setdefault(thing.handover.input, thing)
    chains = {t.handover.input: t for t in reversed(things(world, "bound")) if isinstance(t, BoundThing)}
    paths = {t.position: t for t in things(world, "path") if isinstance(t, PathThing)}
    lines: dict[str, list[StepLine]] = {}
    for position in sorted({*first, *paths}, key=lambda p: -1 if p is None else p):
        path = paths.get(position)
        own = _steps(path) if path is not None and path.has_steps else []
        given = first.get(position) if position is not None else None
        if given is not None:
            own += _hand_over(given, chains.get(given.handover.input))
        if not own or (given is None and path is None):
            continue
        label = _label(path, given)
        _place(own, found, f"inputs[{position}]" if position is not None else "steps")
        lines[label] = [
            StepLine.model_construct(
                step=o.text, where=o.where, implicit=not world.declared, after=o.after, note=o.note, findings=o.findings
            )
            for o in own
        ]
    return lines


def _label(path: PathThing | None, given: HandoverThing | None) -> str:
    tensor = path.tensor if path is not None else given.input.tensor if given is not None else None
    where = path.where if path is not None else f"inputs[{given.handover.input}]" if given is not None else "steps"
    return (tensor.name if tensor is not None else None) or where


def _steps(path: PathThing) -> list[_Line]:
    lines = []
    for at, (step, state) in enumerate(zip(path.steps, path.states[1:], strict=True)):
        library = getattr(step.arguments, "library", None)
        lines.append(_Line(step.kind, step.arguments.where, state.describe(), library, step=at))
    return lines


def _hand_over(given: HandoverThing, chain: BoundThing | None) -> list[_Line]:
    if given.handover.binding is None or chain is None:
        call = given.handover.call
        name, _, rest = handed(given).partition(" ")
        return [_Line(name, "host", rest, f"calls[{call}]", call=call, link="binding")]
    return [
        _Line(
            link.kind, "runtime" if link.kind == "sync" and link.call is None else "host", link.text,
            f"calls[{link.call}]" if link.call is not None else None, call=link.call, link=link.kind,
        )
        for link in chain.chain
    ]  # fmt: skip


def _place(lines: list[_Line], found: Sequence[Found], about: str) -> None:
    """Put the id of every finding about this input (or one of its steps) beside the line where it happens."""
    for item in found:
        step, call = _STEP.match(item.where), _CALL.match(item.where)
        evidence = item.finding.values if item.finding.evidence is None else item.finding.evidence
        link = str(evidence.get("link") or "")
        if not (
            about in (item.about, item.where)
            or (step and any(o.step == int(step[1]) for o in lines))
            or (call and link and any(o.call == int(call[1]) for o in lines))
        ):
            continue
        said = evidence.get("step")
        at = int(step[1]) if step else said if isinstance(said, int) and not isinstance(said, bool) else None
        kind = "sync" if link.endswith("sync") else _LINKS.get(link.partition(" ")[0])
        chosen = (
            next((o for o in lines if at is not None and o.step == at), None)
            or next((o for o in lines if kind and o.link == kind), None)
            or next((o for o in lines if call and o.call == int(call[1])), None)
            or next(
                (o for o in reversed(lines) if o.step is not None and o.text in _KINDS.get(item.category, ())), None
            )
            or next((o for o in lines if o.link == "write" and item.where.startswith("buffers.")), None)
            or lines[-1]
        )
        if item.rule.id not in chosen.findings:
            chosen.findings.append(item.rule.id)
