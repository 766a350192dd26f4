"""Images that MNN's OpenCL backend makes of a model, against a device's limit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prepcheck.readers.mnn_graph import read_graph
from prepcheck.readers.mnn_images import ImageUse, beyond_limit, predict_images
from prepcheck.wire.source import Source
from tests.readers.mnn_builder import CONVOLUTION, INPUT, Operator, build

MODELS = Path(__file__).parents[1] / "data" / "models"
EXPECTED = {
    name: entry
    for name, entry in json.loads((MODELS / "mnn" / "expected.json").read_text(encoding="utf-8")).items()
    if isinstance(entry, dict)
}


def predicted(folder: str, name: str, limit: tuple[int, int] | None = None) -> tuple[ImageUse, ...]:
    with Source.open(MODELS / folder / f"{name}.mnn") as source:
        return predict_images(read_graph(source), limit)


@pytest.mark.parametrize("name", EXPECTED)
def test_filters_of_every_model(name: str) -> None:
    found: dict[str, dict[str, list[int]]] = {}
    for use in predicted("mnn", name):
        if use.what == "filter":
            found.setdefault(use.op_name, {})[use.rule or ""] = [use.width, use.height]
    wanted = {
        row["op"]: {"old": row["w_h_old"], "new": row["w_h_new"]} for row in EXPECTED[name]["conv_filter_image2d"]
    }
    assert found == wanted


def test_the_patch_embedding_is_beyond_the_limit_and_its_input_is_not() -> None:
    """3 x 49152, or 4 x 49152, at 16384: the filter of operator c; every tensor fits."""
    with Source.open(MODELS / "mnn" / "patch16_noweights.mnn") as source:
        graph = read_graph(source)
    over = beyond_limit(graph, (16384, 16384))
    assert [(u.op_name, u.what, u.rule, u.width, u.height, u.effect) for u in over] == [
        ("c", "filter", "old", 3, 49152, "fails"),
        ("c", "filter", "new", 4, 49152, "fails"),
    ]
    assert "16·16·ceil(768/4)" in over[0].text
    tensors = {u.tensor: (u.width, u.height, u.exceeds) for u in predict_images(graph, (16384, 16384)) if u.tensor}
    assert tensors["input"] == (256, 256, False)
    assert tensors["c"] == (3072, 16, False)
    assert beyond_limit(graph, (65536, 65536)) == ()


def test_width_and_height_have_limits_of_their_own() -> None:
    with Source.open(MODELS / "mnn" / "patch16_noweights.mnn") as source:
        graph = read_graph(source)
    assert {u.what for u in beyond_limit(graph, (3071, 65536))} == {"tensor"}
    assert {(u.rule, u.effect) for u in beyond_limit(graph, (65536, 49151))} == {("old", "fails"), ("new", "fails")}


def test_tensors_fall_back_and_filters_fail() -> None:
    uses = predicted("mnn", "c3_nchw", (4, 4))
    assert {(u.what, u.effect) for u in uses if u.exceeds} == {("tensor", "falls_back_to_cpu"), ("filter", "fails")}
    order = [u.effect for u in beyond_limit(_graph("mnn", "c3_nchw"), (4, 4))]
    assert order == sorted(order)  # "fails" before "falls_back_to_cpu"


def _graph(folder: str, name: str):
    with Source.open(MODELS / folder / f"{name}.mnn") as source:
        return read_graph(source)


def test_without_a_limit_nothing_is_judged() -> None:
    assert {u.exceeds for u in predicted("mnn", "c3_nchw")} == {None}


def test_other_kinds_of_filters() -> None:
    uses = [u for u in predicted("mnn_extra", "ops", (16384, 16384)) if u.what != "tensor"]
    sizes = {(u.op_name, u.what, u.rule): (u.width, u.height) for u in uses}
    assert sizes["b", "depthwise_filter", None] == (9, 2)
    assert sizes["g", "filter", None] == (12, 12)
    assert sizes["a", "filter", "new"] == (4, 30)
    assert sizes["i", "winograd_filter", "new"] == (40, 160)
    assert ("h", "winograd_filter", "new") not in sizes  # 6 channels in are too few
    assert all(u.sure for u in uses)


def test_compressed_weights_and_groups_are_not_sure() -> None:
    assert {u.sure for u in predicted("mnn", "c3_weightquant8") if u.what == "filter"} == {False}
    assert {u.sure for u in predicted("mnn", "c3_fp16") if u.what == "filter"} == {True}
    steps = [Operator(INPUT, outputs=(0,), dims=(1, 8, 9, 9)), Operator(CONVOLUTION, (0,), (1,), conv=(3, 8, 4, 2))]
    uses = predict_images(read_graph(Source.from_bytes(build(steps, ["x", "y"]))))
    grouped = [u for u in uses if u.what == "filter"]
    assert [(u.width, u.height, u.sure) for u in grouped] == [(4, 9, False), (4, 9, False)]


def test_a_shared_tensor_is_counted_once() -> None:
    names = [u.tensor for u in predicted("mnn_extra", "ops") if u.what == "tensor"]
    assert len(names) == len(set(names))
