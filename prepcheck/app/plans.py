"""A plan from whatever --plan names: a document (YAML or JSON), a record of calls (`.pcrec`), or a ready plan's name."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from prepcheck.contract.plan import Plan
from prepcheck.errors import CorruptError, EmptyFileError, PlanError, PrepcheckError

PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class LoadedPlan:
    """A plan, its name and folder. details: of a record, what is worth telling beside the findings."""

    plan: Plan
    name: str
    base: Path
    details: dict[str, object] = field(default_factory=dict)


def is_record(path: PathLike) -> bool:
    """Whether a file is a record, by its first bytes; False for what cannot be read."""
    from prepcheck.wire.pcrec import MAGIC

    try:
        with open(path, "rb") as stream:
            return stream.read(len(MAGIC))[:6] == MAGIC[:6]
    except OSError:
        return False


def _foreign(path: PathLike, error: PlanError) -> PlanError | None:
    """The error with the way out, where the file is another project's that can be imported; None for any other file."""
    from prepcheck.importers.choosing import titled

    try:
        title = titled(path)
    except PrepcheckError:
        return None
    name = os.fspath(path)
    return PlanError(f"{error.message}; it is {title}: `prepcheck import {name}` makes a plan of it") if title else None


def load(path: PathLike) -> LoadedPlan:
    """Read a plan, a record or a ready plan by its name. Raises PlanError, NotFoundError, TooLargeError, and what reading a record raises."""
    name, base = os.fspath(path), Path(path).parent
    if not os.path.exists(name):
        from prepcheck.app import ready

        if ready.is_name(name):
            from prepcheck.contract.loading import load_plan

            file = ready.path_of(name)
            return LoadedPlan(load_plan(file), file.stem, file.parent, {"ready_plan": ready.told(name)})
    if not is_record(path):
        from prepcheck.contract.loading import load_plan

        try:
            return LoadedPlan(load_plan(path), name, base)
        except PlanError as error:
            raise _foreign(path, error) or error from None
    from prepcheck.readers.record import record_to_plan

    recorded = record_to_plan(path)
    if not recorded.plan.get("calls"):
        raise EmptyFileError(
            f"{name}: the record holds no call that prepcheck knows; record the program over at least one run (PREPCHECK_TRACE)"
        )
    told: dict[str, object] = {
        "runs": recorded.runs,
        "calls_left_out": recorded.left_out,
        "notes": list(recorded.notes),
    }
    if recorded.model.path is not None:
        told["model"] = recorded.model.path
    return LoadedPlan(_recorded(recorded.plan, name), name, base, {"record": told})


def _recorded(value: object, name: str) -> Plan:
    """The plan of a record. Raises CorruptError where a number in it cannot be: the recorder writes none such."""
    from pydantic import ValidationError

    try:
        return Plan.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=True)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CorruptError(
            f"{name}: the record is damaged: {where} is {str(first['input'])[:60]!r} ({first['msg']}); record the program again"
        ) from None
