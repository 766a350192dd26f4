"""The committed JSON Schemas are what the models generate, and documents of ours pass them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from prepcheck.contract.schema import MODELS, schema

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", sorted(MODELS))
def test_committed_schema_is_current(name: str) -> None:
    committed = (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    assert committed == schema(name), "run: python -m prepcheck.contract.schema"


def test_plan_schema_accepts_and_refuses() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema("plan")))
    good = {"prepcheck": "plan/v1", "runtime": "rknn", "model": "m.rknn", "calls": [{"api": "rknn_run"}]}
    assert validator.is_valid(good)
    assert not validator.is_valid({**good, "modl": "m.rknn"})
    assert not validator.is_valid({**good, "calls": [{"api": "rknn_runn"}]})
