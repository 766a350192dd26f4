"""Single mistakes put into right RKNN plans: how they are registered and applied, and how one finds a place in a body."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.plans.rknn_making import Body, Input, Making
from tests.plans.rknn_random import making

Change = Callable[[Making, Body], bool]


@dataclass(frozen=True)
class Mutation:
    """change: puts the mistake into a plan's body, False where the plan has no place for it. severity: at least."""

    name: str
    rules: frozenset[str]
    kinds: tuple[str, ...]
    severity: str
    change: Change


MUTATIONS: list[Mutation] = []


def mutation(*rules: str, kinds: str, severity: str = "error") -> Callable[[Change], Change]:
    """Register a mistake."""

    def register(change: Change) -> Change:
        MUTATIONS.append(Mutation(change.__name__, frozenset(rules), tuple(kinds.split()), severity, change))
        return change

    return register


def mutated(wanted: Mutation, count: int, limit: int = 400) -> Iterator[tuple[str, Body]]:
    """(where from, body) of so many plans with the mistake."""
    found = 0
    for seed in range(limit):
        kind = wanted.kinds[seed % len(wanted.kinds)]
        m = making(seed, kind)
        body = copy.deepcopy(m.plan)
        if wanted.change(m, body):
            found += 1
            yield f"{kind} {seed}", body
            if found == count:
                return


def sets(body: Body) -> list[Body]:
    return [c for c in body["calls"] if c["api"] == "rknn_inputs_set"]


def fields(body: Body, index: int) -> list[Body]:
    return [f for c in sets(body) for f in c["inputs"] if f["index"] == index]


def calls(body: Body, api: str, buffer: str | None = None) -> list[Body]:
    return [c for c in body["calls"] if c["api"] == api and (buffer is None or c.get("buffer") == buffer)]


def at(body: Body, call: Body) -> int:
    return next(i for i, c in enumerate(body["calls"]) if c is call)


def pick(m: Making, body: Body, *, kind: str = "picture", dtype: str | None = None, given: str | None = None,
         padded: bool | None = None, through: int | None = 0, channels: int | None = None) -> Input | None:  # fmt: skip
    """The first input that is as wanted. given: element type of what is handed over."""
    for i, one in enumerate(m.inputs):
        how = (fields(body, i) or calls(body, "rknn_set_io_mem", f"mem{i}") or [{}])[0]
        if (
            one.kind != kind
            or (dtype is not None and one.dtype != dtype)
            or (padded is not None and one.padded != padded)
        ):
            continue
        if through is not None and how.get("pass_through", 0) != through:
            continue
        if channels is not None and one.shape[3] != channels:
            continue
        names = (f"frame{i}", f"mem{i}", f"array{i}")
        held = next((body["buffers"][n]["dtype"] for n in names if n in body["buffers"]), None)
        if given is not None and held != given:
            continue
        return one
    return None


def number(one: Input) -> int:
    return int(one.tensor["index"])


def everywhere(items: list[Body], **values: Any) -> bool:
    for item in items:
        item.update(values)
    return bool(items)


def version(body: Body, text: str) -> None:
    body["version"] = text
    body["model"].pop("toolkit", None)
