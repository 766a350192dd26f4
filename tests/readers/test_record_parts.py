"""What the readers of a record share: the vendor's numbers by name, values of any kind made safe, memories, calls."""

from __future__ import annotations

import math

import pytest

from prepcheck.readers.record_parts import (
    C_FORMATS,
    C_TYPES,
    INIT_FLAGS,
    MEM_FLAGS,
    Memories,
    Memory,
    Recorded,
    RecordedModel,
    Story,
    bits,
    integers,
    named,
    optional,
    real,
    table,
    tables,
    text,
    whole,
)
from prepcheck.wire.pcrec import JsonValue

TOP = (1 << 64) - 1


def test_the_numbers_of_rknn_api_h() -> None:
    """rknn_api.h of librknnrt 2.3.2: rknn_tensor_type, rknn_tensor_format, RKNN_FLAG_*, RKNN_FLAG_MEMORY_*."""
    assert dict(enumerate(C_TYPES)) == {
        0: "FLOAT32", 1: "FLOAT16", 2: "INT8", 3: "UINT8", 4: "INT16", 5: "UINT16", 6: "INT32", 7: "UINT32",
        8: "INT64", 9: "BOOL", 10: "INT4", 11: "BFLOAT16",
    }  # fmt: skip
    assert dict(enumerate(C_FORMATS)) == {0: "NCHW", 1: "NHWC", 2: "NC1HWC2", 3: "UNDEFINED"}
    assert INIT_FLAGS == {
        1 << 0: "PRIOR_MEDIUM",
        1 << 1: "PRIOR_LOW",
        1 << 2: "ASYNC_MASK",
        1 << 3: "COLLECT_PERF_MASK",
        1 << 4: "MEM_ALLOC_OUTSIDE",
        1 << 5: "SHARE_WEIGHT_MEM",
        1 << 6: "FENCE_IN_OUTSIDE",
        1 << 7: "FENCE_OUT_OUTSIDE",
        1 << 8: "COLLECT_MODEL_INFO_ONLY",
        1 << 9: "INTERNAL_ALLOC_OUTSIDE",
        1 << 10: "EXECUTE_FALLBACK_PRIOR_DEVICE_GPU",
        1 << 11: "ENABLE_SRAM",
        1 << 12: "SHARE_SRAM",
        1 << 13: "DISABLE_PROC_HIGH_PRIORITY",
        1 << 14: "DISABLE_FLUSH_INPUT_MEM_CACHE",
        1 << 15: "DISABLE_FLUSH_OUTPUT_MEM_CACHE",
        1 << 16: "MODEL_BUFFER_ZERO_COPY",
    }
    assert MEM_FLAGS == {1: "MEMORY_CACHEABLE", 2: "MEMORY_NON_CACHEABLE", 4: "MEMORY_TRY_ALLOC_SRAM"}


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, 7), (-7, -7), (0, 0), ("0x10", 16), ("0x" + "f" * 16, TOP), ("0xAb", 171),
        ("0x" + "0" * 17, 99), ("0xzz", 99), ("0x", 99), ("10", 99), ("1x10", 99), ("x", 99), (TOP, TOP), (-TOP, -TOP),
        (1 << 64, 99), (-(1 << 64), 99), (True, 99), (False, 99), (1.0, 99), (None, 99), ([1], 99), ({"0": 1}, 99),
    ],
)  # fmt: skip
def test_whole_takes_numbers_and_addresses_of_64_bits(value: JsonValue, number: int) -> None:
    assert whole(value, 99) == number
    assert whole(value) == (0 if number == 99 else number)


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), (0, 0), (-3, -3), (TOP, TOP), (-TOP, -TOP), (1 << 64, None), (-(1 << 64), None), (True, None),
     (False, None), (1.5, None), ("7", None), ("0x7", None), (None, None)],
)  # fmt: skip
def test_optional_takes_numbers_alone(value: JsonValue, number: int | None) -> None:
    found = optional(value)
    assert found == number
    assert not isinstance(found, bool)


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7.0), (0.5, 0.5), (-2, -2.0), (9e299, 9e299), (-9e299, -9e299), (1e300, None), (-1e300, None), (10**400, None),
     (math.inf, None), (-math.inf, None), (math.nan, None), (True, None), (False, None), ("1", None), (None, None), ([], None)],
)  # fmt: skip
def test_real_takes_finite_numbers(value: JsonValue, number: float | None) -> None:
    found = real(value)
    assert found == number
    assert isinstance(found, float | None)


def test_values_of_another_kind_become_nothing() -> None:
    texts: list[JsonValue] = ["a", "", 1, None, ["a"]]
    objects: list[JsonValue] = [{"a": 1}, [1], None, "a"]
    assert [text(v) for v in texts] == ["a", "", None, None, None]
    assert [table(v) for v in objects] == [{"a": 1}, {}, {}, {}]
    assert tables([{"a": 1}, 2, None, {}, [{"b": 1}]]) == [{"a": 1}, {}]
    lists: list[JsonValue] = [{"a": 1}, None, "ab", 3]
    assert [tables(v) for v in lists] == [[], [], [], []]
    assert integers([1, "2", True, 3.0, 0, -4, None]) == [1, 0, -4]
    none: list[JsonValue] = [5, None, {"0": 1}, "12"]
    assert [integers(v) for v in none] == [[], [], [], []]


def test_names_of_enumerators_and_of_bits() -> None:
    numbers: list[JsonValue] = [0, 1, 2, 3, -1, "0", None, True]
    assert [named(("a", "b", "c"), v) for v in numbers] == ["a", "b", "c", *[None] * 5]
    names = {1: "one", 2: "two", 8: "eight"}
    assert [bits(names, n) for n in (0, 1, 10, 11, 4)] == [[], ["one"], ["two", "eight"], ["one", "two", "eight"], []]


def test_a_new_memory_is_alive_and_knows_nothing() -> None:
    assert Memory("m") == Memory(
        "m", kind=None, size=None, fd=None, virt=0, heap=None, cached=None, address=None, handle=None, hash=None,
        by_device=False, alive=True,
    )  # fmt: skip
    assert Recorded(1, 2, 3, 4) == Recorded(tensor=1, run=2, blob=3, size=4, want_float=False)
    assert RecordedModel() == RecordedModel(path=None, size=None, hash=None)


def test_the_entry_of_a_memory_in_the_plan() -> None:
    assert Memory("a").document() == {"memory": {"kind": None}}
    full = Memory("a", "dma_fd", size=4096, fd=5, heap="system", cached=False, address=5, hash="f:1")
    assert full.document() == {
        "memory": {"kind": "dma_fd", "heap": "system", "cached": False, "address": 5, "capacity": 4096},
        "size": 4096,
    }
    assert Memory("h", "virtual", size=64).document() == {"memory": {"kind": "virtual", "capacity": 64}}
    assert Memory("p", "physical", size=0, address=0).document() == {
        "memory": {"kind": "physical", "address": 0, "capacity": 0},
        "size": 0,
    }


def test_memories_are_counted_by_kind_of_name() -> None:
    memories = Memories()
    made = [memories.new(stem, "k") for stem in ("mem", "mem", "dma", "mem", "host")]
    assert [m.name for m in made] == ["mem0", "mem1", "dma0", "mem2", "host0"]
    assert {m.kind for m in made} == {"k"}
    assert memories.all == made
    assert (memories.by_mem, memories.by_handle) == ({}, {})


def test_a_file_descriptor_means_the_newest_memory_that_lives() -> None:
    memories = Memories()
    first, second, third = (memories.new("mem", "dma_fd") for _ in range(3))
    first.fd = second.fd = third.fd = 5
    third.alive = False
    assert memories.of_fd(5) is second
    second.alive = False
    assert memories.of_fd(5) is first
    assert memories.of_fd(6) is None
    zero, one = memories.new("mem", "dma_fd"), memories.new("mem", "dma_fd")
    zero.fd, one.fd = 0, 1
    assert (memories.of_fd(0), memories.of_fd(1), memories.of_fd(None)) == (None, one, None)
    zero.fd = -1
    assert memories.of_fd(-1) is None


def test_an_address_means_the_memory_around_it() -> None:
    memories = Memories()
    memory = memories.new("mem", "dma_fd")
    memory.virt, memory.size = 0x1000, 16
    assert memories.of_address(0x1000) is memory
    assert memories.of_address(0x100F) is memory
    assert memories.of_address(0) is None
    before, after = memories.of_address(0xFFF), memories.of_address(0x1010)
    assert before == Memory("host0", "virtual", virt=0xFFF)
    assert after == Memory("host1", "virtual", virt=0x1010)
    assert memories.of_address(0x1010) is after
    assert memories.of_address(0x1011) == Memory(
        "host2", "virtual", virt=0x1011
    )  # of a host memory only its start is known
    assert len(memories.all) == 4


def test_an_address_means_the_newest_living_memory() -> None:
    memories = Memories()
    old, new, unmapped = (memories.new("mem", "dma_fd") for _ in range(3))
    old.virt, old.size = 0x1000, 64
    new.virt, new.size = 0x1000, 64
    unmapped.size = 1 << 40
    assert memories.of_address(0x1004) is new
    new.alive = False
    assert memories.of_address(0x1004) is old
    old.alive = False
    found = memories.of_address(0x1004)
    assert found is not None
    assert found.name == "host0"


def test_a_call_takes_code_thread_and_time_of_its_event() -> None:
    story = Story()
    story.add({"ret": -5, "th": 2, "t": 1234567}, {"api": "a"})
    story.add({"ret": -5, "th": 0, "t": 0}, {"api": "b"}, ret=0)
    story.add({}, {"api": "c"})
    story.add({"ret": "0", "th": None, "t": 0.5}, {"api": "d"})
    story.add({"t": 1}, {"api": "e"}, ret=-1)
    assert story.calls == [
        {"api": "a", "ret": -5, "thread": 2, "t_ms": 1234.567},
        {"api": "b", "ret": 0, "thread": 0, "t_ms": 0.0},
        {"api": "c"},
        {"api": "d"},
        {"api": "e", "ret": -1, "t_ms": 0.001},
    ]
    assert (story.inputs, story.outputs, story.notes) == ([], [], [])


def test_a_changed_content_was_written_by_the_cpu() -> None:
    """Interface §4.3: write by cpu before the event that sees it, with its thread and time and without its code."""
    story, memory = Story(), Memory("mem0", size=12)
    seen: dict[str, JsonValue] = {"ret": 0, "th": 1, "t": 2000, "hash": "f:2"}
    story.content(seen, memory, None)
    assert (story.calls, memory.hash) == ([], None)
    story.content(seen, memory, "f:1")
    story.content(seen, memory, "f:1")
    write = {"api": "write", "buffer": "mem0", "by": "cpu", "size": 12, "thread": 1, "t_ms": 2.0}
    assert (story.calls, memory.hash) == ([write], "f:1")
    memory.size = None
    story.content({}, memory, "f:2")
    assert story.calls[1:] == [{"api": "write", "buffer": "mem0", "by": "cpu"}]


def test_a_change_that_a_device_made_is_not_the_cpu_s() -> None:
    story, memory = Story(), Memory("mem0", hash="f:1", by_device=True)
    story.content({}, memory, None)
    assert memory.by_device
    story.content({}, memory, "f:2")
    assert (story.calls, memory.hash, memory.by_device) == ([], "f:2", False)
    story.content({}, memory, "f:3")
    assert [c["api"] for c in story.calls] == ["write"]
