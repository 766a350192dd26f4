"""MNN's calls of a record as calls of a plan: what was loaded, session and tensors, copies, runs, pictures."""

from __future__ import annotations

import pytest

from prepcheck.readers.record_mnn import BACKENDS, MnnReader, dtype_of
from prepcheck.readers.record_parts import Memories, Recorded, RecordedModel, Story
from prepcheck.wire.pcrec import JsonValue
from tests.readers.record_builder import Event, ev

FLOAT: Event = {"type_code": 2, "type_bits": 32}
DATA: Event = ev("mnn.getSessionInput", name="data", tensor="0x10", shape=[1, 3, 4, 5], dim_type=1, **FLOAT)
MASK: Event = ev("mnn.getSessionInput", name="mask", tensor="0x20", shape=[1, 4], dim_type=0, type_code=1, type_bits=8)
PROB: Event = ev("mnn.getSessionOutput", name="prob", tensor="0x30", shape=[1, 7], dim_type=2, **FLOAT)
STAMP: Event = {"th": 1, "t": 2500}
STAMPED: dict[str, object] = {"thread": 1, "t_ms": 2.5}


def read(*events: Event) -> MnnReader:
    """A reader that has taken the events; each is one of MNN's."""
    reader = MnnReader(Memories(), Story())
    assert all(reader.take(event) for event in events)
    return reader


def calls(*events: Event) -> list[dict[str, JsonValue]]:
    return read(*events).story.calls


def test_the_numbers_of_mnn_s_headers() -> None:
    """MNNForwardType.h (MNN 3.6.1): CPU 0, METAL 1, CUDA 2, OPENCL 3, VULKAN 7. HalideRuntime.h: int 0, uint 1, float 2."""
    assert BACKENDS == {0: "cpu", 1: "metal", 2: "cuda", 3: "opencl", 7: "vulkan"}
    assert [dtype_of(code, 32) for code in (0, 1, 2, 3, -1, None)] == ["int32", "uint32", "float32", None, None, None]
    assert [dtype_of(1, width) for width in (8, 16, 32, 64, 0, 1, 24, None)] == [
        "uint8", "uint16", "uint32", "uint64", None, None, None, None,
    ]  # fmt: skip


def test_other_runtimes_are_not_taken() -> None:
    reader = MnnReader(Memories(), Story())
    assert not any(reader.take(ev(api)) for api in ("rknn_run", "mnn", "toolkit.inference", "xmnn.runSession"))
    assert (reader.used, reader.runs, reader.story.calls) == (False, 0, [])
    assert (reader.inputs, reader.outputs, reader.processes) == ({}, {}, {})
    assert reader.take(ev("mnn.releaseSession"))
    assert (reader.used, reader.story.calls) == (True, [])
    assert reader.document() == {"runtime": "mnn"}
    assert reader.model() == RecordedModel(None, None, None)


def test_what_was_loaded() -> None:
    file = read(ev("mnn.createFromFile", path="/m/a.mnn", version="3.6.1"))
    assert file.model() == RecordedModel("/m/a.mnn", None, None)
    assert file.document() == {"runtime": "mnn", "version": "3.6.1"}
    memory = read(ev("mnn.createFromBuffer", model_size=1234, hash="f:12", version="3.5.0"))
    assert memory.model() == RecordedModel(None, 1234, "f:12")
    assert memory.document() == {"runtime": "mnn", "version": "3.5.0"}
    assert (file.story.calls, memory.story.calls) == ([], [])


def session(**fields: JsonValue) -> Event:
    return read(ev("mnn.createSession", **fields)).document()


def test_the_session_on_a_cpu_counts_threads_and_on_a_gpu_has_a_mode() -> None:
    """ScheduleConfig holds numThread and mode in one union; its defaults are 4, backup CPU (Interpreter.hpp)."""
    assert session(type=0, mode=2, backup=0) == {
        "runtime": "mnn", "backend": "cpu", "session": {"num_thread": 2, "backup": "cpu"},
    }  # fmt: skip
    assert session(type=3, mode=68, backup=7, precision=2, memory=1, power=2) == {
        "runtime": "mnn",
        "backend": "opencl",
        "session": {"mode": 68, "precision": "low", "memory": "high", "power": "low", "backup": "vulkan"},
    }
    assert session() == {"runtime": "mnn", "backend": "cpu", "session": {"num_thread": 4, "backup": "cpu"}}
    assert session(type=4, mode=1, backup=5) == {"runtime": "mnn", "session": {"mode": 1}}


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("precision", ["normal", "high", "low", "low_bf16", None]),
        ("memory", ["normal", "high", "low", None]),
        ("power", ["normal", "high", "low", None]),
    ],
)
def test_the_settings_of_a_backend(key: str, names: list[str | None]) -> None:
    """BackendConfig's PrecisionMode, MemoryMode, PowerMode by number (MNNForwardType.h); unknown ones are left out."""
    for number, name in [*enumerate(names), (-1, None)]:
        settings = session(type=7, mode=4, backup=5, **{key: number})["session"]
        assert settings == {"mode": 4} | ({key: name} if name else {})


def test_inputs_and_outputs_make_the_model() -> None:
    """A tensor is described once; CAFFE alone tells no layout, since MNN calls NC4HW4 tensors CAFFE too."""
    later: Event = {**DATA, "shape": [9, 9]}
    reader = read(DATA, MASK, later, PROB, {**PROB, "name": "again"}, ev("mnn.getSessionOutput", tensor="0x40"))
    recorded = {"shape": "record", "dtype": "record"}
    data = {"index": 0, "name": "data", "shape": [1, 3, 4, 5], "dtype": "float32", "provenance": recorded}
    mask = {"index": 1, "name": "mask", "shape": [1, 4], "dtype": "uint8", "layout": "NHWC", "provenance": recorded}
    prob = {"index": 0, "name": "prob", "shape": [1, 7], "dtype": "float32", "layout": "NC4HW4", "provenance": recorded}
    rest = {"index": 1, "name": "output", "shape": [], "dtype": None, "provenance": recorded}
    assert reader.document() == {
        "runtime": "mnn",
        "model": {"runtime": "mnn", "inputs": [data, mask], "outputs": [prob, rest]},
    }
    assert read(DATA).document()["model"] == {"runtime": "mnn", "inputs": [data]}
    assert "model" not in read(PROB).document()
    assert reader.story.calls == []


def test_a_tensor_without_a_name_is_the_only_input() -> None:
    (model,) = (read(ev("mnn.getSessionInput", tensor=16, dim_type=3)).document()["model"],)
    assert isinstance(model, dict)
    assert model["inputs"] == [
        {"index": 0, "name": "input", "shape": [], "dtype": None, "provenance": {"shape": "record", "dtype": "record"}}
    ]
    nothing = read(ev("mnn.getSessionInput", tensor="0x0"), ev("mnn.getSessionOutput"))
    assert (nothing.inputs, nothing.outputs) == ({}, {})


def test_a_copy_from_a_host_tensor() -> None:
    """The host tensor with the dimension type that the program gave it, the buffer behind it, and what was in it."""
    host: Event = {"shape": [1, 4, 5, 3], "dim_type": 0, **FLOAT}
    copy = ev("mnn.copyFromHostTensor", to="0x10", host="0x9000", size=240, hash="f:1", blob=5, ret=1, **host, **STAMP)
    reader = read(DATA, copy)
    assert reader.story.calls == [
        {
            "api": "copyFromHostTensor",
            "tensor": "data",
            "host": {
                "shape": [1, 4, 5, 3],
                "dtype": "float32",
                "layout": "NHWC",
                "dimension_type": "TENSORFLOW",
                "fill": {"buffer": "host0", "size": 240},
            },
            "hash": "f:1",
            "ret": 1,
            **STAMPED,
        }
    ]
    assert reader.story.inputs == [Recorded(tensor=0, run=0, blob=5, size=240)]
    assert [m.virt for m in reader.memories.all] == [0x9000]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (0, {"layout": "NHWC", "dimension_type": "TENSORFLOW"}),
        (1, {"dimension_type": "CAFFE"}),
        (2, {"layout": "NC4HW4", "dimension_type": "CAFFE_C4"}),
        (3, {}),
        (-1, {}),
        (None, {}),
    ],
)
def test_the_dimension_types(kind: int | None, expected: Event) -> None:
    """Tensor::DimensionType (Tensor.hpp): TENSORFLOW, CAFFE, CAFFE_C4."""
    bare: Event = {"shape": [2], "dtype": None}
    (copy,) = calls(DATA, ev("mnn.copyFromHostTensor", to="0x10", shape=[2], dim_type=kind))
    assert copy == {"api": "copyFromHostTensor", "tensor": "data", "host": {**bare, **expected}}


def test_a_copy_into_a_tensor_that_was_not_asked_for_keeps_no_bytes() -> None:
    reader = read(DATA, ev("mnn.copyFromHostTensor", {"as": "copyFrom"}, to="0x99", host="0x1", hash="f:1", blob=3))
    host: Event = {"shape": [], "dtype": None, "fill": {"buffer": "host0", "size": None}}
    assert reader.story.calls == [{"api": "copyFrom", "tensor": None, "host": host, "hash": "f:1"}]
    assert reader.story.inputs == []


def test_bytes_are_kept_under_the_index_and_the_run() -> None:
    given = ev("mnn.copyFromHostTensor", to="0x20", blob=4, size=4)
    run = ev("mnn.runSession", results=[{"blob": 9, "size": 28}, {"hash": "f:1"}, {"blob": 10, "size": 8}])
    fetched = ev("mnn.copyToHostTensor", {"from": "0x30"}, blob=11, size=30)
    reader = read(DATA, MASK, PROB, given, run, fetched, {**given, "blob": 5}, run)
    assert reader.story.inputs == [Recorded(1, 0, 4, 4), Recorded(1, 1, 5, 4)]
    assert reader.story.outputs == [
        Recorded(0, 0, 9, 28), Recorded(2, 0, 10, 8), Recorded(0, 0, 11, 30), Recorded(0, 1, 9, 28), Recorded(2, 1, 10, 8),
    ]  # fmt: skip
    assert reader.runs == 2


def test_an_output_is_fetched_by_name() -> None:
    fetch = ev("mnn.copyToHostTensor", ret=1, **STAMP)
    found = calls(DATA, PROB, *({**fetch, "from": at} for at in ("0x30", "0x10", "0x31")))
    assert found == [
        {"api": "copyToHostTensor", "tensor": name, "ret": 1, **STAMPED} for name in ("prob", "data", None)
    ]


def test_resizing() -> None:
    """MNN does nothing for the sizes that a tensor has (measured, MNN 3.6.1): only changes are told."""
    reader = read(
        DATA,
        ev("mnn.resizeTensor", tensor="0x10", to=[1, 3, 4, 5]),
        ev("mnn.resizeTensor", tensor="0x10", to=[1, 3, 8, 8], **STAMP),
        ev("mnn.resizeTensor", tensor="0x10", to=[1, 3, 8, 8]),
        ev("mnn.resizeTensor", tensor="0x77", to=[2]),
        ev("mnn.resizeSession", session="0x5", **STAMP),
    )
    assert reader.story.calls == [
        {"api": "resizeTensor", "tensor": "data", "shape": [1, 3, 8, 8], **STAMPED},
        {"api": "resizeTensor", "tensor": None, "shape": [2]},
        {"api": "resizeSession", **STAMPED},
    ]
    assert reader.inputs[0x10].document["shape"] == [1, 3, 8, 8]


def test_numpy_values_given_to_an_input() -> None:
    """MNN.Tensor.fromNumpy on an input of a session."""
    given = ev("mnn.fromNumpy", to="0x10", array={"shape": [1, 3], "dtype": "float32"}, **STAMP)
    odd = ev("mnn.fromNumpy", to="0x11", array={"shape": [2], "dtype": "[('a', '<f4')]"})
    assert calls(DATA, given, odd, ev("mnn.fromNumpy")) == [
        {"api": "Tensor.fromNumpy", "tensor": "data", "host": {"shape": [1, 3], "dtype": "float32"}, **STAMPED},
        {"api": "Tensor.fromNumpy", "tensor": None, "host": {"shape": [2]}},
        {"api": "Tensor.fromNumpy", "tensor": None, "host": {"shape": []}},
    ]


def test_a_mapped_tensor_is_a_copy_when_it_was_mapped_for_writing() -> None:
    """Tensor::MapType: MAP_TENSOR_WRITE 0, MAP_TENSOR_READ 1 (Tensor.hpp). The mapped view has a dimension type."""
    unmap = ev("mnn.unmap", tensor="0x20", map=0, map_dim_type=1, shape=[1, 4], dim_type=0, hash="f:3", blob=6, size=16)
    reader = read(DATA, MASK, {**unmap, **STAMP, "type_code": 2, "type_bits": 16}, ev("mnn.runSession"))
    host = {"shape": [1, 4], "dtype": "float16", "layout": "NHWC", "dimension_type": "CAFFE"}
    assert reader.story.calls == [
        {"api": "copyFromHostTensor", "tensor": "mask", "host": host, **STAMPED},
        {"api": "runSession", "hash": "f:3"},
    ]
    assert reader.story.inputs == [Recorded(1, 0, 6, 16)]
    kinds: list[JsonValue] = [0, 1, 2, 3, -1, None]
    told = [[c["host"] for c in calls(MASK, {**unmap, "map_dim_type": kind})] for kind in kinds]
    assert [[h["dimension_type"] for h in hosts if isinstance(h, dict)] for hosts in told] == [
        ["TENSORFLOW"], ["CAFFE"], ["CAFFE_C4"], [], [], [],
    ]  # fmt: skip
    assert calls(MASK, {**unmap, "map": 1}, {**unmap, "tensor": "0x99"}, ev("mnn.unmap")) == []


def looked(api: str, content: str | None, **more: JsonValue) -> Event:
    """host() or the look of runSession at the memory of the input `data`."""
    item: Event = {"tensor": "0x10", "host": "0x7000", "size": 240, **({} if content is None else {"hash": content})}
    return ev(api, **item, **more) if api == "mnn.host" else ev(api, inputs=[item], **more)


def test_a_changed_input_was_written_through_host() -> None:
    """Memory seen by host() that is another before the run: the program wrote it there."""
    reader = read(DATA, looked("mnn.host", "f:1"), looked("mnn.runSession", "f:2", ret=0, **STAMP))
    assert reader.story.calls == [
        {"api": "host", "tensor": "data", "write": "memcpy", "size": 240, "buffer": "host0", **STAMPED},
        {"api": "runSession", "hash": "f:2", "ret": 0, **STAMPED},
    ]
    unknown = ev("mnn.runSession", inputs=[{"tensor": "0x10", "hash": "f:2"}])
    assert calls(DATA, looked("mnn.host", "f:1"), unknown)[0] == {
        "api": "host", "tensor": "data", "write": "memcpy", "size": None,
    }  # fmt: skip


def test_a_write_is_told_only_where_nothing_else_explains_the_change() -> None:
    copy = ev("mnn.copyFromHostTensor", to="0x10", hash="f:9")
    convert = ev("mnn.ImageProcess.convert", tensor="0x10", hash="f:8")
    unmap = ev("mnn.unmap", tensor="0x10", map=0, map_dim_type=1, hash="f:7")
    host, run = looked("mnn.host", "f:1"), looked("mnn.runSession", "f:2")
    resize = ev("mnn.resizeTensor", tensor="0x10", to=[5])

    def told(*events: Event) -> list[str]:
        return [f"{c['api']} {c.get('hash', '')}" for c in calls(DATA, *events)]

    assert told(host, looked("mnn.runSession", "f:1")) == ["runSession "]
    assert told(run) == ["runSession "]
    assert told(host, looked("mnn.host", "f:2"), run) == ["runSession "]
    assert told(host, copy, run) == ["copyFromHostTensor f:9", "runSession f:9"]
    assert told(host, convert, run) == ["ImageProcess.convert f:8", "runSession f:8"]
    assert told(host, unmap, run) == ["copyFromHostTensor ", "runSession f:7"]
    assert told(host, resize, run) == ["resizeTensor ", "runSession "]
    assert told(host, looked("mnn.runSession", None)) == ["runSession "]
    assert told(host, looked("mnn.runSession", "f:1"), run) == ["runSession ", "runSession "]
    assert told(copy, run, host, run) == ["copyFromHostTensor f:9", "runSession f:9", "host ", "runSession f:2"]
    assert told(copy, run, looked("mnn.host", "f:2"), looked("mnn.runSession", "f:3")) == [
        "copyFromHostTensor f:9", "runSession f:9", "host ", "runSession f:3",
    ]  # fmt: skip
    assert told(ev("mnn.runSession", inputs=[{"tensor": "0x99", "hash": "f:1"}])) == ["runSession "]


def test_host_of_memory_that_cannot_be_seen_counts_itself() -> None:
    """On a GPU host() is NULL or of no use: the call itself stands in the plan."""
    reader = read(DATA, PROB, looked("mnn.host", None, **STAMP), ev("mnn.host", tensor="0x30", size=4))
    assert reader.story.calls == [{"api": "host", "tensor": "data", "size": 240, **STAMPED}]


def test_a_run_has_the_hashes_of_all_inputs_that_were_given() -> None:
    """In the order in which the inputs were asked for; what stays from the run before counts again."""
    one = ev("mnn.copyFromHostTensor", to="0x10", hash="f:1")
    two = ev("mnn.copyFromHostTensor", to="0x20", hash="f:2")
    run = ev("mnn.runSession", ret=3)
    found = calls(DATA, MASK, run, two, run, one, run, {**two, "hash": None}, run)
    runs = [c for c in found if c["api"] == "runSession"]
    assert [c.get("hash") for c in runs] == [None, "f:2", "f:1,f:2", "f:1"]
    assert {c["ret"] for c in runs} == {3}


CREATE: Event = ev(
    "mnn.ImageProcess.create", process="0x50", source_format=11, dest_format=2, filter=1, wrap=1,
    mean={"0": 1.5, "1": 2, "2": 3, "3": 4}, normal={"0": 0.5, "1": 0.25, "2": 1, "3": 9},
)  # fmt: skip


def test_a_picture_is_converted_with_all_that_was_set() -> None:
    """create, setMatrix, setPadding and convert become one call (interface §4.2)."""
    reader = read(
        DATA,
        CREATE,
        ev("mnn.ImageProcess.setMatrix", process="0x50", matrix={str(i): i / 2 for i in range(9)}),
        ev("mnn.ImageProcess.setPadding", process="0x50", value=114),
        ev(
            "mnn.ImageProcess.convert", process="0x50", tensor="0x10", source="0x4000", width=640, height=480, stride=1920,
            shape=[1, 3, 4, 5], dim_type=2, hash="f:6", ret=0, **FLOAT, **STAMP,
        ),
    )  # fmt: skip
    assert reader.story.calls == [
        {
            "api": "ImageProcess.convert",
            "source_format": "YUV_NV21",
            "dest_format": "BGR",
            "mean": [1.5, 2.0, 3.0],
            "normal": [0.5, 0.25, 1.0],
            "filter": "bilinear",
            "wrap": "ZERO",
            "matrix": [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0],
            "padding": 114,
            "tensor": "data",
            "source": "host0",
            "source_size": [640, 480],
            "stride": 1920,
            "dest": {"shape": [1, 3, 4, 5], "dtype": "float32", "layout": "NC4HW4"},
            "hash": "f:6",
            "ret": 0,
            **STAMPED,
        }
    ]


def converted(**fields: JsonValue) -> Event:
    """The converting call of an ImageProcess with other settings than CREATE's."""
    return calls({**CREATE, **fields}, ev("mnn.ImageProcess.convert", process="0x50"))[0]


def test_a_conversion_of_which_little_is_known() -> None:
    assert calls(ev("mnn.ImageProcess.convert", process="0x51"), ev("mnn.ImageProcess.other", process="0x51")) == [
        {
            "api": "ImageProcess.convert", "tensor": None, "source": None, "source_size": [0, 0], "stride": 0,
            "dest": {"shape": [], "dtype": None},
        }
    ]  # fmt: skip
    bare = calls(ev("mnn.ImageProcess.create"), ev("mnn.ImageProcess.convert"))[0]
    nothing: Event = {
        "source_format": None,
        "dest_format": None,
        "mean": [],
        "normal": [],
        "filter": None,
        "wrap": None,
    }
    assert {k: bare[k] for k in nothing} == nothing


def test_the_formats_of_pictures() -> None:
    """CV::ImageFormat by number (ImageProcess.hpp)."""
    names = [
        "RGBA", "RGB", "BGR", "GRAY", "BGRA", "YCrCb", "YUV", "HSV", "XYZ", "BGR555", "BGR565", "YUV_NV21", "YUV_NV12",
        "YUV_I420", "HSV_FULL", None,
    ]  # fmt: skip
    assert [converted(source_format=n)["source_format"] for n in range(16)] == names
    assert [converted(dest_format=n)["dest_format"] for n in range(16)] == names


def test_mean_and_normal_have_as_many_numbers_as_the_destination_channels() -> None:
    """Measured with MNN 3.6.1: RGBA and BGRA use four, GRAY one, all others three."""
    found = [converted(dest_format=n) for n in (0, 1, 2, 3, 4, 5, 14, None)]
    lengths = [4, 3, 3, 1, 4, 3, 3, 3]
    assert [c["mean"] for c in found] == [[1.5, 2.0, 3.0, 4.0][:n] for n in lengths]
    assert [c["normal"] for c in found] == [[0.5, 0.25, 1.0, 9.0][:n] for n in lengths]


def test_filters_and_wraps() -> None:
    """CV::Filter and CV::Wrap by number (ImageProcess.hpp)."""
    numbers = (0, 1, 2, 3, -1)
    assert [converted(filter=n)["filter"] for n in numbers] == ["nearest", "bilinear", "bicubic", None, None]
    assert [converted(wrap=n)["wrap"] for n in numbers] == ["CLAMP_TO_EDGE", "ZERO", "REPEAT", None, None]


def test_a_new_process_at_an_old_address_starts_anew() -> None:
    padding = ev("mnn.ImageProcess.setPadding", process="0x50", value=1)
    found = calls(CREATE, padding, CREATE, ev("mnn.ImageProcess.convert", process="0x50"))
    assert "padding" not in found[0]


def test_numbers_that_are_none_are_zero() -> None:
    odd: JsonValue = {"0": "x", "1": 2, "3": 4}
    assert converted(mean=odd, dest_format=0)["mean"] == [0.0, 2.0]
