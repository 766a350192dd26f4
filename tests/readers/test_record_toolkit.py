"""The Python toolkits' calls of a record as calls of a plan: what was built, arrays as buffers, inference."""

from __future__ import annotations

import math

import pytest

from prepcheck.readers.record_parts import Recorded, RecordedModel, Story
from prepcheck.readers.record_toolkit import LIBRARIES, ToolkitReader
from prepcheck.wire.pcrec import JsonValue
from tests.readers.record_builder import Event, ev

ARRAY: Event = {"buffer": "0x1000", "shape": [1, 4, 6, 3], "dtype": "uint8", "size": 72, "contiguous": True}


def read(*events: Event) -> ToolkitReader:
    """A reader that has taken the events; each is one of a toolkit's."""
    reader = ToolkitReader(Story())
    assert all(reader.take(event) for event in events)
    return reader


def built(*events: Event) -> JsonValue:
    """What the model of the plan says of how it was built."""
    return read(*events).document().get("model")


def buffer(**fields: JsonValue) -> JsonValue:
    """The entry of an array that was handed to inference."""
    return read(ev("toolkit.inference", inputs=[fields])).buffers["array0"]


def test_other_calls_are_not_taken() -> None:
    reader = ToolkitReader(Story())
    assert not any(reader.take(ev(api)) for api in ("rknn_run", "mnn.runSession", "toolkit", "xtoolkit.build", ""))
    assert (reader.used, reader.runs, reader.buffers, reader.story.calls) == (False, 0, {}, [])
    assert reader.take(ev("toolkit.release"))
    assert (reader.used, reader.story.calls) == (True, [])
    assert (reader.model(), reader.document()) == (RecordedModel(), {"runtime": "rknn"})


def test_the_runtime_and_the_version_by_library() -> None:
    """rknn-toolkit 1 is the runtime rknn1. toolkit-lite2's version is the runtime's, the others' is the toolkit's."""
    assert LIBRARIES == ("rknn-toolkit2", "rknn-toolkit-lite2", "rknn-toolkit")

    def document(library: str) -> Event:
        return read(ev("toolkit.init", library=library, version="2.3.2")).document()

    assert document("rknn-toolkit2") == {"runtime": "rknn", "model": {"build": {"toolkit": "2.3.2"}}}
    assert document("rknn-toolkit") == {"runtime": "rknn1", "model": {"build": {"toolkit": "2.3.2"}}}
    assert document("rknn-toolkit-lite2") == {"runtime": "rknn", "version": "2.3.2"}
    kept = read(
        ev("toolkit.init", library="rknn-toolkit", version="1.7.5"), ev("toolkit.build"), ev("toolkit.x", version=7)
    )
    assert kept.document() == {"runtime": "rknn1", "model": {"build": {"toolkit": "1.7.5"}}}


def test_the_configuration() -> None:
    arguments: Event = {"mean_values": [[1, 2.5, 3]], "std_values": [[4, 5, 6]], "target_platform": "RK3588"}
    assert read(ev("toolkit.config", arguments=arguments)).document() == {
        "runtime": "rknn",
        "platform": "rk3588",
        "model": {"build": {"mean": [[1.0, 2.5, 3.0]], "std": [[4.0, 5.0, 6.0]]}},
    }
    again = read(ev("toolkit.config", arguments=arguments), ev("toolkit.config", arguments={"target_platform": ""}))
    assert again.document()["platform"] == "rk3588"
    assert read(ev("toolkit.config"), ev("toolkit.config", arguments=[1])).document() == {"runtime": "rknn"}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ([[1, 2], [3]], [[1.0, 2.0], [3.0]]),
        ([1, 2, 3], [[1.0, 2.0, 3.0]]),
        ([0.5], [[0.5]]),
        ([[1, "x", None, 2]], [[1.0, 2.0]]),
        ([[1], None, [2]], [[1.0], None, [2.0]]),
    ],
)
def test_mean_and_std_are_lists_by_input(written: JsonValue, expected: JsonValue) -> None:
    """A flat list is that of one input, as config() of rknn-toolkit2 takes it."""
    arguments: Event = {"mean_values": written, "std_values": written}
    assert built(ev("toolkit.config", arguments=arguments)) == {"build": {"mean": expected, "std": expected}}


def test_lists_that_are_none_are_left_out() -> None:
    values: list[JsonValue] = [[], None, "128", 128, {"0": 1}]
    for odd in values:
        assert built(ev("toolkit.config", arguments={"mean_values": odd})) is None


def test_how_it_was_built() -> None:
    arguments: Event = {"do_quantization": False, "rknn_batch_size": 4, "dataset": "d.txt"}
    assert built(ev("toolkit.build", arguments=arguments)) == {"build": {"quantized": False, "batch_size": 4}}
    assert built(ev("toolkit.build", arguments={"do_quantization": 1, "rknn_batch_size": "2"})) is None
    config = ev("toolkit.config", arguments={"mean_values": [0]}, version="2.3.2", library="rknn-toolkit2")
    assert built(config, ev("toolkit.build", arguments={"do_quantization": True})) == {
        "build": {"mean": [[0.0]], "quantized": True, "toolkit": "2.3.2"}
    }


@pytest.mark.parametrize("argument", ["model", "path", "tf_pb", "prototxt", "argument0"])
def test_the_model_that_was_loaded(argument: str) -> None:
    """load_onnx(model), load_rknn(path), load_tensorflow(tf_pb), load_caffe(prototxt); else the first argument."""
    found = read(ev("toolkit.load_onnx", arguments={"inputs": "x", argument: "m.onnx"}))
    assert found.model() == RecordedModel("m.onnx", None, None)
    assert read(ev("toolkit.load", arguments={argument: "m"})).model() == RecordedModel()
    assert read(ev("toolkit.build", arguments={argument: "m"})).model() == RecordedModel()


def test_the_last_model_counts_and_the_first_argument_that_is_a_path() -> None:
    first = ev("toolkit.load_caffe", arguments={"prototxt": "c.prototxt", "model": "", "path": None})
    assert read(first).model().path == "c.prototxt"
    assert read(first, ev("toolkit.load_rknn", arguments={"path": "m.rknn"})).model().path == "m.rknn"
    assert read(first, ev("toolkit.load_rknn", arguments={"path": 3})).model().path == "c.prototxt"
    both = ev("toolkit.load_caffe", arguments={"prototxt": "c.prototxt", "model": "m"})
    assert read(both).model().path == "m"


def test_an_inference() -> None:
    arguments: Event = {"data_format": ["nhwc"], "data_type": "uint8", "inputs_pass_through": [1]}
    second: Event = {"buffer": "0x2000", "shape": [2], "dtype": "float32", "size": 8, "hash": "f:2", "blob": 4}
    event = ev(
        "toolkit.inference", inputs=[{**ARRAY, "hash": "f:1", "blob": 3}, second], arguments=arguments,
        results=[{"blob": 5, "size": 40}, {"hash": "f:3"}, {"blob": 6, "size": 41}], library="rknn-toolkit2", ret=0, th=1, t=250,
    )  # fmt: skip
    reader = read(event, event)
    call = {
        "api": "inference",
        "library": "rknn-toolkit2",
        "inputs": ["array0", "array1"],
        "data_format": ["nhwc"],
        "data_type": "uint8",
        "pass_through": [1],
        "hash": "f:1,f:2",
        "ret": 0,
        "thread": 1,
        "t_ms": 0.25,
    }
    assert reader.story.calls == [call, call]
    assert reader.story.inputs == [Recorded(i, run, 3 + i, (72, 8)[i]) for run in (0, 1) for i in (0, 1)]
    assert reader.story.outputs == [Recorded(i, run, 5 + i // 2, 40 + i // 2) for run in (0, 1) for i in (0, 2)]
    assert (reader.runs, reader.story.notes) == (2, [])
    assert reader.buffers == {
        "array0": {"shape": [1, 4, 6, 3], "size": 72, "dtype": "uint8", "contiguous": True},
        "array1": {"shape": [2], "size": 8, "dtype": "float32"},
    }


def test_an_inference_of_which_little_is_known() -> None:
    reader = read(ev("toolkit.inference", library="keras", inputs=[{"type": "str"}, 7]), ev("toolkit.inference"))
    assert reader.story.calls == [
        {"api": "inference", "library": None, "inputs": ["array0"]},
        {"api": "inference", "library": None, "inputs": []},
    ]
    assert reader.buffers == {"array0": {"shape": [], "size": None}}
    assert (reader.story.inputs, reader.story.outputs) == ([], [])
    nothing = ev("toolkit.inference", arguments={"data_format": None, "data_type": None, "inputs_pass_through": None})
    assert read(nothing).story.calls == [{"api": "inference", "library": None, "inputs": []}]


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_library_of_a_call_is_that_of_the_call_before(library: str) -> None:
    reader = read(ev("toolkit.init", library=library), ev("toolkit.inference"))
    assert reader.story.calls[0]["library"] == library


def test_what_was_raised_is_noted() -> None:
    reader = read(ev("toolkit.inference", raised="ValueError: no", ret=-1))
    assert reader.story.notes == ["inference raised ValueError: no"]
    assert reader.story.calls == [{"api": "inference", "library": None, "inputs": [], "ret": -1}]


def test_the_same_memory_seen_in_the_same_way_is_one_buffer() -> None:
    others: list[Event] = [
        {**ARRAY, "buffer": "0x2000"}, {**ARRAY, "shape": [72]}, {**ARRAY, "dtype": "int8"}, {**ARRAY, "strides": [1]},
    ]  # fmt: skip
    reader = read(ev("toolkit.inference", inputs=[ARRAY, *others, ARRAY, others[0]]))
    assert reader.story.calls[0]["inputs"] == ["array0", "array1", "array2", "array3", "array4", "array0", "array1"]
    assert list(reader.buffers) == [f"array{i}" for i in range(5)]


def test_a_view_has_strides_and_the_bytes_of_its_parent() -> None:
    """numpy: strides in bytes, of a flipped axis negative."""
    view: Event = {**ARRAY, "contiguous": False, "strides": [72, 18, 3, -1]}
    plain: Event = {"shape": [1, 4, 6, 3], "dtype": "uint8", "contiguous": False, "strides": [72, 18, 3, -1]}
    assert buffer(**view, parent_size=144) == {**plain, "size": 144}
    assert buffer(**view, parent_size=0) == {**plain, "size": 72}
    assert buffer(**view) == {**plain, "size": 72}
    assert buffer(**ARRAY, parent_size=144) == {
        "shape": [1, 4, 6, 3], "size": 72, "dtype": "uint8", "contiguous": True,
    }  # fmt: skip


def test_types_that_are_no_plain_name_are_left_out() -> None:
    """numpy names a foreign byte order ">f4"; such an array has no type of the plan's words."""
    assert buffer(dtype=">f4", contiguous=1) == {"shape": [], "size": None}


@pytest.mark.parametrize(
    ("low", "high", "unit", "expected"),
    [
        (3, 250, "pixels", [0.0, 255.0]),
        (0.1, 0.9, "fraction", [0.0, 1.0]),
        (-1.5, 2.5, "normalized", [-1.5, 2.5]),
        (0, 255, "pixels", [0.0, 255.0]),
        (0, 255.5, "pixels", [0.0, 255.5]),
        (0, 256, None, [0.0, 256.0]),
        (0, 5, None, None),
        (0, 5, "else", None),
        ("nan", 5, "pixels", None),
        (0, "inf", "pixels", None),
        (0, math.inf, "pixels", None),
    ],
)
def test_the_range_of_real_numbers_by_their_unit(
    low: JsonValue, high: JsonValue, unit: str | None, expected: JsonValue
) -> None:
    """What a picture may hold, not what this one holds: pixels 0 … 255, fractions 0 … 1. Unknown for a dark picture."""
    given: Event = {"min": low, "max": high} | ({} if unit is None else {"unit": unit})
    found = buffer(dtype="float32", **given)
    assert found == {"shape": [], "size": None, "dtype": "float32"} | ({} if expected is None else {"range": expected})
    assert buffer(dtype="uint8", **given) == {"shape": [], "size": None, "dtype": "uint8"}
    assert buffer(**given) == {"shape": [], "size": None}
