"""The chain of steps for the page: each step's state before and after as cells, beside the lines of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from prepcheck.errors import PrepcheckError
from prepcheck.facts.base import things
from prepcheck.facts.path import PathThing
from prepcheck.pixels.color import reorder
from prepcheck.pixels.run import run_steps
from prepcheck.render.html.model import Before, ChainStep, Pixels

if TYPE_CHECKING:
    from prepcheck.contract.report import Report
    from prepcheck.contract.steps import Step
    from prepcheck.facts.world import World
    from prepcheck.pixels.chain import State


GEOMETRY = frozenset({"resize", "letterbox", "crop", "pad"})
ENDS = frozenset({"image_process", "rga"})
"""Steps after which the picture is not followed any more here."""


def chains(world: World, report: Report) -> dict[str, tuple[ChainStep, ...]]:
    """Input name → its chain. A hand-over (and each link of zero-copy) has a text in place of states."""
    found: dict[str, tuple[ChainStep, ...]] = {}
    paths = {_label(t): t for t in things(world, "path") if isinstance(t, PathThing)}
    for name, lines in report.path.items():
        path = paths.get(name)
        states = path.states if path is not None and path.has_steps else []
        steps = []
        for i, line in enumerate(lines):
            both = (states[i], states[i + 1]) if i + 1 < len(states) else None
            steps.append(
                ChainStep(
                    name=line.step, where=line.where, note=line.note or "", before=_cells(both[0]) if both else None,
                    after=_cells(both[1]) if both else None, text=line.after, findings=tuple(line.findings),
                )
            )  # fmt: skip
        found[name] = tuple(steps)
    return found


def with_pictures(chain: tuple[ChainStep, ...], steps: Sequence[Step], source: Pixels) -> tuple[ChainStep, ...]:
    """The chain with a small picture beside every step that changes it. source: the decoded picture, H x W x 3 RGB.

    steps: those of the path, which come first in the chain. From the first step that cannot be run on it, none is shown.
    """
    picture = source
    shown: list[ChainStep] = []
    for line, step in zip(chain, steps, strict=False):
        kind = step.kind
        try:
            if kind in GEOMETRY:
                picture = run_steps(picture, "RGB", [step]).picture
            elif step.convert_color is not None and step.convert_color.to == "GRAY":
                picture = np.repeat(reorder(picture, "RGB", "GRAY"), 3, axis=2)
            elif kind != "decode":
                if kind in ENDS:
                    break
                shown.append(line)
                continue
        except PrepcheckError:
            break
        shown.append(replace(line, picture=picture))
    return (*shown, *chain[len(shown) :])


def _label(path: PathThing) -> str:
    return (path.tensor.name if path.tensor is not None else None) or path.where


def _cells(state: State) -> Before:
    size = f"{state.size[0]} x {state.size[1]}" if state.size else ""
    spread = ""
    if state.values is not None:
        low, high = state.values.range()
        spread = f"{low:.4g} … {high:.4g}"
    if state.quantized is not None:
        scale, zero_point = state.quantized
        spread = f"{spread} = codes, scale {scale:.6g}, zp {zero_point}"
    return Before(size, state.layout or "", state.dtype or "", state.color or "", spread)
