"""Compare two models, contracts, plans, records or logs; keep a contract under version control (`--lock`)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

from prepcheck.app.version import VERSION
from prepcheck.app.writing import write_atomically
from prepcheck.contract.contract import Contract
from prepcheck.contract.report import Report, RuledOut, Subject
from prepcheck.engine.loading import load
from prepcheck.engine.reporting import Translate, english, report_of
from prepcheck.engine.running import run
from prepcheck.errors import PlanError, PrepcheckError, TooLargeError, UsageError, WrongKindError
from prepcheck.evidence.comparing import Comparison, contracts, logs, plans
from prepcheck.facts.difference import Difference
from prepcheck.facts.world import World
from prepcheck.readers.digest import sha256
from prepcheck.render.json_ import plain

MAX_LOG = 64 << 20
PathLike = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class _Item:
    """One of the two. kind: contract, plan or log."""

    name: str
    kind: str
    contract: Contract | None = None
    value: Mapping[str, object] | None = None
    text: str = ""


def diff(a: PathLike, b: PathLike, *, translate: Translate = english) -> Report:
    """What differs between two files, and what is equal and so cleared. Exit code 1 where contracts differ.

    Raises PrepcheckError where one cannot be read, or where the two are of different kinds.
    """
    same = sha256(a) == sha256(b)
    one, other = _read(a), _read(b)
    if one.kind != other.kind:
        raise UsageError(f"{one.name} is a {one.kind} and {other.name} is a {other.kind}: compare two of a kind")
    if one.kind == "contract":
        found = contracts(one.value or {}, other.value or {})
    elif one.kind == "plan":
        found = plans(one.value or {}, other.value or {})
    else:
        found = logs(one.text, other.text)
    differences = list(found.differences)
    if same:
        differences.insert(0, Difference("identical", "", sha256(a) or "", sha256(b) or ""))
    return _report(one, other, found, differences, translate)


def lock(path: PathLike, model: PathLike, *, update: bool = False, translate: Translate = english) -> Report:
    """Write the contract of a model to a lock file, or hold the model against the one that is there.

    update: replace the lock by the model's contract. The report says what differs; where the lock was written, nothing.
    """
    from prepcheck.readers.model import read_model

    contract = read_model(model)
    current = _Item(os.fspath(model), "contract", contract, _table(contract))
    if update or not os.path.exists(path):
        write_atomically(path, (json.dumps(plain(contract), indent=1, sort_keys=True) + "\n").encode("utf-8"))
        return _report(current, current, Comparison((), ()), [], translate)
    locked = _document(path, "contract")
    found = contracts(locked.value or {}, current.value or {})
    return _report(locked, current, found, list(found.differences), translate)


def _read(path: PathLike) -> _Item:
    name = os.fspath(path)
    with open_head(path) as head:
        start = head
    if start.startswith(b"PCREC"):
        from prepcheck.readers.record import record_to_plan

        return _Item(name, "plan", None, record_to_plan(path).plan)
    if name.lower().endswith((".yaml", ".yml", ".json")):
        return _document(path, None)
    try:
        from prepcheck.readers.model import read_model

        contract = read_model(path)
        return _Item(name, "contract", contract, _table(contract))
    except WrongKindError as error:
        if b"\x00" in start:
            raise
        text = _text(path)
        if text is None:
            raise error from None
        return _Item(name, "log", text=text)


class open_head:
    """The first bytes of a file, with the named errors of Source."""

    def __init__(self, path: PathLike) -> None:
        self.path = path

    def __enter__(self) -> bytes:
        from prepcheck.wire.source import Source

        with Source.open(self.path) as source:
            return source.head(4096)

    def __exit__(self, *_: object) -> None:
        return None


def _document(path: PathLike, wanted: str | None) -> _Item:
    from prepcheck.contract.loading import contract_from_text, plan_from_text
    from prepcheck.contract.yamldoc import parse, read_text

    name = os.fspath(path)
    text = read_text(path)
    value = parse(text, name).value
    if isinstance(value, dict) and "prepcheck" in value and wanted != "contract":
        plan_from_text(text, name)
        return _Item(name, "plan", None, value)
    if isinstance(value, dict) and isinstance(value.get("contract"), dict):  # the report of `inspect --format json`
        value = value["contract"]
        text = json.dumps(value)
    if not isinstance(value, dict) or "inputs" not in value:
        raise PlanError(f"{name}: neither a plan (`prepcheck: plan/v1`) nor a contract (`inputs: …`)")
    contract = contract_from_text(text, name + (".json" if text.lstrip().startswith("{") else ""))
    return _Item(name, "contract", contract, _table(contract))


def _text(path: PathLike) -> str | None:
    with open(path, "rb") as stream:
        data = stream.read(MAX_LOG + 1)
    if len(data) > MAX_LOG:
        raise TooLargeError(f"{os.fspath(path)}: over {MAX_LOG} bytes; compare the part around the failure")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _table(contract: Contract) -> Mapping[str, object]:
    value = plain(contract)
    assert isinstance(value, dict)
    return value


def _report(one: _Item, other: _Item, found: Comparison, differences: list[Difference], translate: Translate) -> Report:
    world = World(contract=other.contract, extra={"difference": tuple(differences)})
    outcome = run([r for r in load(("ct",)) if r.over.startswith("difference")], world)
    subject = Subject.made(
        model=other.name if one.kind == "contract" else None, plan=None, images=[], buffers={}, log=None, sha256=None
    )
    noun = {"contract": "contracts", "plan": "plans", "log": "logs"}[one.kind]
    cleared = [
        RuledOut.made(what=path, because=f"equal in both {noun}" + (f": {_short(value)}" if value is not None else ""))
        for path, value in found.equal[:200]
    ]
    details: dict[str, object] = {
        "first": one.name,
        "second": other.name,
        "kind": one.kind,
        "equal": len(found.equal),
        "different": len(differences),
    }
    return report_of(
        outcome,
        version=VERSION,
        translate=translate,
        subject=subject,
        contract=other.contract,
        ruled_out=cleared,
        details=details,
    )


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"


__all__ = ["PrepcheckError", "diff", "lock"]
