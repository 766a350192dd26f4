"""diff: what differs, what is equal and cleared, identical files, locks, plans and logs."""

from __future__ import annotations

from pathlib import Path

from tests.cli.run import MODELS, SAMPLES, prepcheck, report

RKNN = MODELS / "rknn"


def test_models_that_differ() -> None:
    found = report("diff", RKNN / "rk3588_std255_i8.rknn", RKNN / "rk3588_imagenet_i8.rknn", code=1)
    loud = [f for f in found["findings"] if f["severity"] == "error"]
    assert [f["where"] for f in loud] == ["inputs[0]", "outputs[0]"]
    assert "zero_point -128" in loud[0]["message"]
    assert "zero_point -14" in loud[0]["message"]
    cleared = {r["what"] for r in found["ruled_out"]}
    assert {"inputs[0].shape", "inputs[0].layout", "inputs[0].w_stride"} <= cleared
    assert found["scope"] == "conversion"


def test_identical_files(tmp_path: Path) -> None:
    copy = tmp_path / "copy.rknn"
    copy.write_bytes((RKNN / "rk3588_std255_i8.rknn").read_bytes())
    found = report("diff", RKNN / "rk3588_std255_i8.rknn", copy, code=0)
    assert [f["rule"] for f in found["findings"]] == ["CT103"]


def test_model_against_its_own_inspect_report(tmp_path: Path) -> None:
    model = SAMPLES / "03_rv1106_zero_copy" / "model.rknn"
    saved = tmp_path / "contract.json"
    saved.write_text(prepcheck("inspect", model, "--format", "json").stdout, encoding="utf-8")
    assert report("diff", saved, model, code=0)["findings"] == []


def test_lock(tmp_path: Path) -> None:
    lock = tmp_path / "model.lock.json"
    assert report("diff", "--lock", lock, RKNN / "rk3588_std255_i8.rknn", code=0)["findings"] == []
    first = lock.read_bytes()
    assert report("diff", "--lock", lock, RKNN / "rk3588_std255_i8.rknn", code=0)["findings"] == []
    changed = report("diff", "--lock", lock, RKNN / "rk3588_mean127p5_i8.rknn", code=1)
    assert changed["findings"][0]["rule"] == "CT101"
    assert lock.read_bytes() == first
    report("diff", "--lock", lock, RKNN / "rk3588_mean127p5_i8.rknn", "--update", code=0)
    assert lock.read_bytes() != first


def test_plans(tmp_path: Path) -> None:
    text = (
        "prepcheck: plan/v1\nruntime: rknn\nbuffers: {{x: {{dtype: uint8, size: 192}}}}\n"
        "calls:\n  - {{api: rknn_inputs_set, inputs: [{{index: 0, buffer: x, type: {type}, fmt: NHWC, size: 192}}]}}\n"
    )
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(text.format(type="UINT8"), encoding="utf-8")
    bad.write_text(text.format(type="INT8"), encoding="utf-8")
    found = report("diff", good, bad, code=0)
    assert [(f["rule"], f["where"]) for f in found["findings"]] == [("CT104", "calls[0].inputs[0].type")]
    assert "buffers.x.size" in {r["what"] for r in found["ruled_out"]}


def test_logs_strike_out_what_both_print(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.log", tmp_path / "bad.log"
    good.write_text("I RKNN: [10:00:00.100] same line\nvirt 0xa5f4e000\n", encoding="utf-8")
    bad.write_text("I RKNN: [11:22:33.999] same line\nvirt 0xb0000000\nE RKNN: it broke\n", encoding="utf-8")
    found = report("diff", good, bad, code=0)
    assert ["E RKNN: it broke" in f["message"] for f in found["findings"]] == [True]


def test_two_of_a_kind_are_needed(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    log.write_text("text\n", encoding="utf-8")
    assert "compare two of a kind" in report("diff", log, RKNN / "rk3588_std255_i8.rknn", code=2)["error"]["message"]
    assert report("diff", log, code=2)["error"]["code"] == "usage"
