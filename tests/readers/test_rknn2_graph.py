"""The flatbuffer of an RKNN2 model: every field of the root, of tensors and of norms by its slot, and every limit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from prepcheck.errors import CorruptError
from prepcheck.readers import rknn2_graph
from prepcheck.readers.rknn2_graph import Norm, RawTensor, Root, read_root
from prepcheck.readers.rknn2_schema import DTYPES, FULL, INT4_WEIGHTS, MINI, Slots
from prepcheck.wire.source import Source
from prepcheck.wire.window import Window
from tests.readers.flat_builder import Tab, flat

ONNX_TYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool", 10: "float16",
    11: "float64", 12: "uint32", 13: "uint64", 16: "bfloat16",
}  # fmt: skip
"""TensorProto.DataType of onnx.proto3, which the type byte follows."""


def read(root: Tab, slots: Slots = FULL, identifier: bytes = b"RKNN") -> Root:
    return read_root(Window(Source.from_bytes(flat(root, identifier), "x.rknn")), slots)


def plain() -> Tab:
    """A float tensor [1, 6] without quantisation."""
    return {0: ("b", 1), 1: ("b", 0), 3: ("*i", (1, 6)), 4: ("*i", (1, 6)), 5: "vec", 12: ("i", 24)}


def graph(tensors: list[Tab], inputs: tuple[int, ...] = (0,), outputs: tuple[int, ...] = (1,)) -> Tab:
    return {0: tensors, 2: ("*i", inputs), 3: ("*i", outputs)}


def only(changes: Tab, slots: Slots = FULL) -> RawTensor:
    """The input of a model with one tensor, which is a plain one with changes."""
    (tensor,) = read({2: [graph([plain() | changes], (0,), ())]}, slots).inputs
    return tensor


def test_slots_of_a_full_container() -> None:
    """Numbers measured on rknn-toolkit2's files: root 6 to 21; tensor 8, 9 limits, 10 scale, 11 zero point, 12 bytes, 20."""
    image: Tab = {
        0: ("b", 3), 1: ("b", 64), 2: ("b", 1), 3: ("*i", (1, 1, 20, 36, 3)), 4: ("*i", (1, 3, 20, 36)), 5: "images",
        8: ("*f", (-2.5, -4.0)), 9: ("*f", (3.0, 2.0)), 10: ("*f", (0.1, 0.7)), 11: ("*i", (-5, 9)), 12: ("i", 2880),
        20: ("i", 16),
    }  # fmt: skip
    norm: Tab = {0: ("*f", (123.675, 1.5)), 1: ("*f", (58.395, 2.0)), 2: ("*i", (0,))}
    got = read(
        {
            0: ("i", 6), 1: "RKNPU v2", 2: [graph([plain(), image], (1,), (0,)) | {4: [norm, {}]}], 3: "{'attrs': {}}",
            6: ("i", 20500), 7: "2.5.0(abc)", 8: "RK3588", 9: "ONNX", 10: "not read", 11: "mine", 12: "in json",
            13: "out json", 14: "4", 15: "not read", 16: "not read", 21: "op.so",
        }
    )  # fmt: skip
    assert got == Root(
        level=6, tag="RKNPU v2", generator="{'attrs': {}}", compiler=20500, build="2.5.0(abc)", target="rk3588",
        origin="ONNX", custom_string="mine", input_json="in json", output_json="out json", batch="4", custom_op="op.so",
        inputs=(
            RawTensor(
                "images", "int8", 64, (1, 3, 20, 36), (1, 1, 20, 36, 3), 0.1, -5, 2880, 16, True, (-4.0, 3.0)
            ),
        ),
        outputs=(RawTensor("vec", "float32", 0, (1, 6), (1, 6), None, None, 24, 0, False, None),),
        norms=(Norm((123.675, 1.5), (58.395, 2.0)), Norm((), ())), input_shapes=(), output_shapes=(), quantized=True,
    )  # fmt: skip
    assert Slots(
        compiler=6, build=7, target=8, origin=9, custom_string=11, input_json=12, output_json=13, batch=14, shapes=16,
        custom_op=21, minimum=8, maximum=9, scale=10, zero_point=11, nbytes=12, alignment=20, strided=20,
    ) == FULL  # fmt: skip


def test_slots_of_a_mini_container() -> None:
    """Root 4 to 8; tensor 6 scale, 7 zero point, 8 bytes, 12 (present: rows are padded); no limits, no alignment."""
    image: Tab = {
        0: ("b", 3), 1: ("b", 64), 2: ("b", 1), 3: ("*i", (1, 1, 20, 36, 3)), 4: ("*i", (1, 3, 20, 36)), 5: "images",
        6: ("*f", (0.1,)), 7: ("*i", (-5,)), 8: ("i", 2880), 9: ("*f", (7.0,)), 12: ("*f", (0.1,)),
    }  # fmt: skip
    got = read(
        {
            0: ("i", 6), 1: "RKNPU t3", 2: [graph([image], (0,), ())], 3: "g", 4: ("i", 20302), 5: "2.3.2(x)", 6: "RV1106",
            7: "TFLITE", 8: "mine", 12: "in json", 13: "out json", 14: "4",
        },
        MINI,
    )  # fmt: skip
    tensor = RawTensor("images", "int8", 64, (1, 3, 20, 36), (1, 1, 20, 36, 3), 0.1, -5, 2880, 0, True, None)
    assert got == Root(
        6, "RKNPU t3", "g", 20302, "2.3.2(x)", "rv1106", "TFLITE", "mine", None, None, None, "", (tensor,), (), (), (), (),
        True,
    )  # fmt: skip
    assert Slots(
        compiler=4, build=5, target=6, origin=7, custom_string=8, input_json=None, output_json=None, batch=None,
        shapes=None, custom_op=None, minimum=None, maximum=None, scale=6, zero_point=7, nbytes=8, alignment=None,
        strided=12,
    ) == MINI  # fmt: skip


def test_what_is_absent_is_empty() -> None:
    got = read({2: [graph([{0: ("b", 1)}], (0,), ())]})
    tensor = RawTensor("", "float32", 0, (), (), None, None, 0, 0, False, None)
    assert got == Root(0, "", "", 0, "", "", "", "", None, None, None, "", (tensor,), (), (), (), (), False)


def test_table_of_types() -> None:
    """bfloat16 is the last of them; 64 stands for the weights of w4a16 builds, which no input has."""
    assert only({0: ("b", 16)}).dtype == "bfloat16"
    assert (DTYPES, INT4_WEIGHTS) == (ONNX_TYPES, 64)


def test_type_bytes_are_onnx_s() -> None:
    for code, dtype in ONNX_TYPES.items():
        assert only({0: ("b", code)}).dtype == dtype
    known = ", ".join(map(str, ONNX_TYPES))
    for code in (0, 8, 14, 15, 64, 127):
        with pytest.raises(CorruptError, match=rf"x\.rknn: byte .*: the element type is {code}; known are {known}\."):
            only({0: ("b", code)})


def test_limits_need_both_lists() -> None:
    assert only({8: ("*f", (1.0, 3.0, 2.0)), 9: ("*f", (4.0, 6.0, 5.0))}).limits == (1.0, 6.0)
    assert only({8: ("*f", (1.0,))}).limits is None
    assert only({9: ("*f", (1.0,))}).limits is None
    assert only({8: ("*f", ()), 9: ("*f", (1.0,))}).limits is None


def test_quantised_by_an_end_an_inner_tensor_or_weights_of_four_bits() -> None:
    """Kind 3 is an intermediate: its scale counts; a constant's (4) does not; type 64 are weights of a w4a16 build."""

    def quantized(*others: Tab) -> bool:
        return read({2: [graph([plain(), plain(), *others])]}).quantized

    scale: Tab = {10: ("*f", (0.5,))}
    assert not quantized()
    assert not quantized(plain() | scale | {2: ("b", 4)})
    assert not quantized(plain() | {2: ("b", 3)})
    assert not quantized(plain() | {2: ("b", 3), 10: ("*f", ())})
    assert quantized(plain() | scale | {2: ("b", 3)})
    assert quantized(plain() | scale | {2: ("b", 4)}, plain() | scale | {2: ("b", 3)})
    assert quantized(plain() | {0: ("b", 64)})
    assert read({2: [graph([plain(), plain() | scale])]}).quantized, "an output"
    assert read({2: [graph([plain() | scale, plain()])]}).quantized, "an input"


def test_only_the_first_tensors_are_scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rknn2_graph.MAX_SCANNED == 4096
    monkeypatch.setattr(rknn2_graph, "MAX_SCANNED", 3)
    inner: Tab = plain() | {2: ("b", 3), 10: ("*f", (0.5,))}
    assert read({2: [graph([plain(), plain(), inner])]}).quantized
    assert not read({2: [graph([plain(), plain(), plain(), inner])]}).quantized


def test_shapes_of_every_graph() -> None:
    """Dynamic shapes: per input its dims in each graph; where graphs disagree in number there are none."""

    def dims(*d: int) -> Tab:
        return plain() | {4: ("*i", d)}

    first = graph([dims(1, 6), dims(1, 7), dims(1, 8)], (0, 1), (2,))
    second = graph([dims(2, 8), dims(2, 7), dims(2, 6)], (2, 1), (0,))
    third = graph([dims(3, 6), dims(3, 7), dims(3, 8)], (0, 1), (2,))
    got = read({2: [first, second, third]})
    assert got.input_shapes == (((1, 6), (2, 6), (3, 6)), ((1, 7), (2, 7), (3, 7)))
    assert got.output_shapes == (((1, 8), (2, 8), (3, 8)),)
    assert [t.dims for t in got.inputs] == [(1, 6), (1, 7)]
    other = graph([dims(4, 6)], (0,), (0,))
    got = read({2: [first, other]})
    assert (got.input_shapes, got.output_shapes) == ((), (((1, 8), (4, 6)),))
    assert read({2: [first]}).input_shapes == ()
    broken = graph([dims(1, 6), dims(1, 0), dims(1, 8)], (0, 1), (2,))
    with pytest.raises(CorruptError, match=r"x\.rknn: the tensor at byte \d+ \(model shape\) has the shape \[1, 0\]"):
        read({2: [first, broken]})


def test_places_in_messages_are_those_of_the_file() -> None:
    data = flat({2: [graph([plain() | {3: ("*i", (0,))}], (0,), ())]}, b"RKNN")

    def message(before: int) -> str:
        with pytest.raises(CorruptError) as caught:
            read_root(Window(Source.from_bytes(bytes(before) + data, "x.rknn"), before), FULL)
        return caught.value.message

    at = int(message(0).split("at byte ")[1].split()[0])
    assert message(0) == (
        f"x.rknn: the tensor at byte {at} (native shape) has the shape [0]; axes are at least 1, elements at most 2^40."
    )
    assert f"at byte {at + 64} (native shape)" in message(64)
    with pytest.raises(CorruptError, match=r"\(model shape\) has the shape \[0\]"):
        only({4: ("*i", (0,))})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({12: ("i", -1)}, "-1 bytes and rows aligned to 0 pixels cannot be."),
        ({20: ("i", 4097)}, "24 bytes and rows aligned to 4097 pixels cannot be."),
        ({20: ("i", -1)}, "24 bytes and rows aligned to -1 pixels cannot be."),
        ({10: ("*f", (1.0, float("inf")))}, "a scale is inf, which no toolkit writes."),
        ({10: ("*f", (1.0, -2.0))}, "a scale is -2.0, which no toolkit writes."),
        ({8: ("*f", (float("nan"),))}, "a minimum is nan, which no toolkit writes."),
        ({9: ("*f", (float("-inf"),))}, "a maximum is -inf, which no toolkit writes."),
    ],
)
def test_what_no_toolkit_writes(changes: Tab, words: str) -> None:
    with pytest.raises(CorruptError) as caught:
        only(changes)
    assert words in caught.value.message


def test_ends_of_what_is_allowed() -> None:
    tensor = only({12: ("i", 0), 20: ("i", 4096), 10: ("*f", (0.0,))})
    assert (tensor.nbytes, tensor.alignment, tensor.scale, tensor.strided) == (0, 4096, 0.0, True)
    tensor = only({20: ("i", 0)})
    assert (tensor.alignment, tensor.strided) == (0, True)


def test_numbers_of_tensors_are_inside_the_graph() -> None:
    for number in (-1, 2):
        with pytest.raises(CorruptError, match=rf"tensor {number} is named as an input or output; the graph has 2 t"):
            read({2: [graph([plain(), plain()], (number,), ())]})
    assert len(read({2: [graph([plain(), plain()], (1,), (0,))]}).inputs) == 1


def test_marks_and_empty_models() -> None:
    with pytest.raises(CorruptError, match=r"byte 4 \(0x4\): the flatbuffer is marked b'RKNX', RKNN is expected"):
        read({2: [graph([plain()], (0,), ())]}, identifier=b"RKNX")
    with pytest.raises(CorruptError, match="the model has no graph"):
        read({2: []})
    with pytest.raises(CorruptError, match="the model has no graph"):
        read({})
    with pytest.raises(CorruptError, match="the graph has no input"):
        read({2: [graph([plain()], (), (0,))]})
    with pytest.raises(CorruptError, match="the graph has no input"):
        read({2: [{}]})


def limit(monkeypatch: pytest.MonkeyPatch, name: str, real: int, small: int) -> Callable[[Tab, str], None]:
    """Sets a limit low, having looked at its real value; gives a function that wants a refusal."""
    assert getattr(rknn2_graph, name) == real
    monkeypatch.setattr(rknn2_graph, name, small)

    def refused(root: Tab, words: str) -> None:
        with pytest.raises(CorruptError, match=words):
            read(root)

    return refused


def test_graphs_and_ends_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    one = graph([plain(), plain()])
    refused = limit(monkeypatch, "MAX_GRAPHS", 1024, 2)
    read({2: [one, one]})
    refused({2: [one] * 3}, "at most 2 elements")
    refused = limit(monkeypatch, "MAX_SHAPES", 1 << 14, 4)
    read({2: [one, one]})
    wide = graph([plain()], (0, 0), (0,))
    refused({2: [one, wide]}, "2 inputs and outputs, 5 in all graphs; at most 2048 and 4 are read")
    refused = limit(monkeypatch, "MAX_TENSORS", 2048, 3)
    read({2: [wide, {}]})
    refused({2: [graph([plain()], (0, 0), (0, 0))]}, "4 inputs and outputs, 4 in all graphs; at most 3 and 4 are read")
    refused({2: [graph([plain()], (0,) * 4, ())]}, "at most 3 elements")
    refused({2: [graph([plain()], (0,), (0,) * 4)]}, "at most 3 elements")


def test_parameters_and_axes_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    refused = limit(monkeypatch, "MAX_QPARAMS", 1 << 16, 2)
    for slot, code in ((8, "*f"), (9, "*f"), (10, "*f"), (11, "*i")):
        only({slot: (code, (1, 1))})
        refused({2: [graph([plain() | {slot: (code, (1, 1, 1))}], (0,), ())]}, "at most 2 elements")
    for slot in (3, 4):
        only({slot: ("*i", (1,) * 16)})
        refused({2: [graph([plain() | {slot: ("*i", (1,) * 17)}], (0,), ())]}, "at most 16 elements")


def test_means_and_stds_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each list, and all together, before any is converted; NaN is named."""

    def norms(*pairs: tuple[tuple[float, ...], tuple[float, ...]]) -> Tab:
        return {2: [graph([plain()], (0,), ()) | {4: [{0: ("*f", m), 1: ("*f", s)} for m, s in pairs]}]}

    refused = limit(monkeypatch, "MAX_CHANNELS", 1 << 16, 3)
    assert read(norms(((1, 2, 3), (4, 5, 6)))).norms == (Norm((1, 2, 3), (4, 5, 6)),)
    refused(norms(((1,) * 4, ())), "at most 3 elements")
    refused(norms(((), (1,) * 4)), "at most 3 elements")
    refused = limit(monkeypatch, "MAX_NORMS", 1 << 20, 4)
    assert len(read(norms(((1, 2), (3,)), ((), (4,)))).norms) == 2
    refused(norms(((1, 2), (3,)), ((), (4, 5))), "means and stds are more than 4 in all")
    refused(norms(((1, 2), (3, 4)), ((5,), ())), "means and stds are more than 4 in all")
    refused(norms(((1, float("nan")), ())), "a mean is nan, which no toolkit writes")
    refused(norms(((), (float("inf"),))), "a std is inf, which no toolkit writes")
    refused = limit(monkeypatch, "MAX_TENSORS", 2048, 1)
    refused(norms(((), ()), ((), ())), "at most 1 elements")
