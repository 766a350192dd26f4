"""Faults in who writes, imports, syncs, allocates and converts: the second half of the mutations of RGA plans."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.plans.rga_mutations import LOW, NV12, channel, chip_of, convert, mutation, plan, resize, side, with_call
from tests.plans.rga_random import Body
from tests.plans.rga_tables import size_of

NV21 = "YCrCb_420_SP"
CACHED: Body = {"kind": "dma_fd", "heap": "system-dma32", "cached": True, "address": 9}
HANDLE: Body = {"kind": "handle"}


def imported(draw: Any, memory: Body = CACHED, writer: str = "cpu") -> Body:
    """Both buffers imported, the source written and synced, a resize by handles."""
    w, h = side(draw), side(draw)
    out = {**LOW, "address": 11}
    return plan(
        chip_of(draw),
        {"api": "alloc", "buffer": "f", "size": size_of("RGB_888", w, h)},
        {"api": "importbuffer_fd", "src": channel("RGB_888", w, h, memory, buffer="f"), "ret": 5},
        {"api": "importbuffer_fd", "src": channel("RGB_888", 320, 320, out, buffer="o"), "ret": 6},
        {"api": "write", "buffer": "f", "by": writer},
        {"api": "dma_buf_sync", "buffer": "f", "direction": "to_device"},
        {"api": "imresize", "src": channel("RGB_888", w, h, HANDLE, buffer="f"),
         "dst": channel("RGB_888", 320, 320, HANDLE, buffer="o"), "ret": 1},
        {"api": "read", "buffer": "o", "by": "cpu"},
    )  # fmt: skip


def without(body: Body, index: int) -> Body:
    """A copy without one call."""
    return {**body, "calls": [c for i, c in enumerate(body["calls"]) if i != index]}


@mutation("no sync after the CPU wrote", "RG030")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, without(good, 4)


@mutation("the sync goes the other way", "RG030")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 4, direction="from_device")


@mutation("the sync comes before the write", "RG030")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    calls = list(good["calls"])
    calls[3], calls[4] = calls[4], calls[3]
    return good, {**good, "calls": calls}


@mutation("a descriptor imported as a physical address", "RG022")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    fd = int(draw(st.integers(3, 900)))
    bad = with_call(good, 1, api="importbuffer_physicaladdr")
    return good, with_call(bad, 1, src={"memory": {"kind": "physical", "address": fd}})


@mutation("a descriptor given to the import for pointers", "RG022")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 2, api="importbuffer_virtualaddr")


@mutation("an import that failed", "RG026")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 1, ret=int(draw(st.sampled_from([0, -1]))))


@mutation("a status ignored", "RG027")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 5, ret=int(draw(st.sampled_from([0, -1, -2, -3, -4]))))


@mutation("a handle and an address", "RG024")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 5, dst={"memory": {**LOW, "address": 11}})


@mutation("the handle -1", "RG023")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 5, dst={"memory": {"kind": "handle", "address": 0xFFFFFFFF}})


@mutation("the descriptor in place of the handle", "RG047")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 5, src={"memory": {"kind": "handle", "address": 9}})


@mutation("allocated anew after the import", "RG025")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    calls = [*good["calls"][:3], good["calls"][0], *good["calls"][3:]]
    return good, {**good, "calls": calls}


@mutation("allocated anew after the decoder wrote", "RG029")
def _(draw: Any) -> tuple[Body, Body]:
    w, h = side(draw), side(draw)
    write, alloc = (
        {"api": "write", "buffer": "f", "by": "decoder"},
        {"api": "alloc", "buffer": "f", "size": w * h * 3 // 2},
    )
    call = {"api": "imcvtcolor", "src": channel(NV12, w, h, buffer="f"), "dst": channel("RGB_888", w, h), "csc": None}
    name = chip_of(draw)
    return plan(name, alloc, write, call), plan(name, write, alloc, call)


@mutation("read without a sync", "RG031", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    return good, with_call(good, 2, src={"memory": {**CACHED, "address": 11}})


@mutation("painted by the CPU without a sync", "RG042", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    good = imported(draw)
    calls = [*good["calls"][:3], {"api": "write", "buffer": "o", "by": "cpu"}, *good["calls"][3:6]]
    calls[2] = {**calls[2], "src": {**calls[2]["src"], "memory": {**CACHED, "address": 11}}}
    synced = [*calls[:4], {"api": "dma_buf_sync", "buffer": "o", "direction": "to_device"}, *calls[4:]]
    return {**good, "calls": synced}, {**good, "calls": calls}


@mutation("a copy that scales", "RG028")
def _(draw: Any) -> tuple[Body, Body]:
    w, h = side(draw), side(draw)
    good = plan(chip_of(draw), {"api": "imcopy", "src": channel("RGB_888", w, h), "dst": channel("RGB_888", w, h)})
    return good, with_call(good, 0, dst=channel("RGB_888", w - 32, h))


@mutation("a mode for the other direction", "RG032")
def _(draw: Any) -> tuple[Body, Body]:
    good = convert(draw)
    return good, with_call(good, 0, csc="RGB_TO_YUV_BT709_LIMIT")


@mutation("a mode on RGB to RGB", "RG032")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw)
    return good, with_call(good, 0, csc="YUV_TO_RGB_BT601_LIMIT")


def decoded(draw: Any) -> Body:
    """A frame of a decoder with padded rows and planes, converted as it is."""
    w, h = side(draw), 8 * int(draw(st.integers(20, 130)))
    pitch, rows = w + 64 * int(draw(st.integers(1, 6))), -(-h // 16) * 16 + 16
    producer = {"name": "mpp", "hor_stride": pitch, "ver_stride": rows, "color_space": "BT709_LIMIT"}
    src = channel(NV12, w, h, wstride=pitch, hstride=rows, size=pitch * rows * 3 // 2, producer=producer)
    call = {"api": "imcvtcolor", "src": src, "dst": channel("BGR_888", w, h), "csc": "YUV_TO_RGB_BT709_LIMIT"}
    return plan(chip_of(draw), call)


@mutation("the width for the decoder's pitch", "RG010")
def _(draw: Any) -> tuple[Body, Body]:
    good = decoded(draw)
    return good, with_call(good, 0, src={"wstride": good["calls"][0]["src"]["width"]})


@mutation("the height for the decoder's plane height", "RG011")
def _(draw: Any) -> tuple[Body, Body]:
    good = decoded(draw)
    return good, with_call(good, 0, src={"hstride": good["calls"][0]["src"]["height"]})


@mutation("another matrix or range than the decoder's", "RG033", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    good = decoded(draw)
    other = str(draw(st.sampled_from(["YUV_TO_RGB_BT601_LIMIT", "YUV_TO_RGB_BT601_FULL"])))
    return good, with_call(good, 0, csc=other)


@mutation("no mode for BT.709", "RG033", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    good = decoded(draw)
    return good, with_call(good, 0, csc=None)


@mutation("NV21 described as NV12, or the reverse", "RG035")
def _(draw: Any) -> tuple[Body, Body]:
    real, said = draw(st.sampled_from([(NV12, NV21), (NV21, NV12)]))
    good = convert(draw, fmt=real)
    good = with_call(good, 0, src={"buffer": "f"})
    src = good["calls"][0]["src"]
    good["buffers"] = {"f": {"color": "NV12" if real == NV12 else "NV21", "size": src["size"]}}
    return good, with_call(good, 0, src={"format": said})


@mutation("BGR written where RGB is held", "RG035")
def _(draw: Any) -> tuple[Body, Body]:
    good = with_call(convert(draw), 0, dst={"buffer": "o"})
    good["buffers"] = {"o": {"color": "RGB"}}
    return good, with_call(good, 0, dst={"format": "BGR_888"})


def bound(draw: Any) -> Body:
    """RGA into the memory of an input."""
    w, h = side(draw, 6, 25), side(draw, 6, 25)
    size = 3 * w * h
    dst = channel("RGB_888", w, h, {"kind": "dma_fd", "address": 7}, buffer="mem")
    tensor = {
        "index": 0, "name": "in", "layout": "NHWC", "shape": [1, h, w, 3], "dtype": "int8", "scheme": "affine",
        "scale": 1.0,
        "zero_point": -128, "size": size, "w_stride": w, "size_with_stride": size,
    }  # fmt: skip
    calls: list[Body] = [
        {"api": "rknn_create_mem", "for": "inputs[0]", "buffer": "mem", "size": size},
        {
            "api": "rknn_set_io_mem",
            "index": 0,
            "buffer": "mem",
            "type": "UINT8",
            "fmt": "NHWC",
            "size": size,
            "w_stride": w,
        },
        {"api": "imfill", "dst": dst, "color": "0x72727272"},
        {"api": "imresize", "src": channel("RGB_888", 640, 480), "dst": dst},
        {"api": "rknn_run"},
    ]
    model = {"inputs": [tensor], "training": {"resize": "stretch", "fill": 114}}
    return {"prepcheck": "plan/v1", "runtime": "rknn", "platform": chip_of(draw), "model": model, "calls": calls}


@mutation("four bytes a pixel into an input of three channels", "RG040")
def _(draw: Any) -> tuple[Body, Body]:
    good = bound(draw)
    dst = good["calls"][3]["dst"]
    return good, with_call(good, 3, dst={"format": "RGBA_8888", "size": dst["size"]})


@mutation("a smaller picture than the input", "RG041")
def _(draw: Any) -> tuple[Body, Body]:
    good = bound(draw)
    dst = good["calls"][3]["dst"]
    return good, with_call(good, 3, dst={"width": dst["width"] - 32, "height": dst["height"] - 32})


@mutation("bars of another gray than in training", "RG039", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    good = bound(draw)
    value = int(draw(st.integers(0, 255).filter(lambda v: v != 114)))
    return good, with_call(good, 2, color=f"0x{value * 0x01010101:08x}")


@mutation("the fill color as one byte", "RG038", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    value = int(draw(st.integers(1, 254)))
    dst = channel("RGB_888", side(draw), side(draw))
    good = plan(chip_of(draw), {"api": "imfill", "dst": dst, "color": f"0x{value * 0x01010101:08x}"})
    return good, with_call(good, 0, color=f"0x{value:x}")


@mutation("bars of fresh memory", "RG036", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    w, h = side(draw, 8), side(draw, 8)
    dst = channel("RGB_888", w, h, buffer="o", rect=[0, 32, w, h - 64])
    alloc = {"api": "alloc", "buffer": "o", "size": size_of("RGB_888", w, h)}
    fill = {"api": "imfill", "dst": channel("RGB_888", w, h, buffer="o"), "color": "0x72727272"}
    call = {"api": "improcess", "src": channel("RGB_888", w, h - 64), "dst": dst}
    name = chip_of(draw)
    return plan(name, alloc, fill, call), plan(name, alloc, call)
