"""A few damaged inputs of every target, and every kept one: a result or a named error, soon, in bounded memory."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.fuzz import mutating, oracle, seeds
from tests.fuzz.running import input_of
from tests.fuzz.targets import TARGETS
from tests.fuzz.whole import importers

NAMES = [n for n in TARGETS if n != "whole-import" or importers()]


@pytest.mark.parametrize("name", NAMES)
def test_damaged_inputs(name: str, tmp_path: Path) -> None:
    """The longer run is `python -m tests.fuzz`; CI has three minutes of it."""
    target = TARGETS[name]()
    for index in range(2 if name.startswith("whole") else 12):
        data = input_of(target, 1, index)
        oracle.judge(lambda d: target.run(d, tmp_path), data, target.runs)


@pytest.mark.parametrize(
    "path", sorted(p for p in seeds.CORPUS.glob("*/*") if p.is_file()), ids=lambda p: f"{p.parent.name}/{p.name}"
)
def test_kept_inputs(path: Path, tmp_path: Path) -> None:
    """What was found and mended, and seeds of their own."""
    target = TARGETS[path.parent.name if path.parent.name in TARGETS else "whole-import"]()
    oracle.judge(lambda d: target.run(d, tmp_path), path.read_bytes(), target.runs)


def test_the_same_seed_makes_the_same_input() -> None:
    for name in ("rknn", "plan", "log", "record"):
        target = TARGETS[name]()
        assert input_of(target, 5, 3) == input_of(target, 5, 3)
        assert len({input_of(target, 5, i) for i in range(20)}) > 10


def test_damage_of_tables_keeps_the_length() -> None:
    data = seeds.models("mnn")[0]
    for i in range(50):
        assert len(mutating.damage_table(data, random.Random(i))) == len(data)


def _busy(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda d: 1 / 0, "ZeroDivisionError"),
        (lambda d: bytes(bytearray(b"x") * (400 << 20)), "MiB"),
        (lambda d: _busy(0.5), "s"),
        (lambda d: oracle.command("inspect", "/nowhere\x1b[31m/m.rknn"), None),
    ],
)
def test_the_oracle_sees(run: object, words: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "SECONDS", 9.0 if words == "MiB" else 0.3)
    if words is None:
        assert oracle.judge(run, b"", 20)[0] == "read"  # type: ignore[arg-type]
        return
    with pytest.raises(oracle.Fault, match=words):
        oracle.judge(run, b"")  # type: ignore[arg-type]
