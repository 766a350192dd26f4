"""RKNN's calls of a record as calls of a plan, memories under their names, bytes kept by input and run."""

from __future__ import annotations

import pytest

from prepcheck.readers.record_parts import Memories, Memory, Recorded, Story
from prepcheck.readers.record_rknn import Context, RknnReader
from prepcheck.wire.pcrec import JsonValue
from tests.readers.record_builder import Event, ev

STAMP: Event = {"th": 2, "t": 1500}
STAMPED: dict[str, object] = {"thread": 2, "t_ms": 1.5}
CREATE: Event = ev("rknn_create_mem", mem="0xa0", size=100, mem_size=128, virt="0x1000", fd=9, hash="f:0", ret=0)
SECOND: Event = {**CREATE, "mem": "0xb0", "fd": 10, "virt": "0x2000", "size": 64, "mem_size": 64}


def read(*events: Event) -> RknnReader:
    """A reader of one context that has taken the events; each is one of RKNN's."""
    reader = RknnReader(Context(1), Memories(), Story())
    assert all(reader.take(event) for event in events)
    return reader


def calls(*events: Event) -> list[dict[str, JsonValue]]:
    return read(*events).story.calls


def after_create(*events: Event) -> list[dict[str, JsonValue]]:
    """The calls after rknn_create_mem of two memories, mem0 and mem1."""
    return calls(CREATE, SECOND, *events)[2:]


def test_a_new_context_knows_nothing() -> None:
    assert Context(7) == Context(
        number=7, attrs={}, version=None, set_hashes={}, bound={}, runs=0, path=None, model_size=None, model_hash=None,
    )  # fmt: skip


def test_other_runtimes_are_not_taken_and_unknown_calls_say_nothing() -> None:
    reader = RknnReader(Context(1), Memories(), Story())
    assert not any(reader.take(ev(api)) for api in ("imresize", "mnn.runSession", "xrknn_run", "RKNN_RUN", ""))
    assert all(reader.take(ev(api)) for api in ("rknn_destroy", "rknn_wait", "rknn_outputs_release", "rknn_"))
    assert reader.story.calls == []


def test_what_was_loaded() -> None:
    reader = read(ev("rknn_init", path="/m/a.rknn", model_size=77, hash="f:5", flag=0x8 | 0x2, ret=0, **STAMP))
    assert reader.story.calls == [
        {"api": "rknn_init", "flags": ["PRIOR_LOW", "COLLECT_PERF_MASK"], "ret": 0, **STAMPED}
    ]
    context = reader.context
    assert (context.path, context.model_size, context.model_hash) == ("/m/a.rknn", 77, "f:5")
    bare = read(ev("rknn_init"))
    assert bare.story.calls == [{"api": "rknn_init", "flags": []}]
    assert (bare.context.path, bare.context.model_size, bare.context.model_hash) == (None, None, None)


def test_inputs_set() -> None:
    """rknn_input of rknn_api.h: index, buf, size, pass_through, type, fmt."""
    first: Event = {"index": 1, "buf": "0x5000", "type": 3, "fmt": 1, "size": 12, "pass_through": 1, "hash": "f:1"}
    second: Event = {"index": 0, "buf": "0x0", "type": 99, "fmt": 4, "size": 0, "pass_through": 0}
    reader = read(ev("rknn_inputs_set", inputs=[first, second], ret=0, **STAMP), ev("rknn_inputs_set"))
    assert reader.story.calls == [
        {
            "api": "rknn_inputs_set",
            "inputs": [
                {"index": 1, "buffer": "host0", "type": "UINT8", "fmt": "NHWC", "size": 12, "pass_through": 1, "hash": "f:1"},
                {"index": 0, "buffer": None, "type": None, "fmt": None, "size": 0, "pass_through": 0},
            ],
            "ret": 0,
            **STAMPED,
        },
        {"api": "rknn_inputs_set", "inputs": []},
    ]  # fmt: skip
    assert reader.memories.all == [Memory("host0", "virtual", virt=0x5000)]


def test_a_buffer_inside_a_known_memory_has_its_name() -> None:
    item: Event = {"index": 0, "buf": "0x1010", "type": 2, "fmt": 0}
    (given,) = after_create(ev("rknn_inputs_set", inputs=[item]))
    assert given["inputs"] == [
        {"index": 0, "buffer": "mem0", "type": "INT8", "fmt": "NCHW", "size": 0, "pass_through": 0}
    ]


def test_a_run_has_the_hashes_of_what_was_set_by_input() -> None:
    """The same bytes as before count again; what a failed call handed over does not."""

    def given(ret: int, **hashes: str) -> Event:
        items: list[JsonValue] = [{"index": int(k[1:]), "hash": v} for k, v in hashes.items()]
        return ev("rknn_inputs_set", inputs=items, ret=ret)

    run = ev("rknn_run", ret=0)
    found = calls(run, given(0, i1="f:b", i0="f:a"), run, given(-1, i0="f:x"), run, given(0, i0="f:c"), run)
    assert [c.get("hash") for c in found if c["api"] == "rknn_run"] == [None, "f:a,f:b", "f:a,f:b", "f:c,f:b"]
    assert "hash" not in found[0]


def test_a_created_memory() -> None:
    """rknn_tensor_mem: virt_addr, phys_addr, fd, size; of the runtime's own making it is cacheable."""
    reader = read({**CREATE, **STAMP})
    assert reader.story.calls == [{"api": "rknn_create_mem", "buffer": "mem0", "size": 100, "ret": 0, **STAMPED}]
    memory = Memory("mem0", "dma_fd", size=128, fd=9, virt=0x1000, cached=True, address=9, hash="f:0")
    assert reader.memories.all == [memory]
    assert reader.memories.by_mem == {0xA0: memory}
    assert memory.document() == {
        "memory": {"kind": "dma_fd", "cached": True, "address": 9, "capacity": 128},
        "size": 128,
    }


def test_a_memory_of_which_little_is_known() -> None:
    bare = read(ev("rknn_create_mem", mem="0x1", size=5))
    assert bare.memories.all == [Memory("mem0", "dma_fd", size=5, cached=True)]
    assert bare.story.calls == [{"api": "rknn_create_mem", "buffer": "mem0", "size": 5, "ret": 0}]
    sized = read(ev("rknn_create_mem", mem="0x1", mem_size=6))
    assert sized.story.calls == [{"api": "rknn_create_mem", "buffer": "mem0", "size": 6, "ret": 0}]


@pytest.mark.parametrize(
    ("flags", "names", "cached"),
    [
        (1, ["MEMORY_CACHEABLE"], True),
        (2, ["MEMORY_NON_CACHEABLE"], False),
        (4, ["MEMORY_TRY_ALLOC_SRAM"], True),
        (6, ["MEMORY_NON_CACHEABLE", "MEMORY_TRY_ALLOC_SRAM"], False),
    ],
)
def test_memory_with_flags(flags: int, names: list[str], cached: bool) -> None:
    """rknn_create_mem2 is rknn_create_mem with flags (interface §4.1)."""
    reader = read({**CREATE, "api": "rknn_create_mem2", "flags": flags})
    assert reader.story.calls == [{"api": "rknn_create_mem", "buffer": "mem0", "size": 100, "flags": names, "ret": 0}]
    assert reader.memories.all[0].cached is cached


def test_a_memory_that_was_not_made() -> None:
    """A NULL pointer is told as −1; nothing may be found in it afterwards."""
    reader = read(ev("rknn_create_mem", mem="0x0", size=5, virt="0x1000", fd=9, ret=0))
    assert reader.story.calls == [{"api": "rknn_create_mem", "buffer": "mem0", "size": 5, "ret": -1}]
    assert (reader.memories.by_mem, reader.memories.all[0].alive) == ({}, False)


def test_memory_of_a_physical_address() -> None:
    reader = read(ev("rknn_create_mem_from_phys", mem="0x1", size=50, virt="0x1000", phys="0x8000", fd=-1))
    assert reader.memories.all == [Memory("mem0", "physical", size=50, fd=-1, virt=0x1000, address=0x8000)]
    assert reader.story.calls == [{"api": "rknn_create_mem_from_phys", "buffer": "mem0", "size": 50, "ret": 0}]


def test_memory_of_a_known_file_descriptor_is_that_memory() -> None:
    """What the heap told of it stays: its name, kind, heap and whether it is cached."""
    reader = RknnReader(Context(1), Memories(), Story())
    heap = reader.memories.new("dma", "dma_fd")
    heap.size, heap.fd, heap.heap, heap.cached, heap.address = 500, 9, "system-uncached", False, 9
    assert reader.take(
        ev("rknn_create_mem_from_fd", mem="0x1", size=50, virt="0x1000", fd=9, from_fd=9, from_offset=16)
    )
    assert reader.memories.all == [
        Memory("dma0", "dma_fd", size=50, fd=9, virt=0x1000, heap="system-uncached", cached=False, address=9)
    ]
    assert reader.memories.by_mem == {1: heap}
    assert reader.story.calls == [
        {"api": "rknn_create_mem_from_fd", "buffer": "dma0", "size": 50, "fd": 9, "offset": 16, "ret": 0}
    ]


@pytest.mark.parametrize("api", ["rknn_create_mem_from_fd", "rknn_create_mem_from_mb_blk"])
def test_of_foreign_memory_it_is_not_known_whether_it_is_cached(api: str) -> None:
    """Only whoever allocated it can say: a camera's buffer may be either."""
    reader = read(ev(api, mem="0x1", size=50, virt="0x1000", fd=12))
    assert reader.memories.all == [Memory("mem0", "dma_fd", size=50, fd=12, virt=0x1000, address=12)]
    plain = "rknn_create_mem_from_fd" if api.endswith("fd") else "rknn_create_mem"
    assert reader.story.calls == [{"api": plain, "buffer": "mem0", "size": 50, "ret": 0}]


def test_binding_an_input_and_an_output() -> None:
    """The runtime finds the tensor by the attribute's name; else by its index, as an input."""
    queries = [
        ev("rknn_query", ret=0, cmd=cmd, index=index, name=name, dims=[1])
        for cmd, index, name in ((8, 2, "out"), (1, 0, "a"), (1, 1, "in"), (2, 3, "out"))
    ]
    attr: Event = {"name": "in", "index": 7, "type": 3, "fmt": 1, "pass_through": 0, "w_stride": 32}
    bind = ev("rknn_set_io_mem", mem="0xa0", mem_size=128, attr=attr, ret=0, **STAMP)
    both: dict[str, object] = {"api": "rknn_set_io_mem", "buffer": "mem0", "type": "UINT8", "fmt": "NHWC"}
    rest: dict[str, object] = {"size": 128, "pass_through": 0, "w_stride": 32, "ret": 0, **STAMPED}
    found = after_create(*queries, bind, *({**bind, "attr": {**attr, "name": name}} for name in ("out", "other")))
    assert found == [
        {**both, "index": 1, "name": "in", **rest},
        {**both, "for": "outputs[3]", "name": "out", **rest},
        {**both, "index": 7, "name": "other", **rest},
    ]
    assert after_create(ev("rknn_set_io_mem", mem="0xc0")) == [
        {
            "api": "rknn_set_io_mem", "index": 0, "type": None, "fmt": None, "size": None, "pass_through": None,
            "w_stride": None, "name": None,
        }
    ]  # fmt: skip


def test_syncing_shows_what_the_cpu_wrote_before() -> None:
    """rknn_mem_sync_mode: TO_DEVICE 1, FROM_DEVICE 2, BIDIRECTIONAL 3."""
    sync = ev("rknn_mem_sync", mem="0xa0", ret=0, **STAMP)
    found = after_create(*({**sync, "mode": mode, "hash": "f:1"} for mode in (1, 2, 3, 4)))
    write = {"api": "write", "buffer": "mem0", "by": "cpu", "size": 128, **STAMPED}
    synced = [
        {"api": "rknn_mem_sync", "buffer": "mem0", "direction": direction, "ret": 0, **STAMPED}
        for direction in ("to_device", "from_device", "both", None)
    ]
    assert found == [write, *synced]
    assert after_create({**sync, "mem": "0xc0"}) == []


def test_destroying() -> None:
    """After it the address means nothing; a failed call leaves the memory alive."""
    destroy = ev("rknn_destroy_mem", mem="0xa0", ret=0, **STAMP)
    reader = read(CREATE, SECOND, destroy, {**destroy, "mem": "0xb0", "ret": -5}, {**destroy, "mem": "0xc0"})
    assert reader.story.calls[2:] == [
        {"api": "rknn_destroy_mem", "buffer": "mem0", "ret": 0, **STAMPED},
        {"api": "rknn_destroy_mem", "buffer": "mem1", "ret": -5, **STAMPED},
    ]
    assert [m.alive for m in reader.memories.all] == [False, True]


def test_a_run_over_bound_memories() -> None:
    """Their content before the run: written by the CPU where it changed; the hashes stand in the order of the inputs."""
    bound: list[JsonValue] = [
        {"index": 1, "mem": "0xa0", "hash": "f:1", "blob": 4, "size": 999, "want_float": 0},
        {"index": 0, "mem": "0xb0", "hash": "f:0", "blob": 5},
    ]
    reader = read(CREATE, SECOND, ev("rknn_run", bound=bound, ret=0, **STAMP))
    assert reader.story.calls[2:] == [
        {"api": "write", "buffer": "mem0", "by": "cpu", "size": 128, **STAMPED},
        {"api": "rknn_run", "hash": "f:0,f:1", "ret": 0, **STAMPED},
    ]
    assert reader.story.inputs == [Recorded(1, 0, 4, 128), Recorded(0, 0, 5, 64)]
    assert (reader.story.outputs, reader.context.runs) == ([], 1)


def test_bound_memory_outweighs_what_was_set() -> None:
    given = ev("rknn_inputs_set", inputs=[{"index": 0, "hash": "f:a"}, {"index": 1, "hash": "f:b"}], ret=0)
    run = ev("rknn_run", bound=[{"index": 1, "mem": "0xc0", "hash": "f:c", "blob": 3}])
    reader = read(given, run, ev("rknn_run"))
    assert [c.get("hash") for c in reader.story.calls[1:]] == ["f:a,f:c", "f:a,f:b"]
    assert reader.story.inputs == []


def test_memory_that_cannot_be_seen_may_have_been_written() -> None:
    """Without a hash a write is told by nobody; of destroyed memory, or after RGA wrote it, not even that."""
    run = ev("rknn_run", bound=[{"index": 0, "mem": "0xa0"}], ret=0, **STAMP)
    gone = ev("rknn_run", bound=[{"index": 0, "mem": "0xa0", "destroyed": 1}])
    assert after_create(run) == [
        {"api": "write", "buffer": "mem0", **STAMPED},
        {"api": "rknn_run", "ret": 0, **STAMPED},
    ]
    assert after_create(gone) == [{"api": "rknn_run"}]
    reader = read(CREATE)
    reader.memories.all[0].by_device = True
    reader.take(run)
    assert [c["api"] for c in reader.story.calls[1:]] == ["rknn_run"]


def test_bytes_of_inputs_and_outputs_by_run() -> None:
    """Outputs bound to memory are seen with the run; rknn_outputs_get comes after it and belongs to the run before."""
    given = ev(
        "rknn_inputs_set",
        inputs=[{"index": 2, "blob": 1, "size": 10}, {"index": 0, "size": 3}, {"index": 1, "blob": 0}],
    )
    results: list[JsonValue] = [
        {"index": 0, "mem": "0xa0", "blob": 6, "size": 9},
        {"index": 1, "mem": "0xc0", "blob": 7, "size": 8},
        {"index": 2, "mem": "0xb0"},
    ]
    outputs: list[JsonValue] = [
        {"index": 0, "blob": 8, "size": 40, "want_float": 1, "hash": "f:1"}, {"index": 1, "hash": "f:2"},
        {"index": 2, "blob": 9, "size": 41, "want_float": 0},
    ]  # fmt: skip
    fetch = ev("rknn_outputs_get", outputs=outputs, ret=0, **STAMP)
    run = ev("rknn_run", results=results)
    reader = read(CREATE, SECOND, given, run, fetch, given, run)
    assert reader.story.inputs == [Recorded(2, 0, 1, 10), Recorded(2, 1, 1, 10)]
    assert reader.story.outputs == [
        Recorded(0, 0, 6, 128), Recorded(1, 0, 7, 8), Recorded(0, 0, 8, 40, want_float=True), Recorded(2, 0, 9, 41),
        Recorded(0, 1, 6, 128), Recorded(1, 1, 7, 8),
    ]  # fmt: skip
    assert reader.story.calls[4] == {"api": "rknn_outputs_get", "hash": "f:1,f:2", "ret": 0, **STAMPED}
    assert reader.context.runs == 2


def test_a_result_in_memory_of_unknown_size_has_the_size_of_its_event() -> None:
    bare: Event = ev("rknn_create_mem", mem="0xa0")
    bound: list[JsonValue] = [{"index": 0, "mem": "0xa0", "hash": "f:1", "blob": 1, "size": 5}]
    results: list[JsonValue] = [{"index": 0, "mem": "0xa0", "blob": 2, "size": 6}]
    reader = read(bare, ev("rknn_run", bound=bound, results=results), ev("rknn_outputs_get"))
    assert (reader.story.inputs, reader.story.outputs) == ([Recorded(0, 0, 1, 5)], [Recorded(0, 0, 2, 6)])
    assert reader.story.calls[-1] == {"api": "rknn_outputs_get"}
