"""The compiled contract: from documents and models, to JSON and back, and what it refuses."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prepcheck.errors import NotFoundError, PlanError, PrepcheckError, TooLargeError
from prepcheck.guarding.compiled import MAX_BYTES, CompiledContract
from prepcheck.guarding.guard import Guard
from tests.guarding.contracts import mnn, rknn

MODELS = Path(__file__).resolve().parents[1] / "data" / "models"


@pytest.mark.parametrize(
    "document", [rknn(), rknn((4, 48, 64, 3)), mnn(), mnn((1, 3, -1, -1))], ids=lambda d: str(d["inputs"][0]["shape"])
)
def test_json_and_back(document: dict[str, Any], tmp_path: Path) -> None:
    compiled = CompiledContract.of(document)
    compiled.save(tmp_path / "c.json")
    assert CompiledContract.load(tmp_path / "c.json") == compiled
    assert CompiledContract.of(json.loads(compiled.to_json())) == compiled
    assert CompiledContract.of(compiled) is compiled
    assert compiled.to_json() == CompiledContract.load(tmp_path / "c.json").to_json()


def test_it_is_frozen_and_slotted() -> None:
    compiled = CompiledContract.of(rknn())
    with pytest.raises(dataclasses.FrozenInstanceError):
        compiled.runtime = "mnn"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        compiled.new = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("folder", ["rknn", "mnn"])
def test_every_model_that_is_read_can_be_guarded(folder: str) -> None:
    from prepcheck.readers.model import read_model

    paths = sorted((MODELS / folder).glob("*.*nn"))
    assert len(paths) >= 20
    for path in paths:
        contract = read_model(path)
        compiled = CompiledContract.of(contract)
        assert compiled == CompiledContract.of(contract.model_dump(by_alias=True))
        assert [t.name for t in compiled.inputs] == [t.name for t in contract.inputs]
        assert Guard(contract).contract == compiled


def test_a_report_with_a_contract_is_taken(tmp_path: Path) -> None:
    report = {"schema": "prepcheck/report/v1", "contract": rknn(), "findings": []}
    assert CompiledContract.of(report) == CompiledContract.of(rknn())
    with pytest.raises(PlanError, match="holds no contract"):
        CompiledContract.of({**report, "contract": None})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"inputs": []}, "at least one input"),
        ({"inputs": {}}, "inputs: a list"),
        ({"inputs": [1]}, r"inputs\[0\]: a table"),
        ({"inputs": [{"name": "x", "dtype": "int8"}]}, r"inputs\[0\]: shape and dtype"),
        ({"inputs": [{"shape": [1, "2"], "dtype": "int8"}]}, r"inputs\[0\]\.shape: a whole number"),
        ({"inputs": [{"shape": [1, -2], "dtype": "int8"}]}, r"\[1, -2\] is no shape"),
        ({"inputs": [{"shape": [1] * 17, "dtype": "int8"}]}, "is no shape"),
        ({"inputs": [{"shape": [1], "dtype": 8}]}, r"inputs\[0\]\.dtype: a text"),
        ({"inputs": [{"shape": [1], "dtype": "int8", "value_range": [1.0]}]}, "two numbers are needed, not 1"),
        ({"inputs": [{"shape": [1], "dtype": "int8", "scale": True}]}, r"scale: a number is needed, not bool"),
        ({"batch": 1.5}, "batch: a whole number"),
        ({"platforms": "rk3588"}, "platforms: a list"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        CompiledContract.of({**rknn(), **change})


def test_other_things_are_refused_with_the_way_to_get_one() -> None:
    with pytest.raises(PlanError, match=r"prepcheck inspect MODEL --format json.*this is str"):
        CompiledContract.of("model.rknn")


def test_files(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        CompiledContract.load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    with pytest.raises(PlanError, match="not JSON"):
        CompiledContract.load(tmp_path / "bad.json")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(PlanError, match="not JSON"):
        CompiledContract.load(tmp_path / "deep.json")
    (tmp_path / "big.json").write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(TooLargeError):
        CompiledContract.load(tmp_path / "big.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70000) | st.floats(allow_nan=True) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["inputs", "shape", "dtype", "x"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from([*rknn(), *rknn()["inputs"][0], "inputs"]), JSON, max_size=6))
def test_any_json_gives_a_contract_or_a_named_error(document: dict[str, Any]) -> None:
    for value in (document, {**rknn(), **document}, {**rknn(), "inputs": [{**rknn()["inputs"][0], **document}]}):
        with contextlib.suppress(PrepcheckError):
            CompiledContract.of(value)
