"""librga's calls of a record, imports, dma heaps and the synchronising of dma-bufs as calls of a plan (interface §4.3)."""

from __future__ import annotations

import pytest

from prepcheck.readers.record_parts import Memories, Memory, Story
from prepcheck.readers.record_rga import CSC, RgaReader, format_name
from prepcheck.wire.pcrec import JsonValue
from tests.readers.record_builder import Event, ev

STAMP: Event = {"th": 3, "t": 500}
STAMPED: dict[str, object] = {"thread": 3, "t_ms": 0.5}
HEAP: Event = ev("dma_heap_alloc", heap="/dev/dma_heap/system", size=4096, fd=7, ret=0)
RGB: Event = {"width": 64, "height": 48, "format": 0x200}
"""A picture of RK_FORMAT_RGB_888 (rga.h: 0x2 << 8)."""


def read(*events: Event) -> RgaReader:
    """A reader that has taken the events."""
    reader = RgaReader(Memories(), Story())
    for event in events:
        reader.take(event)
    return reader


def calls(*events: Event) -> list[dict[str, JsonValue]]:
    return read(*events).story.calls


def channel(fields: Event, *before: Event, api: str = "imcopy") -> Event:
    """What becomes of the source of an operation."""
    found = calls(*before, ev(api, src=fields))[-1]["src"]
    assert isinstance(found, dict)
    return found


def test_the_numbers_of_im2d_type_h() -> None:
    """IM_COLOR_SPACE_MODE: to RGB in the lowest two bits, to YUV in the next two."""
    assert CSC == {
        1 << 0: "YUV_TO_RGB_BT601_LIMIT",
        2 << 0: "YUV_TO_RGB_BT601_FULL",
        3 << 0: "YUV_TO_RGB_BT709_LIMIT",
        1 << 2: "RGB_TO_YUV_BT601_FULL",
        2 << 2: "RGB_TO_YUV_BT601_LIMIT",
        3 << 2: "RGB_TO_YUV_BT709_LIMIT",
    }
    assert [format_name(n) for n in (0, 2, 0x200, 0xA, 0xA00, 0xFFFFFF, -1)] == [
        "RGBA_8888", "RGB_888", "RGB_888", "YCbCr_420_SP", "YCbCr_420_SP", None, None,
    ]  # fmt: skip


def test_other_calls_say_nothing() -> None:
    reader = read(
        *(ev(api, ret=1) for api in ("imsync", "imcheck_t", "rknn_run", "imresize_t", "", "releasebuffer_handle"))
    )
    assert (reader.story.calls, reader.memories.all, reader.cores) == ([], [], {})


@pytest.mark.parametrize(
    "api", ["imresize", "imcvtcolor", "imcrop", "improcess", "imcopy", "imfill", "imrotate", "imflip", "imtranslate"]
)
def test_the_operations_of_im2d(api: str) -> None:
    assert calls(ev(api, ret=1, **STAMP)) == [{"api": api, "ret": 1, **STAMPED}]


def test_an_operation_with_all_that_is_known() -> None:
    source: Event = {**RGB, "wstride": 80, "hstride": 50, "size": 12000, "fd": 7, "rect": [2, 4, 20, 30]}
    (_, call) = calls(
        HEAP, ev("imcrop", src=source, dst={**RGB, "virt": "0x9000", "rect": [0, 0, 0, 0]}, ret=1, **STAMP)
    )
    assert call == {
        "api": "imcrop",
        "src": {
            "width": 64,
            "height": 48,
            "wstride": 80,
            "hstride": 50,
            "size": 12000,
            "format": "RGB_888",
            "rect": [2, 4, 20, 30],
            "memory": {"kind": "dma_fd", "address": 7, "heap": "system", "cached": True, "capacity": 4096},
            "buffer": "dma0",
        },
        "dst": {"width": 64, "height": 48, "format": "RGB_888", "memory": {"kind": "virtual"}, "buffer": "host0"},
        "ret": 1,
        **STAMPED,
    }


def test_strides_of_zero_and_rectangles_of_no_size_are_not_set() -> None:
    plain: Event = {"width": 64, "height": 48, "format": "RGB_888"}
    assert channel({**RGB, "wstride": 0, "hstride": 0, "size": 0}) == plain
    rects: list[JsonValue] = [[1, 2, 0, 4], [1, 2, 3, 0], [1, 2, 3], [1, 2, 3, 4, 5], None]
    assert [channel({**RGB, "rect": rect}) for rect in rects] == [plain] * 5
    assert channel({**RGB, "rect": [0, 0, 3, 4]}) == {**plain, "rect": [0, 0, 3, 4]}
    assert channel({"fd": 0}) == {"width": 0, "height": 0, "format": "RGBA_8888"}
    assert "src" not in calls(ev("imcopy", src={}))[0]


def test_the_memory_of_a_channel() -> None:
    """librga takes a handle before a physical address before an fd before a pointer (im2d, rga_set_buffer_info)."""
    every: Event = {"handle": 5, "phys": "0x8000", "fd": 7, "virt": "0x9000"}
    found = []
    for key in ("handle", "phys", "fd", "virt"):
        found.append(channel({**RGB, **every}, HEAP)["memory"])
        every.pop(key)
    heap = {"heap": "system", "cached": True, "capacity": 4096}
    assert found == [
        {"kind": "handle", "address": 5},
        {"kind": "physical", "address": 0x8000, **heap},
        {"kind": "dma_fd", "address": 7, **heap},
        {"kind": "virtual"},
    ]
    assert channel({**RGB, "fd": 1})["memory"] == {"kind": "dma_fd", "address": 1}
    assert channel({**RGB, "handle": 5}) == {"width": 64, "height": 48, "format": "RGB_888", "memory": found[0]}


def test_memory_of_the_runtime_is_known_by_its_address() -> None:
    reader = RgaReader(Memories(), Story())
    reader.memories.all.append(Memory("mem0", "dma_fd", size=512, virt=0x1000, cached=False))
    reader.take(ev("imcopy", src={**RGB, "virt": "0x1010"}))
    (call,) = reader.story.calls
    assert call["src"] == {
        "width": 64, "height": 48, "format": "RGB_888", "buffer": "mem0",
        "memory": {"kind": "virtual", "cached": False, "capacity": 512},
    }  # fmt: skip


def test_the_colour_of_a_fill() -> None:
    assert calls(ev("imfill", dst=RGB, color="0xff727272", ret=1)) == [
        {"api": "imfill", "dst": {"width": 64, "height": 48, "format": "RGB_888"}, "color": "0xff727272", "ret": 1}
    ]
    assert calls(ev("imfill", color="0x7f"))[0]["color"] == "0x0000007f"


def test_a_conversion_of_colours_replaces_the_formats() -> None:
    """imcvtcolor writes sfmt and dfmt over the formats of the images, 0 (RGBA_8888) too; mode is its colour space."""
    fields: Event = {"sfmt": 0xA00, "dfmt": 0, "mode": 3}
    images: Event = {
        "src": {"width": 4, "height": 2, "format": 0x700},
        "dst": {"width": 4, "height": 2, "format": 0x700},
    }
    (call,) = calls(ev("imcvtcolor", fields, **images, ret=1))
    assert call == {
        "api": "imcvtcolor",
        "src": {"width": 4, "height": 2, "format": "YCbCr_420_SP"},
        "dst": {"width": 4, "height": 2, "format": "RGBA_8888"},
        "csc": "YUV_TO_RGB_BT709_LIMIT",
        "ret": 1,
    }
    assert channel(RGB)["format"] == "RGB_888"
    assert "csc" not in calls(ev("imcvtcolor", mode=0))[0]
    assert "csc" not in calls(ev("imresize", mode=3))[0]
    assert calls(ev("improcess", dst={"color_space": 1}))[0]["csc"] == CSC[1]  # the program wrote it into the image
    assert "csc" not in calls(ev("improcess", src={"color_space": 1}, dst={"color_space": 0}))[0]
    assert "csc" not in calls(ev("c_RkRgaBlit", dst={"color_space": 1}))[0]


def test_the_legacy_calls_are_told_in_words_of_im2d() -> None:
    """c_RkRgaBlit returns 0 for success, im2d 1. Its structure has only the rectangle and the strides."""
    source: Event = {"fd": 0, "wstride": 80, "hstride": 50, "format": 0x200, "rect": [0, 0, 64, 48]}
    target: Event = {"wstride": 0, "hstride": 0, "format": 0x700, "rect": [0, 0, 32, 24]}
    (blit,) = calls(ev("c_RkRgaBlit", src=source, dst=target, ret=0))
    assert blit == {
        "api": "improcess",
        "src": {"width": 80, "height": 50, "wstride": 80, "hstride": 50, "format": "RGB_888", "rect": [0, 0, 64, 48]},
        "dst": {"width": 32, "height": 24, "format": "BGR_888", "rect": [0, 0, 32, 24]},
        "ret": 1,
    }
    assert calls(ev("RkRgaBlit", ret=-22), ev("c_RkRgaColorFill", ret=0), ev("RkRgaBlit")) == [
        {"api": "improcess", "ret": -22},
        {"api": "imfill", "ret": 1},
        {"api": "improcess"},
    ]
    assert channel({"width": 3, "height": 2, "format": 0x200}, api="RkRgaBlit") == {
        "width": 3,
        "height": 2,
        "format": "RGB_888",
    }
    assert channel({**RGB, "wstride": 80, "rect": [0, 0, 9, 8]})["width"] == 64


def test_the_core_that_a_thread_chose() -> None:
    """IM_SCHEDULER_CORE (im2d_type.h): RGA3 has bits 1 and 2, RGA2 bits 4 and 8; imconfig holds for its thread alone."""

    def core(*events: Event) -> JsonValue:
        return calls(*events, ev("imcopy", th=1))[-1].get("core")

    config = ev("imconfig", name=0, value=4, th=1, ret=1)
    assert [core({**config, "value": v}) for v in (1, 2, 3, 4, 8, 12)] == ["rga3"] * 3 + ["rga2"] * 3
    assert [core(config, {**config, "value": v}) for v in (5, 7, 0)] == [None, None, None]
    assert core({**config, "value": 7}) is None
    assert [core({**config, **odd}) for odd in ({"name": 1}, {"ret": -4}, {"ret": 0}, {"th": 0})] == [None] * 4
    assert core(config, {**config, "th": 2, "value": 1}) == "rga2"
    assert "core" not in calls(ev("imcopy"))[0]


def test_a_buffer_of_a_heap() -> None:
    """DMA_HEAP_IOCTL_ALLOC: the heap is the name of its device; one with "uncached" in it has no cache."""
    reader = read({**HEAP, **STAMP})
    assert reader.story.calls == [{"api": "alloc", "buffer": "dma0", "size": 4096, "ret": 0, **STAMPED}]
    assert reader.memories.all == [Memory("dma0", "dma_fd", size=4096, fd=7, heap="system", cached=True, address=7)]
    (uncached,) = read({**HEAP, "heap": "/dev/dma_heap/system-uncached-dma32"}).memories.all
    assert (uncached.heap, uncached.cached) == ("system-uncached-dma32", False)
    (bare,) = read({**HEAP, "heap": "cma"}).memories.all
    assert (bare.heap, bare.cached) == ("cma", True)
    for heap in (None, ""):
        (unknown,) = read({**HEAP, "heap": heap}).memories.all
        assert (unknown.heap, unknown.cached) == (None, None)


def test_an_allocation_that_failed_is_none() -> None:
    for odd in ({"ret": -1}, {"fd": None}, {"ret": None}):
        assert read({**HEAP, **odd}).memories.all == []
    assert len(read({**HEAP, "ret": 2}).memories.all) == 1


def test_the_synchronising_of_a_dma_buf() -> None:
    """linux/dma-buf.h: READ 1, WRITE 2, START 0, END 4. The end of an access hands the CPU's bytes over."""
    sync = ev("dma_buf_sync", fd=7, ret=0, **STAMP)
    found = calls(HEAP, *({**sync, "flags": flags} for flags in (1, 2, 3, 4, 5, 7)))[1:]
    ways = ["from_device"] * 3 + ["to_device"] * 3
    plain = {"api": "dma_buf_sync", "buffer": "dma0", "ret": 0, **STAMPED}
    assert found == [{**plain, "direction": way} for way in ways]
    assert calls(HEAP, {**sync, "hash": "f:1"})[1:] == [
        {"api": "write", "buffer": "dma0", "by": "cpu", "size": 4096, **STAMPED},
        {**plain, "direction": "from_device"},
    ]
    assert calls(sync, {**sync, "fd": None}) == []


def test_a_change_after_a_device_s_write_is_not_the_cpu_s() -> None:
    """Of the target alone, and only where the operation succeeded: im2d says so by a number above 0, the legacy calls by 0."""
    sync = ev("dma_buf_sync", fd=7, hash="f:1")

    def written(api: str, side: str, ret: int | None) -> bool:
        return "write" in [c["api"] for c in calls(HEAP, ev(api, {side: {"fd": 7}}, ret=ret), sync)]

    assert [written("imcopy", "dst", ret) for ret in (1, 2, 0, -1, None)] == [False, False, True, True, True]
    assert [written("c_RkRgaBlit", "dst", ret) for ret in (0, 1, -22, None)] == [False, True, True, True]
    assert written("imcopy", "src", 1)
    reader = read(HEAP, ev("imcopy", dst={"virt": "0x9000"}, ret=1))
    assert [m.by_device for m in reader.memories.all] == [False, True]


def test_an_import_by_fd() -> None:
    reader = read(HEAP, ev("importbuffer_fd", fd=7, width=64, height=48, format=0x200, handle=5, **STAMP))
    memory = {"kind": "dma_fd", "address": 7, "heap": "system", "cached": True, "capacity": 4096}
    assert reader.story.calls[1:] == [
        {
            "api": "importbuffer_fd",
            "src": {"width": 64, "height": 48, "format": "RGB_888", "memory": memory, "buffer": "dma0"},
            "ret": 5,
            **STAMPED,
        }
    ]
    assert reader.memories.by_handle == {5: reader.memories.all[0]}
    reader.take(ev("imcopy", src={**RGB, "handle": 5}, dst={**RGB, "handle": 5}, ret=1))
    call = reader.story.calls[-1]
    assert call["src"] == {
        "width": 64, "height": 48, "format": "RGB_888", "memory": {**memory, "kind": "handle", "address": 5}, "buffer": "dma0",
    }  # fmt: skip
    assert reader.memories.all[0].by_device


def test_an_import_by_size_and_address() -> None:
    by_pointer = read(ev("importbuffer_virtualaddr", virt="0x9000", size=100, handle=6))
    assert by_pointer.story.calls == [
        {
            "api": "importbuffer_virtualaddr",
            "src": {"size": 100, "memory": {"kind": "virtual"}, "buffer": "host0"},
            "ret": 6,
        }
    ]
    assert by_pointer.memories.by_handle == {6: Memory("host0", "virtual", virt=0x9000)}
    by_address = read(ev("importbuffer_physicaladdr", phys="0x8000", size=100, width=0, handle=6))
    assert by_address.story.calls == [
        {
            "api": "importbuffer_physicaladdr",
            "src": {"size": 100, "memory": {"kind": "physical", "address": 0x8000}},
            "ret": 6,
        }
    ]
    assert (by_address.memories.by_handle, by_address.memories.all) == ({}, [])
    unknown = read(ev("importbuffer_fd", fd=9, virt="0x1", handle=6))
    assert unknown.story.calls == [
        {"api": "importbuffer_fd", "src": {"memory": {"kind": "dma_fd", "address": 9}}, "ret": 6}
    ]
    assert unknown.memories.all == []


@pytest.mark.parametrize(
    ("handle", "ret", "known"),
    [(0, 0, False), (0xFFFFFFFF, -1, False), (1, 1, True), (0x7FFFFFFF, 0x7FFFFFFF, True), (0x80000000, -0x80000000, True)],
)  # fmt: skip
def test_a_handle_of_a_failed_import_means_nothing(handle: int, ret: int, known: bool) -> None:
    """importbuffer_* returns 0 on failure, or −1 through an unsigned type: 32 bits read as a signed number."""
    reader = read(HEAP, ev("importbuffer_fd", fd=7, handle=handle))
    assert reader.story.calls[-1]["ret"] == ret
    assert list(reader.memories.by_handle) == ([handle] if known else [])
