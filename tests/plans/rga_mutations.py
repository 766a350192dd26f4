"""One fault put into a right RGA plan, and the finding that has to name it.

Each entry draws a right plan of its own (sizes, chip and formats vary), says what is done to it, and which rule speaks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.plans.rga_random import Body
from tests.plans.rga_tables import size_of

NV12, I420 = "YCbCr_420_SP", "YCbCr_420_P"
LOW: Body = {"kind": "dma_fd", "heap": "system-uncached-dma32", "cached": False}
CMA: Body = {"kind": "dma_fd", "heap": "rk-dma-heap-cma"}
ONE_CORE = ("rk3566", "rk3568", "rv1126", "rk3562", "rk3576")


@dataclass(frozen=True)
class Mutation:
    """name; make: draws (right plan, the same with the fault); rule: the id; severity of its finding."""

    name: str
    make: Callable[[Any], tuple[Body, Body]]
    rule: str
    severity: str = "error"


MUTATIONS: list[Mutation] = []


def mutation(name: str, rule: str, severity: str = "error") -> Callable[[Callable[[Any], tuple[Body, Body]]], None]:
    """Register one."""

    def register(make: Callable[[Any], tuple[Body, Body]]) -> None:
        MUTATIONS.append(Mutation(name, make, rule, severity))

    return register


def channel(fmt: str, w: int, h: int, memory: Body = LOW, **more: Any) -> Body:
    """A packed image with exactly its bytes."""
    return {
        "width": w, "height": h, "wstride": w, "hstride": h, "format": fmt, "memory": memory,
        "size": size_of(fmt, w, h), **more,
    }  # fmt: skip


def plan(platform: str, *calls: Body, **more: Any) -> Body:
    """A plan for RGA."""
    return {"prepcheck": "plan/v1", "runtime": "rga", "platform": platform, "calls": list(calls), **more}


def with_call(body: Body, index: int, **changes: Any) -> Body:
    """A copy with keys of one call changed; a dict merges into src or dst."""
    calls = [dict(c) for c in body["calls"]]
    for key, value in changes.items():
        old = calls[index].get(key)
        calls[index][key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    return {**body, "calls": calls}


def chip_of(draw: Any, *names: str) -> str:
    """One of some chips."""
    return str(draw(st.sampled_from(names or ("rk3588", *ONE_CORE))))


def side(draw: Any, low: int = 6, high: int = 60) -> int:
    """A multiple of 32."""
    return 32 * int(draw(st.integers(low, high)))


def resize(draw: Any, *names: str, fmt: str = "RGB_888", **more: Any) -> Body:
    """A resize by no more than six either way."""
    w, h = side(draw), side(draw)
    out = [32 * int(draw(st.integers(max(4, v // 192 + 1), min(120, v // 32 * 6)))) for v in (w, h)]
    return plan(
        chip_of(draw, *names), {"api": "imresize", "src": channel(fmt, w, h), "dst": channel("RGB_888", *out), **more}
    )


def convert(draw: Any, *names: str, fmt: str = NV12, to: str = "RGB_888", **more: Any) -> Body:
    """A conversion at one size."""
    w, h = side(draw), side(draw)
    call = {
        "api": "imcvtcolor",
        "src": channel(fmt, w, h),
        "dst": channel(to, w, h),
        "csc": "YUV_TO_RGB_BT601_LIMIT",
        **more,
    }
    return plan(chip_of(draw, *names), call)


@mutation("row of the source two pixels shorter", "RG005")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw)
    w = good["calls"][0]["src"]["width"] - 2
    return good, with_call(good, 0, src={"width": w, "wstride": w})


@mutation("pitch in bytes", "RG004")
def _(draw: Any) -> tuple[Body, Body]:
    good = convert(draw)
    return good, with_call(good, 0, dst={"wstride": 3 * good["calls"][0]["dst"]["width"]})


@mutation("no room for chroma", "RG009")
def _(draw: Any) -> tuple[Body, Body]:
    good = convert(draw)
    src = good["calls"][0]["src"]
    return good, with_call(good, 0, src={"size": src["width"] * src["height"]})


@mutation("three bytes a pixel allocated for four", "RG009")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, fmt="RGBA_8888")
    src = good["calls"][0]["src"]
    return good, with_call(good, 0, src={"size": 3 * src["width"] * src["height"]})


@mutation("wstride below the width", "RG003")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw)
    return good, with_call(good, 0, src={"wstride": good["calls"][0]["src"]["width"] - 32})


@mutation("hstride below the height", "RG003")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw)
    return good, with_call(good, 0, dst={"hstride": good["calls"][0]["dst"]["height"] - 1})


def crop(draw: Any, fmt: str = "RGB_888") -> Body:
    """A crop out of the middle."""
    w, h = side(draw, 12), side(draw, 12)
    call = {
        "api": "imcrop", "src": channel(fmt, w, h, rect=[32, 32, w // 64 * 32, h // 64 * 32]),
        "dst": channel(fmt, w // 64 * 32, h // 64 * 32),
    }  # fmt: skip
    return plan(chip_of(draw), call)


@mutation("crop beyond the right edge", "RG002")
def _(draw: Any) -> tuple[Body, Body]:
    good = crop(draw)
    src = good["calls"][0]["src"]
    _x, y, w, h = src["rect"]
    return good, with_call(good, 0, src={"rect": [src["width"] - w + 4, y, w, h]})


@mutation("odd crop of NV12", "RG006")
def _(draw: Any) -> tuple[Body, Body]:
    good = crop(draw, NV12)
    x, y, w, h = good["calls"][0]["src"]["rect"]
    return good, with_call(good, 0, src={"rect": [x + 1, y, w, h]})


@mutation("box of one pixel", "RG001")
def _(draw: Any) -> tuple[Body, Body]:
    good = crop(draw)
    x, y, _, h = good["calls"][0]["src"]["rect"]
    bad = with_call(good, 0, src={"rect": [x, y, 1, h]})
    return good, with_call(bad, 0, dst={"width": 16, "wstride": 16})


@mutation("reduced too much", "RG016")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, *ONE_CORE, "rk3588")
    return good, with_call(
        good, 0, src=channel("RGB_888", 2048, 1024), dst=channel("RGB_888", 16 * int(draw(st.integers(1, 7))), 512)
    )


@mutation("more than eight on the pinned RGA3", "RG016")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, "rk3588", core="rga3")
    factor = int(draw(st.integers(9, 15)))
    return good, with_call(good, 0, src=channel("RGB_888", 160 * factor, 640), dst=channel("RGB_888", 160, 640))


@mutation("planar YUV on the pinned RGA3", "RG013")
def _(draw: Any) -> tuple[Body, Body]:
    good = convert(draw, "rk3588", core="rga3")
    return good, with_call(good, 0, src={"format": I420})


@mutation("ten bits out of RGA2", "RG013")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, "rk3568", "rv1126", fmt=NV12)
    dst = good["calls"][0]["dst"]
    ten = {"format": "YCbCr_420_SP_10B", "wstride": dst["width"] * 2, "size": dst["width"] * dst["height"] * 3}
    return good, with_call(good, 0, dst=ten)


@mutation("fill pinned to RGA3", "RG019")
def _(draw: Any) -> tuple[Body, Body]:
    good = plan("rk3588", {"api": "imfill", "dst": channel("RGB_888", side(draw), side(draw)), "color": "0x72727272"})
    return good, with_call(good, 0, core="rga3")


@mutation("a core that the chip lacks", "RG018")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, *ONE_CORE)
    return good, with_call(good, 0, core="rga3")


@mutation("output wider than RGA2 writes", "RG015")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, "rk3566", "rk3568", "rk3562")
    wide = 4096 + 16 * int(draw(st.integers(1, 60)))
    return good, with_call(good, 0, src=channel("RGB_888", 1024, 512), dst=channel("RGB_888", wide, 512))


@mutation("planar YUV to a size that only RGA3 writes", "RG017")
def _(draw: Any) -> tuple[Body, Body]:
    good = convert(draw, "rk3588", fmt=I420)
    wide = 4096 + 16 * int(draw(st.integers(1, 60)))
    return good, with_call(good, 0, src=channel(I420, 1024, 512), dst=channel("RGB_888", wide, 512))


@mutation("rows of more than 32768 bytes", "RG008")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, fmt="RGBA_8888")
    pitch = 8192 + 16 * int(draw(st.integers(1, 20)))
    h = good["calls"][0]["src"]["height"]
    return good, with_call(good, 0, src={"wstride": pitch, "size": pitch * h * 4})


@mutation("pixels for the pitch of ten bits", "RG007")
def _(draw: Any) -> tuple[Body, Body]:
    w, h = 64 * int(draw(st.integers(8, 60))), side(draw)
    src = channel("YCbCr_420_SP_10B", w, h, wstride=w * 5 // 4, size=w * 5 // 4 * h * 3 // 2)
    call = {"api": "imcvtcolor", "src": src, "dst": channel(NV12, w, h)}
    good = plan(chip_of(draw, "rk3568", "rk3528", "rv1126"), call)
    return good, with_call(good, 0, src={"wstride": w})


def without_mmu(draw: Any) -> Body:
    """A conversion on a chip that needs contiguous memory."""
    w, h = side(draw, 6, 30), side(draw, 6, 30)
    call = {"api": "imcvtcolor", "src": channel(NV12, w, h, CMA), "dst": channel("RGB_888", w, h, CMA)}
    return plan(chip_of(draw, "rv1103", "rv1106", "rv1103b"), call)


@mutation("malloc without an MMU", "RG021")
def _(draw: Any) -> tuple[Body, Body]:
    good = without_mmu(draw)
    which = str(draw(st.sampled_from(["src", "dst"])))
    return good, with_call(good, 0, **{which: {"memory": {"kind": "virtual", "heap": "malloc"}}})


@mutation("system heap without an MMU", "RG021")
def _(draw: Any) -> tuple[Body, Body]:
    good = without_mmu(draw)
    return good, with_call(good, 0, src={"memory": {"kind": "dma_fd", "heap": "system"}})


@mutation("a physical address above 4 GiB for the only core", "RG020")
def _(draw: Any) -> tuple[Body, Body]:
    good = resize(draw, "rk3566", "rk3568", "rv1126")
    page = int(draw(st.integers(1 << 20, 1 << 22)))
    return good, with_call(good, 0, src={"memory": {"kind": "physical", "address": 4096 * page}})


@mutation("system heap of a large board for the pinned RGA2", "RG020", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    good = {**resize(draw, "rk3588", core="rga2"), "device": {"memory_gib": int(draw(st.sampled_from([8, 16, 32])))}}
    return good, with_call(good, 0, src={"memory": {"kind": "dma_fd", "heap": "system"}})


@mutation("fill of malloc memory on a large board", "RG020", "warning")
def _(draw: Any) -> tuple[Body, Body]:
    dst = channel("RGB_888", side(draw), side(draw))
    good = plan("rk3588", {"api": "imfill", "dst": dst, "color": "0x0"}, device={"memory_gib": 8})
    return good, with_call(good, 0, dst={"memory": {"kind": "virtual", "heap": "malloc"}})
