"""Right up to a row, one value behind it: said without a search, also where the rows are a sliver or a bar."""

from __future__ import annotations

import numpy as np
import pytest

from prepcheck.forensics import diagnose
from tests.forensics.build import build
from tests.forensics.contracts import CONTRACTS
from tests.forensics.judge import expected_for
from tests.forensics.photos import card

BY_NAME = {c.name: c for c in CONTRACTS}


@pytest.mark.parametrize(
    ("contract", "filled", "rows"),
    [("u8-640-letterbox", 64, 64), ("f32-288x352-nchw", 28, 84), ("f32-288x352-nchw", 3, 9), ("u8-640-letterbox", 3, 3)],
)  # fmt: skip
def test_a_sliver_or_a_bar(contract: str, filled: int, rows: int) -> None:
    image = card()
    data = build(image, BY_NAME[contract], [{"name": "partial_fill", "rows": filled, "rest": 0}])
    found = diagnose(expected_for(image, BY_NAME[contract]), data)
    assert [(f.name, f.evidence) for f in found.faults] == [("partial_fill", {"rows": rows, "rest": 0})]


def test_one_row_is_too_little() -> None:
    image = np.random.default_rng(3).integers(0, 255, (640, 640, 3)).astype(np.uint8)
    expected = expected_for(image, BY_NAME["u8-640-letterbox"])
    data = np.zeros((640, 640, 3), np.uint8)
    data[0] = expected.pixels[0]
    assert "partial_fill" not in [f.name for f in diagnose(expected, data.tobytes()).faults]


def test_another_colour_of_the_bars_is_not_called_cut() -> None:
    image = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    expected = expected_for(image, BY_NAME["u8-640-letterbox"])
    data = expected.pixels.copy()
    assert (data[560:] == 114).all()
    data[:80] = data[560:] = 0
    assert [f.name for f in diagnose(expected, data.tobytes()).faults] == ["letterbox_fill"]
