"""The default plan made without validation is the one that validation gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.app.defaults import default_plan, default_plan_document
from prepcheck.contract.contract import Contract
from prepcheck.contract.plan import Plan
from prepcheck.readers.model import read_model

MODELS = sorted((Path(__file__).resolve().parents[1] / "data" / "models").glob("*nn/*.*nn"))


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_made_and_validated_are_the_same(path: Path) -> None:
    contract = read_model(path)
    made = default_plan_document(contract, [])
    assert made == Plan.model_validate(default_plan(contract, []))


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_contracts_of_the_readers_pass_their_own_schema(path: Path) -> None:
    contract = read_model(path)
    assert Contract.model_validate(contract.model_dump(by_alias=True)) == contract
