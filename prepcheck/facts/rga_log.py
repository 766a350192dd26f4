"""RGA jobs as logs show them: channels of dumps of the library and of the kernel, put together to jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from prepcheck.core.geometry import Box
from prepcheck.core.plain import Value
from prepcheck.core.rga import Job, RgaChip, RgaCore, Surface, Verdict, between, row_rule, scales_too_much, verdict
from prepcheck.core.rga_formats import BY_CODE, RkFormat, format_of_number
from prepcheck.facts.log import LogBook, LogEvent
from prepcheck.records import dataclass

FILL = 1 << 21
"""Bit of `usage[…]` for a color fill. Source: im2d_type.h, IM_COLOR_FILL."""
NAMES = {
    "rgba8888": "RGBA_8888", "rgbx8888": "RGBX_8888", "rgb888": "RGB_888", "bgra8888": "BGRA_8888", "rgb565": "RGB_565",
    "bgr888": "BGR_888", "nv12": "YCbCr_420_SP", "nv21": "YCrCb_420_SP", "nv16": "YCbCr_422_SP", "nv61": "YCrCb_422_SP",
    "yuv400": "YCbCr_400", "ycbcr400": "YCbCr_400", "i420": "YCbCr_420_P", "yuyv": "YUYV_422", "uyvy": "UYVY_422",
    "ycbcr420p": "YCbCr_420_P", "ycbcr_420_p": "YCbCr_420_P", "ycbcr420sp": "YCbCr_420_SP", "ycrcb420sp": "YCrCb_420_SP",
    "argb8888": "ARGB_8888", "abgr8888": "ABGR_8888", "xbgr8888": "XBGR_8888", "xrgb8888": "XRGB_8888", "nv12_10": "YCbCr_420_SP_10B",
}  # fmt: skip
"""How librga's dumps spell formats → name of rga.h. Source: im2d_impl.cpp, string table of formats."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One side of a job. Sizes and strides in pixels; memory: virtual, dma_fd, physical, handle or none; None = not shown."""

    side: str
    width: int | None = None
    height: int | None = None
    wstride: int | None = None
    hstride: int | None = None
    rect: Box | None = None
    format: RkFormat | None = None
    memory: str | None = None

    @property
    def work(self) -> tuple[int, int] | None:
        """The size worked on: the rectangle's, else the image's."""
        if self.rect is not None and self.rect.w > 0 and self.rect.h > 0:
            return (self.rect.w, self.rect.h)
        return (self.width, self.height) if self.width and self.height else None

    @property
    def surface(self) -> Surface | None:
        """The channel for the arithmetic of cores; None where size or format is not shown."""
        work = self.work
        if work is None or self.format is None:
            return None
        box = self.rect if self.rect is not None and self.rect.w > 0 else Box(0, 0, *work)
        ws, hs = self.wstride or self.width or work[0], self.hstride or self.height or work[1]
        return Surface(self.format, self.width or work[0], self.height or work[1], ws, hs, box)

    @property
    def empty(self) -> bool:
        """Whether nothing is set: the source of a fill."""
        return not self.width and not self.height


@dataclass(frozen=True, slots=True)
class LoggedJob:
    """One job. usage: bits of im2d; breaks: core → why the driver passed it over; assigned: the core that got it."""

    file: int
    line: int
    src: Channel | None = None
    dst: Channel | None = None
    usage: int | None = None
    set_core: int | None = None
    op: str | None = None
    breaks: tuple[tuple[int, str], ...] = ()
    assigned: int | None = None

    @property
    def fill(self) -> bool:
        """Whether it paints a color."""
        if self.op == "COLORFILL" or (self.usage is not None and bool(self.usage & FILL)):
            return True
        return self.src is not None and self.src.empty and self.dst is not None and not self.dst.empty

    @property
    def job(self) -> Job | None:
        """The job for the arithmetic of cores; None where too little is shown."""
        dst = self.dst.surface if self.dst else None
        src = self.src.surface if self.src and not self.fill else None
        if dst is None or (src is None and not self.fill):
            return None
        return Job(src, dst, fill=self.fill)

    def judged(self, chip: RgaChip | None) -> Verdict | None:
        """What each core of a chip can do with it."""
        job = self.job
        return verdict(chip.cores, job) if chip is not None and job is not None else None


@dataclass(frozen=False, slots=True)
class _Open:
    """A job under construction. form: which kind of dump it comes from."""

    form: str
    file: int
    line: int
    sides: dict[str, Channel] = field(default_factory=dict)
    side: str = "src"
    usage: int | None = None
    core: int | None = None
    op: str | None = None
    breaks: list[tuple[int, str]] = field(default_factory=list)
    assigned: int | None = None

    def close(self) -> LoggedJob:
        return LoggedJob(
            self.file, self.line, self.sides.get("src"), self.sides.get("dst"), self.usage, self.core, self.op,
            tuple(self.breaks), self.assigned,
        )  # fmt: skip

    def put(
        self, side: str, *, width: int | None = None, height: int | None = None, wstride: int | None = None,
        hstride: int | None = None, rect: Box | None = None, format: RkFormat | None = None, memory: str | None = None,
    ) -> None:  # fmt: skip
        """What a line shows of a side; what it does not show stays as it was."""
        k = self.sides.get(side, Channel(side))
        self.sides[side] = Channel(
            side,
            k.width if width is None else width,
            k.height if height is None else height,
            k.wstride if wstride is None else wstride,
            k.hstride if hstride is None else hstride,
            k.rect if rect is None else rect,
            k.format if format is None else format,
            k.memory if memory is None else memory,
        )


def jobs(book: LogBook) -> list[LoggedJob]:
    """The jobs that the lines show, in order; dumps of one job in two forms are one."""
    found: list[LoggedJob] = []
    for job in _jobs(book.events):
        if job.src is None and job.dst is None:
            continue
        same = next((i for i, k in enumerate(found) if _same(k, job)), None)
        if same is None:
            found.append(job)
        else:
            found[same] = _joined(found[same], job)
    return found


def _same(a: LoggedJob, b: LoggedJob) -> bool:
    return all(
        x is None or y is None or x.work == y.work or not (x.work and y.work)
        for x, y in ((a.src, b.src), (a.dst, b.dst))
    )


def _joined(a: LoggedJob, b: LoggedJob) -> LoggedJob:
    return replace(
        a, src=_merged(a.src, b.src), dst=_merged(a.dst, b.dst), usage=a.usage if a.usage is not None else b.usage,
        set_core=a.set_core if a.set_core is not None else b.set_core, op=a.op or b.op, breaks=a.breaks or b.breaks,
        assigned=a.assigned if a.assigned is not None else b.assigned,
    )  # fmt: skip


def _merged(a: Channel | None, b: Channel | None) -> Channel | None:
    if a is None or b is None:
        return a or b
    names = ("width", "height", "wstride", "hstride", "rect", "format", "memory")
    return replace(a, **{n: getattr(b, n) for n in names if getattr(a, n) is None})


_FORMS = {
    "rga_addr5": "legacy", "rga_addr6": "legacy", "rga_rect8": "legacy", "rga_srect": "sizes", "rga_channel": "im2d", "rga_rect4": "im2d",
    "rga_image": "im2d", "rga_buffer": "im2d", "rga_table": "table", "rga_kimg": "kernel", "rga_kfmt": "kernel",
}  # fmt: skip


def _jobs(events: Sequence[LogEvent]) -> Iterator[LoggedJob]:
    open_: _Open | None = None
    op: str | None = None
    for event in events:
        form = _FORMS.get(event.kind)
        if event.kind == "rga_blit":
            op = event.word("op") or op
        if form is None:
            if open_ is not None:
                _extra(open_, event)
            continue
        if open_ is None or open_.form != form or open_.file != event.file or _begins(open_, event):
            if open_ is not None:
                yield open_.close()
            open_ = _Open(form, event.file, event.line, op=op)
        _take(open_, event)
    if open_ is not None:
        yield open_.close()


def _begins(job: _Open, event: LogEvent) -> bool:
    """Whether an event starts another job of the same form."""
    if job.form == "legacy":
        return event.kind != "rga_rect8" and len(job.sides) >= 2
    return event.word("side") == "src" and event.kind != "rga_kfmt" and "src" in job.sides


def _extra(job: _Open, event: LogEvent) -> None:
    if event.kind == "rga_usage":
        job.usage = event.number("usage")
    elif event.kind in ("rga_core", "rga_kset"):
        job.core = event.number("core")
    elif event.kind == "rga_policy_break":
        job.breaks.append((event.number("core") or 0, event.word("why") or ""))
    elif event.kind == "rga_policy_core2":
        job.assigned = event.number("core")


def _take(job: _Open, event: LogEvent) -> None:
    f, n = event.fields, event.number
    side = event.word("side") or job.side
    if event.kind in ("rga_addr5", "rga_addr6"):
        side = "dst" if "src" in job.sides else "src"
        job.side = side
        job.put(
            side, memory=_memory(f.get("handle"), f.get("fd"), f.get("va"), f.get("pa"), old=event.kind == "rga_addr5")
        )
    elif event.kind == "rga_rect8":
        if job.side == "src" and job.sides.get("src", Channel("src")).width is not None:
            job.side = "dst"
        job.put(
            job.side, width=n("w"), height=n("h"), wstride=n("ws"), hstride=n("hs"),
            rect=_box(event), format=format_of_number(n("f") or 0),
        )  # fmt: skip
    elif event.kind == "rga_channel":
        job.side = side
        job.put(side)
    elif event.kind == "rga_rect4":
        box = _box(event)
        job.put(side, rect=box if box is not None and box.w > 0 else None)
    elif event.kind in ("rga_image", "rga_srect"):
        job.put(
            side, width=n("w"), height=n("h"), wstride=n("ws"), hstride=n("hs"), format=_named(event.word("format"))
        )
    elif event.kind == "rga_buffer":
        job.put(side, memory=_memory(f.get("handle"), f.get("fd"), f.get("va"), f.get("pa")))
    elif event.kind == "rga_table":
        job.put(
            side, width=n("iw"), height=n("ih"), wstride=n("ws"), hstride=n("hs"), rect=_box(event),
            format=_named(event.word("format")) or format_of_number(n("f") or 0),
            memory=_memory(f.get("handle"), f.get("fd"), f.get("va"), f.get("pa")) if "handle" in f else None,
        )  # fmt: skip
    elif event.kind == "rga_kimg":
        job.put(side, width=n("aw"), height=n("ah"), wstride=n("vw"), hstride=n("vh"))
    elif event.kind == "rga_kfmt":
        job.put(side, format=BY_CODE.get(n("f") or 0))


def _box(event: LogEvent) -> Box | None:
    values = [event.number(k) for k in ("x", "y", "w", "h")]
    return Box(*[v for v in values if v is not None]) if None not in values else None


def _named(name: str | None) -> RkFormat | None:
    from prepcheck.core.rga_formats import FORMATS

    return FORMATS.get(NAMES.get((name or "").lower(), ""))


def _memory(handle: object, fd: object, va: object, pa: object, *, old: bool = False) -> str:
    """The kind of memory, by librga's own order (handle, physical address, fd, virtual address); `none` for no address."""
    for kind, value in (("handle", handle), ("physical", pa), ("dma_fd", fd), ("virtual", va)):
        if value is not None and str(value).strip() not in ("0", "0x0", "(nil)", "(null)", "00", "-1"):
            return kind
    return "unknown" if old else "none"


def chip_of_mask(core: int) -> RgaChip | None:
    """The chip that has several RGA cores, where a core beyond the first is named (only RK3588 has: masks 1, 2, 4)."""
    from prepcheck.data.chips import rga_chip

    return rga_chip("rk3588") if core in (2, 4) else None


def bad_rows(job: LoggedJob, chip: RgaChip) -> list[tuple[str, int, int, int]]:
    """(side, pitch, step, next legal pitch) of channels whose rows do not begin where the chip wants them, in pixels."""
    found = []
    for channel in (job.dst, None if job.fill else job.src):
        surface = channel.surface if channel is not None else None
        if channel is None or surface is None:
            continue
        rule = row_rule(surface.format, surface.wstride, chip.byte_stride)
        if not rule.legal:
            found.append((channel.side, surface.wstride, rule.step, rule.above))
    return found


def left_only(job: LoggedJob | None, chip: RgaChip | None, fill: bool) -> tuple[str, dict[str, Value]]:
    """Why the RGA3 cores, which reach all memory, cannot do a job: a template and its values; empty where nothing says."""
    if fill:
        return "On this chip only RGA2 paints a color (fill, border); the RGA3 cores cannot. ", {}
    found = job.judged(chip) if job is not None else None
    obstacle = next(iter(found.why_not("rga3")), None) if found is not None else None
    if obstacle is None:
        if job is not None and any("scale" in why for _, why in job.breaks):
            return "The driver passed the RGA3 cores over because of the scale. ", {}
        return "", {}
    if obstacle.kind == "scale" and job is not None and job.src is not None and job.dst is not None:
        (sw, sh), (dw, dh) = job.src.work or (0, 0), job.dst.work or (0, 0)
        values: dict[str, Value] = {
            "sw": sw, "sh": sh, "dw": dw, "dh": dh, "wide": max(sw, dw) / max(1, min(sw, dw)), "high": max(sh, dh) / max(1, min(sh, dh)),
            "most": obstacle.limit,
        }  # fmt: skip
        return (
            "The RGA3 cores reach all memory but cannot do this job: {sw}/{dw} = {wide:.3g} and {sh}/{dh} = {high:.3g}, they scale by {most} "
            "at most; only RGA2 is left. ",
            values,
        )
    words = {"format": "format", "small": "width", "large": "size", "pitch": "row length"}
    return "The RGA3 cores reach all memory but do not take this job's {what}; only RGA2 is left. ", {
        "what": words.get(obstacle.kind, obstacle.kind)
    }


def two_steps(job: LoggedJob | None, core: RgaCore) -> tuple[int, int] | None:
    """A size in between for two scalings that the core can do; None where one is enough or two are not."""
    if job is None or job.src is None or job.dst is None or not job.src.work or not job.dst.work:
        return None
    if not any(scales_too_much(s, d, core.scale_max) for s, d in zip(job.src.work, job.dst.work, strict=True)):
        return None
    return between(job.src.work, job.dst.work, core.scale_max, 16)


def about_job(job: LoggedJob | None) -> tuple[str, dict[str, Value]]:
    """What a dump shows of a job, as a template and its values; empty where there is none."""
    if job is None or job.src is None or job.dst is None or not job.src.work or not job.dst.work:
        return "", {}
    (sw, sh), (dw, dh) = job.src.work, job.dst.work
    values: dict[str, Value] = {
        "sw": sw, "sh": sh, "dw": dw, "dh": dh, "ratio": max(max(sw, dw) / max(1, min(sw, dw)), max(sh, dh) / max(1, min(sh, dh))),
        "format": job.src.format.name if job.src.format else "?",
    }  # fmt: skip
    text = "The dump shows {sw}x{sh} to {dw}x{dh} ({format}), {ratio:.3g} times. "
    if {job.src.memory, job.dst.memory} & {"unknown", "none"}:
        text += "No address is shown for a channel (the short form prints no handle), so the memory cannot be judged. "
    if job.src.format is not None and job.src.format.group == "y400":
        text += "Not every core takes this gray format. "
    return text, values
