"""A row pitch of one pixel more is found in pictures whose edges are slanted: there the pixel beside is the more like one."""

from __future__ import annotations

import cv2
import numpy as np

from prepcheck.forensics import diagnose
from tests.forensics.build import build
from tests.forensics.contracts import CONTRACTS
from tests.forensics.judge import expected_for

BY_NAME = {c.name: c for c in CONTRACTS}


def slanted(size: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Stripes that move by a pixel with every row, over blots."""
    rng = np.random.default_rng(seed)
    row = np.kron(rng.integers(0, 200, (2 * size, 3)), np.ones((4, 1)))
    stripes = np.stack([row[y : y + size] for y in range(size)])
    blots = cv2.resize(rng.integers(0, 255, (size // 4, size // 8, 3)).astype(np.uint8), (size, size)).astype(
        np.float64
    )
    return (0.15 * stripes + 0.85 * blots).astype(np.uint8)


def test_one_pixel_more() -> None:
    contract = BY_NAME["int8-224"]
    image = slanted(224, 3)
    fault = {"name": "row_stride", "got": 675, "want": 672, "_pad": "zero"}
    found = diagnose(expected_for(image, contract), build(image, contract, [fault]))
    assert [(f.name, f.evidence) for f in found.faults] == [("row_stride", {"got": 675, "want": 672})]
