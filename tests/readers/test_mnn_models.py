"""Every .mnn of tests/data/models: what the reader says against what the converter's dump and MNN's runtime said."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import PrepcheckError, ReadError
from prepcheck.readers.mnn import read_mnn
from prepcheck.readers.mnn_graph import read_graph
from prepcheck.readers.mnn_net import open_net
from prepcheck.readers.mnn_survey import survey
from prepcheck.wire.source import Source

MODELS = Path(__file__).parents[1] / "data" / "models"


def entries(folder: str) -> dict[str, dict]:
    found = json.loads((MODELS / folder / "expected.json").read_text(encoding="utf-8"))
    return {name: entry for name, entry in found.items() if isinstance(entry, dict)}


EXPECTED = entries("mnn")


def load(path: Path) -> Contract:
    with Source.open(path) as source:
        return read_mnn(source, str(path))


@pytest.mark.parametrize("name", EXPECTED)
def test_every_field_of_the_file(name: str) -> None:
    stated = EXPECTED[name]["file"]
    got = load(MODELS / "mnn" / stated["path"])
    assert len(got.inputs) == len(stated["inputs"])
    for tensor, row in zip(got.inputs, stated["inputs"], strict=True):
        assert [tensor.name, tensor.shape, tensor.dtype, tensor.layout] == [
            row["name"],
            row["dims"],
            row["runtime_dtype"],
            row["dformat"],
        ]
        quant = row.get("quant")
        assert (tensor.scheme == "affine") == (quant is not None)
        if quant is not None:
            assert tensor.scale == pytest.approx(quant["scale"], rel=1e-5)
            assert tensor.zero_point == quant["zero"]
            assert tensor.value_range == pytest.approx([quant["min"] * tensor.scale, quant["max"] * tensor.scale])
    runtime = EXPECTED[name].get("runtime") or {}
    assert [t.name for t in got.outputs] == (stated["outputs"] or list(runtime["outputs"]))
    assert got.toolkit == stated["version"]
    assert got.quantized == (stated["n_quant_describes"] > 0)
    assert got.metadata["mnn.source"] == stated["sourceType"]
    assert got.metadata["mnn.biz_code"] == stated["bizCode"]
    assert got.metadata["mnn.uuid"] == stated["uuid"]
    assert got.metadata.get("mnn.auth_code") == stated["authName"]
    assert ("static_model" in [n.kind for n in got.notes]) == (stated["usage"] == "INFERENCE_STATIC")
    assert os.path.getsize(MODELS / "mnn" / stated["path"]) == stated["size"]


@pytest.mark.parametrize("name", EXPECTED)
def test_operators_and_tensors(name: str) -> None:
    stated = EXPECTED[name]["file"]
    with Source.open(MODELS / "mnn" / stated["path"]) as source:
        graph, found = read_graph(source), survey(open_net(source))
    assert dict(Counter(str(op.type) for op in graph.ops)) == stated["op_types"]
    assert (len(graph.ops), len(graph.tensor_names)) == (stated["n_ops"], stated["n_tensors"])
    assert found.external == stated["ops_with_external"]
    if stated["sidecar"] is not None:
        assert found.need == stated["sidecar"]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_bytes_to_hand_over(name: str) -> None:
    """The packed bytes of an input, by the session's own element counts (padded to 4 channels in NC4HW4)."""
    lengths = (EXPECTED[name].get("runtime") or {}).get("lenGetData") or {}
    got = load(MODELS / "mnn" / EXPECTED[name]["file"]["path"])
    for tensor in got.inputs:
        if tensor.name not in lengths or tensor.shape is None or -1 in tensor.shape:
            continue
        channels = tensor.shape[1]
        elements = (
            lengths[tensor.name] * channels // (-(-channels // 4) * 4)
            if tensor.layout == "NC4HW4"
            else lengths[tensor.name]
        )
        assert tensor.size == elements * (4 if tensor.dtype in ("float32", "int32") else 1)


@pytest.mark.parametrize("name", EXPECTED)
def test_only_the_known_oddities_are_noted(name: str) -> None:
    wanted = {"onnx_nhwc_dims": ["nhwc_dims_in_nchw"], "c3_int8_calibrated": ["activations_quantized"]}
    got = load(MODELS / "mnn" / EXPECTED[name]["file"]["path"])
    assert [n.kind for n in got.notes] == wanted.get(name, [])


@pytest.mark.parametrize("name", entries("mnn_bad"))
def test_every_bad_file_is_named(name: str) -> None:
    wanted = entries("mnn_bad")[name]
    with pytest.raises(PrepcheckError) as caught:
        load(MODELS / "mnn_bad" / name)
    assert caught.value.code in {wanted["code"], *wanted.get("also_accepted", ())}
    if "is" in wanted:
        assert caught.value.kind == wanted["is"]
    assert name in caught.value.message


def test_users_metadata_and_batch() -> None:
    assert (
        load(MODELS / "mnn" / "meta.mnn").metadata.items()
        >= {"imgsz": "[8, 10]", "stride": "32", "names": "{0:'cat'}"}.items()
    )
    assert load(MODELS / "mnn" / "dynbatch_b4.mnn").batch == 4
    assert load(MODELS / "mnn" / "b2c12_nc4hw4.mnn").batch == 2
    assert load(MODELS / "mnn" / "multi_nchw.mnn").batch == 1


def test_what_only_some_options_of_the_converter_write() -> None:
    mixed, static = load(MODELS / "mnn_extra" / "mixed.mnn"), load(MODELS / "mnn_extra" / "static.mnn")
    assert [(n.kind, n.values) for n in mixed.notes] == [
        ("mixed_layouts", {"names": ["image", "ids"], "layouts": ["NC4HW4", "NCHW"]})
    ]
    assert [n.kind for n in static.notes] == ["static_model"]
    assert [(t.layout, t.shape) for t in static.outputs] == [("NCHW", [1, 4, 31, 45])]
    assert load(MODELS / "mnn_extra" / "auth.mnn").metadata["mnn.auth_code"] == "issued to nobody"
    assert load(MODELS / "mnn_extra" / "external.mnn").notes == []


def copied(folder: Path, *names: str) -> Path:
    for name in names:
        shutil.copy(MODELS / "mnn" / name, folder / name)
    return folder / names[0]


def test_weights_beside_the_model(tmp_path: Path) -> None:
    model = copied(tmp_path, "extweight.mnn", "extweight.mnn.weight")
    weights = tmp_path / "extweight.mnn.weight"
    assert load(model).notes == []
    os.truncate(weights, 1000)
    (short,) = load(model).notes
    assert short.kind == "external_weight_short"
    assert {"have": 1000, "need": 73856, "missing_bytes": 72856}.items() <= short.values.items()
    weights.write_bytes(bytes(73856))
    assert [n.kind for n in load(model).notes] == ["external_weight_zero"]
    weights.unlink()
    (missing,) = load(model).notes
    assert missing.kind == "external_weight_missing"
    assert missing.values["expected_file"] == str(weights)
    assert (missing.values["need_bytes"], missing.values["candidates"]) == (73856, [])


def test_a_renamed_model_names_the_weights_that_fit(tmp_path: Path) -> None:
    copied(tmp_path, "extweight.mnn", "extweight.mnn.weight")
    (tmp_path / "extweight.mnn").rename(tmp_path / "tracker.mnn")
    (tmp_path / "other.weight").write_bytes(b"short")
    (missing,) = load(tmp_path / "tracker.mnn").notes
    assert missing.values["candidates"] == ["extweight.mnn.weight"]


def test_bytes_in_memory_say_that_weights_are_needed() -> None:
    data = (MODELS / "mnn" / "extweight.mnn").read_bytes()
    (unchecked,) = read_mnn(Source.from_bytes(data), "<bytes>").notes
    assert (unchecked.kind, unchecked.values["need_bytes"]) == ("external_weight_unchecked", 73856)


@pytest.mark.parametrize("name", ["c3_nchw.mnn", "multi_nchw.mnn", "tf_nhwc.mnn", "extweight.mnn"])
def test_bytes_behind_the_model(name: str) -> None:
    """MNN 3.6.1 loads a file with 70 bytes appended, and one whose last byte, a padding byte, is cut."""
    data = (MODELS / "mnn" / name).read_bytes()
    (appended,) = [n for n in read_mnn(Source.from_bytes(data + bytes(70)), "x").notes if n.kind == "appended_bytes"]
    assert appended.values == {"bytes": 70, "offset": len(data)}
    assert data.endswith(b"\0\0")
    cut = read_mnn(Source.from_bytes(data[:-1]), "x")
    assert [t.name for t in cut.inputs] == [t.name for t in read_mnn(Source.from_bytes(data), "x").inputs]


@pytest.mark.parametrize("cut", [4, 40, 200, 600, 1000])
def test_a_cut_file_is_called_that(cut: int) -> None:
    data = (MODELS / "mnn" / "c3_nchw.mnn").read_bytes()[:-cut]
    with pytest.raises(ReadError) as caught:
        read_mnn(Source.from_bytes(data, "cut.mnn"), "cut.mnn")
    assert caught.value.code in ("truncated", "corrupt")
    assert str(len(data)) in caught.value.message


def test_a_large_file_costs_no_more_than_a_small_one(tmp_path: Path) -> None:
    small, large = MODELS / "mnn" / "c3_nchw.mnn", tmp_path / "large.mnn"
    shutil.copy(small, large)
    os.truncate(large, 1 << 30)
    with Source.open(small) as a, Source.open(large) as b:
        read_mnn(a, str(small))
        read_mnn(b, str(large))
        assert b.total_read <= a.total_read + 4 * 4096
    os.truncate(large, (1 << 31) + 4096)
    with Source.open(large) as source, pytest.raises(ReadError) as caught:
        read_mnn(source, str(large))
    assert caught.value.code == "too_large"


def test_reading_imports_no_image_library() -> None:
    path = MODELS / "mnn" / "multi_nchw.mnn"
    script = (
        "import sys; from prepcheck.readers.mnn import read_mnn; from prepcheck.wire.source import Source;"
        f"read_mnn(Source.open({str(path)!r}), {str(path)!r});"
        "print([m for m in ('numpy', 'cv2', 'PIL', 'rich', 'MNN') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
