"""What `golden` writes is never complained about by `validate --buffer`, for any model that it can feed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import prepcheck as pc
from prepcheck.app.golden import golden
from prepcheck.core.layouts import dims_of
from prepcheck.errors import UsageError
from tests.cli.run import MODELS

ALL = sorted([*(MODELS / "rknn").glob("*.rknn"), *(MODELS / "mnn").glob("*.mnn")])


def photo(width: int, height: int) -> Image.Image:
    """Something with edges, slopes and colours, of no symmetry."""
    y, x = np.mgrid[0:height, 0:width] / max(width, height)
    planes = [200 * x + 30 * np.sin(9 * y), 255 * (y > x) * 0.7 + 40 * y, 120 + 100 * np.sin(14 * x * y + 2 * y)]
    return Image.fromarray(np.clip(np.stack(planes, -1), 0, 255).astype(np.uint8))


@pytest.mark.parametrize("model", ALL, ids=lambda p: p.name)
def test_no_complaint(model: Path, tmp_path: Path) -> None:
    contract = pc.load(model)
    pictures = []
    for i, tensor in enumerate(contract.inputs):
        dims = dims_of(tensor.layout or "", tensor.shape or [])
        path = tmp_path / f"{i}.png"
        photo(*((dims.w, dims.h) if dims is not None and min(dims.w, dims.h) > 0 else (48, 32))).save(path)
        pictures.append((tensor.name, path))
    written, refusal = None, ""
    try:
        written = golden(model, pictures if len(pictures) > 1 else [(None, pictures[0][1])], tmp_path / "golden")
    except UsageError as refused:
        refusal = refused.message
    if written is None:
        assert any(words in refusal for words in ("is no picture", "mend the steps", "int8 codes"))
        return
    images = {str(n): str(p) for n, p in pictures} if len(pictures) > 1 else str(pictures[0][1])
    for feed in written.feeds:
        for file in (feed.file, feed.npy):
            report = pc.validate(model, image=images, buffer={feed.tensor.name or "": str(tmp_path / "golden" / file)})
            wrong = [f for f in report.findings if f.where.startswith("buffers") and f.severity != "info"]
            assert not wrong, f"{file}: {wrong[0].rule} {wrong[0].message}"
