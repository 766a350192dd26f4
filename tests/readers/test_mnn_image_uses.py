"""Images of MNN's OpenCL backend for graphs made by hand: each with its size, its arithmetic and what a limit does to it."""

from __future__ import annotations

from dataclasses import replace

from prepcheck.readers.mnn_graph import Conv, GraphOp, MnnGraph, Shape
from prepcheck.readers.mnn_images import ImageUse, beyond_limit, predict_images
from tests.readers.mnn_parts import PLAIN

CONV = replace(PLAIN, kernel=(5, 3), ic=6, oc=10)
TEXT = "filter 6 -> 10, kernel 5x3"
OLD = ImageUse(3, "c", "filter", "old", 6, 45, None, "fails", True, f"{TEXT}: 6 by 5·3·ceil(10/4)")
NEW = ImageUse(3, "c", "filter", "new", 8, 45, None, "fails", True, f"{TEXT}: 6 rounded up to 8 by 5·3·ceil(10/4)")


def one(conv: Conv | None, reads: tuple[int, ...] = (0,), shapes: dict[int, Shape] | None = None) -> MnnGraph:
    return MnnGraph((GraphOp(3, "c", 12, reads, (1,), conv),), ("x", "y", "z"), shapes or {})


def filters(graph: MnnGraph) -> tuple[ImageUse, ...]:
    return tuple(u for u in predict_images(graph) if u.what != "tensor")


def test_a_filter_has_two_sizes_by_version() -> None:
    assert predict_images(one(CONV)) == (OLD, NEW)


def test_a_transposed_filter_is_not_rounded() -> None:
    wanted = ImageUse(3, "c", "filter", None, 6, 45, None, "fails", True, f"transposed {TEXT}: 6 by 5·3·ceil(10/4)")
    assert predict_images(one(replace(CONV, transposed=True))) == (wanted,)


def test_a_depthwise_filter_lies_across() -> None:
    text = "depthwise filter of 10 channels: 5·3 by ceil(10/4)"
    wanted = ImageUse(3, "c", "depthwise_filter", None, 15, 3, None, "fails", True, text)
    for group in (1, 10):
        assert predict_images(one(replace(CONV, depthwise=True, ic=10, group=group))) == (wanted,)
    assert filters(one(replace(CONV, depthwise=True, transposed=True, ic=10))) == (wanted,)


def test_filters_that_no_image_is_made_of() -> None:
    """Weights that come as a tensor; channels that nobody knows; operators without a filter."""
    assert predict_images(one(CONV, (0, 2))) == ()
    assert predict_images(one(CONV, ())) == ()
    assert predict_images(one(replace(CONV, ic=0))) == ()
    assert predict_images(one(replace(CONV, oc=0))) == ()
    assert predict_images(one(None)) == ()


def test_compressed_weights_and_groups_are_not_sure() -> None:
    """float16 (kind 3) is kept as it is; int8 kinds may be computed another way."""
    sure = {kind: filters(one(replace(CONV, weight_kind=kind)))[0].sure for kind in (None, 0, 1, 2, 3, 4)}
    assert sure == {None: True, 0: False, 1: False, 2: False, 3: True, 4: False}
    grouped = filters(one(replace(CONV, group=2)))
    assert [(u.width, u.height, u.sure) for u in grouped] == [(3, 45, False), (4, 45, False)]


def test_tensors_are_told_once_after_the_filter_of_their_first_operator() -> None:
    shapes = {0: Shape("NCHW", (2, 6, 7, 9)), 1: Shape("NHWC", (2, 5, 7, 10))}
    more = MnnGraph(
        (*one(CONV).ops, GraphOp(4, "d", 69, (1, 0), (2,))), ("x", "y", "z"), shapes | {2: Shape("NCHW", (3, 5))}
    )
    tail = "ceil(C/4)·W by N·H"

    def tensor(index: int, op: str, width: int, height: int, name: str, axes: str) -> ImageUse:
        text = f"tensor {name}, {axes}: {tail}"
        return ImageUse(index, op, "tensor", None, width, height, None, "falls_back_to_cpu", True, text, tensor=name)

    assert predict_images(more) == (
        OLD,
        NEW,
        tensor(3, "c", 18, 14, "x", "2x6x7x9 NCHW"),  # ceil(6/4)·9 by 2·7
        tensor(3, "c", 21, 10, "y", "2x5x7x10 NHWC"),  # ceil(10/4)·7 by 2·5
        tensor(4, "d", 2, 3, "z", "3x5 NCHW"),
    )


def winograd(
    conv: Conv, axes: tuple[int, ...] = (1, 32, 16, 20), limit: tuple[int, int] | None = None
) -> list[ImageUse]:
    shapes = {1: Shape("NCHW", axes)}
    return [u for u in predict_images(one(conv, shapes=shapes), limit) if u.what == "winograd_filter"]


def test_winograd_makes_a_filter_of_its_own() -> None:
    """32 channels on both sides, 3x3 or 5x5, no stride and no dilation; alpha = kernel + 1."""
    square = replace(CONV, kernel=(3, 3), ic=33, oc=34)
    text = "filter 33 -> 34, kernel 3x3, by Winograd: 36 by 4·4·ceil(34/4)"
    assert winograd(square) == [ImageUse(3, "c", "winograd_filter", "new", 36, 144, None, "fails", True, text)]
    large = winograd(replace(square, kernel=(5, 5)))
    assert [(u.width, u.height, u.text.rpartition(": ")[2]) for u in large] == [(36, 324, "36 by 6·6·ceil(34/4)")]
    for other in (
        {"stride": (2, 1)},
        {"stride": (1, 2)},
        {"dilate": (2, 1)},
        {"dilate": (1, 2)},
        {"kernel": (3, 5)},
        {"ic": 31},
        {"oc": 31},
    ):
        assert winograd(replace(square, **other)) == []
    assert winograd(square, (1, 32, 320)) == []
    assert winograd(square, (1, 32, 16, 20, 1)) == []
    assert predict_images(one(square))[2:] == ()  # the size of the result is not known
    nothing = MnnGraph((GraphOp(3, "c", 12, (0,), (), square),), ("x",))
    assert len(predict_images(nothing)) == 2


def test_winograd_is_taken_only_where_its_own_images_fit() -> None:
    """Of an output 20 wide and 16 high: source 36·10 x 16·8, dest 16·10·4 x 9·8 (ConvWinograd::valid)."""
    square = replace(CONV, kernel=(3, 3), ic=33, oc=34)
    assert len(winograd(square, limit=(640, 144))) == 1
    assert winograd(square, limit=(639, 144)) == []
    assert winograd(square, limit=(640, 127)) == []
    tall = (1, 32, 400, 20)  # source height 16·200
    assert winograd(square, tall, (640, 3199)) == []
    assert len(winograd(square, tall, (640, 3200))) == 1


def test_a_limit_judges_width_and_height() -> None:
    def exceeds(limit: tuple[int, int]) -> list[bool | None]:
        return [u.exceeds for u in predict_images(one(CONV), limit)]

    assert exceeds((8, 45)) == [False, False]
    assert exceeds((7, 45)) == [False, True]
    assert exceeds((5, 45)) == exceeds((8, 44)) == [True, True]


def test_beyond_the_limit_filters_come_before_tensors() -> None:
    shapes = {0: Shape("NCHW", (1, 6, 99, 99)), 1: Shape("NCHW", (1, 10, 1, 1))}
    first = GraphOp(2, "b", 69, (0,), (0,))
    graph = MnnGraph((first, *one(CONV).ops), ("x", "y"), shapes)
    over = beyond_limit(graph, (6, 50))
    assert [(u.op_name, u.what, u.rule, u.exceeds) for u in over] == [
        ("c", "filter", "new", True),
        ("b", "tensor", None, True),
    ]
    assert beyond_limit(graph, (198, 99)) == ()
