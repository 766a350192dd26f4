"""Models that no converter of today writes: old types, axes that lie, contradictions, hostile sizes."""

from __future__ import annotations

import pytest

from prepcheck.errors import CorruptError, ReadError
from prepcheck.readers import mnn_net
from prepcheck.readers.mnn_graph import read_graph
from prepcheck.readers.mnn_inputs import input_tensor
from prepcheck.readers.mnn_net import open_net
from prepcheck.readers.mnn_survey import survey
from prepcheck.wire.source import Source
from tests.readers.mnn_builder import CAST, CONVOLUTION, INPUT, PERMUTE, POOLING, Operator, build, contract, kinds


def test_absent_fields_mean_float32_in_nc4hw4() -> None:
    got = contract(build([Operator(INPUT, outputs=(0,), dims=(1, 3, 8, 8), dtype=None, layout=None)], ["x"]))
    (tensor,) = got.inputs
    assert (tensor.dtype, tensor.layout) == ("float32", "NC4HW4")
    assert tensor.provenance == {
        "layout": "rule:MN-INPUT-DEFAULTS",
        "dtype": "rule:MN-INPUT-DEFAULTS",
        "size": "rule:SZ-PACKED",
    }


@pytest.mark.parametrize(
    "number,stored,session", [(9, "int64", "int32"), (10, "bool", "int32"), (2, "float64", "float32")]
)
def test_types_that_no_session_holds(number: int, stored: str, session: str) -> None:
    got = contract(build([Operator(INPUT, outputs=(0,), dims=(1, 4), dtype=number)], ["ids"]))
    (tensor,), (found,) = got.inputs, got.notes
    assert (tensor.dtype, tensor.source and tensor.source.dtype) == (session, stored)
    assert tensor.size == 16
    assert (found.kind, found.values["stored"], found.values["session"]) == ("int64_source", stored, session)


def test_a_type_without_a_name() -> None:
    got = contract(build([Operator(INPUT, outputs=(0,), dims=(1, 4), dtype=20)], ["x"]))
    assert (got.inputs[0].dtype, got.inputs[0].size) == (None, None)
    assert (got.notes[0].kind, got.notes[0].values["number"]) == ("unknown_element_type", 20)


def test_a_first_axis_of_minus_one_runs_as_one() -> None:
    got = contract(build([Operator(INPUT, outputs=(0,), dims=(-1, 3, 8, 8))], ["x"]))
    assert (got.inputs[0].shape, got.batch, got.inputs[0].size) == ([-1, 3, 8, 8], 1, 768)
    assert got.inputs[0].provenance["size"] == "rule:MN-BATCH-ONE"
    assert kinds(got) == ["batch_minus_one"]


CONV = (3, 64, 8, 1)


@pytest.mark.parametrize(
    "dims,reader,noted",
    [
        ((1, 224, 224, 3), Operator(PERMUTE, (0,), (1,), dims=(0, 3, 1, 2)), True),
        ((1, 224, 224, 3), Operator(POOLING, (0,), (1,)), True),
        ((1, -1, -1, 3), Operator(PERMUTE, (0,), (1,), dims=(0, 3, 1, 2)), True),
        ((1, 64, 100, 1), Operator(PERMUTE, (0,), (1,), dims=(0, 3, 1, 2)), True),
        ((1, 64, 100, 1), Operator(POOLING, (0,), (1,)), False),  # a sequence of 64 features is no gray image
        (
            (1, 64, 100, 3),
            Operator(CONVOLUTION, (0,), (1,), conv=CONV),
            False,
        ),  # a convolution reads axis 1 as channels
        ((1, 3, 224, 224), Operator(PERMUTE, (0,), (1,), dims=(0, 2, 3, 1)), False),
        ((1, 768, 1, 1), Operator(POOLING, (0,), (1,)), False),
        ((1, 3, 224, 3), Operator(POOLING, (0,), (1,)), False),
        ((1, 4, 4, 4), Operator(POOLING, (0,), (1,)), False),
    ],
)
def test_nhwc_axes_under_the_name_nchw(dims: tuple[int, ...], reader: Operator, noted: bool) -> None:
    for layout in (0, 2):
        got = contract(build([Operator(INPUT, outputs=(0,), dims=dims, layout=layout), reader], ["x", "y"]))
        assert kinds(got) == (["nhwc_dims_in_nchw"] if noted else [])
    named_so = contract(build([Operator(INPUT, outputs=(0,), dims=dims, layout=1), reader], ["x", "y"]))
    assert kinds(named_so) == []


def test_the_transpose_is_seen_behind_elementwise_operators() -> None:
    steps = [
        Operator(INPUT, outputs=(0,), dims=(1, 8, 10, 1), dtype=4),
        Operator(CAST, (0,), (1,)),
        Operator(7, (1, 3), (2,)),
        Operator(PERMUTE, (2,), (4,), dims=(0, 3, 1, 2)),
    ]
    (found,) = contract(build(steps, ["x", "a", "b", "c", "y"])).notes
    assert found.values == {
        "input": 0,
        "name": "x",
        "dims": [1, 8, 10, 1],
        "layout": "NCHW",
        "consumer": "Permute",
        "transposed": True,
    }


def test_the_name_is_the_tensors_not_the_operators() -> None:
    got = contract(build([Operator(INPUT, outputs=(1,), dims=(1, 3, 8, 8))], ["other", "image"]))
    assert got.inputs[0].name == "image"


def test_outputs_that_no_operator_reads() -> None:
    steps = [Operator(INPUT, outputs=(0,), dims=(1, 4)), Operator(69, (0,), (1,)), Operator(69, (0,), (2,))]
    got = contract(build(steps, ["x", "a", "b"]))
    assert [t.name for t in got.outputs] == ["a", "b"]
    assert [t.name for t in contract(build(steps, ["x", "a", "b"], outputs=["b"])).outputs] == ["b"]


def test_external_weights_need_the_last_byte_of_all() -> None:
    steps = [
        Operator(INPUT, outputs=(0,), dims=(1, 64, 4, 4)),
        Operator(CONVOLUTION, (0,), (1,), conv=CONV, external=(100, 50, 4)),
        Operator(CONVOLUTION, (1,), (2,), conv=CONV, external=(0, 60)),
    ]
    (found,) = contract(build(steps, ["x", "a", "b"])).notes
    assert found.values == {"need_bytes": 154, "operators": 2}
    assert [
        op.conv and op.conv.external for op in read_graph(Source.from_bytes(build(steps, ["x", "a", "b"]))).ops
    ] == [
        None,
        True,
        True,
    ]


@pytest.mark.parametrize("external", [(-1, 4), (0, -4), ((1 << 62), 4)])
def test_external_weights_nowhere(external: tuple[int, ...]) -> None:
    steps = [
        Operator(INPUT, outputs=(0,), dims=(1, 64, 4, 4)),
        Operator(CONVOLUTION, (0,), (1,), conv=CONV, external=external),
    ]
    with pytest.raises(CorruptError, match="external weights"):
        contract(build(steps, ["x", "y"]))


def test_an_input_without_parameters() -> None:
    got = contract(build([Operator(INPUT, outputs=(0,), bare=True)], ["x"]))
    assert (got.inputs[0].name, got.inputs[0].shape, kinds(got)) == ("x", None, ["input_without_parameters"])


@pytest.mark.parametrize(
    "steps,names,words",
    [
        ([Operator(INPUT, outputs=(7,), dims=(1,))], ["x"], "tensor 7 is referred to"),
        ([Operator(INPUT, outputs=(-1,), dims=(1,))], ["x"], "tensor -1"),
        ([Operator(INPUT, outputs=(), dims=(1,))], ["x"], "writes no tensor"),
        ([], ["x"], "0 operators"),
        ([Operator(INPUT, outputs=(0,), dims=(1,))], [], "0 tensor names"),
        ([Operator(INPUT, outputs=(0,), dims=(1,) * 65)], ["x"], "65 elements"),
    ],
)
def test_contradictions(steps: list[Operator], names: list[str], words: str) -> None:
    with pytest.raises(CorruptError, match=words):
        contract(build(steps, names))


def test_a_convolution_that_cannot_be() -> None:
    data = build(
        [Operator(INPUT, outputs=(0,), dims=(1, 4, 8, 8)), Operator(CONVOLUTION, (0,), (1,), conv=(0, 4, 4, 1))],
        ["x", "y"],
    )
    graph = read_graph(Source.from_bytes(data))
    assert graph.ops[1].conv is not None
    assert graph.ops[1].conv.kernel == (1, 1)  # the builder leaves zeros out, and the schema's default is 1
    bad = build([Operator(CONVOLUTION, (0,), (0,), conv=(-3, 4, 4, 1))], ["x"])
    with pytest.raises(CorruptError, match="kernel"):
        read_graph(Source.from_bytes(bad))


def test_many_operators_are_walked_once_or_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many operators as are read at all, all of them reading the same tensor; the input's axes ask for a second walk."""
    monkeypatch.setattr(mnn_net, "MAX_OPS", 4000)
    names = ["x", "y"]
    many = build([Operator(INPUT, outputs=(0,), dims=(1, 8, 10, 3)), *[Operator(7, (0,), (1,))] * 3999], names)
    net = open_net(Source.from_bytes(many))
    found = survey(net)
    input_tensor(net, found.inputs[0], 0, {})
    assert net.root.buffer.visited < 2.1 * 4000
    assert contract(many).inputs[0].name == "x"
    with pytest.raises(ReadError, match="4001"):
        contract(build([Operator(7, (0,), (1,))] * 4001, names))
