"""A whole record as a plan document: who ran, on what board, with which buffers; what is cut, damaged or too much."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.contract.plan import Plan
from prepcheck.errors import ReadError, UsageError
from prepcheck.readers import record
from prepcheck.readers.record import RecordedPlan, platform_of, record_to_plan
from prepcheck.readers.record_parts import Recorded, RecordedModel
from prepcheck.wire.pcrec import JsonValue
from tests.readers.record_builder import Event, blob_frame, ev, event_frame, write_record

HEAD: Event = ev("record", n=0, version=1, board="radxa,rock-5b rockchip,rk3588")
INIT: Event = ev("rknn_init", ctx="0x1", path="/m/a.rknn", model_size=9, hash="f:9", flag=0, ret=0)
QUERY: Event = ev(
    "rknn_query", ctx="0x1", cmd=1, index=0, name="in", dims=[1, 2, 2, 3], type=3, fmt=1, qnt=0, size=12, attr_size=376, ret=0,
)  # fmt: skip
VERSION: Event = ev("rknn_query", ctx="0x1", cmd=5, version="2.3.2 (429f97ae6b)", ret=0)
RUN: Event = ev("rknn_run", ctx="0x1", ret=0)
CONTRACT: Event = {
    "index": 0, "name": "in", "layout": "NHWC", "shape": [1, 2, 2, 3], "dtype": "uint8", "scheme": "none", "size": 12,
    "provenance": {"shape": "record", "dtype": "record", "size": "record"},
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.pcrec"


def apis(found: RecordedPlan) -> list[JsonValue]:
    calls = found.plan["calls"]
    assert isinstance(calls, list)
    return [c["api"] for c in calls if isinstance(c, dict)]


def test_the_limits_of_a_record() -> None:
    """docs/pcrec.md: the first 4000 calls; 60,000 events and 512 MiB of a buffer are read."""
    assert (record.MAX_CALLS, record.MAX_EVENTS, record.MAX_BUFFER) == (4000, 60_000, 536_870_912)


def test_a_record_of_rknn(path: Path) -> None:
    """The whole document, valid as a plan (interface §4); the first event's board is the platform."""
    given = ev(
        "rknn_inputs_set", ctx="0x1", inputs=[{"index": 0, "buf": "0x5000", "type": 3, "fmt": 1, "size": 12, "blob": 1}]
    )
    fetch = ev("rknn_outputs_get", ctx="0x1", outputs=[{"index": 0, "blob": 2, "size": 3}])
    unused = ev("rknn_create_mem", ctx="0x1", mem="0x0", size=3)
    frames = (blob_frame(1, b"abcdefghijkl"), blob_frame(2, b"xyz"))
    found = record_to_plan(
        write_record(path, HEAD, INIT, QUERY, VERSION, frames[0], given, RUN, frames[1], fetch, unused)
    )
    assert found == RecordedPlan(
        path=str(path),
        plan={
            "prepcheck": "plan/v1",
            "runtime": "rknn",
            "version": "2.3.2",
            "model": {"runtime": "rknn", "inputs": [CONTRACT]},
            "platform": "rk3588",
            "buffers": {"host0": {"memory": {"kind": "virtual"}}, "mem0": {"memory": {"kind": "dma_fd", "cached": True, "capacity": 3}, "size": 3}},
            "calls": [
                {"api": "rknn_init", "flags": [], "ret": 0},
                {
                    "api": "rknn_inputs_set",
                    "inputs": [{"index": 0, "buffer": "host0", "type": "UINT8", "fmt": "NHWC", "size": 12, "pass_through": 0}],
                },
                {"api": "rknn_run", "ret": 0},
                {"api": "rknn_outputs_get"},
                {"api": "rknn_create_mem", "buffer": "mem0", "size": 3, "ret": -1},
            ],
        },
        inputs=(Recorded(0, 0, 1, 12),),
        outputs=(Recorded(0, 0, 2, 3),),
        model=RecordedModel("/m/a.rknn", 9, "f:9"),
        runs=1,
        notes=(),
        left_out=0,
    )  # fmt: skip
    Plan.model_validate(found.plan)
    assert (found.input_bytes(0), found.input_bytes(0, 1), found.input_bytes(1)) == (b"abcdefghijkl", None, None)
    assert found.bytes_of(found.outputs[0]) == b"xyz"


def test_a_record_of_the_first_interface(path: Path) -> None:
    """rknn_api.h 1.x: attributes of 360 bytes; without a version or an input queried the plan states none."""
    old = record_to_plan(write_record(path, {**QUERY, "attr_size": 360, "dims": [3, 2, 2, 1]}, RUN)).plan
    assert old == {
        "prepcheck": "plan/v1",
        "runtime": "rknn1",
        "model": {"runtime": "rknn1", "inputs": [CONTRACT]},
        "buffers": {},
        "calls": [{"api": "rknn_run", "ret": 0}],
    }
    assert record_to_plan(write_record(path, RUN)).plan == {
        "prepcheck": "plan/v1", "runtime": "rknn", "buffers": {}, "calls": [{"api": "rknn_run", "ret": 0}],
    }  # fmt: skip


def test_a_record_of_rga_alone(path: Path) -> None:
    """Buffers stand in the plan where a call names them: in channels, by their source, from handles."""
    alloc = ev("dma_heap_alloc", heap="/dev/dma_heap/system", size=64, fd=7, ret=0)
    copy = ev("imcopy", src={"width": 2, "height": 2, "fd": 7}, dst={"width": 2, "height": 2, "virt": "0x9000"}, ret=1)
    found = record_to_plan(write_record(path, HEAD, alloc, copy))
    assert found.plan["runtime"] == "rga"
    assert found.plan["buffers"] == {
        "dma0": {"memory": {"kind": "dma_fd", "heap": "system", "cached": True, "address": 7, "capacity": 64}, "size": 64},
        "host0": {"memory": {"kind": "virtual"}},
    }  # fmt: skip
    assert (apis(found), found.runs, found.model) == (["alloc", "imcopy"], 0, RecordedModel())


def test_a_record_of_mnn(path: Path) -> None:
    """MNN's calls beside RGA's; the buffer that a host tensor is filled from and the source of a picture are named."""
    asked = ev("mnn.getSessionInput", name="data", tensor="0x10", shape=[1, 2], dim_type=1, type_code=2, type_bits=32)
    copy = ev(
        "mnn.copyFromHostTensor", to="0x10", host="0x5000", size=8, shape=[1, 2], dim_type=1, type_code=2, type_bits=32
    )
    convert = ev("mnn.ImageProcess.convert", process="0x2", tensor="0x10", source="0x6000", width=2, height=2, stride=6)
    lost = ev("importbuffer_virtualaddr", virt="0x7000", handle=5)
    load = ev("mnn.createFromFile", path="/m/a.mnn", version="3.6.1")
    found = record_to_plan(
        write_record(
            path, HEAD, load, asked, copy, convert, lost, ev("mnn.runSession", ret=0), ev("mnn.runSession", ret=0)
        )
    )
    recorded = {"shape": "record", "dtype": "record"}
    tensor = {"index": 0, "name": "data", "shape": [1, 2], "dtype": "float32", "provenance": recorded}
    host = {"memory": {"kind": "virtual"}}
    assert {k: v for k, v in found.plan.items() if k != "calls"} == {
        "prepcheck": "plan/v1",
        "runtime": "mnn",
        "version": "3.6.1",
        "model": {"runtime": "mnn", "inputs": [tensor]},
        "platform": "rk3588",
        "buffers": {"host0": host, "host1": host, "host2": host},
    }
    assert apis(found) == [
        "copyFromHostTensor", "ImageProcess.convert", "importbuffer_virtualaddr", "runSession", "runSession",
    ]  # fmt: skip
    assert (found.runs, found.model) == (2, RecordedModel("/m/a.mnn"))


def test_a_record_of_a_toolkit(path: Path) -> None:
    """The platform that the script configured stands before the board's, and arrays are buffers."""
    config = ev("toolkit.config", arguments={"target_platform": "rk3566"}, library="rknn-toolkit2", version="2.3.2")
    array: Event = {"buffer": "0x1", "shape": [2], "dtype": "uint8", "size": 2}
    load = ev("toolkit.load_rknn", arguments={"path": "m.rknn"})
    found = record_to_plan(write_record(path, HEAD, config, load, ev("toolkit.inference", inputs=[array], ret=0)))
    assert found.plan == {
        "prepcheck": "plan/v1",
        "runtime": "rknn",
        "platform": "rk3566",
        "model": {"build": {"toolkit": "2.3.2"}},
        "buffers": {"array0": {"shape": [2], "size": 2, "dtype": "uint8"}},
        "calls": [{"api": "inference", "library": "rknn-toolkit2", "inputs": ["array0"], "ret": 0}],
    }
    assert (found.runs, found.model) == (1, RecordedModel("m.rknn"))


def test_memory_that_no_call_names_is_no_buffer(path: Path) -> None:
    """A failed import of a buffer names it; what was only created by calls beyond the limit is not in the plan."""
    alloc = ev("dma_heap_alloc", heap="/dev/dma_heap/system", size=64, fd=7, ret=0)
    given = ev("rknn_inputs_set", inputs=[{"index": 0, "buf": "0x5000"}])
    found = record_to_plan(write_record(path, alloc, given))
    buffers = found.plan["buffers"]
    assert isinstance(buffers, dict)
    assert list(buffers) == ["dma0", "host0"]


@pytest.mark.parametrize(
    ("compatible", "platform"),
    [
        ("radxa,rock-5b rockchip,rk3588", "rk3588"),
        ("rockchip,rk3588s-orangepi-5 rockchip,rk3588s", "rk3588"),
        ("Rockchip,RK3566-BOX rockchip,rk3566", "rk3566"),
        ("rockchip,rk3562", "rk3562"), ("rockchip,rk3568", "rk3568"), ("rockchip,rk3576", "rk3576"), ("rockchip,rk2118", "rk2118"),
        ("rockchip,rv1126b-evb rockchip,rv1126b", "rv1126b"),
        ("rockchip,rv1126-evb rockchip,rv1126", "rv1126"),
        ("rockchip,rv1103g-38x38-ipc-v10 rockchip,rv1103", "rv1103"),
        ("rockchip,rv1106b", "rv1106b"),
        ("rockchip,rk3399pro-evb-v13-linux rockchip,rk3399pro", "rk3399pro"),
        ("rockchip,rk1808-evb rockchip,rk1808", "rk1808"),
        ("rockchip,rk3399-evb rockchip,rk3399", None),
        ("rockchip,rk35881 rockchip,rk3588sx rockchip,rk3399prox", None),
        ("xrockchip rk3588", None),
        ("brcm,bcm2712", None),
        ("", None),
        (None, None),
    ],
)  # fmt: skip
def test_the_platform_of_a_board(compatible: str | None, platform: str | None) -> None:
    """`compatible` of the device tree goes from the board to the SoC: the last entry that is a chip with an NPU."""
    assert platform_of(compatible) == platform


def test_what_was_entered_and_returned_is_one_call(path: Path) -> None:
    """docs/pcrec.md: an event with phase "enter", and one with the same number after the call returned."""
    enter = {**RUN, "n": 4, "phase": "enter"}
    note = "rknn_run was entered and never returned: the program ended inside it"
    whole = record_to_plan(write_record(path, enter, {**RUN, "n": 4}))
    assert (apis(whole), whole.notes) == (["rknn_run"], ())
    open_ = record_to_plan(write_record(path, {**RUN, "n": 3}, enter))
    assert (apis(open_), open_.notes, open_.runs) == (["rknn_run", "rknn_run"], (note,), 2)
    child = record_to_plan(write_record(path, enter, {**RUN, "n": 4, "pid": 77}))
    assert (apis(child), child.notes) == (["rknn_run", "rknn_run"], (note,))
    same_child = record_to_plan(write_record(path, {**enter, "pid": 77}, {**RUN, "n": 4, "pid": 77}))
    assert (apis(same_child), same_child.notes) == (["rknn_run"], ())
    unnumbered = record_to_plan(write_record(path, {**RUN, "n": 0}, {**RUN, "phase": "enter"}))
    assert (len(apis(unnumbered)), unnumbered.notes) == (2, (note,))


def test_what_the_recorder_left_out_is_noted(path: Path) -> None:
    found = record_to_plan(write_record(path, RUN, {**RUN, "overflow": 1}, ev("limit"), RUN))
    assert apis(found) == ["rknn_run", "rknn_run"]
    assert found.notes == (
        "a call of rknn_run had more arguments than an event holds; it is left out",
        "the recorder stopped at its limit (PREPCHECK_TRACE_MAX); later calls are not recorded",
    )


def test_damage_is_noted_and_the_rest_is_read(path: Path) -> None:
    found = record_to_plan(write_record(path, RUN, b"garbage", RUN, event_frame(RUN)[:-1]))
    at = 8 + len(event_frame(RUN))
    last = at + 7 + len(event_frame(RUN))
    size = len(event_frame(RUN)) - 1
    assert apis(found) == ["rknn_run", "rknn_run"]
    assert found.notes == (
        f"7 bytes at byte {at} are no frame; skipped",
        f"the record ends inside a frame: its last {size} bytes, from byte {last} on, are lost",
    )


def test_calls_and_events_beyond_the_limits_are_counted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MAX_CALLS", 2)
    five = record_to_plan(write_record(path, *[RUN] * 5))
    assert (len(apis(five)), five.left_out, five.runs) == (2, 3, 5)
    assert five.notes == ("3 calls after the first 2 are further frames and not in the plan",)
    two = record_to_plan(write_record(path, RUN, RUN))
    assert (len(apis(two)), two.left_out, two.notes) == (2, 0, ())
    monkeypatch.setattr(record, "MAX_EVENTS", 2)
    cut = record_to_plan(write_record(path, RUN, RUN, RUN, RUN))
    at = 8 + 2 * len(event_frame(RUN))
    assert (cut.runs, cut.notes) == (2, (f"only the first 2 events were read; the record goes on at byte {at}",))
    assert record_to_plan(write_record(path, RUN, RUN)).notes == ()


def test_of_several_models_the_one_that_ran_most_is_told(path: Path) -> None:
    """docs/pcrec.md: context=1 takes the next. Calls without a context belong to every one."""
    a, b, c = ({**RUN, "ctx": f"0x{number}"} for number in (1, 2, 3))
    sync = ev("dma_heap_alloc", size=1, fd=5, ret=0)
    write_record(path, HEAD, INIT, a, b, sync, b, c, c, {**INIT, "ctx": "0x3", "path": "/m/c.rknn"}, c)
    most, second, last = (record_to_plan(path, context=number) for number in range(3))
    assert apis(most) == ["alloc", "rknn_run", "rknn_run", "rknn_init", "rknn_run"]
    assert apis(second) == ["rknn_run", "alloc", "rknn_run"]
    assert apis(last) == ["rknn_init", "rknn_run", "alloc"]
    assert [f.model.path for f in (most, second, last)] == ["/m/c.rknn", None, "/m/a.rknn"]
    assert [f.notes for f in (most, second, last)] == [
        (f"3 models were loaded; the plan is that of number {number} by runs",) for number in range(3)
    ]
    assert record_to_plan(path) == most
    with pytest.raises(UsageError, match="no model number 3: 3 were loaded"):
        record_to_plan(path, context=3)
    assert record_to_plan(write_record(path, a)).notes == ()
    assert apis(record_to_plan(write_record(path, INIT, a))) == ["rknn_init", "rknn_run"]


def recorded(path: Path, *frames: bytes) -> RecordedPlan:
    """A record with one kept input, buffer 7, in the frames."""
    given = ev("rknn_inputs_set", inputs=[{"index": 0, "buf": "0x1", "blob": 7, "size": 6}])
    return record_to_plan(write_record(path, *frames, given))


def test_the_parts_of_a_buffer_are_put_together(path: Path) -> None:
    """In the order of their places, whatever stands between them."""
    parts = (blob_frame(7, b"def", 3, 6), blob_frame(8, b"other"), event_frame(INIT), blob_frame(7, b"abc", 0, 6))
    assert recorded(path, *parts).input_bytes(0) == b"abcdef"


def test_a_buffer_that_is_not_all_there_is_a_named_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    half = recorded(path, blob_frame(7, b"abc", 0, 6))
    with pytest.raises(ReadError, match=r"a\.pcrec: 3 of the 6 bytes of a recorded buffer are there"):
        half.input_bytes(0)
    none = recorded(path, blob_frame(8, b"abc"))
    with pytest.raises(ReadError, match="0 of the 0 bytes of a recorded buffer are there"):
        none.input_bytes(0)
    empty = recorded(path, blob_frame(7, b""))
    assert empty.input_bytes(0) == b""
    spoiled = blob_frame(7, b"abc")[:-1] + b"C"
    damaged = recorded(path, blob_frame(7, b"xyz", 0, 6), spoiled)
    with pytest.raises(ReadError, match=r"bytes 0 … of a recorded buffer are damaged \(CRC\)"):
        damaged.input_bytes(0)
    monkeypatch.setattr(record, "MAX_BUFFER", 3)
    assert recorded(path, blob_frame(7, b"abc")).input_bytes(0) == b"abc"
    with pytest.raises(ReadError, match="0 of the 4 bytes"):
        recorded(path, blob_frame(7, b"abcd")).input_bytes(0)


def test_an_empty_record_is_an_empty_plan(path: Path) -> None:
    assert record_to_plan(write_record(path)) == RecordedPlan(
        str(path), {"prepcheck": "plan/v1", "runtime": "rga", "buffers": {}, "calls": []}
    )
