"""Documents from files and plain values; what pydantic says becomes one sentence with line, column and key."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from prepcheck.contract.contract import Contract
from prepcheck.contract.plan import Plan
from prepcheck.contract.yamldoc import Path, Plain, Text, parse, read_text
from prepcheck.errors import PlanError, TooLargeError, shortened

_WORDED = 50
"""Faults of one document that are put into words; the others are counted."""
MAX_CALLS = 4000
"""Calls of a plan: as many as are made of a record. More are further frames of the same kind."""
MAX_STEPS = 500

_Model = TypeVar("_Model", bound=BaseModel)


def load_plan(path: str | os.PathLike[str]) -> Plan:
    """A plan from a YAML or JSON file. Raises NotFoundError, TooLargeError or PlanError (file:line:column: what)."""
    name = os.fspath(path)
    return plan_from_text(read_text(path), name)


def plan_from_text(text: str, name: str) -> Plan:
    """A plan from a text; `name` is what errors call it."""
    parsed = parse(text, name)
    value = parsed.value
    if not isinstance(value, dict):
        raise PlanError(f"{name}: a plan is a table of keys; this is {_what(value)}")
    if value.get("prepcheck") != "plan/v1":
        found = value.get("prepcheck")
        hint = (
            "its first line must be `prepcheck: plan/v1`"
            if found is None
            else f"`prepcheck` is {found!r}, known: plan/v1"
        )
        raise PlanError(f"{parsed.at(('prepcheck',))}: not a plan: {hint}")
    for key, limit in (("calls", MAX_CALLS), ("steps", MAX_STEPS)):
        listed = value.get(key)
        if isinstance(listed, list) and len(listed) > limit:
            raise TooLargeError(
                f"{parsed.at((key,))}: {len(listed)} {key}, over the limit of {limit}; keep those of one frame"
            )
    return build(Plan, value, parsed)


def contract_from_text(text: str, name: str) -> Contract:
    """A contract document from a text (YAML or JSON)."""
    parsed = parse(text, name)
    if not isinstance(parsed.value, dict):
        raise PlanError(f"{name}: a contract is a table of keys; this is {_what(parsed.value)}")
    return build(Contract, parsed.value, parsed)


def build(model: type[_Model], value: Plain, text: Text) -> _Model:
    """Validate plain values as `model`. Raises PlanError that names at most three faults, with their positions."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise PlanError("; ".join(_faults(error, text))) from None
    except RecursionError:
        raise PlanError(f"{text.name}: nested too deep") from None


def _faults(error: ValidationError, text: Text) -> list[str]:
    seen: list[str] = []
    items = error.errors(include_url=False, include_input=True)
    deepest = [item for item in items if item["type"] not in ("dict_type", "list_type")] or items
    beyond = max(0, len(deepest) - _WORDED)
    deepest = deepest[:_WORDED]
    for item in deepest:
        path = _document_path(item["loc"], text.value)
        context = item.get("ctx") or {}
        message = str(item["msg"]).removeprefix("Value error, ")
        shown = item.get("input")
        if item["type"] == "missing":
            message = "this key is needed"
        elif item["type"] == "unknown_key":
            path = (*path, str(context["key"]))
        elif item["type"] == "union_tag_invalid":
            path, message = (*path, "api"), _unknown_call(str(context["tag"]), str(context["expected_tags"]))
        elif item["type"] == "union_tag_not_found":
            message = "a call needs the key `api`, the name of the function"
        elif item["type"] not in ("value_error", "version_number") and isinstance(shown, (str, int, float)):
            message += f", not {str(shown)[:60]!r}"
        key = _dotted(path[:-1] if item["type"] == "unknown_key" else path)
        sentence = f"{text.at(path)}: {shortened(key, 200) + ': ' if key else ''}{shortened(message, 600)}"
        if sentence not in seen:
            seen.append(sentence)
    if len(seen) > 3:
        seen[3:] = [f"and {len(seen) - 3 + beyond} more"]
    return seen


def _unknown_call(name: str, expected: str) -> str:
    known = expected.replace("'", "").split(", ")
    near = get_close_matches(name, known, n=1, cutoff=0.4)
    return f"unknown call '{name}'" + (f"; did you mean '{near[0]}'?" if near else f"; known: {', '.join(known)}")


def _document_path(loc: tuple[int | str, ...], value: Plain) -> Path:
    """pydantic's location without the names of union members and validators, which are no keys of the document."""
    path: list[str | int] = []
    here: Plain = value
    for part in loc:
        if isinstance(here, dict) and isinstance(part, str) and part in here:
            path.append(part)
            here = here[part]
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            path.append(part)
            here = here[part]
    last = loc[-1] if loc else None
    if (
        isinstance(last, str)
        and isinstance(here, dict)
        and last not in here
        and last.isidentifier()
        and (not path or last != path[-1])
    ):
        path.append(last)
    return tuple(path)


def _dotted(path: Path) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _what(value: Plain) -> str:
    return {type(None): "an empty file", str: "a bare text", list: "a list"}.get(type(value), "a single value")
