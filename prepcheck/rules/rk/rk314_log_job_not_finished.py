"""The NPU did not finish a job.

What it checks
    `failed to submit!, op id: …, op name: …, task number: N, run task counter: M`.

Why it matters
    rknn_run fails or its output is old; the input is not concerned.

How it is computed
    How far it came (tasks done of tasks) is read off the line; versions of two runs are compared where two logs are
    given.

Example
    driver 0.8.2 works, driver 0.9.3 stops at task 0 of 38, all else the same.

Fix
    The same release of toolkit, runtime and driver; one context for each thread.

Limits
    The line does not say why.

References
    airockchip/rknn-toolkit2#38, #447, #531, #275; rockchip-linux/rknpu2#52, #91
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK314",
    "log-job-not-finished",
    over="logbook",
    category="other",
    severity="error",
    rank=Rank.MEMORY,
    sources=(
        "airockchip/rknn-toolkit2#38",
        "airockchip/rknn-toolkit2#531",
        "rockchip-linux/rknpu2#52",
    ),
    confidence="M",
    scope="device",
)
def check(book: LogBook) -> Iterator[Finding]:
    events = book.firsts("submit")
    if not events:
        return
    event = events[0]
    done, tasks, op = event.number("done"), event.number("tasks"), event.word("op")
    drivers = by_file(book, "drv")
    runtimes = by_file(book, "api", "ver")
    bad = event.file
    good = next((f for f in sorted(drivers) if f != bad and not any(e.file == f for e in events)), None)
    values: dict[str, Value] = {
        "op": op or "a job", "done": done, "tasks": tasks, "got": drivers.get(bad), "good": drivers.get(good) if good is not None else None,
        "runtime": runtimes.get(bad), "driver": drivers.get(bad),
    }  # fmt: skip
    progress = ": {done} of {tasks} tasks were done" if done is not None and tasks is not None else ""
    if good is not None and drivers.get(bad) and drivers.get(good) != drivers.get(bad):
        same = runtimes.get(good) is not None and runtimes.get(good) == runtimes.get(bad)
        yield Finding(
            "The NPU did not finish {op}"
            + progress
            + ". The run that works has NPU driver {good}, the one that fails {got}"
            + ("; the runtime is {runtime} in both." if same else "."),
            "What is equal in both runs is cleared: model, program, input"
            + (" and runtime. " if same else ". ")
            + "The driver is a part of the "
            "kernel image: the fault lies on the device.",
            "Use the kernel image with driver {good}, or report this one to the board's vendor.",
            values,
            where=event.where,
            about="log:run",
            category="version",
        )
        return
    yield Finding(
        "The NPU did not finish {op}" + progress + ".",
        "The input was taken; the NPU stopped inside the model, and the answer of this run is old or empty. Reported causes: toolkit, "
        "runtime and driver of different releases"
        + (" (here runtime {runtime}, driver {driver})" if values["driver"] else "")
        + ", one "
        "context used from several threads, an op that this release compiles wrongly, too little power or a clock that is too high.",
        "Use one release for toolkit and librknnrt.so and a recent kernel; give every thread its own context; try the same model from a "
        "minimal program. If task 0 of the first op never ends, suspect the driver.",
        values,
        where=event.where,
        about="log:run",
    )


def by_file(book: LogBook, *keys: str) -> dict[int, str]:
    """The first version under one of the keys in each text."""
    found: dict[int, str] = {}
    for event in book.all("api_line", "api_line2", "api_line3", "ver_drv", "ver_rt", "npu_init"):
        for key in keys:
            value = event.word(key)
            if value is not None:
                found.setdefault(event.file, value)
    return found
