"""RKNN1: whole contracts against literals worked out by hand, and every refusal by its words. No file, no container."""

from __future__ import annotations

from typing import Any

import pytest

from prepcheck.contract.contract import Contract, Note, Tensor
from prepcheck.errors import CorruptError
from prepcheck.readers.rknn1 import DTYPES, LAYOUTS, SWAPS, contract_of, is_rknn1_json, read_rknn1
from prepcheck.readers.rknn_container import read_container
from prepcheck.wire.source import Source
from tests.readers.rknn_builder import rknn1, rknn1_json

VX = {
    "INT4": ("int4", 3), "INT8": ("int8", 6), "UINT8": ("uint8", 6), "INT16": ("int16", 12), "UINT16": ("uint16", 12),
    "INT32": ("int32", 24), "UINT32": ("uint32", 24), "INT64": ("int64", 48), "UINT64": ("uint64", 48),
    "FLOAT16": ("float16", 12), "BFLOAT16": ("bfloat16", 12), "FLOAT32": ("float32", 24), "FLOAT64": ("float64", 48),
    "BOOL8": ("bool", 6),
}  # fmt: skip
"""Suffix of vsi_nn_type_e (ovxlib, vsi_nn_types.h) → our name, and bytes of six elements."""

ASYMMETRIC = "VSI_NN_QNT_TYPE_AFFINE_ASYMMETRIC"


def row(number: int, size: list[int], name: str | None, **dtype: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"tensor_id": number, "size": size, "dtype": dtype}
    return made if name is None else made | {"url": name}


def model(**changes: Any) -> dict[str, Any]:
    return dict(rknn1_json(**changes))


def edge(side: str, number: int, tensor: int) -> dict[str, Any]:
    return {"left": side, "left_tensor_id": number, "right": "norm_tensor", "right_tensor_id": tensor}


def single(size: list[int], **changes: Any) -> dict[str, Any]:
    """A model with one uint8 input of a size and no output."""
    rows = [row(0, size, "in", vx_type="VSI_NN_TYPE_UINT8", qnt_type="VSI_NN_QNT_TYPE_NONE")]
    return model(norm_tensor=rows, graph=[edge("input", 0, 0)], **changes)


def said(tensor: Tensor) -> dict[str, Any]:
    """What is known of a tensor."""
    return tensor.model_dump(exclude_none=True)


def read(table: dict[str, Any]) -> Contract:
    return contract_of(table, "rknn1 json", "m.rknn")


def test_tables_of_the_vendor() -> None:
    """vsi_nn_types.h; rknn_tensor_format of rknn_api.h: 0 NCHW, 1 NHWC; API guide 1.7.5 §3.2.3: 2,1,0 swaps R and B."""
    for word, (dtype, size) in VX.items():
        table = single([3, 2])
        table["norm_tensor"][0]["dtype"]["vx_type"] = f"VSI_NN_TYPE_{word}"
        (tensor,) = read(table).inputs
        assert (tensor.dtype, tensor.size) == (dtype, size)
    assert {word: dtype for word, (dtype, _) in VX.items()} == DTYPES
    assert LAYOUTS == {0: "NCHW", 1: "NHWC"}
    assert SWAPS == {(0, 1, 2): False, (2, 1, 0): True}


def test_whole_contract_of_two_inputs_and_two_outputs() -> None:
    """An asymmetric image and a vector in dynamic fixed point: every value, and where each comes from."""
    rows = [
        row(4, [3, 48, 32, 2], "image", vx_type="VSI_NN_TYPE_UINT8", qnt_type=ASYMMETRIC, scale=0.5, zero_point=3),
        row(9, [6, 1], "vector", vx_type="VSI_NN_TYPE_INT8", qnt_type="VSI_NN_QNT_TYPE_DFP", fl=7),
        row(5, [10, 2], None, vx_type="VSI_NN_TYPE_FLOAT16", qnt_type="VSI_NN_QNT_TYPE_NONE"),
        row(7, [4, 4, 8, 2], "map", vx_type="VSI_NN_TYPE_INT16", qnt_type="VSI_NN_QNT_TYPE_DFP", fl=-1),
    ]
    table = model(
        norm_tensor=rows,
        graph=[edge("output", 1, 7), edge("input", 1, 9), edge("input", 0, 4), edge("output", 0, 5)],
        mean_value=[1, 2, 3, 40],
        std_value=[4, 5, 6, 50],
        mean_value_chns=[3, 1],
        reorder=[0, 1, 2, 2, 1, 0],
        name="net",
        ovxlib_version="1.1.34",
        ori_network_platform="caffe",
        pre_compile=0,
        input_transpose=1,
        other="not kept",
    )
    mark = Note.made(kind="trailing_bytes", values={"bytes": 1, "offset": 2})
    got = contract_of(table, "rknn1 v2", "m.rknn", [mark])
    assert got.model_dump(exclude={"inputs", "outputs", "notes"}, by_alias=True) == {
        "schema": "prepcheck/contract/v1",
        "runtime": "rknn1",
        "platforms": ["rv1126"],
        "toolkit": "1.7.5",
        "custom_string": None,
        "quantized": True,
        "batch": 2,
        "container": "rknn1 v2",
        "metadata": {
            "name": "net",
            "ovxlib_version": "1.1.34",
            "ori_network_platform": "caffe",
            "pre_compile": "0",
            "input_transpose": "1",
        },
    }
    assert got.notes == [mark]
    file = dict.fromkeys(("name", "layout", "dtype", "scheme"), "file")
    derived = {"shape": "rule:RK1-REVERSED", "size": "rule:SZ-PACKED"}
    assert [said(t) for t in got.inputs] == [
        {
            "index": 0, "name": "image", "layout": "NHWC", "shape": [2, 32, 48, 3], "dtype": "uint8", "scheme": "affine",
            "scale": 0.5, "zero_point": 3, "size": 2 * 32 * 48 * 3, "value_range": [-1.5, 126.0],
            "mean": [1.0, 2.0, 3.0], "std": [4.0, 5.0, 6.0], "rgb2bgr": False,
            "provenance": file | derived | {
                "scale": "file", "zero_point": "file", "value_range": "rule:QT-RANGE", "mean": "file", "std": "file",
                "rgb2bgr": "file",
            },
        },
        {
            "index": 1, "name": "vector", "layout": "UNDEFINED", "shape": [1, 6], "dtype": "int8",
            "scheme": "dynamic_fixed_point", "scale": 0.0078125, "zero_point": 0, "fl": 7, "size": 6,
            "value_range": [-1.0, 0.9921875], "mean": [40.0], "std": [50.0], "rgb2bgr": True,
            "provenance": file | derived | {
                "scale": "rule:RK1-DFP", "zero_point": "rule:RK1-DFP", "fl": "file", "value_range": "rule:QT-RANGE",
                "mean": "file", "std": "file", "rgb2bgr": "file",
            },
        },
    ]  # fmt: skip
    assert [said(t) for t in got.outputs] == [
        {
            "index": 0, "layout": "UNDEFINED", "shape": [2, 10], "dtype": "float16", "scheme": "none", "size": 40,
            "provenance": {"layout": "file", "dtype": "file", "scheme": "file"} | derived,
        },
        {
            "index": 1, "name": "map", "shape": [2, 8, 4, 4], "dtype": "int16", "scheme": "dynamic_fixed_point",
            "scale": 2.0, "zero_point": 0, "fl": -1, "size": 512, "value_range": [-65536.0, 65534.0],
            "provenance": {"name": "file", "dtype": "file", "scheme": "file", "fl": "file"} | derived | {
                "scale": "rule:RK1-DFP", "zero_point": "rule:RK1-DFP", "value_range": "rule:QT-RANGE",
            },
        },
    ]  # fmt: skip


def test_whole_contract_that_says_little() -> None:
    """No format, no lists, no quantisation that is known: null, not a guess."""
    table = single([8, 8, 3, 1])
    for key in ("mean_value", "std_value", "mean_value_chns", "reorder", "input_fmt", "target_platform", "version"):
        del table[key]
    table["norm_tensor"][0]["dtype"]["qnt_type"] = "VSI_NN_QNT_TYPE_OTHER"
    got = read(table)
    assert (got.platforms, got.toolkit, got.quantized, got.batch, got.notes) == (None, None, False, 1, [])
    assert (got.metadata, got.outputs) == ({}, [])
    assert said(got.inputs[0]) == {
        "index": 0, "name": "in", "shape": [1, 3, 8, 8], "dtype": "uint8", "size": 192,
        "provenance": {"name": "file", "dtype": "file", "shape": "rule:RK1-REVERSED", "size": "rule:SZ-PACKED"},
    }  # fmt: skip
    assert read(single([8, 8, 3, 1], input_fmt=0)).inputs[0].layout == "NCHW"
    assert read(single([8, 8, 3, 1], input_fmt=2)).inputs[0].layout is None
    assert read(single([8, 8, 3], input_fmt=0)).batch is None, "the first axis of an image alone is a batch"


def test_affine_needs_scale_and_zero_point_for_a_range() -> None:
    for values, want in (
        ({"scale": 0.25, "zero_point": 128}, [-32.0, 31.75]),
        ({"scale": 0.25}, None),
        ({"zero_point": 128}, None),
        ({"scale": True, "zero_point": 0}, None),
    ):
        table = single([3, 2])
        table["norm_tensor"][0]["dtype"] |= {"qnt_type": ASYMMETRIC, **values}
        (tensor,) = read(table).inputs
        assert (tensor.scheme, tensor.value_range) == ("affine", want)
        assert (tensor.scale, tensor.zero_point) == (
            values["scale"] if values.get("scale") is not True and "scale" in values else None,
            values.get("zero_point"),
        )
        assert read(table).quantized


def test_batches_that_differ_are_none() -> None:
    rows = [
        row(k, [3, 8, 8, batch], None, vx_type="VSI_NN_TYPE_UINT8", qnt_type="VSI_NN_QNT_TYPE_NONE")
        for k, batch in enumerate((1, 2))
    ]
    assert read(model(norm_tensor=rows, graph=[edge("input", k, k) for k in (0, 1)])).batch is None


def test_texts_of_metadata_are_cut_at_200_characters() -> None:
    got = read(single([3, 2], name="n" * 201, ovxlib_version=[1], pre_compile=True, input_transpose=""))
    assert got.metadata == {"name": "n" * 200}


def test_reorder_of_every_input_is_three_numbers() -> None:
    """Neither 0,1,2 nor 2,1,0: unknown and noted; none at all: unknown and not noted."""
    rows = [row(k, [2], f"t{k}", vx_type="VSI_NN_TYPE_UINT8", qnt_type="VSI_NN_QNT_TYPE_NONE") for k in (0, 1, 2, 3)]
    table = model(norm_tensor=rows, graph=[edge("input", k, k) for k in range(4)], reorder=[2, 1, 0, 1, 0, 2, 0, 1, 2])
    got = read(table)
    assert [t.rgb2bgr for t in got.inputs] == [True, None, False, None]
    assert [(n.kind, n.values) for n in got.notes] == [
        ("unknown_reorder", {"input": 1, "name": "t1", "reorder": [1, 0, 2]})
    ]


def mean_std(size: list[int], **changes: Any) -> tuple[list[float] | None, list[float] | None, str | None]:
    """(mean, std, where std comes from) of a single input; a change to None takes the key away."""
    table = {k: v for k, v in single(size, **changes).items() if v is not None}
    (tensor,) = read(table).inputs
    return tensor.mean, tensor.std, tensor.provenance.get("std")


def test_lists_are_cut_by_the_counts() -> None:
    image = [3, 48, 32, 1]
    assert mean_std(image) == ([1, 2, 3], [4, 5, 6], "file")
    assert mean_std(image, mean_value_chns=[0]) == ([], [], "file")
    assert mean_std(image, mean_value_chns=[2]) == ([1, 2], [4, 5], "file")
    assert mean_std(image, std_value=[4, 5]) == ([1, 2, 3], None, None), "a std list too short is none"
    assert mean_std(image, mean_value=[1, 2]) == (None, None, None)
    for counts in ([4097], [-1], [3, 3], [], None, "3"):
        assert mean_std(image, mean_value_chns=counts, mean_value=[0] * 4097, std_value=[1] * 4097)[0] is None
    most = mean_std([1, 1, 4096, 1], mean_value_chns=[4096], mean_value=[7] * 4096, std_value=[1] * 4096)
    assert most == ([7] * 4096, [1] * 4096, "file")


def test_one_std_at_the_end_of_the_mean_list() -> None:
    """Toolkit 1.3: M0 M1 M2 S, one entry more than channels; the channels are C W H N or W H C N by input_fmt."""
    rule = "rule:RK1-M0M1M2S"
    old = {"std_value": None, "mean_value": [7, 8, 9, 2], "mean_value_chns": [4]}
    assert mean_std([3, 48, 32, 1], **old) == ([7, 8, 9], [2, 2, 2], rule)
    assert mean_std([48, 32, 3, 1], input_fmt=0, **old) == ([7, 8, 9], [2, 2, 2], rule)
    assert mean_std([3, 48, 32, 1], input_fmt=0, **old) == ([7, 8, 9, 2], None, None)
    assert mean_std([48, 32, 3, 1], input_fmt=1, **old) == ([7, 8, 9, 2], None, None)
    assert mean_std([48, 32, 3], input_fmt=0, **old) == ([7, 8, 9], [2, 2, 2], rule)
    assert mean_std([3, 1], input_fmt=0, **old) == ([7, 8, 9], [2, 2, 2], rule)
    assert mean_std([1, 1], std_value=None, mean_value=[7, 2], mean_value_chns=[2]) == ([7], [2], rule)
    assert mean_std([], std_value=None, mean_value=[7, 2], mean_value_chns=[2]) == ([7], [2], rule), "a scalar"
    assert mean_std([3, 1], std_value=None, mean_value=[7, 8, 9], mean_value_chns=[3]) == ([7, 8, 9], None, None)


def test_lists_of_later_inputs_follow_those_of_the_earlier() -> None:
    rows = [row(k, [k + 1], "t", vx_type="VSI_NN_TYPE_UINT8", qnt_type="VSI_NN_QNT_TYPE_NONE") for k in range(3)]
    table = model(
        norm_tensor=rows,
        graph=[edge("input", k, k) for k in range(3)],
        mean_value=[1, 2, 3, 4, 5, 6],
        std_value=[7, 8, 9, 10, 11],
        mean_value_chns=[1, 2, 3],
    )
    got = read(table)
    assert [t.mean for t in got.inputs] == [[1], [2, 3], [4, 5, 6]]
    assert [t.std for t in got.inputs] == [[7], [8, 9], None]


@pytest.mark.parametrize(
    ("dtype", "words"),
    [
        ({"vx_type": "VSI_NN_TYPE_" + "Q" * 60}, f"'{'Q' * 40}'; known are INT4, INT8, UINT8"),
        ({"vx_type": 3}, "has the element type ''"),
        ({"qnt_type": "VSI_NN_QNT_TYPE_DFP", "fl": 128}, r"with fl 128; an integer of 8 bits"),
        ({"qnt_type": "VSI_NN_QNT_TYPE_DFP", "fl": -129}, r"with fl -129;"),
        ({"qnt_type": "VSI_NN_QNT_TYPE_DFP", "fl": 1.5}, r"with fl None;"),
        ({"qnt_type": ASYMMETRIC, "scale": 0, "zero_point": 0}, r"has the scale 0.0; a positive number"),
        ({"qnt_type": ASYMMETRIC, "scale": float("inf"), "zero_point": 0}, r"has the scale inf;"),
        ({"qnt_type": ASYMMETRIC, "scale": -1, "zero_point": 0}, r"has the scale -1.0;"),
    ],
)  # fmt: skip
def test_types_that_cannot_be_are_named_with_their_tensor(dtype: dict[str, Any], words: str) -> None:
    rows = [
        row(0, [3, 2], "a", vx_type="VSI_NN_TYPE_UINT8", qnt_type="VSI_NN_QNT_TYPE_NONE"),
        row(1, [3, 2], "b" * 99, vx_type="VSI_NN_TYPE_UINT8", qnt_type="VSI_NN_QNT_TYPE_NONE"),
    ]
    rows[1]["dtype"] |= dtype
    for side in ("input", "output"):
        table = model(norm_tensor=rows, graph=[edge("input", 0, 0), edge(side, 1, 1)])
        with pytest.raises(CorruptError, match=words) as caught:
            read(table)
        number = 1 if side == "input" else 0
        assert caught.value.message.startswith(f"m.rknn: {side} {number} ({'b' * 80}) ")


def test_a_tensor_without_a_name_is_called_so() -> None:
    table = single([2])
    del table["norm_tensor"][0]["url"]
    table["norm_tensor"][0]["dtype"]["vx_type"] = ""
    with pytest.raises(CorruptError, match=r"^m\.rknn: input 0 \(no name\) has the element type ''"):
        read(table)


def test_ends_of_the_fixed_point_are_allowed() -> None:
    for fl, scale in ((127, 2.0**-127), (-128, 2.0**128)):
        table = single([2])
        table["norm_tensor"][0]["dtype"] |= {"qnt_type": "VSI_NN_QNT_TYPE_DFP", "fl": fl}
        assert read(table).inputs[0].scale == scale


def test_lists_that_are_not_finite_and_no_input() -> None:
    for key in ("mean_value", "std_value"):
        with pytest.raises(
            CorruptError, match=rf"^m\.rknn: `{key}` in the JSON part holds a number that is not finite"
        ):
            read(single([2], **{key: [1.0, float("nan")]}))
    with pytest.raises(CorruptError, match=r"^m\.rknn: the JSON part names no input"):
        read(single([2]) | {"graph": []})
    with pytest.raises(CorruptError, match=r"^m\.rknn: input 0 is tensor 5"):
        read(single([2]) | {"graph": [edge("input", 0, 5)]})
    with pytest.raises(CorruptError, match=r"^m\.rknn: output 0 is tensor 5"):
        read(single([2]) | {"graph": [edge("input", 0, 0), edge("output", 0, 5)]})


def test_what_a_bare_json_needs_to_be_one() -> None:
    """Two lists, and a Vivante type in the first row."""
    good = model()
    assert is_rknn1_json(good)
    first = good["norm_tensor"][0]
    bad: tuple[dict[str, Any], ...] = (
        {"norm_tensor": "x"},
        {"norm_tensor": []},
        {"norm_tensor": ["x"]},
        {"norm_tensor": [first | {"dtype": "VSI_NN_TYPE_UINT8"}]},
        {"norm_tensor": [first | {"dtype": {}}]},
        {"norm_tensor": [first | {"dtype": {"vx_type": "UINT8"}}]},
        {"graph": {}},
        {"graph": None},
    )
    for changes in bad:
        assert not is_rknn1_json(good | changes), changes
    assert is_rknn1_json(good | {"norm_tensor": [first, "x"]})


def test_bytes_after_the_json_are_noted_with_a_payload_alone() -> None:
    """Without a payload the weights follow the JSON."""
    for payload, kinds in ((b"VPMN" + bytes(60), ["trailing_bytes"]), (b"", [])):
        source = Source.from_bytes(rknn1(model(), payload, version=1) + b"tail", "s.rknn")
        got = read_rknn1(source, read_container(source), "m.rknn")
        assert [n.kind for n in got.notes] == kinds
        assert got.container == "rknn1 v1"
    odd = Source.from_bytes(rknn1(model(), version=7) + b"tail", "s.rknn")
    assert [n.kind for n in read_rknn1(odd, read_container(odd), "m").notes] == ["unknown_container_version"]
    wrong = Source.from_bytes(rknn1(single([2]) | {"graph": []}), "s.rknn")
    with pytest.raises(CorruptError, match=r"^m\.rknn: the JSON part names no input"):
        read_rknn1(wrong, read_container(wrong), "m.rknn")
