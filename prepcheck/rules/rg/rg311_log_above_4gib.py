"""RGA2 was given memory above 4 GiB.

What it checks
    `unsupported memory larger than 4G`, `scheduler core[N] unsupported mm_flag`, `RGA2 unsupported to get buffer
    from the allocation of this heap`, `swiotlb buffer is full`.

Why it matters
    The job is refused; on boards with 4 GiB and more this depends on where the pages happen to lie, so it comes and
    goes.

How it is computed
    The core is read off the line; on chips with several cores the job (from the dumps) says why only RGA2 is left:
    scale, format, width, or a color fill.

Example
    3840 → 422 is 9.1 times: the RGA3 cores scale by 8 at most, RGA2 (core 4) reaches 4 GiB only.

Fix
    Memory from a heap below 4 GiB (/dev/dma_heap/system-dma32 or -uncached-dma32, CMA), or a job that RGA3 can do.

Limits
    None known.

References
    airockchip/librga#120, #143; JeffyCN/mirrors#11; kernel driver rga3; rga:R-M01, rga:R-C03, rga:R-M04
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import RgaChip
from prepcheck.facts.log import LogBook
from prepcheck.facts.rga_log import LoggedJob, left_only, two_steps
from prepcheck.facts.rga_log import chip_of_mask as KNOWN_BY_MASK
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RG311",
    "log-above-4gib",
    over="logbook",
    category="memory",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "airockchip/librga#120",
        "airockchip/librga#143",
        "JeffyCN/mirrors#11",
        "rga:R-M01",
        "rga:R-C03",
    ),
    confidence="H",
    scope="input",
)
def check(book: LogBook, rga_jobs: list[LoggedJob], rga_chip: RgaChip | None = None) -> Iterator[Finding]:
    event = book.first("rga_mmu4g", "rga_heap") or book.first("rga_mmflag")
    bounce = book.first("rga_swiotlb")
    if event is None:
        if bounce is None or book.first("npu_malloc") is not None:
            return
        event = bounce
    core = next(
        (e.number("core") for e in book.all("rga_mmflag", "rga_policy_core2") if e.number("core") is not None), None
    )
    chip = rga_chip or (KNOWN_BY_MASK(core) if core is not None else None)
    job = next((j for j in rga_jobs if j.job is not None), None)
    fill = (
        (job is not None and job.fill)
        or book.first("rga_code") is not None
        or any(e.word("op") == "COLORFILL" for e in book.all("rga_blit"))
    )
    rga3 = next((c for c in chip.cores if c.kind == "rga3"), None) if chip is not None else None
    why, more = left_only(job, chip, fill) if rga3 is not None else ("", {})
    size = bounce.number("size") if bounce is not None else None
    heap = book.first("heap_none") is not None
    middle = two_steps(job, rga3) if rga3 is not None else None
    values: dict[str, Value] = {"core": core, "size": size, **more}
    fix = "Take the buffer from memory below 4 GiB: the heap /dev/dma_heap/system-uncached-dma32 (or system-dma32), CMA, or a DRM buffer with DMA32"
    if heap:
        fix += " (this kernel has no such heap: CONFIG_DMABUF_HEAPS_ROCKCHIP is off)"
    if fill and rga3 is not None:
        fix += "; or paint the border with the CPU (memset) and let RGA only scale"
    elif middle is not None:
        fix += "; or scale in two steps of at most {step_limit}, over {mw}x{mh}, which the RGA3 cores can do"
        values |= {"step_limit": rga3.scale_max if rga3 else 8, "mw": middle[0], "mh": middle[1]}
    elif rga3 is not None:
        fix += "; or give RGA a job that its RGA3 cores can do (they reach all memory)"
    yield Finding(
        ("Core {core} (RGA2)" if core is not None and (core == 4 or rga3 is not None) else "RGA2")
        + " was given memory above 4 GiB, which it cannot reach: nothing was written.",
        "Its MMU has 32-bit addresses: 4 GiB. "
        + why
        + ("The kernel's bounce buffer cannot take one piece of {size} bytes either. " if size else "")
        + "Where pages land changes from run to run, so such a failure comes and goes. Neither the model nor the pixels are concerned.",
        fix + ".",
        values,
        where=event.where,
        about="log:rga",
    )
