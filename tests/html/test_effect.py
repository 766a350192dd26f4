"""`evidence.effect` of findings: how far a fault moves the input, with submitted bytes and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.plan import Plan
from prepcheck.contract.report import Report
from prepcheck.render.text import effect_text, render
from tests.html.build import IMAGENET, NORMALIZE, card, contract, plan, save


def judged(**given: Any) -> Report:
    return validate(Request(model=given.pop("model", None) or contract(), **given))


def test_normalised_twice_without_any_bytes() -> None:
    report = judged(plan=Plan.model_validate(plan(*NORMALIZE, training=IMAGENET)))
    assert report.findings[0].rule == "NM004"
    effect = report.findings[0].evidence["effect"]
    again = ((np.arange(256) / 255 - 0.485) / 0.229 - 123.675) / 58.395
    codes = np.unique(np.rint(np.clip(again, -2.127012, 2.630778) / 0.018658))
    assert effect["distinct"] == len(codes)
    assert effect["distinct_expected"] > 200
    assert effect["psnr"] < 8
    assert effect["over"] == "pixels 0..255"
    text = render(report, color=False, width=200)
    assert f"{effect['psnr']:.1f} dB PSNR" in text
    assert f"{len(codes)} levels left where {effect['distinct_expected']} would be right" in text


def test_pixels_as_codes_without_any_bytes() -> None:
    stated = plan(dtype="UINT8")
    stated["calls"][0]["inputs"][0]["type"] = "INT8"
    report = judged(plan=Plan.model_validate(stated))
    effect = report.findings[0].evidence["effect"]
    assert effect["distinct"] == 256
    assert 0 < effect["psnr"] < 12


def test_a_right_plan_has_no_effect() -> None:
    report = judged(plan=Plan.model_validate(plan(training=IMAGENET, dtype="UINT8")))
    assert all("effect" not in f.evidence for f in report.findings)


def test_submitted_bytes(tmp_path: Path) -> None:
    wrong = np.ascontiguousarray(card()[..., ::-1])
    report = judged(images=[(None, save(tmp_path))], buffers=[(None, wrong)])
    effect = report.findings[0].evidence["effect"]
    error = float(np.mean((card().astype(float) - wrong) ** 2))
    assert effect["psnr"] == pytest.approx(10 * np.log10(255**2 / error), abs=1.0)  # by a sample of the rows
    assert effect["saturated"] == pytest.approx(float(((wrong == 0) | (wrong == 255)).mean()), abs=0.05)
    assert effect["saturated_expected"] == pytest.approx(effect["saturated"], abs=0.02)
    assert effect["distinct"] <= 256


def test_words() -> None:
    assert effect_text({}) == ""
    assert effect_text({"psnr": "Infinity"}) == ""
    assert effect_text({"psnr": 5.25, "distinct": 3}) == (
        "Effect on this picture: 5.2 dB PSNR against the right input; 3 levels of a channel left"
    )
