"""What a journal says is read once, strictly: each value of a real unit, made anything else, is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prepcheck.app.sweeping.drive import joined
from prepcheck.app.sweeping.job import job_of
from prepcheck.app.sweeping.records import FormError, UnitResult, read_result
from prepcheck.app.sweeping.samples import Sample
from prepcheck.app.sweeping.unit import run_unit
from prepcheck.app.worlds import Request, prepare
from tests.sweep.pictures import SMALL, folder, save, texture


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> UnitResult:
    """Two pictures, one of them of another size, an array, an empty array, a damaged file."""
    path = folder(tmp_path_factory.mktemp("unit"), 1)
    save(path / "001.png", texture(1, (50, 30)))
    np.save(path / "a.npy", np.arange(2160, dtype=np.float32).reshape(1, 20, 36, 3))
    np.save(path / "e.npy", np.zeros((0, 3), np.int8))
    (path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    job = job_of(prepare(Request(model=SMALL)).world, library="opencv", language="en")
    names = ("000.png", "001.png", "a.npy", "e.npy", "x.png")
    return run_unit(job, 3, [(i, Sample(((None, str(path / n)),))) for i, n in enumerate(names)])


def test_what_a_unit_gives_is_read_as_it_was(unit: UnitResult) -> None:
    read = read_result(json.loads(json.dumps(unit)))
    assert read == unit
    kinds = ["error" if "error" in r else sorted(r["looks"][0]) for r in read["samples"]]
    assert kinds[0] == ["digest", "grid", "input", "means", "size"]
    assert "channels" in kinds[2]
    assert "digest" not in kinds[3]
    assert kinds[4] == "error"
    assert set(read["histograms"]) == {"0"}
    assert any(way["findings"] for way in read["ways"])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a plain value; evidence is free, and of a histogram's rows one number stands for all."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key)) if key != "evidence" else iter([(*path, key)])
    elif isinstance(value, list):
        for at, item in enumerate(value[:4]):
            yield from places(item, (*path, at))


def changed(unit: UnitResult, path: tuple[Any, ...], value: object) -> Any:
    whole: Any = copy.deepcopy(unit)
    if not path:
        return value
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return whole


def test_no_other_value_is_taken_in_anywhere(unit: UnitResult) -> None:
    every = list(places(unit))
    assert len(every) > 100
    for path in every:
        kept = path[-1:] in (("error",), ("fault",))  # absent is as good as none
        for value in ({"x": object}, b"", *(() if kept else (None,))):
            if path[-1:] == ("evidence",) and isinstance(value, dict):
                continue
            with pytest.raises(FormError):
                read_result(changed(unit, path, value))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("samples", 0, "way"), 9), (("samples", 0, "way"), -1), (("samples", 0, "looks", 0, "input"), -1),
        (("samples", 0, "looks", 0, "grid"), "AAAA"), (("samples", 0, "looks", 0, "grid"), "é"),
        (("samples", 0, "looks", 0, "means"), [1.0]), (("samples", 0, "looks", 0, "size"), [1]),
        (("samples", 0, "looks", 0, "otherwise"), 3), (("samples", 4, "error"), ["image"]),
        (("ways", 0, "counts"), [1, 2]), (("ways", 0, "findings"), [{}]), (("histograms", "²"), [[1] * 256]),
        (("histograms", "0"), [[0] * 256]), (("histograms", "0"), [[-1] + [1] * 255]),
    ],
)  # fmt: skip
def test_values_out_of_range_are_refused(unit: UnitResult, path: tuple[Any, ...], value: object) -> None:
    with pytest.raises(FormError):
        read_result(changed(unit, path, value))


def test_parts_of_a_unit_joined_are_the_unit(unit: UnitResult, tmp_path: Path) -> None:
    job = job_of(prepare(Request(model=SMALL)).world, library="opencv", language="en")
    path = folder(tmp_path, 3)
    samples = [(i, Sample(((None, str(path / f"{i:03}.png")),))) for i in range(3)]
    whole = run_unit(job, 0, samples)
    again = joined(0, [run_unit(job, 0, [one]) for one in samples])
    assert again["histograms"] == whole["histograms"]
    for one, other in zip(again["samples"], whole["samples"], strict=True):
        assert "way" in one
        assert "way" in other
        assert again["ways"][one["way"]] == whole["ways"][other["way"]]
        assert one["looks"] == other["looks"]
