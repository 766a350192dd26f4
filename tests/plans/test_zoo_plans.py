"""The example programs of rknn_model_zoo, written down from their sources, give no error."""

from __future__ import annotations

from typing import Any

import pytest

from tests.plans.generate import judged
from tests.plans.zoo_plans import plans

ALL = list(plans())


def test_all_examples_are_there() -> None:
    assert len({example for example, _, _ in ALL}) == 28


@pytest.mark.parametrize(("example", "name", "body"), ALL, ids=[name for _, name, _ in ALL])
def test_no_error(example: str, name: str, body: dict[str, Any]) -> None:
    report = judged(body)
    errors = [f"{f.rule} {f.where}: {f.message}" for f in report.findings if f.severity == "error"]
    assert not errors
