"""The graph of a .mnn: parameters, shapes, names."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.readers.mnn_graph import MnnGraph, read_graph
from prepcheck.wire.source import Source
from tests.readers.mnn_builder import CONVOLUTION, INPUT, PERMUTE, Operator, build

MODELS = Path(__file__).parents[1] / "data" / "models"


def graph(folder: str, name: str, **inputs: tuple[int, ...]) -> MnnGraph:
    with Source.open(MODELS / folder / f"{name}.mnn") as source:
        return read_graph(source, inputs)


def shapes(found: MnnGraph) -> dict[str, tuple[int, ...]]:
    return {
        op.name: found.shapes[op.outputs[0]].axes for op in found.ops if op.outputs and op.outputs[0] in found.shapes
    }


def test_parameters_of_convolutions() -> None:
    by_name = {op.name: op.conv for op in graph("mnn_extra", "ops").ops if op.conv is not None}
    a, b, g, c = by_name["a"], by_name["b"], by_name["g"], by_name["c__group__0"]
    assert (a.kernel, a.ic, a.oc, a.stride, a.pads) == ((5, 3), 3, 8, (1, 2), (0, 1, 2, 3))
    assert (b.depthwise, b.group, b.filter_ic) == (True, 8, 8)
    assert (g.transposed, g.ic, g.oc, g.kernel, g.out_pads) == (True, 12, 6, (3, 2), (1, 1))
    assert (c.ic, c.oc, c.dilate, c.group) == (4, 6, (1, 2), 1)  # the converter splits groups itself


def test_weights_kept_in_other_forms() -> None:
    kinds = {
        name: next(op.conv for op in graph("mnn", name).ops if op.conv is not None)
        for name in ("c3_nchw", "c3_fp16", "c3_weightquant8", "extweight")
    }
    assert {name: conv.weight_kind for name, conv in kinds.items()} == {
        "c3_nchw": None,
        "c3_fp16": 3,
        "c3_weightquant8": 1,
        "extweight": None,
    }
    assert [name for name, conv in kinds.items() if conv.external] == ["extweight"]


def test_shapes_through_many_operators() -> None:
    """The literal shapes are those of a session of MNN 3.6.1 (test_mnn_real.py compares every tensor with the library)."""
    got = shapes(graph("mnn_extra", "ops"))
    wanted = {
        "image": (1, 3, 33, 47),
        "a": (1, 8, 17, 47),
        "b": (1, 8, 17, 47),
        "c": (1, 12, 13, 45),
        "e": (1, 12, 6, 23),
        "f": (1, 12, 6, 23),
        "g": (1, 6, 13, 48),
        "h": (1, 40, 13, 48),
        "j": (1, 80, 13, 48),
        "k": (1, 80),
        "l": (1, 80, 1),
        "l0": (1, 1, 80),
        "m": (1, 1, 1),
        "m1": (1, 1, 80),
        "n": (1, 80),
        "p": (1, 4, 10, 624),
        "q": (1, 40, 1, 1),
    }
    assert {name: got.get(name) for name in wanted} == wanted


def test_every_tensor_of_these_models_has_a_shape() -> None:
    for folder, name in (
        ("mnn_extra", "ops"),
        ("mnn_extra", "ops_nc4hw4"),
        ("mnn_extra", "static"),
        ("mnn", "multi_nchw"),
    ):
        found = graph(folder, name)
        assert sorted(found.shapes) == list(range(len(found.tensor_names)))


def test_dynamic_inputs_stay_unknown_until_they_are_given() -> None:
    assert graph("mnn", "dynhw_nchw").shapes == {}
    given = shapes(graph("mnn", "dynhw_nchw", input=(1, 3, 8, 8)))
    assert (given["c"], given["output"]) == ((1, 4, 8, 8), (1, 4))


def test_what_the_file_states_goes_first() -> None:
    """A static model's shapes are frozen; another input size changes nothing, in MNN neither."""
    assert shapes(graph("mnn_extra", "static", image=(1, 3, 99, 99)))["image"] == (1, 3, 33, 47)


def test_layouts_follow_conversions() -> None:
    found = graph("mnn", "tf_nhwc")
    named = {found.tensor_names[i]: (s.layout, s.axes) for i, s in found.shapes.items()}
    assert named["image"] == ("NHWC", (1, 8, 10, 3))
    assert named["output"] == ("NC4HW4", (1, 4, 8, 10))
    assert ("NC4HW4", (1, 3, 8, 10)) in named.values()


def test_names_of_operators_and_tensors() -> None:
    found = graph("mnn", "c3_nchw")
    assert [op.type_name for op in found.named("c")] == ["Convolution"]
    assert [op.name for op in found.named("r")] == ["c"]  # r is the tensor that the fused convolution writes
    assert found.named("nothing") == ()


@pytest.mark.parametrize(
    "steps,known",
    [
        ([Operator(INPUT, outputs=(0,), dims=(1, 4)), Operator(PERMUTE, (0,), (1,), dims=(0, 2, 1))], {0}),
        ([Operator(INPUT, outputs=(0,), dims=(1, 4)), Operator(PERMUTE, (0,), (1,), dims=(0, 9))], {0}),
        ([Operator(INPUT, outputs=(0,), dims=(1, 4)), Operator(CONVOLUTION, (0,), (1,), conv=(3, 4, 4, 1))], {0}),
        ([Operator(INPUT, outputs=(0,), dims=(1, 4, 2, 2)), Operator(CONVOLUTION, (0,), (1,), conv=(3, 4, 4, 1))], {0}),
        ([Operator(INPUT, outputs=(0,), dims=(1, -1, 2, 2)), Operator(69, (0,), (1,))], set()),
        ([Operator(INPUT, outputs=(0,), dims=(1, 0, 2, 2)), Operator(69, (0,), (1,))], set()),
        ([Operator(INPUT, outputs=(0,), dims=(-1, 4, 2, 2)), Operator(69, (0,), (1,))], {0, 1}),
        ([Operator(INPUT, outputs=(0,), dims=(1, 4, 2, 2)), Operator(999, (0,), (1,))], {0}),
    ],
)
def test_what_does_not_fit_stays_unknown(steps: list[Operator], known: set[int]) -> None:
    assert set(read_graph(Source.from_bytes(build(steps, ["x", "y"]))).shapes) == known
