"""No core of the chip can do the whole job.

What it checks
    `invalid setting core by user`, `no core match`, `invalid function policy`, and refused jobs whose dump shows
    it.

Why it matters
    The job is refused, nothing is written.

How it is computed
    The dump's sizes, strides and formats against what each core of the chip can do: scale, row step, width, format,
    fill.

Example
    RK3588, RGB888 1000x1000 → 84x84: 11.9 times is more than RGA3's 8, and rows of 84 pixels are no multiple of 16.

Fix
    Pad the rows, scale in two steps, or use the CPU.

Limits
    Without the chip's name the arithmetic cannot be done (--platform). `invalid setting core by user` also comes
    from a librga that does not fit the driver.

References
    airockchip/librga#119, #143; airockchip/rknn_model_zoo#117, #302; kernel driver rga_policy.c; rga:R-C03,
    rga:R-B09
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.rga import RgaChip, verdict
from prepcheck.facts.log import LogBook
from prepcheck.facts.rga_log import LoggedJob, bad_rows
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RG314",
    "log-no-core",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.STRIDE,
    sources=(
        "airockchip/librga#119",
        "airockchip/librga#143",
        "rga:R-C03",
        "rga:R-B09",
    ),
    confidence="M",
    scope="input",
)
def check(book: LogBook, rga_jobs: list[LoggedJob], rga_chip: RgaChip | None = None) -> Iterator[Finding]:
    policy = book.first("rga_policy_bad")
    refused = policy or book.first("rga_blit", "rga_request", "rga_call")
    if refused is None:
        return
    stray = policy is not None and "invalid setting core" in policy.text
    job = next((j for j in rga_jobs if j.job is not None), None)
    if rga_chip is None or job is None or job.job is None:
        if policy is None:
            return
        yield Finding(
            "No core of the chip can do the whole job: nothing was written.",
            "Scale, row pitch, format, width, a color fill and the place of the memory each exclude cores; here nothing is left.",
            "Name the chip (--platform) and give the dump of the job (rect[…] lines) to see which.",
            {},
            where=policy.where,
            about="log:rga",
            confidence=0.7,
            scope="cannot_tell",
        )
        return
    found = verdict(rga_chip.cores, job.job)
    rows = bad_rows(job, rga_chip)
    if policy is None and found.able and not rows:
        return
    values: dict[str, Value] = {"chip": rga_chip.name}
    reasons: list[str] = []
    for core, obstacles in zip(found.cores, found.obstacles, strict=True):
        scale = next((o for o in obstacles if o.kind == "scale"), None)
        if scale is not None:
            n = len(reasons)
            values |= {
                f"core{n}": core.kind.upper(),
                f"a{n}": max(scale.got, scale.other),
                f"b{n}": min(scale.got, scale.other),
                f"ratio{n}": scale.ratio,
                f"limit{n}": scale.limit,
            }
            reasons.append(f"{{core{n}}} scales by {{limit{n}}} at most, {{a{n}}}/{{b{n}}} is {{ratio{n}:.3g}}. ")
        elif obstacles:
            n = len(reasons)
            values |= {f"core{n}": core.kind.upper(), f"why{n}": WORDS.get(obstacles[0].kind, obstacles[0].kind)}
            reasons.append(f"{{core{n}}} does not take this {{why{n}}}. ")
    if rows:
        side, pitch, step, above = rows[0]
        values |= {"side": side, "pitch": pitch, "step": step, "above": above}
        yield Finding(
            "{chip}: rows of {pitch} pixels ({side}) are no multiple of {step}, and no core that may be used can do the job: nothing was written.",
            "".join(reasons)
            + "librga and the RGA3 cores want rows of a multiple of {step} pixels in this format; the next is {above}."
            + (" `invalid setting core` can also mean that librga and the kernel's driver do not fit." if stray else "")
            + " Neither the model nor the pixels are concerned.",
            "Make both buffers with a wstride that is a multiple of {step} ({above} for the {side})"
            + (", and scale in two steps" if any(o.kind == "scale" for w in found.obstacles for o in w) else "")
            + ", or do this conversion with the CPU; use the librga of the board's release.",
            values,
            where=refused.where,
            about="log:rga",
            category="stride",
        )
    elif reasons:
        kind = next((o.kind for w in found.obstacles for o in w), "")
        yield Finding(
            "{chip}: no core can do this job: nothing was written.",
            "".join(reasons) + "Neither the model nor the pixels are concerned.",
            "Scale in two steps, use a format and size that one core takes, or do this conversion with the CPU.",
            values,
            where=refused.where,
            about="log:rga",
            category="resize" if kind == "scale" else "other",
        )
    elif policy is not None:
        yield Finding(
            "The driver found no core for a job that {chip} can do by its sizes and formats.",
            "What is left: memory above 4 GiB for a job that only RGA2 can do, a core that was pinned (imconfig), or a librga that does not fit the "
            "driver (`invalid setting core by user` then comes from fields read at other places).",
            "Use the librga of the board's release; take memory below 4 GiB; remove imconfig.",
            values,
            where=policy.where,
            about="log:rga",
            category="version" if stray else "memory",
            confidence=0.7,
        )


WORDS = {
    "format": "format",
    "small": "width (too narrow)",
    "large": "size (too large)",
    "pitch": "row length",
    "fill": "color fill",
}
