"""RGA refused a job, and the reason stands elsewhere.

What it checks
    `RGA_BLIT fail: Invalid argument`, `request submit fail`, `Failed to call RockChipRga interface`, `Error on
    improcess STATUS=…` where no other line says why.

Why it matters
    Nothing was written; what reads the destination sees its old content.

How it is computed
    The dump is judged with the chip's table; what it does not show is said.

Example
    480x270 → 1920x1080 in Y400: 4 times, fine; but not every core takes Y400.

Fix
    dmesg right after the failure.

Limits
    The kernel's log decides: 4 GiB, size, core policy, stride.

References
    airockchip/librga#24, #44; rga: message table
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import RgaChip
from prepcheck.facts.log import LogBook
from prepcheck.facts.rga_log import LoggedJob, about_job
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RG316",
    "log-refused-cause-open",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "airockchip/librga#24",
        "airockchip/librga#44",
    ),
    confidence="M",
    scope="cannot_tell",
)
def check(book: LogBook, rga_jobs: list[LoggedJob], rga_chip: RgaChip | None = None) -> Iterator[Finding]:
    event = book.first("rga_blit", "rga_request") or next(
        (e for e in book.all("rga_call", "rga_chain", "rga_assign") if e.label == "finding"), None
    )
    status = next(
        (e for e in book.all("rga_status", "rga_message", "rga_check", "rga_check_app") if e.label == "finding"), None
    )
    if event is None and status is None:
        return
    where = event or status
    assert where is not None
    job = next((j for j in rga_jobs if j.job is not None), None)
    if job is not None and job.fill:
        yield Finding(
            "RGA refused a color fill"
            + (" ({w}x{h})." if job.dst and job.dst.work else ".")
            + " The zeros of the source are normal for a fill.",
            "On chips with RGA3 and RGA2 (RK3588) only RGA2 fills, and it reaches memory below 4 GiB only, while a resize can run on RGA3: a fill "
            "then fails for buffers of malloc or the default heap, now and then, by where their pages lie. The kernel's line decides.",
            "Paint the bars with the CPU (memset), or take the buffer from a heap below 4 GiB; give `dmesg | grep rga` right after a failure.",
            {
                "w": job.dst.work[0] if job.dst and job.dst.work else None,
                "h": job.dst.work[1] if job.dst and job.dst.work else None,
            },
            where=where.where,
            about="log:rga",
            category="memory",
            confidence=0.75,
        )
        return
    virtual = job is not None and any(c is not None and c.memory == "virtual" for c in (job.src, job.dst))
    reach = {c.reach for c in rga_chip.cores} if rga_chip is not None else set()
    text, values = about_job(job)
    if virtual and reach == {"contiguous"}:
        yield Finding(
            "RGA refused the job: a virtual address was given, and {chip} takes physically contiguous memory only.",
            text + "Its RGA has no MMU.",
            "Take both buffers from the CMA heap and pass their fd.",
            {**values, "chip": rga_chip.name if rga_chip else None},
            where=where.where,
            about="log:rga",
            category="memory",
            scope="input",
        )
        return
    code = status.number("st") if status is not None else None
    yield Finding(
        "RGA refused a job"
        + (" (status {code}: {meaning})" if code is not None else "")
        + ", and no line here says why: nothing was written.",
        text
        + "The driver's reason stands in the kernel's log: memory above 4 GiB, a buffer that is too short, no core for the job, a row pitch.",
        "Give the output of `dmesg | grep -i rga` right after the failure, and name the chip (--platform).",
        {**values, "code": code, "meaning": STATUS.get(code if code is not None else 1, "")},
        where=where.where,
        about="log:rga",
        category="memory" if virtual else "other",
    )


STATUS = {
    0: "failed", -1: "not supported", -2: "out of memory", -3: "invalid parameter", -4: "illegal parameter", -5: "version", -6: "no session",
}  # fmt: skip
"""IM_STATUS of im2d_type.h."""
