"""The model was built by a newer toolkit than the runtime on the device.

What it checks
    Whether the runtime's version is at least that of the toolkit that built the model.

Why it matters
    The runtime loads most such models with a warning, and knows nothing of what the newer toolkit changed: results may be
    worse than on the simulator. Old runtimes refuse newer containers (`Invalid RKNN model version 6`, -6).

How it is computed
    The two versions, number by number.

Example
    Toolkit 2.3.2, runtime 2.3.0: `RKNN Model version: 2.3.2 not match with rknn runtime version: 2.3.0`.

Fix
    Bring librknnrt.so (or the driver) to the toolkit's version, or build the model with the older toolkit.

Limits
    A warning: many such pairs work. A runtime that is newer than the model is fine.

References
    airockchip/rknn_model_zoo#105; measured: librknnrt 1.5.2 with models of 2.5.0.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.versions import is_older
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK014",
    "model-newer-than-runtime",
    over="model",
    category="version",
    severity="warning",
    rank=Rank.CONTRACT,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-23", "airockchip/rknn_model_zoo#105"),
    confidence="M",
)
def check(versions: tuple[str, str]) -> Iterator[Finding]:
    toolkit, version = versions
    if not is_older(version, toolkit):
        return
    yield Finding(
        "The model was built by toolkit {toolkit}; the runtime on the device is {version}, which is older.",
        "The runtime prints that the versions do not match and, where it knows the container, goes on; what toolkit {toolkit} "
        "writes differently it cannot know. Runtimes that do not know the container refuse it with -6.",
        "Install the runtime of {toolkit} on the device, or build the model again with toolkit {version}.",
        {"toolkit": toolkit, "version": version},
    )
