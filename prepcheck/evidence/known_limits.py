"""Known limits that are not the input: faults of runtimes, drivers and devices, as dated data with source and status.

An entry counts only where everything that it names is stated (runtime, chip, device, operator, version) and where what
it causes is seen (a line, a symptom in the user's words, an experiment). On another device, with a version that has the
repair, or where nothing goes wrong, nothing is said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from prepcheck.core.versions import is_older
from prepcheck.evidence.assessment import Assessment, Cleared, Test
from prepcheck.evidence.runs import Run, runs_of, stated_runs
from prepcheck.evidence.symptoms import matching
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.facts.symptom import NamedSymptom
from prepcheck.facts.world import World
from prepcheck.records import dataclass

FILE = Path(__file__).resolve().parent.parent / "data" / "known_limits.json"
MAX_TEXT = 40_000
"""Characters of text in which devices and operators are looked for."""
_MNN_VERSION = re.compile(r"\bMNN\W{0,3}(?:version|ver|版本)?(?:\s*(?:is|为|是|[:：=]))?\W{0,3}v?(\d+\.\d+(?:\.\d+)?)(?![\w.])", re.I)  # fmt: skip
_CHIP = re.compile(r"(?<![a-z0-9])(r[kv]\d{4}(?:b|pro|s)?)(?![a-z0-9])", re.I)
_FAMILY = {"rk3588s": "rk3588"}


@dataclass(frozen=True, slots=True)
class Limit:
    """One known limit.

    what, because, instead: texts with places {date}, {status}, {source}. date: of the report, as exact as its source says.
    runtime: rknn or mnn. platforms: chips, empty where any. words, without: what the text must and must not name.
    of: whose version counts (runtime, toolkit, mnn); from_, until, fixed: first with it, last with it, first without.
    symptoms, kinds, observed: what shows that it strikes; one of them suffices.
    """

    id: str
    what: str
    because: str
    instead: str
    date: str
    status: str
    source: str
    confidence: str
    runtime: str
    platforms: tuple[str, ...]
    words: tuple[re.Pattern[str], ...]
    without: tuple[re.Pattern[str], ...]
    of: str | None
    from_: str | None
    until: str | None
    fixed: str | None
    symptoms: frozenset[str]
    kinds: tuple[tuple[str, str | None], ...]
    observed: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Stated:
    """What is known about the device and what goes wrong."""

    runtime: str | None
    platform: str | None
    text: str
    versions: dict[str, str | None]
    symptoms: frozenset[str]
    observed: frozenset[str]
    book: LogBook


@cache
def limits() -> tuple[Limit, ...]:
    """All entries, in the order of the file."""
    entries = json.loads(FILE.read_text(encoding="utf-8"))

    def patterns(words: Iterable[str]) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(w, re.IGNORECASE) for w in words)

    return tuple(
        Limit(
            e["id"], e["what"], e["because"], e["instead"], e["date"], e["status"], e["source"], e["confidence"], e["runtime"],
            tuple(e["platforms"]), patterns(e["words"]), patterns(e["without"]), e["version"].get("of"),
            e["version"].get("from"), e["version"].get("until"), e["version"].get("fixed"), frozenset(e["seen"]["symptoms"]),
            tuple((k["kind"], k.get("op")) for k in e["seen"]["kinds"]), frozenset(e["seen"]["observed"]),
        )
        for e in entries
    )  # fmt: skip


def from_limits(book: LogBook, world: World) -> Assessment:
    """What known limits explain: cleared as a fault of the input, with what to do instead."""
    stated = _stated(book, world)
    found = [limit for limit in limits() if applies(limit, stated)]
    if not found:
        return Assessment()
    cleared, tests = [], []
    for limit in found:
        values = {"date": limit.date, "status": limit.status, "source": limit.source}
        cleared.append(Cleared(limit.what, limit.because, values))
        tests.append(Test(limit.instead, (("right", "that limit was the cause"), ("wrong", "look further: the limit was not all of it")), rank=18))  # fmt: skip
    of_limits = {kind for limit in found for kind, _ in limit.kinds}
    other = any(e.label == "finding" and e.kind not in of_limits for e in book.events)
    return Assessment(
        tuple(cleared), tuple(tests), scope=None if other else "device", notes={"known_limits": [x.id for x in found]}
    )


def applies(limit: Limit, stated: _Stated) -> bool:
    """Whether an entry counts: everything that it names is stated, and what it causes is seen."""
    if stated.runtime != limit.runtime and not (stated.runtime is None and limit.runtime in stated.text.lower()):
        return False
    if limit.platforms and _FAMILY.get(stated.platform or "", stated.platform) not in limit.platforms:
        return False
    if not all(w.search(stated.text) for w in limit.words) or any(w.search(stated.text) for w in limit.without):
        return False
    return _version_fits(limit, stated) and _seen(limit, stated)


def _version_fits(limit: Limit, stated: _Stated) -> bool:
    if limit.of is None:
        return True
    version = stated.versions.get(limit.of)
    if version is None:
        return False  # a version that nobody stated may have the repair
    if limit.from_ is not None and is_older(version, limit.from_):
        return False
    if limit.until is not None and is_older(limit.until, version):
        return False
    return limit.fixed is None or is_older(version, limit.fixed)


def _seen(limit: Limit, stated: _Stated) -> bool:
    if limit.symptoms & stated.symptoms or limit.observed & stated.observed:
        return True
    return any(_of_op(event, op) for kind, op in limit.kinds for event in stated.book.all(kind))


def _of_op(event: LogEvent, op: str | None) -> bool:
    return op is None or (event.word("op") or "").lower().startswith(op.lower())


def _stated(book: LogBook, world: World) -> _Stated:
    said = [book.said, *(r.note for r in stated_runs(world))]
    texts = [*said, *(line.text for line in book.lines), world.backend or "", *(str(w) for w in _models(book, world))]
    text = "\n".join(texts)[:MAX_TEXT]
    runtime = world.runtime or book.runtime
    mnn = _MNN_VERSION.search(text)
    contract = world.contract or book.contract
    named = {s.id for s in world.extra.get("named_symptoms", ()) if isinstance(s, NamedSymptom)}
    if book.said:
        named |= {s.id for s in matching(book.said)}
    return _Stated(
        runtime="rknn" if runtime == "rknn1" else runtime,
        platform=(world.platform or book.platform or _only_chip(text) or "").lower() or None,
        text=text,
        versions={
            "runtime": (world.version or book.version) if runtime != "mnn" else None,
            "toolkit": book.toolkit
            or (contract.toolkit if contract is not None and contract.runtime != "mnn" else None),
            "mnn": (world.version if runtime == "mnn" else None) or (mnn[1] if mnn else None),
        },
        symptoms=frozenset(named),
        observed=frozenset(_observed([*stated_runs(world), *runs_of(book)])),
        book=book,
    )


def _models(book: LogBook, world: World) -> Iterable[str]:
    return (r.model for r in stated_runs(world) if r.model)


def _only_chip(text: str) -> str | None:
    """The chip that a text names, where it names one alone."""
    found = {m.lower() for m in _CHIP.findall(text)}
    return found.pop() if len(found) == 1 else None


def _observed(runs: list[Run]) -> Iterable[str]:
    def told(result: str, fits: Callable[[Run], bool]) -> bool:
        return any(r.result == result and fits(r) for r in runs)

    gpu = ("opencl", "vulkan", "metal", "cuda")
    if told("right", lambda r: r.backend == "cpu") and told("wrong", lambda r: r.backend in gpu):
        yield "cpu_right_gpu_wrong"
    if told("right", lambda r: r.where == "simulator") and told(
        "wrong", lambda r: r.where in ("board", "board_from_pc")
    ):
        yield "simulator_right_board_wrong"
