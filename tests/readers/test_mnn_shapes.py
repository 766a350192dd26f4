"""What is told of a .mnn's tensors without a rule of its own: inputs, constants, stated shapes, and what passes through."""

from __future__ import annotations

import pytest

from prepcheck.errors import CorruptError
from prepcheck.readers.mnn_graph import Shape, read_graph
from prepcheck.wire.source import Source
from tests.readers.flat_builder import Tab
from tests.readers.mnn_parts import CONST, INPUT, NC4HW4, NHWC, const, given, graph, ints, net, op, shape, told

REDUCTION, CONCAT, RELU = 68, 10, 69

SAME = {
    4: "InstanceNorm", 9: "Cast", 21: "Dropout", 23: "ELU", 37: "LRN", 43: "Normalize", 49: "PReLU", 69: "ReLU", 70: "ReLU6",
    77: "Scale", 78: "Selu", 81: "Sigmoid", 85: "Softmax", 95: "TanH", 101: "UnaryOp", 262: "Identity", 267: "BatchNorm",
    304: "GroupNorm", 514: "Int8ToFloat", 517: "FloatToInt8", 603: "LayerNorm",
}  # fmt: skip
"""Operators whose output is shaped like the first input. Source: MNN schema/default/MNN.fbs (numbers) and source/shape."""


def test_which_operators_keep_the_shape_without_any_parameters() -> None:
    """All others need parameters or a second tensor, or are not known (Squeeze, 90, drops the axis of length one)."""
    kinds = [*range(128), *range(256, 308), *range(512, 520), *range(600, 606)]
    ops = [given(0, (1, 3, 8, 8), NHWC), *(op(kind, (0,), (kind + 1,)) for kind in kinds)]
    found = graph(ops, 607)
    kept = {number - 1 for number, s in found.shapes.items() if s == Shape("NHWC", (1, 3, 8, 8))} - {-1}
    assert kept == set(SAME)
    assert {number - 1: s.axes for number, s in found.shapes.items() if number - 1 not in kept} == {
        -1: (1, 3, 8, 8),
        90: (3, 8, 8),
    }
    assert {op.type: op.type_name for op in found.ops if op.type in SAME} == SAME


def test_an_operator_without_tensors_tells_nothing() -> None:
    assert graph([given(0, (1, 4)), op(RELU, (0,), ()), op(RELU, (), (1,)), op(RELU, (0,), (2,))], 3).shapes == {
        0: Shape("NCHW", (1, 4)),
        2: Shape("NCHW", (1, 4)),
    }


# --- inputs -------------------------------------------------------------------------------------------------------------------


def source(main: Tab | None, inputs: dict[str, tuple[int, ...]] | None = None) -> Shape | None:
    return graph([op(INPUT, (), (0,), None if main is None else (21, main))], 1, inputs).shapes.get(0)


def test_inputs_have_the_axes_and_the_layout_of_the_file() -> None:
    axes = ints(1, 3, 8, 9)
    layouts = {-1: "UNDEFINED", 0: "NCHW", 1: "NHWC", 2: "NC4HW4", 3: "UNDEFINED", 4: "UNDEFINED"}
    for number, name in layouts.items():
        assert source({0: axes, 2: ("b", number)}) == Shape(name, (1, 3, 8, 9))
    assert source({0: axes}) == Shape("NC4HW4", (1, 3, 8, 9))  # CaffeOp.fbs, Input: dformat = NC4HW4
    assert source({}) == Shape("NC4HW4", ())
    assert source(None) is None


def test_open_axes_are_those_that_are_given() -> None:
    open_axes: Tab = {0: ints(1, 3, -1, -1), 2: ("b", 0)}
    assert source(open_axes) is None
    assert source(open_axes, {"t0": (1, 3, 6, 7)}) == Shape("NCHW", (1, 3, 6, 7))
    assert source(open_axes, {"other": (1, 3, 6, 7)}) is None
    assert source({0: ints(1, 3, 4, 4), 2: ("b", 0)}, {"t0": (-1, 3, 6, 7)}) == Shape("NCHW", (1, 3, 6, 7))
    assert source({0: ints(-1, 3), 2: ("b", 0)}) == Shape("NCHW", (1, 3))  # MNN runs a first axis of -1 as 1
    assert source({0: ints(1, -1), 2: ("b", 0)}) is None
    assert source({0: ints(2, 3), 2: ("b", 0)}, {"t0": ()}) == Shape("NCHW", ())


def test_only_shapes_that_mnn_can_hold_are_told() -> None:
    """At most 9 axes (MNN_MAX_TENSOR_DIM), each of 1 to 2**31 - 1."""
    assert source({0: ints(*range(1, 10)), 2: ("b", 0)}) == Shape("NCHW", tuple(range(1, 10)))
    assert source({0: ints(*range(1, 11)), 2: ("b", 0)}) is None
    assert source({0: ints(2, 0), 2: ("b", 0)}) is None
    largest = (1 << 31) - 1
    assert source({0: ints(largest), 2: ("b", 0)}) == Shape("NCHW", (largest,))
    axis: tuple[int, Tab] = (4, {0: ("i", 0)})
    assert shape(CONCAT, axis, (largest - 1,), (1,)) == ("NCHW", (largest,))
    assert shape(CONCAT, axis, (largest,), (1,)) is None


# --- constants ------------------------------------------------------------------------------------------------------------------


def test_constants_have_a_shape_and_few_integers_a_value() -> None:
    for kind in (CONST, 266):  # 266: TrainableParam
        blob: Tab = {0: ints(2, 3), 1: ("b", 1), 2: ("i", 1)}
        assert told([op(kind, (), (0,), (7, blob))], 1, 0) == ("NHWC", (2, 3))
        assert told([op(kind, (), (0,), (7, {}))], 1, 0) == ("NCHW", ())
        assert told([op(kind, (), (0,), (7, {0: ints(4), 1: ("b", 9)}))], 1, 0) == ("UNDEFINED", (4,))
        assert told([op(kind, (), (0,))], 1, 0) is None
    sum_over: tuple[int, Tab] = (50, {})
    assert shape(REDUCTION, sum_over, (2, 3), constant=(1,) * 64) == ("NCHW", (2,))
    assert shape(REDUCTION, sum_over, (2, 3), constant=(1,) * 65) is None
    trained = op(266, (), (1,), (7, {0: ints(1), 5: ints(1)}))
    assert told([given(0, (2, 3)), trained, op(REDUCTION, (0, 1), (2,), sum_over)], 3, 2) == ("NCHW", (2,))
    floats = op(CONST, (), (1,), (7, {0: ints(1), 7: ("*f", (1.0,))}))
    assert told([given(0, (2, 3)), floats, op(REDUCTION, (0, 1), (2,), sum_over)], 3, 2) is None


# --- what the file states --------------------------------------------------------------------------------------------------------


def described(*tables: Tab) -> dict[int, Shape]:
    """Of a model that reads t0, 1 x 4, and writes t1."""
    data = net([given(0, (1, 4)), op(RELU, (0,), (1,))], ["t0", "t1"], s1=list(tables))
    return dict(read_graph(Source.from_bytes(data)).shapes)


def test_what_the_file_states_goes_before_what_follows() -> None:
    plain = {0: Shape("NCHW", (1, 4)), 1: Shape("NCHW", (1, 4))}
    assert described() == plain
    assert described({0: {0: ints(2, 5), 1: ("b", NHWC)}, 1: ("i", 1)}) == plain | {1: Shape("NHWC", (2, 5))}
    first = Shape("NC4HW4", (7, 8))
    assert described({0: {0: ints(7, 8), 1: ("b", NC4HW4)}}) == {0: first, 1: first}  # index 0 is the default
    assert described({0: {0: ints(7, 8), 1: ("b", 9)}})[0] == Shape("UNDEFINED", (7, 8))
    assert described({0: {0: ints(7, 8)}})[0] == Shape("NCHW", (7, 8))
    for nothing in ({1: ("i", 1)}, {0: {1: ("b", 1)}}, {0: {0: ints()}}):
        assert described(nothing) == plain  # type: ignore[arg-type]
    assert described({1: ("i", 9)}, {0: {0: ints(6)}, 1: ("i", 1)})[1] == Shape("NCHW", (6,))
    assert described({0: {0: ints(3, -1)}, 1: ("i", 1)}) == plain  # no shape that a tensor can have


# --- limits ----------------------------------------------------------------------------------------------------------------------


def test_more_than_64_axes_are_damage() -> None:
    for count, allowed in ((64, True), (65, False)):
        many = ints(*(1,) * count)
        for ops, describes in (
            ([op(INPUT, (), (0,), (21, {0: many}))], []),
            ([op(CONST, (), (0,), (7, {0: many}))], []),
            ([given(0, (1,))], [{0: {0: many}}]),
        ):
            data = net(ops, ["x"], s1=describes)
            if allowed:
                assert set(read_graph(Source.from_bytes(data)).shapes) <= {0}
            else:
                with pytest.raises(CorruptError, match="at most 64 elements"):
                    read_graph(Source.from_bytes(data))


def test_a_constant_feeds_what_reads_it() -> None:
    assert told([const(0, (1, 2, 3)), op(RELU, (0,), (1,))], 2, 1) == ("NCHW", (3,))
