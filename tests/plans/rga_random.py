"""Random plans for RGA that are right, drawn by hypothesis from tables of their own (rga_tables.py).

python -m tests.plans.rga_random 3000      draws so many and judges them: none may have an error
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from prepcheck.app.validate import validate
from prepcheck.app.worlds import Request
from prepcheck.contract.plan import Plan
from prepcheck.contract.report import Report
from tests.plans.rga_tables import ANYWHERE, CHIPS, COLOR, CONTIGUOUS, LOW, TEN, YUV, Chip, Core, size_of, step_of

Body = dict[str, Any]
SPACES = ("BT601_LIMIT", "BT601_FULL", "BT709_LIMIT")


def up(value: int, step: int) -> int:
    """The next multiple."""
    return -(-value // step) * step


@dataclass
class Draw:
    """One plan in the making."""

    draw: Any
    platform: str
    chip: Chip
    core: Core
    pinned: bool
    gib: int | None
    serial: int = 0

    def number(self, low: int, high: int, even: bool = False) -> int:
        """A whole number, even where asked."""
        value = int(self.draw(st.integers(low, max(low, high))))
        return max(low + low % 2, value - value % 2) if even else value

    def memory(self) -> Body:
        """Memory that the core reaches for sure."""
        only_low = self.core.low_only and all(c.low_only for c in self.chip.cores if not self.pinned or c is self.core)
        if self.chip.contiguous:
            heap = self.draw(st.sampled_from(CONTIGUOUS))
            return {"kind": "dma_fd", "heap": heap}
        heaps = LOW + (() if self.core.low_only and (self.gib is None or self.gib > 4) else ANYWHERE)
        kinds = ["dma_fd", "dma_fd", "physical"]
        if not self.core.low_only or (self.gib is not None and self.gib <= 4):
            kinds.append("virtual")
        kind = self.draw(st.sampled_from(kinds))
        if kind == "physical":
            return {"kind": "physical", "address": 4096 * self.number(65536, 262144 if only_low else 524288)}
        if kind == "virtual":
            return {"kind": "virtual", "heap": "malloc"}
        return {"kind": "dma_fd", "heap": self.draw(st.sampled_from(heaps))}

    def image(self, name: str, width: int, height: int, rect: list[int] | None = None) -> Body:
        """A channel with legal strides and enough memory."""
        pitch = up(width if name not in TEN else -(-width * 10 // 8), step_of(name, self.chip.rows))
        if name in YUV:
            pitch = up(pitch, max(2, step_of(name, self.chip.rows)))
        if pitch < 4000:  # a row has 32768 bytes at most
            pitch += step_of(name, self.chip.rows) * 2 * self.number(0, 3)
        rows = up(height, 2) + 2 * self.number(0, 8) if name in YUV else height + self.number(0, 8)
        found: Body = {
            "width": width, "height": height, "wstride": pitch, "hstride": rows, "format": name,
            "memory": self.memory(),
            "size": size_of(name, pitch, rows) + self.draw(st.sampled_from([0, 0, 0, 4096])),
        }  # fmt: skip
        if rect is not None:
            found["rect"] = rect
        return found

    def side(self, even: bool, high: int) -> int:
        """A width or height that the core reads and writes: narrow, usual or wide."""
        low, high = self.draw(
            st.sampled_from(
                [(self.core.least, 100), (self.core.least + 12, 1400), (1400, min(high, self.core.most_out))]
            )
        )
        return self.number(low, high, even)


def _scaled(d: Draw, size: tuple[int, int], ratio: int, high: int, even: bool) -> tuple[int, int]:
    low = [max(d.core.least, -(-s // ratio)) for s in size]
    return (d.number(low[0], min(high, size[0] * ratio), even), d.number(low[1], min(high, size[1] * ratio), even))


def operation(d: Draw) -> list[Body]:
    """The calls around one operation: imports, writes, syncs, the operation."""
    api = d.draw(
        st.sampled_from(["imresize", "imcvtcolor", "imcrop", "improcess", "imcopy", "imrotate", "imflip", "imfill"])
    )
    if api == "imfill" and not d.core.fill:
        api = "imresize"
    source = d.draw(
        st.sampled_from(
            [f for f in d.core.inputs if f in d.core.outputs or api not in ("imcopy", "imflip", "imrotate")]
        )
    )
    same = api in ("imcopy", "imflip", "imrotate", "imcrop") and source in d.core.outputs
    target = source if same else d.draw(st.sampled_from(d.core.outputs))
    if target in TEN and api in ("imcopy", "imflip", "imrotate"):
        source = target = "YCbCr_420_SP"
    even = source in YUV or target in YUV
    size = (d.side(even, d.core.most_in), d.side(even, d.core.most_in))
    rect: list[int] | None = None
    work = size
    if api in ("imcrop", "improcess") and d.draw(st.booleans()):
        least = [max(d.core.least, s // 2) for s in size]
        work = (d.number(least[0], size[0], even), d.number(least[1], size[1], even))
        rect = [d.number(0, size[0] - work[0], even), d.number(0, size[1] - work[1], even), *work]
        if even:
            rect = [v - v % 2 for v in rect[:2]] + rect[2:]
    out = work
    if api in ("imresize", "improcess"):
        out = _scaled(d, work, d.core.ratio, d.core.most_out, even)
    elif api == "imrotate" and d.draw(st.booleans()) and not (d.core.kind == "rga3" and "422" in source):
        out = (work[1], work[0])  # RGA3 turns no 4:2:2
    dst_rect: list[int] | None = None
    frame: tuple[int, ...] = out
    if api == "improcess" and d.draw(st.booleans()):
        frame = tuple(min(s + 2 * d.number(0, 40), d.core.most_out // 2 * 2) if s < 4000 else s for s in out)
        dst_rect = [2 * (frame[0] - out[0]) // 8 * 2, 0, *out]
    call: Body = {"api": api, "dst": d.image(target, *frame, dst_rect)}
    if d.pinned:
        call["core"] = d.core.kind
    if api == "imfill":
        value = d.number(0, 255)
        call["color"] = f"0x{value * 0x01010101:08x}"
        return [call]
    call["src"] = d.image(source, *size, rect)
    _colors(d, call, source, target)
    return [*_flow(d, call), call]


def _colors(d: Draw, call: Body, source: str, target: str) -> None:
    """Colour space: the producer's mode, or none where the default is right."""
    to_rgb = source in YUV and target not in YUV
    to_yuv = source not in YUV and target in YUV
    if to_rgb and d.draw(st.booleans()):
        space = d.draw(st.sampled_from(SPACES))
        call["src"]["producer"] = {
            "name": d.draw(st.sampled_from(["mpp", "camera"])), "hor_stride": call["src"]["wstride"],
            "ver_stride": call["src"]["hstride"], "color_space": space,
        }  # fmt: skip
        call["csc"] = f"YUV_TO_RGB_{space}" if space != "BT601_LIMIT" or d.draw(st.booleans()) else None
    elif to_rgb:
        call["csc"] = f"YUV_TO_RGB_{d.draw(st.sampled_from(SPACES))}"
    elif to_yuv and d.draw(st.booleans()):
        call["csc"] = f"RGB_TO_YUV_{d.draw(st.sampled_from(SPACES))}"


def _flow(d: Draw, call: Body) -> list[Body]:
    """Names, allocations, writes with their syncs, imports: in the right order."""
    if not d.draw(st.booleans()):
        return []
    before: list[Body] = []
    src, dst = call["src"], call["dst"]
    src["buffer"], dst["buffer"] = f"frame{d.serial}", f"out{d.serial}"
    if d.draw(st.booleans()):
        before += [{"api": "alloc", "buffer": c["buffer"], "size": c["size"]} for c in (src, dst)]
    if "rect" in dst and before:  # bars of fresh memory have to be painted
        before.append({"api": "write", "buffer": dst["buffer"], "by": "cpu", "size": dst["size"]})
        before.append({"api": "dma_buf_sync", "buffer": dst["buffer"], "direction": "to_device"})
    handles = d.draw(st.booleans()) and src["memory"]["kind"] != "virtual"
    if handles:
        for i, channel in enumerate((src, dst)):
            kind = channel["memory"]["kind"]
            memory = dict(channel["memory"])
            if kind == "dma_fd":
                memory["address"] = 10 + i
            api = {
                "dma_fd": "importbuffer_fd",
                "virtual": "importbuffer_virtualaddr",
                "physical": "importbuffer_physicaladdr",
            }[kind]
            before.append({"api": api, "src": {**channel, "memory": memory}})
        for channel in (src, dst):
            channel["memory"] = {"kind": "handle"}
    writer = d.draw(st.sampled_from(["cpu", "memcpy", "decoder"]))
    before.append({"api": "write", "buffer": src["buffer"], "by": writer, "size": src["size"]})
    if writer != "decoder":
        before.append(
            {
                "api": "dma_buf_sync",
                "buffer": src["buffer"],
                "direction": d.draw(st.sampled_from(["to_device", "both"])),
            }
        )
    return before


@st.composite
def rga_plans(draw: Any, platform: str | None = None) -> Body:
    """A right plan with one to four operations."""
    name = platform or draw(st.sampled_from(sorted(CHIPS)))
    chip = CHIPS[name]
    gib = draw(st.sampled_from([None, 1, 4, 8, 16]))
    calls: list[Body] = []
    buffers: Body = {}
    for serial in range(draw(st.integers(1, 4))):
        core = draw(st.sampled_from(chip.cores))
        d = Draw(draw, name, chip, core, len(chip.cores) > 1 or draw(st.integers(0, 9)) == 0, gib, serial)
        if len(chip.cores) > 1 and core.kind == "rga3" and draw(st.booleans()):
            d.pinned = False  # the driver chooses; RGA3 can run it, in any memory
        own = operation(d)
        calls += own
        for channel in (own[-1].get("src"), own[-1]["dst"]):
            if channel and "buffer" in channel and channel["format"] in COLOR and draw(st.booleans()):
                buffers[channel["buffer"]] = {"color": COLOR[channel["format"]], "size": channel["size"]}
    plan: Body = {"prepcheck": "plan/v1", "runtime": "rga", "platform": name, "calls": calls, "buffers": buffers}
    if gib is not None:
        plan["device"] = {"memory_gib": gib}
    return plan


@st.composite
def bound_plans(draw: Any) -> Body:
    """A right plan in which RGA writes a model input's memory: whole, or a picture into painted bars."""
    name = draw(st.sampled_from(["rk3588", "rk3568", "rk3562", "rk3576", "rv1106", "rv1103"]))
    width, height = 16 * draw(st.integers(8, 50)), 2 * draw(st.integers(40, 400))
    chip = CHIPS[name]
    d = Draw(draw, name, chip, chip.cores[-1], False, draw(st.sampled_from([None, 2, 8])))
    size = width * height * 3
    ratio = min(8, d.core.ratio)
    source = (
        d.number(max(80, width // ratio + 2), min(width * ratio, 4000), even=True),
        d.number(max(80, height // ratio + 2), min(height * ratio, 4000), even=True),
    )
    src = d.image(draw(st.sampled_from(["YCbCr_420_SP", "RGB_888", "BGR_888", "YCrCb_420_SP"])), *source)
    dst: Body = {
        "width": width, "height": height, "wstride": width, "hstride": height, "format": "RGB_888", "buffer": "mem",
        "memory": {"kind": "dma_fd", "address": 7}, "size": size,
    }  # fmt: skip
    calls: list[Body] = [
        {"api": "rknn_create_mem", "for": "inputs[0]", "buffer": "mem", "size": size, "attr": "INPUT_ATTR"},
        {"api": "rknn_set_io_mem", "index": 0, "buffer": "mem", "type": "UINT8", "fmt": "NHWC", "size": size,
         "pass_through": 0, "w_stride": width},
    ]  # fmt: skip
    box = _zoo_box(source, (width, height))
    fits = box[2] >= 68 and all(s <= ratio * b and b <= ratio * s for s, b in zip(source, box[2:], strict=True))
    for _ in range(draw(st.integers(1, 3))):
        if fits and draw(st.booleans()):
            calls.append({"api": "imfill", "dst": dst, "color": "0x72727272"})
            calls.append({"api": "improcess", "src": src, "dst": {**dst, "rect": list(box)}})
        else:
            calls.append({"api": "imresize", "src": src, "dst": dst})
        calls.append({"api": "rknn_run"})
    tensor = {
        "index": 0, "name": "in", "layout": "NHWC", "shape": [1, height, width, 3], "dtype": "int8", "scheme": "affine",
        "scale": 1.0, "zero_point": -128, "size": size, "w_stride": width, "size_with_stride": size,
    }  # fmt: skip
    plan: Body = {
        "prepcheck": "plan/v1",
        "runtime": "rknn",
        "platform": name,
        "model": {"inputs": [tensor]},
        "calls": calls,
    }
    if d.gib is not None:
        plan["device"] = {"memory_gib": d.gib}
    return plan


def _zoo_box(source: tuple[int, int], target: tuple[int, int]) -> tuple[int, int, int, int]:
    """A centred box with the picture's ratio: width down to a multiple of 4, height to one of 2, even offsets."""
    scale = min(target[0] / source[0], target[1] / source[1])
    w = min(target[0], max(8, int(source[0] * scale) // 4 * 4))
    h = min(target[1], max(8, int(source[1] * scale) // 2 * 2))
    return ((target[0] - w) // 4 * 2, (target[1] - h) // 4 * 2, w, h)


def judged(plan: Body) -> Report:
    """What prepcheck says of a plan."""
    return validate(Request(plan=Plan.model_validate(plan)))


def loud(plan: Body) -> list[str]:
    """Errors and warnings, as text."""
    return [f"{f.rule} {f.severity} {f.where}: {f.message}" for f in judged(plan).findings if f.severity != "info"]


def main() -> None:
    """Draw and judge many."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3000
    seen = [0]
    began = time.perf_counter()

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.one_of(rga_plans(), rga_plans(), rga_plans(), bound_plans()))
    def run(plan: Body) -> None:
        seen[0] += 1
        found = loud(plan)
        assert not found, (found, plan)

    run()
    print(f"{seen[0]} right plans, no error, no warning, {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
