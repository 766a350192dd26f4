"""The contract that a model file states, with what its reader noticed (findings of family CT)."""

from __future__ import annotations

import os
from collections.abc import Callable

from prepcheck.app.handover import hand_overs
from prepcheck.app.version import VERSION
from prepcheck.contract.report import Report, Subject
from prepcheck.engine.loading import load
from prepcheck.engine.reporting import english, report_of
from prepcheck.engine.running import run
from prepcheck.facts.world import make_world
from prepcheck.readers.digest import sha256 as digest
from prepcheck.readers.model import read_model

HASHED_UP_TO = 64 << 20
"""Bytes of a file that is hashed without being asked: a larger one would cost more than reading its contract."""


def inspect(
    model: str | os.PathLike[str], *, sha256: bool | None = None, translate: Callable[[str], str] = english
) -> Report:
    """Read a model. Raises the named errors of the readers."""
    contract = read_model(model)
    name = os.fspath(model)
    hashed = None if sha256 is False else digest(model, limit=None if sha256 else HASHED_UP_TO)
    world = make_world(contract=contract, plan=None, declared=False)
    outcome = run(load(("ct",)) if contract.notes else [], world)
    subject = Subject.model_construct(
        model=name, plan=None, images=[], buffers={}, log=None, sha256={name: hashed} if hashed else None
    )
    return report_of(
        outcome,
        version=VERSION,
        subject=subject,
        contract=contract,
        hand_over=hand_overs(contract, world.platform, translate),
        translate=translate,
    )
