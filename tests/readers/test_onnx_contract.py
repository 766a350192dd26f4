"""Contracts of ONNX files against literals: metadata, order of axes by every operator that says it, files beside the model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import CorruptError
from prepcheck.readers import onnx
from prepcheck.readers.onnx import read_onnx
from prepcheck.readers.onnx_schema import CHANNELS_FIRST, QUANTIZED, SAME_AXES
from prepcheck.wire.source import Source
from tests.readers.onnx_builder import Network, blob, classifier, node, number, value_info, weight

IMAGE = [1, 3, 8, 12]

FIRST = [
    "Conv",
    "ConvTranspose",
    "ConvInteger",
    "QLinearConv",
    "DeformConv",
    "MaxPool",
    "AveragePool",
    "LpPool",
    "GlobalMaxPool",
    "GlobalAveragePool",
    "BatchNormalization",
    "InstanceNormalization",
    "LRN",
    "MaxRoiPool",
    "SpaceToDepth",
    "DepthToSpace",
    "GroupNormalization",
    "GridSample",
    "RoiAlign",
]
"""onnx/docs/Operators.md: X is N x C x H x W (or N x C x D1 … Dn)."""
SAME = [
    "Cast",
    "Identity",
    "Sub",
    "Add",
    "Mul",
    "Div",
    "Clip",
    "Relu",
    "LeakyRelu",
    "PRelu",
    "Sigmoid",
    "HardSigmoid",
    "Neg",
    "Abs",
    "Sqrt",
    "Pow",
    "QuantizeLinear",
    "DequantizeLinear",
    "Pad",
    "Resize",
    "Upsample",
    "Dropout",
    "Slice",
    "CastLike",
    "HardSwish",
    "Tanh",
    "Exp",
    "Log",
    "BitShift",
    "DynamicQuantizeLinear",
    "Concat",
    "Split",
]
"""Element-wise operators, and those that change lengths of axes but not their order."""
INTEGER = [
    "QuantizeLinear",
    "DequantizeLinear",
    "QLinearConv",
    "QLinearMatMul",
    "ConvInteger",
    "MatMulInteger",
    "DynamicQuantizeLinear",
]


def read(data: bytes, name: str = "m.onnx") -> Contract:
    return read_onnx(Source.from_bytes(data, "s.onnx"), name)


def net(*nodes: bytes, shape: list[Any] | None = None) -> Network:
    return Network([value_info("x", 1, IMAGE if shape is None else shape)], [value_info("y", 1, IMAGE)], list(nodes))


def layout(*nodes: bytes, shape: list[Any] | None = None) -> tuple[str | None, str | None]:
    (tensor,) = read(net(*nodes, shape=shape).model()).inputs
    return tensor.layout, tensor.provenance.get("layout")


NCHW, NHWC, OPEN = ("NCHW", "rule:ON-AXES"), ("NHWC", "rule:ON-TRANSPOSE"), (None, None)


def test_whole_contract() -> None:
    made = Network(
        [value_info("images", 2, [2, 3, 8, 12]), value_info("ids", 7, ["n", 7]), value_info("w", 1, [2, 3, 1, 1]),
         value_info("half", 10, None), value_info("text", 8, [4]), value_info("list", 1, [])],
        [value_info("y", 1, [2, 2, 8, 12]), value_info("z", 9, [-1, 3])],
        [node("Cast", ["images"], ["f"]), node("Conv", ["f", "w"], ["y"])],
        [weight("w", [2, 3, 1, 1], [0.0] * 6)],
        opset=17, ir=9, metadata={"task": "detect", "names": "a" * 4097, "ir_version": "own"},
    )  # fmt: skip
    data = made.model() + blob(8, blob(1, "com.acme") + number(2, 3)) + number(5, 1) + blob(6, "doc")
    assert read(data).model_dump(exclude_none=True, by_alias=True) == {
        "schema": "prepcheck/contract/v1",
        "runtime": "onnx", "toolkit": "pytorch 2.1.0", "quantized": False, "batch": 2, "container": "onnx ir 9",
        "metadata": {
            "ir_version": "9", "task": "detect", "names": "a" * 4096, "opset": "17", "opset com.acme": "3",
            "dims ids": "n, 7",
        },
        "inputs": [
            {
                "index": 0, "name": "images", "layout": "NCHW", "shape": [2, 3, 8, 12], "dtype": "uint8", "scheme": "none",
                "size": 576,
                "provenance": {
                    "name": "file", "dtype": "file", "shape": "file", "layout": "rule:ON-AXES", "size": "rule:SZ-PACKED",
                },
            },
            {
                "index": 1, "name": "ids", "shape": [-1, 7], "dtype": "int64", "scheme": "none",
                "provenance": {"name": "file", "dtype": "file", "shape": "file"},
            },
            {
                "index": 2, "name": "half", "dtype": "float16", "scheme": "none",
                "provenance": {"name": "file", "dtype": "file"},
            },
            {
                "index": 3, "name": "text", "shape": [4], "scheme": "none", "provenance": {"name": "file", "shape": "file"},
            },
            {
                "index": 4, "name": "list", "shape": [], "dtype": "float32", "scheme": "none", "size": 4,
                "provenance": {"name": "file", "dtype": "file", "shape": "file", "size": "rule:SZ-PACKED"},
            },
        ],
        "outputs": [
            {
                "index": 0, "name": "y", "shape": [2, 2, 8, 12], "dtype": "float32", "scheme": "none", "size": 1536,
                "provenance": {"name": "file", "dtype": "file", "shape": "file", "size": "rule:SZ-PACKED"},
            },
            {
                "index": 1, "name": "z", "shape": [-1, 3], "dtype": "bool", "scheme": "none",
                "provenance": {"name": "file", "dtype": "file", "shape": "file"},
            },
        ],
        "notes": [],
    }  # fmt: skip


def test_what_is_not_said() -> None:
    """No producer, no version, no domain: unknown, not invented."""
    got = read(blob(7, net().graph()))
    assert (got.toolkit, got.container, got.metadata, got.quantized, got.batch) == (None, "onnx ir ?", {}, False, 1)
    assert read(blob(3, "2.1") + blob(7, b"")).toolkit == "2.1"
    assert read(blob(2, "") + blob(3, "2.1") + blob(7, b"")).toolkit == "2.1"
    twice = blob(8, number(2, 7)) + blob(8, blob(1, "ai.onnx") + number(2, 9)) + blob(8, number(3, 4) + blob(1, "b"))
    assert read(blob(7, b"") + twice).metadata == {"opset": "9", "opset b": "0"}


def test_metadata_of_the_exporter() -> None:
    """At most 64 entries; texts are cut at 4096 bytes; what is no text is passed over."""
    pair = blob(14, number(1, 5) + blob(2, b"\xff" + b"v" * 5000) + blob(3, "x") + blob(1, "k"))
    assert read(blob(7, b"") + pair).metadata == {"k": "\ufffd" + "v" * 4095}
    many = b"".join(blob(14, blob(1, f"k{i}") + blob(2, "v")) for i in range(70))
    assert list(read(blob(7, b"") + many).metadata) == [f"k{i}" for i in range(64)]
    assert read(blob(7, b"") + blob(14, blob(1, "k"))).metadata == {"k": ""}
    assert onnx.MAX_METADATA == 64


def test_the_first_graph_is_the_only_one() -> None:
    with pytest.raises(CorruptError, match=r"^s\.onnx: byte 2: a second graph; a model has one\."):
        read(blob(7, b"") * 2)
    with pytest.raises(CorruptError, match=r"^s\.onnx: no graph is in the model"):
        read(number(1, 8))
    with pytest.raises(CorruptError, match="at most 4096 are read"):
        read(blob(2, "p" * 4097))
    with pytest.raises(CorruptError, match="at most 1024 are read"):
        read(blob(8, blob(1, "d" * 1025)))
    assert read(blob(2, "p" * 4096) + blob(8, blob(1, "d" * 1024)) + blob(7, b"")).toolkit == "p" * 4096


def test_operators_that_say_the_order_of_axes() -> None:
    for kind in FIRST:
        assert layout(node(kind, ["x", "w"], ["y"])) == NCHW, kind
    assert frozenset(FIRST) == CHANNELS_FIRST
    for kind in ("MatMul", "Reshape", "Flatten", "Transpose", "conv"):
        assert layout(node(kind, ["x", "w"], ["y"])) == OPEN, kind


def test_operators_that_leave_the_axes_are_followed() -> None:
    for kind in SAME:
        assert layout(node(kind, ["x"], ["a", "", "b"]), node("Conv", ["b", "w"], ["y"])) == NCHW, kind
    assert frozenset(SAME) == SAME_AXES


def test_integer_operators_make_a_model_quantised() -> None:
    for kind in INTEGER:
        assert read(net(node("Relu", ["x"], ["a"]), node(kind, ["a"], ["y"])).model()).quantized, kind
    assert frozenset(INTEGER) == QUANTIZED


def test_a_transpose_says_the_order() -> None:
    """perm 0,3,1,2 makes N, C, H, W of N, H, W, C; 0,2,3,1 the reverse; any other, or readers that disagree: unknown."""

    def turn(*perm: int) -> bytes:
        return node("Transpose", ["x"], ["t"], perm=perm)

    conv = node("Conv", ["t", "w"], ["y"])
    assert layout(turn(0, 3, 1, 2), conv) == NHWC
    assert layout(turn(0, 2, 3, 1)) == NCHW
    assert layout(turn(0, 3, 2, 1), conv) == OPEN
    assert layout(turn(0, 2, 1), conv) == OPEN
    assert layout(turn(0, 3, 1, 2), turn(0, 3, 2, 1)) == OPEN
    assert layout(turn(0, 3, 1, 2), node("Conv", ["x", "w"], ["y"])) == OPEN
    assert layout(turn(0, 2, 3, 1), node("Conv", ["x", "w"], ["y"])) == NCHW
    assert layout(node("Cast", ["x"], ["c"]), node("Transpose", ["c"], ["t"], perm=(0, 3, 1, 2))) == NHWC


def test_only_inputs_of_four_axes_have_an_order() -> None:
    conv = node("Conv", ["x", "w"], ["y"])
    assert layout(conv, shape=[1, 3, 8]) == OPEN
    assert layout(conv, shape=[1, 3, 8, 8, 8]) == OPEN
    assert layout(conv, shape=["n", 3, "h", "w"]) == NCHW
    assert layout() == OPEN
    unnamed = node("Conv", ["other", "w", ""], ["y"])
    assert layout(node("Dropout", ["x"], ["a", ""]), unnamed) == OPEN, "an output left out is no tensor"
    assert layout(node("Relu", ["x"], ["x"]), node("Relu", ["x"], ["a"]), node("Neg", ["a"], ["x"])) == OPEN, "a circle"


def test_chains_are_followed_64_operators_far() -> None:
    def chain(length: int) -> tuple[str | None, str | None]:
        links = [node("Relu", ["x" if k == 0 else f"t{k}"], [f"t{k + 1}"]) for k in range(length)]
        return layout(*links, node("Conv", [f"t{length}", "w"], ["y"]))

    assert (chain(1), chain(63), chain(64)) == (NCHW, NCHW, OPEN)
    assert onnx.STEPS == 64


def test_batch_of_inputs_that_agree() -> None:
    def batch(*shapes: list[Any]) -> int | None:
        return read(Network([value_info(f"x{k}", 1, s) for k, s in enumerate(shapes)]).model()).batch

    assert batch([4, 3, 8, 8], [4, 1, 2, 2], [9, 2]) == 4
    assert batch([1, 3, 8, 8]) == 1
    assert batch([4, 3, 8, 8], [5, 3, 8, 8]) is None
    assert batch(["n", 3, 8, 8]) is None
    assert batch([9, 2]) is None
    assert batch() is None


def test_names_of_axes_are_kept_where_there_are_any() -> None:
    def dims(*shape: int | str) -> dict[str, str]:
        return {k: v for k, v in read(net(shape=list(shape)).model()).metadata.items() if k.startswith("dims")}

    assert dims("batch", 3, 8) == {"dims x": "batch, 3, 8"}
    assert dims(1, 3, "w") == {"dims x": "1, 3, w"}
    assert dims(1, -1, 3) == {}


def test_tensors_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert onnx.MAX_TENSORS == 4096
    monkeypatch.setattr(onnx, "MAX_TENSORS", 2)
    ends = [value_info(f"t{k}", 1, [k + 1]) for k in range(3)]
    got = read(Network(ends, ends).model())
    assert [t.name for t in got.inputs] == [t.name for t in got.outputs] == ["t0", "t1"]


def external(folder: Path, *places: str) -> list[tuple[str, dict[str, Any]]]:
    made = classifier()
    made.weights = [weight(f"w{k}", [1], external=place) for k, place in enumerate(places)]
    return [(n.kind, n.values) for n in read(made.model(), str(folder / "m.onnx")).notes]


def test_files_with_weights_stand_beside_the_model(tmp_path: Path) -> None:
    """A path that leads elsewhere counts as missing, whether there is a file or not."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "out.bin").write_bytes(b"1")
    for name in ("a.bin", "sub/b.bin", "c..d"):
        (tmp_path / "sub" / name.removeprefix("sub/")).write_bytes(b"1")
    folder = tmp_path / "sub"
    (folder / "deep").mkdir()
    (folder / "deep" / "e.bin").write_bytes(b"1")
    (folder / "deep\\..\\a.bin").write_bytes(b"1")  # a name on Linux, a path on Windows
    assert external(folder, "a.bin", "deep/e.bin", "c..d") == []
    bad = ["../out.bin", "deep/../a.bin", "deep\\..\\a.bin", str(folder / "a.bin"), "deep", "none.bin", "", "a\0b"]
    for place in bad:
        assert external(folder, "a.bin", place) == [("onnx_external_missing", {"files": [place], "tensors": 2})], place
    assert external(folder, "z", "y", "z", "a.bin") == [("onnx_external_missing", {"files": ["y", "z"], "tensors": 4})]
    many = [f"{k:02}" + "n" * 300 for k in range(20)]
    assert external(folder, *many) == [
        ("onnx_external_missing", {"files": [name[:200] for name in many[:16]], "tensors": 20})
    ]


def test_a_model_named_without_a_folder_stands_in_the_current_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "w.bin").write_bytes(b"1")
    monkeypatch.chdir(tmp_path)
    made = classifier()
    made.weights = [weight("w", [1], external="w.bin")]
    assert read(made.model(), "m.onnx").notes == []
    assert read(made.model(), os.path.join("other", "m.onnx")).notes != []
