"""The recorder over real programs: nothing of theirs changes, and what they did comes back as a plan."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from prepcheck.contract.plan import Plan
from prepcheck.errors import ReadError
from prepcheck.readers.record import RecordedPlan, platform_of, record_to_plan
from prepcheck.wire.pcrec import Event, JsonValue, read_items
from prepcheck.wire.pcrec_write import content_hash
from prepcheck.wire.source import Source
from tests.native.conftest import SCENARIOS, Programs, run

RKNN = sorted(SCENARIOS["rknn"])
MNN = sorted(SCENARIOS["mnn"])


def calls(plan: RecordedPlan, *apis: str) -> list[Mapping[str, JsonValue]]:
    """The calls of a plan, or those of some names."""
    found = plan.plan["calls"]
    assert isinstance(found, list)
    return [c for c in found if isinstance(c, dict) and (not apis or c["api"] in apis)]


def names(plan: RecordedPlan) -> list[str]:
    return [str(c["api"]) for c in calls(plan)]


def test_the_scenarios_are_those_of_the_programs(programs: Programs) -> None:
    assert sorted(run(programs.demo, "list", env=programs.environment(None)).stdout.split()) == RKNN
    assert sorted(run(programs.demo_mnn, "list").stdout.split()) == MNN
    everything = [*SCENARIOS["rknn"].values(), *SCENARIOS["mnn"].values()]
    assert sum(bool(s["right"]) for s in everything) >= 20
    assert sum(not s["right"] for s in everything) >= 20
    assert {s.get("seed") for s in everything} >= {1, 2, 3}


@pytest.mark.parametrize("name", RKNN)
def test_a_recorded_program_does_what_it_does_alone(programs: Programs, name: str) -> None:
    crashes = bool(SCENARIOS["rknn"][name].get("crashes"))
    alone = run(programs.demo, name, ok=not crashes, env=programs.environment(None))
    path = programs.folder / f"same_{name}.pcrec"
    traced = run(programs.demo, name, ok=not crashes, env=programs.environment(path))
    assert (traced.returncode, traced.stdout, traced.stderr) == (alone.returncode, alone.stdout, alone.stderr)


@pytest.mark.parametrize(("name", "mnn"), [*((n, False) for n in RKNN), *((n, True) for n in MNN)])
def test_every_record_is_a_valid_plan(programs: Programs, name: str, mnn: bool) -> None:
    recorded = record_to_plan(programs.record(name, mnn=mnn))
    plan = Plan.model_validate(recorded.plan)
    assert plan.runtime in ("rknn", "rknn1", "mnn")
    assert plan.model is not None
    assert plan.model.inputs
    assert recorded.left_out == 0
    assert [n for n in recorded.notes if "never returned" not in n] == []
    board = SCENARIOS["mnn" if mnn else "rknn"][name]["board"]
    assert plan.platform == (str(board).removeprefix("rockchip,") if board else None)
    listed = set(plan.buffers)
    assert {str(c["buffer"]) for c in calls(recorded) if c.get("buffer")} <= listed


def test_arguments_and_codes_of_inputs_set(programs: Programs) -> None:
    recorded = record_to_plan(programs.record("set_small_frame"))
    first = calls(recorded, "rknn_inputs_set")[0]
    assert first["ret"] == -5
    assert first["thread"] == 0
    assert isinstance(first["inputs"], list)
    (given,) = first["inputs"]
    assert isinstance(given, dict)
    assert {k: given[k] for k in ("index", "type", "fmt", "size", "pass_through")} == {
        "index": 0, "type": "UINT8", "fmt": "NHWC", "size": 16200, "pass_through": 0,
    }  # fmt: skip
    assert [c["ret"] for c in calls(recorded, "rknn_run")] == [0, 0, 0]
    assert recorded.runs == 3
    times = [c["t_ms"] for c in calls(recorded)]
    assert times == sorted(times)  # type: ignore[type-var]


def test_attributes_become_the_contract(programs: Programs) -> None:
    plan = Plan.model_validate(record_to_plan(programs.record("zero_right_native")).plan)
    assert plan.version == "2.3.2"
    assert plan.model is not None
    assert plan.model.inputs is not None
    assert plan.model.native_inputs is not None
    own, native = plan.model.inputs[0], plan.model.native_inputs[0]
    assert (own.name, own.layout, own.shape, own.dtype) == ("planes", "NHWC", [1, 48, 64, 17], "int8")
    assert (own.scheme, own.zero_point) == ("affine", -128)
    assert (native.layout, native.shape, native.size_with_stride) == ("NC1HWC2", [1, 2, 48, 64, 16], 98304)


def test_a_v1_program_has_its_dims_turned(programs: Programs) -> None:
    plan = Plan.model_validate(record_to_plan(programs.record("set_v1_batch_one_frame")).plan)
    assert plan.runtime == "rknn1"
    assert plan.model is not None
    assert plan.model.inputs is not None
    assert plan.model.inputs[0].shape == [100, 120, 90, 3]
    assert plan.model.inputs[0].w_stride is None


def test_writes_of_the_cpu_are_seen_before_the_sync_that_follows_them(programs: Programs) -> None:
    right = [
        a
        for a in names(record_to_plan(programs.record("zero_right_no_flush")))
        if a in ("write", "rknn_mem_sync", "rknn_run")
    ]
    assert right == ["write", "rknn_mem_sync", "rknn_run"] * 3
    wrong = [
        a for a in names(record_to_plan(programs.record("zero_no_sync"))) if a in ("write", "rknn_mem_sync", "rknn_run")
    ]
    assert wrong == ["write", "rknn_run"] * 3
    never = record_to_plan(programs.record("zero_never_written"))
    assert calls(never, "write") == []
    heap = record_to_plan(programs.record("zero_right_heap"))
    assert [a for a in names(heap) if a in ("alloc", "write", "dma_buf_sync", "rknn_run")][:4] == [
        "alloc",
        "write",
        "dma_buf_sync",
        "rknn_run",
    ]
    plan = Plan.model_validate(heap.plan)
    assert plan.buffers["dma0"].memory is not None
    assert plan.buffers["dma0"].memory.heap == "system-dma32"


def test_memory_that_rga_fills_is_linked_by_fd_and_by_handle(programs: Programs) -> None:
    recorded = record_to_plan(programs.record("rga_right"))
    bound = str(calls(recorded, "rknn_set_io_mem")[0]["buffer"])
    blit = calls(recorded, "imresize")[0]
    assert blit["ret"] == 1
    dst = blit["dst"]
    assert isinstance(dst, dict)
    assert (dst["buffer"], dst["wstride"], dst["format"]) == (bound, 176, "RGB_888")
    assert calls(recorded, "write") == []
    refused = record_to_plan(programs.record("rga_import_ignored"))
    assert [c["ret"] for c in calls(refused, "importbuffer_virtualaddr")] == [0, 0, 0]
    src = calls(refused, "imresize")[0]["src"]
    assert isinstance(src, dict)
    assert "memory" not in src
    nv12 = calls(record_to_plan(programs.record("rga_right_nv12")), "imcvtcolor")[0]
    assert nv12["csc"] == "YUV_TO_RGB_BT709_LIMIT"
    legacy = record_to_plan(programs.record("rga_legacy_failed"))
    assert [c["ret"] for c in calls(legacy, "improcess")] == [-22, -22, -22]
    assert [c["ret"] for c in calls(record_to_plan(programs.record("rga_right_legacy")), "improcess")] == [1, 1, 1]


def test_a_program_that_dies_in_a_call_leaves_it_recorded(programs: Programs) -> None:
    recorded = record_to_plan(programs.record("null_buffer"))
    assert names(recorded)[-1] == "rknn_inputs_set"
    assert "ret" not in calls(recorded)[-1]
    assert any("never returned" in note for note in recorded.notes)


def test_unchanged_frames_have_one_hash(programs: Programs) -> None:
    still = {c.get("hash") for c in calls(record_to_plan(programs.record("frozen_capture")), "rknn_run")}
    moving = {c.get("hash") for c in calls(record_to_plan(programs.record("set_right")), "rknn_run")}
    assert (len(still), len(moving)) == (1, 3)


def test_bytes_of_the_first_runs_are_kept(programs: Programs) -> None:
    recorded = record_to_plan(programs.record("set_right_batch", PREPCHECK_TRACE_BYTES="2"))
    assert [(r.tensor, r.run, r.size) for r in recorded.inputs] == [(0, 0, 18432), (0, 1, 18432)]
    assert [(r.tensor, r.run, r.want_float) for r in recorded.outputs] == [(0, 0, True), (0, 1, True)]
    data = recorded.input_bytes(0, run=1)
    assert data is not None
    assert content_hash(data) == str(calls(recorded, "rknn_run")[1]["hash"])
    assert recorded.input_bytes(0, run=2) is None
    bound = record_to_plan(programs.record("zero_right_outputs", PREPCHECK_TRACE_BYTES="1"))
    assert [(r.tensor, r.run, r.size) for r in bound.inputs] == [(0, 0, 18432)]
    assert [(r.tensor, r.run, r.size) for r in bound.outputs] == [(0, 0, 10)]
    mnn = record_to_plan(programs.record("copy_right", mnn=True, PREPCHECK_TRACE_BYTES="1"))
    assert next((r.tensor, r.run, r.size) for r in mnn.inputs if r.run == 0) == (0, 0, 4608)


def test_a_large_buffer_is_kept_in_parts(programs: Programs) -> None:
    recorded = record_to_plan(programs.record("set_right_v1_batch", PREPCHECK_TRACE_BYTES="1"))
    data = recorded.input_bytes(0)
    assert data is not None
    assert len(data) == 3_240_000
    damaged = Path(recorded.path).with_name("damaged.pcrec")
    raw = bytearray(Path(recorded.path).read_bytes())
    raw[len(raw) // 2] ^= 1
    damaged.write_bytes(raw)
    with pytest.raises(ReadError, match="CRC"):
        record_to_plan(damaged).input_bytes(0)
    damaged.write_bytes(raw[: 2 << 20])
    cut = record_to_plan(damaged)
    assert any("ends inside a frame" in note for note in cut.notes)


def test_full_hashes_on_request(programs: Programs) -> None:
    recorded = record_to_plan(programs.record("set_right_odd", PREPCHECK_TRACE_HASH="full", PREPCHECK_TRACE_BYTES="1"))
    data = recorded.input_bytes(0)
    assert data is not None
    assert calls(recorded, "rknn_run")[0]["hash"] == content_hash(data, full=True)
    off = record_to_plan(programs.record("set_right_odd", PREPCHECK_TRACE_HASH="off"))
    assert "hash" not in calls(off, "rknn_run")[0]


def test_memory_whose_content_is_not_seen_is_not_called_unwritten(programs: Programs) -> None:
    off = record_to_plan(programs.record("zero_right", PREPCHECK_TRACE_HASH="off"))
    assert [c for c in calls(off, "write") if "by" not in c]


def test_a_record_cut_at_any_byte_opens(programs: Programs, tmp_path: Path) -> None:
    raw = programs.record("zero_right").read_bytes()
    whole = [i.offset for i in read_items(Source.from_bytes(raw)) if isinstance(i, Event)]
    cut = tmp_path / "cut.pcrec"
    seen = 0
    for at in range(8, len(raw)):
        found = sum(isinstance(i, Event) for i in read_items(Source.from_bytes(raw[:at])))
        assert seen <= found <= seen + 1
        seen = found
        if at % 61 == 0:
            cut.write_bytes(raw[:at])
            Plan.model_validate(record_to_plan(cut).plan)
    assert seen == len(whole) - 1


def test_the_limit_ends_the_record_and_says_so(programs: Programs) -> None:
    path = programs.record("set_right_two", PREPCHECK_TRACE_MAX="0")
    assert any("PREPCHECK_TRACE_MAX" in note for note in record_to_plan(path).notes)


def test_off_means_no_file(programs: Programs, tmp_path: Path) -> None:
    env = programs.environment(tmp_path / "x.pcrec") | {"PREPCHECK_TRACE": "off"}
    run(programs.demo, "set_right", env=env)
    assert list(tmp_path.iterdir()) == []
    env["PREPCHECK_TRACE"] = str(tmp_path / "run-%p.pcrec")
    run(programs.demo, "set_right", env=env)
    (made,) = tmp_path.iterdir()
    assert re.fullmatch(r"run-\d+\.pcrec", made.name)
    env["PREPCHECK_TRACE"] = str(tmp_path / "nowhere" / "x.pcrec")
    done = run(programs.demo, "set_right", env=env)
    assert "cannot be written" in done.stderr


def test_mnn_calls_session_and_tensors(programs: Programs) -> None:
    gpu = record_to_plan(programs.record("opencl_right", mnn=True)).plan
    assert (gpu["backend"], gpu["session"]) == (
        "opencl",
        {"mode": 68, "precision": "high", "memory": "normal", "power": "normal", "backup": "cpu"},
    )
    once = record_to_plan(programs.record("written_once", mnn=True))
    assert [a for a in names(once) if a != "copyToHostTensor"] == ["copyFromHostTensor", "runSession", "runSession"]
    host = record_to_plan(programs.record("host_on_gpu", mnn=True))
    assert names(host)[:2] == ["host", "runSession"]
    image = calls(record_to_plan(programs.record("image_right", mnn=True)), "ImageProcess.convert")[0]
    assert (image["source_format"], image["dest_format"], image["filter"]) == ("BGR", "RGB", "bilinear")
    assert image["matrix"] == [2, 0, 0.5, 0, 2, 0.5, 0, 0, 1]
    other = calls(record_to_plan(programs.record("other_type", mnn=True)), "copyFromHostTensor")[0]["host"]
    assert isinstance(other, dict)
    assert other["dtype"] == "uint8"


@pytest.mark.parametrize(
    ("compatible", "platform"),
    [
        ("rockchip,rk3588-evb7 rockchip,rk3588", "rk3588"),
        ("radxa,rock-5a rockchip,rk3588s", "rk3588"),
        ("rockchip,rv1106g-evb1-v11 rockchip,rv1106", "rv1106"),
        ("rockchip,rv1126b-evb rockchip,rv1126b", "rv1126b"),
        ("brcm,bcm2711", None),
        (None, None),
    ],
)
def test_the_board_tells_the_chip(compatible: str | None, platform: str | None) -> None:
    assert platform_of(compatible) == platform
