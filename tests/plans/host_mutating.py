"""How one fault is put into a right plan of the host's: the table of faults, and what they ask of a plan."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from tests.plans.host_random import WIDTH, Body, plan, product


class Unfit(Exception):
    """The plan drawn cannot carry this fault."""


Change = Callable[[Body], None]
MUTATIONS: dict[str, tuple[Change, tuple[str, ...]]] = {}


def fault(*rules: str) -> Callable[[Change], Change]:
    """Register a change and the rules of which one must come first."""

    def register(change: Change) -> Change:
        MUTATIONS[change.__name__] = (change, rules)
        return change

    return register


def mutated(r: Random, change: Change) -> Body | None:
    """A right plan with the fault; None where none of 200 plans can carry it."""
    for _ in range(200):
        body = copy.deepcopy(plan(r))
        try:
            change(body)
        except Unfit:
            continue
        return body
    return None


def need(condition: object) -> None:
    """Give the plan up where it cannot carry the fault."""
    if not condition:
        raise Unfit


def tensor(body: Body) -> Body:
    found: Body = body["model"]["inputs"][0]
    return found


def sides(body: Body) -> tuple[int, int, int]:
    """channels, height, width"""
    s = tensor(body)["shape"]
    return (s[3], s[1], s[2]) if tensor(body)["layout"] == "NHWC" else (s[1], s[2], s[3])


def at(body: Body, kind: str) -> int:
    """Place of the first step of a kind."""
    found = [i for i, s in enumerate(body.get("steps", [])) if kind in s]
    need(found)
    return found[0]


def step(body: Body, kind: str) -> Body:
    place = at(body, kind)
    found: Body = body["steps"][place][kind]
    return found


def has(body: Body, kind: str) -> bool:
    return any(kind in s for s in body.get("steps", []))


def known(body: Body) -> Body:
    """Training, where what the model does is known too, and no range of the buffer contradicts the steps."""
    need("steps" in body and (not body["runtime"].startswith("rknn") or "build" in body["model"]))
    body["buffers"]["x"].pop("range", None)
    found: Body = body["model"]["training"]
    return found


def distorted(body: Body) -> None:
    """Only where a stretch and a letterbox differ."""
    _, h, w = sides(body)
    sw, sh = step(body, "decode")["size"]
    ratio = sw * h / (sh * w)
    need(max(ratio, 1 / ratio) > 1.15)


def field(body: Body) -> Body:
    call = body["calls"][0]
    need(call["api"] == "rknn_inputs_set")
    found: Body = call["inputs"][0]
    return found


def view(body: Body, strides: list[int]) -> None:
    buffer = body["buffers"]["x"]
    need(buffer["layout"] in ("HWC", "NHWC") and body["calls"][0]["api"] != "inference")
    whole = product(buffer["shape"]) * WIDTH[buffer["dtype"]]
    buffer["strides"] = strides if buffer["layout"] == "HWC" else [whole, *strides]


# -- colour


def every() -> list[tuple[str, Any]]:
    """name, (change, rules) of all faults."""
    return sorted(MUTATIONS.items())
