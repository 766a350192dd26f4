"""The same diagnosis whatever pasting did: the twelve damages on the logs of all rule cases, and on shared raw threads."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from prepcheck.app.explain import Question, explain
from prepcheck.app.sizes import Stated
from tests.logs.damages import DAMAGES
from tests.rules.harness import cases

SHARED = Path(__file__).resolve().parents[3] / "shared" / "acceptance" / "raw"
Item = tuple[str, list[str], Question]


def _own() -> list[Item]:
    found = []
    for case in cases():
        texts = case.body.get("logs") or ([case.body["log"]] if "log" in case.body else [])
        code = any(
            ";" in line and "=" in line and "(" not in line.split("=")[0]
            for text in texts
            for line in str(text).split("\n")
        )
        if (
            texts
            and case.path.stem.startswith("fail")
            and case.rule[:2] in ("SZ", "LY", "DT", "RK", "RG", "ST", "NM", "QT")
            and not code
        ):
            found.append(
                (f"{case.rule}/{case.path.stem}", [str(t) for t in texts], Question(platform=case.body.get("platform")))
            )
    return found


def _raw() -> list[Item]:
    found = []
    for item in json.loads((SHARED / "expected.json").read_text(encoding="utf-8"))["items"]:
        given = dict(zip((a[2:] for a in item["args"][::2]), item["args"][1::2], strict=True))
        shape = [int(n) for n in given["shape"].split("x")] if "shape" in given else None
        question = Question(platform=given.get("platform"), sizes=Stated(shape=shape, dtype=given.get("dtype")))
        found.append((item["id"], [(SHARED / name).read_text(encoding="utf-8") for name in item["files"]], question))
    return found


def _diagnosis(texts: list[str], question: Question) -> tuple[object, ...]:
    given = Question(texts=[(str(i), t) for i, t in enumerate(texts)], platform=question.platform, sizes=question.sizes)
    report = explain(given)
    loud = [f for f in report.findings if f.severity != "info"]
    return (report.verdict, report.scope, loud[0].rule if loud else None, loud[0].category if loud else None)


def _share(items: list[Item], damage: str) -> tuple[float, list[str]]:
    changed = []
    for name, texts, question in items:
        rng = random.Random(f"{name}/{damage}")
        if _diagnosis([DAMAGES[damage](t, rng) for t in texts], question) != _diagnosis(texts, question):
            changed.append(name)
    return 1 - len(changed) / len(items), changed


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_own_texts(damage: str) -> None:
    same, changed = _share(_own()[::3], damage)
    assert same >= 0.98, changed


@pytest.mark.slow
@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_all_texts(damage: str) -> None:
    items = _own() + (_raw() if SHARED.is_dir() else [])
    same, changed = _share(items, damage)
    assert same >= 0.98, changed


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder of shared raw threads is not beside the checkout")
def test_labels_of_raw_threads() -> None:
    from prepcheck.logs.reading import read_texts

    counts: dict[str, int] = {}
    for _, texts, _ in _raw():
        for label, n in read_texts([(str(i), t) for i, t in enumerate(texts)]).counts.items():
            counts[label] = counts.get(label, 0) + n
    assert 1 - counts.get("not_understood", 0) / sum(counts.values()) >= 0.95
