"""Model and runtime are of different versions.

What it checks
    `RKNN Model version: A not match with rknn runtime version: B`.

Why it matters
    A model newer than the runtime may load and compute wrongly; an older model on a newer runtime is usual.

How it is computed
    The two versions are compared.

Example
    Model 2.0.0, runtime 1.5.2.

Fix
    Replace librknnrt.so (and the header) by the one of the toolkit that built the model.

Limits
    None known.

References
    airockchip/rknn_model_zoo#105; measured: librknnrt 1.5.2 under emulation; runtime:G-23
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "RK307",
    "log-model-newer-than-runtime",
    over="log:ver_warn",
    category="version",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=(
        "airockchip/rknn_model_zoo#105",
        "runtime:G-23",
    ),
    confidence="H",
    scope="device",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    model, runtime = first_event.word("m") or "", first_event.word("r") or ""
    values: dict[str, Value] = {"model": model, "runtime": runtime}
    if parts(model) > parts(runtime):
        yield Finding(
            "The model was built by toolkit {model} and runs on runtime {runtime}, which is older.",
            "The file still loads, but the runtime may not know what the newer toolkit wrote into it: wrong answers and failed "
            "runs are both possible.",
            "Put the librknnrt.so of {model} (or a later one) on the board, with its rknn_api.h, or build the model with "
            "rknn-toolkit2 {runtime}.",
            values,
            about="log:init",
        )
    else:
        yield Finding(
            "The model was built by toolkit {model}, the runtime is {runtime}.",
            "An older model on a newer runtime is usual; the line is no fault.",
            "Nothing; build with the matching toolkit where odd things remain.",
            values,
            severity="info",
        )


def parts(version: str) -> list[int]:
    """The numbers of a version, for comparing."""
    return [int(n) for n in re.findall(r"\d{1,6}", version)[:3]]
