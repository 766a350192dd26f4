"""Rules and notes of first-generation models that no built model shows, on made files."""

from __future__ import annotations

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError
from prepcheck.readers.model import read_model_source
from prepcheck.wire.source import Source
from tests.readers.rknn_builder import rknn1, rknn1_json


def notes(c: Contract) -> dict[str, dict]:
    return {n.kind: n.values for n in c.notes}


def read1(table: dict | bytes, name: str = "x.rknn", **more: object) -> Contract:
    return read_model_source(Source.from_bytes(rknn1(table, **more)), name)  # type: ignore[arg-type]


def test_rknn1_plain() -> None:
    got = read1(rknn1_json(), payload=b"VPMN" + bytes(60), version=1)
    tensor = got.inputs[0]
    assert (got.runtime, got.container, got.platforms, got.toolkit) == ("rknn1", "rknn1 v1", ["rv1126"], "1.7.5")
    assert (tensor.layout, tensor.shape, tensor.dtype, tensor.size) == ("NHWC", [1, 32, 48, 3], "uint8", 4608)
    assert (tensor.scale, tensor.zero_point, tensor.value_range) == (0.5, 3, [-1.5, 126.0])
    assert (tensor.mean, tensor.std, tensor.rgb2bgr) == ([1, 2, 3], [4, 5, 6], False)
    assert (tensor.w_stride, tensor.size_with_stride, tensor.native) == (None, None, None)
    assert got.outputs[0].shape == [1, 10]


def test_rknn1_as_bare_json() -> None:
    import json

    text = json.dumps(rknn1_json()).encode()
    for name in ("model.json", "model.rknn"):
        assert read_model_source(Source.from_bytes(text), name).container == "rknn1 json"


def test_rknn1_odd_fields() -> None:
    assert notes(read1(rknn1_json(reorder=[1, 0, 2])))["unknown_reorder"]["reorder"] == [1, 0, 2]
    swapped = read1(rknn1_json(reorder=[2, 1, 0])).inputs[0]
    assert swapped.rgb2bgr is True
    bare = rknn1_json()
    for key in ("mean_value", "std_value", "mean_value_chns", "reorder", "input_fmt", "target_platform", "version"):
        del bare[key]
    got = read1(bare)
    assert (got.platforms, got.toolkit) == (None, None)
    assert (got.inputs[0].mean, got.inputs[0].std, got.inputs[0].rgb2bgr, got.inputs[0].layout) == (None,) * 4


def test_rknn1_m0m1m2s_needs_one_more_than_the_channels() -> None:
    old = rknn1_json(mean_value=[7, 8, 9, 2], mean_value_chns=[4])
    del old["std_value"]
    got = read1(old).inputs[0]
    assert (got.mean, got.std, got.provenance["std"]) == ([7, 8, 9], [2, 2, 2], "rule:RK1-M0M1M2S")
    three = rknn1_json()
    del three["std_value"]
    assert read1(three).inputs[0].std is None


@pytest.mark.parametrize("chns", [[4], [-1], [3, 3], "x", [10**9]])
def test_rknn1_counts_that_do_not_fit(chns: object) -> None:
    assert read1(rknn1_json(mean_value_chns=chns)).inputs[0].mean is None


def test_rknn1_what_cannot_be() -> None:
    def broken(**dtype: object) -> dict:
        table = rknn1_json()
        table["norm_tensor"][0]["dtype"] |= dtype  # type: ignore[index]
        return table

    for table in (
        broken(vx_type="VSI_NN_TYPE_COMPLEX"),
        broken(scale=-1.0),
        broken(scale=0),
        broken(qnt_type="VSI_NN_QNT_TYPE_DFP"),
        broken(qnt_type="VSI_NN_QNT_TYPE_DFP", fl=1000),
        rknn1_json(graph=[]),
        rknn1_json(norm_tensor=[]),
        rknn1_json(graph=[{"left": "input", "right": "norm_tensor"}]),
    ):
        with pytest.raises(CorruptError):
            read1(table)


def test_rknn1_wild_text_survives_printing() -> None:
    table = rknn1_json(name="\ud800x", version="\udfff")
    table["norm_tensor"][0]["url"] = "a\ud834b"  # type: ignore[index]
    got = read1(table)
    assert got.model_dump_json().encode("utf-8")
    assert got.inputs[0].name == "a?b"


# ---- the table of notes --------------------------------------------------------------------------------------------
