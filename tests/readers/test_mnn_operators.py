"""Operators of a .mnn, built slot by slot: every parameter of a convolution, its defaults, and what is damage."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prepcheck.errors import CorruptError
from prepcheck.readers.mnn_graph import PAD_SAME, PAD_VALID, Conv, GraphOp, MnnGraph
from tests.readers.flat_builder import Tab
from tests.readers.mnn_parts import PLAIN, given, graph, ints, op


def conv(common: Tab | None, more: Tab | None = None, kind: int = 12) -> Conv | None:
    table: Tab = dict(more or {})
    if common is not None:
        table[0] = common
    return graph([op(kind, (0,), (1,), (9, table))], 2).ops[0].conv


def test_absent_parameters_have_the_defaults_of_the_schema() -> None:
    assert conv({}) == PLAIN
    assert conv(None) is None
    assert graph([op(12, (0,), (1,))], 2).ops[0].conv is None


def test_every_parameter_has_its_slot() -> None:
    """CaffeOp.fbs, Convolution2DCommon: padX padY kernelX kernelY strideX strideY dilateX dilateY padMode group
    outputCount inputCount relu relu6 pads outPads hasOutputShape."""
    numbers: Tab = {slot: ("i", slot + 2) for slot in (0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11)}
    wanted = replace(
        PLAIN,
        kernel=(4, 5),
        stride=(6, 7),
        dilate=(8, 9),
        group=11,
        oc=12,
        ic=13,
        pads=(3, 2, 3, 2),
        pad_mode=2,
        has_output_shape=True,
    )
    assert conv(numbers | {8: ("b", 2), 16: ("B", 1)}) == wanted
    assert (PAD_VALID, PAD_SAME) == (1, 2)


def test_pads_and_output_pads_are_lists_of_newer_files() -> None:
    """pads: top, left, bottom, right; outPads: y, x."""
    pads: Tab = {0: ("i", 7), 1: ("i", 8)}
    assert conv(pads | {14: ints(1, 2, 3, 4)}) == replace(PLAIN, pads=(1, 2, 3, 4))
    assert conv(pads | {14: ints(1, 2, 3, 4, 5)}) == replace(PLAIN, pads=(1, 2, 3, 4))
    assert conv(pads | {14: ints(1, 2, 3)}) == replace(PLAIN, pads=(8, 7, 8, 7))
    assert conv({15: ints(5, 6)}) == replace(PLAIN, out_pads=(6, 5))
    assert conv({15: ints(5, 6, 7)}) == replace(PLAIN, out_pads=(6, 5))
    assert conv({15: ints(5)}) == PLAIN
    for slot in (14, 15):
        assert conv({slot: ints(*(1,) * 64)}) is not None
        with pytest.raises(CorruptError, match="at most 64 elements"):
            conv({slot: ints(*(1,) * 65)})


def weights(count: int) -> Tab:
    return {1: ("*f", (0.5,) * count)}


def test_channels_that_old_files_leave_out_follow_from_the_number_of_weights() -> None:
    """Weights: oc · ic/group · ky · kx."""
    common: Tab = {2: ("i", 3), 3: ("i", 2), 10: ("i", 4)}
    for count, wanted in ((3 * 2 * 4 * 5, 5), (3 * 2 * 4, 1), (3 * 2 * 4 + 1, 0), (0, 0)):
        assert conv(common, weights(count)) == replace(PLAIN, kernel=(3, 2), oc=4, ic=wanted)
    assert conv(common | {9: ("i", 2)}, weights(120)) == replace(PLAIN, kernel=(3, 2), oc=4, ic=10, group=2)
    assert conv(common | {11: ("i", 7)}, weights(120)) == replace(PLAIN, kernel=(3, 2), oc=4, ic=7)
    assert conv({10: ("i", 0)}, weights(8)) == PLAIN
    assert conv({11: ("i", -5)}) == PLAIN


def test_weights_kept_elsewhere_or_compressed() -> None:
    assert conv({}, {3: {2: ("i", 4)}}) == replace(PLAIN, weight_kind=4)
    assert conv({}, {3: {}}) == replace(PLAIN, weight_kind=0)
    assert conv({}, {6: ("*q", (0, 64))}) == replace(PLAIN, external=True)
    assert conv({}, {6: ("*q", (0,))}) == PLAIN


def test_depthwise_and_transposed_kinds() -> None:
    """MNN.fbs, OpType: 12 Convolution, 13 ConvolutionDepthwise, 17 Deconvolution, 18 DeconvolutionDepthwise, 513 ConvInt8,
    515 DepthwiseConvInt8."""
    for kind, depthwise, transposed in (
        (12, False, False),
        (13, True, False),
        (17, False, True),
        (18, True, True),
        (513, False, False),
        (515, True, False),
    ):
        assert conv({}, kind=kind) == replace(PLAIN, depthwise=depthwise, transposed=transposed)


def test_channels_of_one_filter() -> None:
    assert replace(PLAIN, ic=12, group=3).filter_ic == 4
    assert replace(PLAIN, ic=12, group=2).filter_ic == 6
    assert replace(PLAIN, ic=12).filter_ic == 12
    assert replace(PLAIN, ic=12, group=12, depthwise=True).filter_ic == 12


@pytest.mark.parametrize("slot", [2, 3, 4, 5, 6, 7, 9])
def test_a_kernel_stride_dilation_or_group_of_zero_is_damage(slot: int) -> None:
    assert conv({slot: ("i", 1)}) is not None
    for number in (0, -1):
        with pytest.raises(
            CorruptError, match=r"a convolution with kernel \(.*, stride \(.*, dilation \(.*, 0 outputs"
        ):
            conv({slot: ("i", number)})


def test_fewer_than_no_outputs_are_damage() -> None:
    words = r"kernel \(3, 1\), stride \(1, 1\), dilation \(1, 1\), 1 groups, -1 outputs"
    with pytest.raises(CorruptError, match=words):
        conv({2: ("i", 3), 10: ("i", -1)})


def test_operators_have_a_place_a_name_and_tensors() -> None:
    found = graph([given(2, (1, 4)), op(7, (2, 0), (1,), name="add"), op(999, (1,), (3,), name=None)], 4)
    assert found.ops == (
        GraphOp(0, "op", 34, (), (2,)),
        GraphOp(1, "add", 7, (2, 0), (1,)),
        GraphOp(2, "", 999, (1,), (3,)),
    )
    assert [o.type_name for o in found.ops] == ["Input", "BinaryOp", "op 999"]
    assert found.tensor_names == ("t0", "t1", "t2", "t3")
    assert MnnGraph((), ()).shapes == {}


def test_tensors_that_are_not_there_are_damage() -> None:
    for reads, writes, number in (((2,), (1,), 2), ((0,), (2,), 2), ((-1,), (1,), -1)):
        with pytest.raises(CorruptError, match=f"tensor {number} is referred to; the model names 2 tensors"):
            graph([op(7, reads, writes)], 2)


def test_a_name_is_an_operators_or_else_that_of_a_tensor_it_writes() -> None:
    steps = [op(7, (0,), (1,), name="a"), op(7, (1,), (2,), name="t1"), op(7, (0,), (3, 2), name="a")]
    found = graph(steps, 4)
    assert [o.index for o in found.named("a")] == [0, 2]
    assert [o.index for o in found.named("t1")] == [1]  # the operator's own name goes first
    assert [o.index for o in found.named("t2")] == [1, 2]
    assert [o.index for o in found.named("t3")] == [2]
    assert found.named("t0") == found.named("") == ()
