"""Every model of tests/data/models: the contract, field by field; and what every bad file is called."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from prepcheck.errors import PrepcheckError
from prepcheck.readers.model import read_model, read_model_source
from prepcheck.readers.provenance import FILE, RULES
from prepcheck.wire.source import Source
from tests.readers.contract_expectations import expectations, get, same

MODELS = Path(__file__).parents[1] / "data" / "models"
VENDOR = Path(__file__).parents[3] / "shared" / "vendor_models"


def entries(folder: str) -> dict[str, dict]:
    found = json.loads((MODELS / folder / "expected.json").read_text(encoding="utf-8"))
    return {name: entry for name, entry in found.items() if isinstance(entry, dict)}


def document(path: Path) -> dict:
    return json.loads(read_model(path).model_dump_json(by_alias=True))


@pytest.mark.parametrize("name", entries("rknn"))
def test_every_field_is_what_the_runtime_answers(name: str) -> None:
    got = document(MODELS / "rknn" / name)
    pairs = list(expectations(entries("rknn")[name]))
    assert len(pairs) >= 7
    wrong = [f"{path}: {get(got, path)!r} for {want!r}" for path, want in pairs if not same(get(got, path), want)]
    assert not wrong


def test_no_model_is_left_out() -> None:
    assert {p.name for p in (MODELS / "rknn").glob("*.rknn")} == set(entries("rknn"))


@pytest.mark.parametrize("folder,name", [(f, n) for f in ("rknn_bad", "mnn_bad") for n in entries(f)])
def test_every_bad_file_is_named(folder: str, name: str) -> None:
    wanted = entries(folder)[name]
    if "verdict" in wanted:
        assert read_model(MODELS / folder / name).notes
        return
    with pytest.raises(PrepcheckError) as caught:
        read_model(MODELS / folder / name)
    assert caught.value.code in {wanted["code"], *wanted.get("also_accepted", ())}
    if "is" in wanted and caught.value.code == wanted["code"]:
        assert caught.value.kind == wanted["is"]
    assert name in caught.value.message, "the message names the file"
    assert any(c.isdigit() for c in caught.value.message), "and a number: bytes, an offset"


EXPECTED_NOTES = {
    "rk3588_vector10_mean_i8.rknn": {"mean_on_vector_input"},
    "rk3588_nhwc_origin_i8.rknn": {"nhwc_origin"},
    "rv1106_dynamic_full_i8.rknn": {"dynamic_on_mini"},
    "rk3566_nv12_i8.rknn": {"yuv_inputs"},
    "rv1106_nv12_i8.rknn": {"yuv_inputs"},
    "rk3562_bgr_i8.rknn": {"calibrated_bgr"},
}


@pytest.mark.parametrize("name", entries("rknn"))
def test_only_the_odd_ones_get_notes(name: str) -> None:
    assert {n.kind for n in read_model(MODELS / "rknn" / name).notes} == EXPECTED_NOTES.get(name, set())


def test_notes_of_the_readable_bad_files() -> None:
    junk = read_model(MODELS / "rknn_bad" / "appended_junk.rknn").notes
    assert [(n.kind, n.values) for n in junk] == [("trailing_bytes", {"bytes": 100, "offset": 21450})]
    nine = read_model(MODELS / "rknn_bad" / "version_9.rknn").notes
    assert [(n.kind, n.values) for n in nine] == [("unknown_container_version", {"version": 9})]


def test_calibration_range_and_value_range() -> None:
    narrow = read_model(MODELS / "rknn" / "rk3588_narrow_calibration_i8.rknn").inputs[0]
    assert narrow.calibration_range == [60.0, 190.0]
    assert same(narrow.value_range, [0.0, 190.0])
    half = read_model(MODELS / "rknn" / "rk3588_imagenet_f16.rknn").inputs[0]
    assert (half.scheme, half.scale, half.zero_point, half.value_range) == ("none", None, None, None)
    assert half.mean == [123.675, 116.28, 103.53], "float32 comes back as it was typed"


def test_quantized_without_quantised_ends() -> None:
    assert read_model(MODELS / "rknn" / "rk3576_w4a16.rknn").quantized is True
    assert read_model(MODELS / "rknn" / "rk3588_imagenet_f16.rknn").quantized is False


def test_provenance_tells_file_from_rule() -> None:
    full = read_model(MODELS / "rknn" / "rk3588_imagenet_i8.rknn").inputs[0].provenance
    mini = read_model(MODELS / "rknn" / "rv1106_imagenet_i8.rknn").inputs[0].provenance
    assert (full["w_stride"], mini["w_stride"]) == ("file", "rule:RK-WSTRIDE")
    assert (full["layout"], mini["layout"]) == ("file", "rule:RK-NHWC-REPORTED")
    assert full["scale"] == mini["scale"] == "file"


def test_reading_imports_nothing_heavy() -> None:
    code = (
        "import sys; from prepcheck.readers.model import read_model\n"
        "for name in sys.argv[1:]: read_model(name)\n"
        "print(*sorted({'numpy', 'cv2', 'PIL', 'rich', 'MNN', 'click', 'ruamel'} & set(sys.modules)))"
    )
    names = [
        str(MODELS / "rknn" / n) for n in ("rk3588_imagenet_i8.rknn", "rv1106_imagenet_i8.rknn", "v1_two_inputs.rknn")
    ]
    done = subprocess.run([sys.executable, "-c", code, *names], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_gigabyte_of_payload_is_not_read(tmp_path: Path) -> None:
    small = (MODELS / "rknn" / "rk3588_imagenet_i8.rknn").read_bytes()
    payload = int.from_bytes(small[16:24], "little")
    more = 1 << 30
    with (tmp_path / "big.rknn").open("wb") as made:
        made.write(small[:16] + (payload + more).to_bytes(8, "little") + small[24 : 64 + payload])
        made.seek(more, 1)
        made.write(small[64 + payload :])
    with Source.open(tmp_path / "big.rknn") as big, Source.from_bytes(small) as other:
        first, second = read_model_source(big, "m.rknn"), read_model_source(other, "m.rknn")
        assert first == second
        assert big.total_read <= other.total_read + 8192


# ---- models made by others: facts from the README beside them -----------------------------------------------------

vendor = pytest.mark.skipif(not VENDOR.is_dir(), reason=f"no models of vendors at {VENDOR}")


@vendor
@pytest.mark.parametrize(
    "name,runtime,container,platforms,toolkit,shapes",
    [
        ("rk180x__multi_input_rk180x", "rknn1", "rknn1 v1", ["rk1808"], "1.6.0", [3, 5, 4, 1]),
        ("rv1109_rv1126__multi_input_rv1109_rv1126", "rknn1", "rknn1 v1", ["rv1109"], "1.6.0", [3, 5, 4, 1]),
        ("rv1109_rv1126__mobilenet_v1_rv1109_rv1126_batch_4", "rknn1", "rknn1 v1", ["rv1109"], "1.6.0", [3]),
        ("resize_area", "rknn1", "rknn1 v2", None, "1.3.0", [3]),
        ("rk356x_old_multi", "rknn", "rknn2-full v1", ["rk3566"], "1.1.0", [1, 3]),
        ("rk3588_old_multi", "rknn", "rknn2-full v1", ["rk3588"], "1.1.2", [1, 3]),
        ("luckfox_e715df_retinaface", "rknn", "rknn2-mini v4100", ["rv1103"], "1.6.0+81f21f4d", [3]),
        ("rk3588_multiple_input_demo", "rknn", "rknn2-full v6", ["rk3588"], "1.6.2-source_code", [1, 3]),
    ],
)
def test_vendor_models(
    name: str, runtime: str, container: str, platforms: list[str] | None, toolkit: str, shapes: list[int]
) -> None:
    got = read_model(VENDOR / f"{name}.rknn")
    assert (got.runtime, got.container, got.platforms, got.toolkit) == (runtime, container, platforms, toolkit)
    assert [t.shape[-1] for t in got.inputs if t.shape] == shapes
    assert all(
        t.layout == "NHWC" and t.std is not None and len(t.std) == c for t, c in zip(got.inputs, shapes, strict=True)
    )


@vendor
def test_vendor_batch_and_disagreement() -> None:
    four = read_model(VENDOR / "rv1109_rv1126__mobilenet_v1_rv1109_rv1126_batch_4.rknn")
    assert (four.batch, four.inputs[0].shape, four.inputs[0].size) == (4, [4, 224, 224, 3], 602112)
    old = read_model(VENDOR / "rk3588_old_multi.rknn")
    assert ("platform_disagrees", "rk3566") in [(n.kind, n.values.get("target")) for n in old.notes]
    area = read_model(VENDOR / "resize_area.rknn")
    assert area.notes == [], "weights behind the JSON are normal there"
    assert (area.inputs[0].mean, area.inputs[0].std) == ([0, 0, 0], [1, 1, 1])


def test_every_provenance_is_file_or_a_listed_rule() -> None:
    seen: set[str] = set()
    for name in entries("rknn"):
        got = read_model(MODELS / "rknn" / name)
        for tensor in (*got.inputs, *got.outputs):
            seen |= set(tensor.provenance.values())
            stated = {
                k
                for k, v in tensor.model_dump(exclude={"index", "source", "native", "provenance"}).items()
                if v is not None
            }
            assert stated <= set(tensor.provenance)
    assert seen - {FILE} <= set(RULES)
    assert len(seen) >= 9
