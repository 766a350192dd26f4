"""The configuration of an old mini model is encoded.

What it checks
    Whether a mini container (rv1103, rv1106, …) is of a version whose configuration part cannot be read.

Why it matters
    Zero point, scale, mean and std stand in that part. Without them values cannot be judged.

How it is computed
    The low byte of the container version is below 4.

Example
    Version 0x1002 (4098).

Fix
    Build the model again with rknn-toolkit2 1.6 or newer, or paste the tensor lines that the board prints into
    `prepcheck explain`.

Limits
    Inferred from the runtime's own decoding; no such file was at hand.

References
    Measured: librknnmrt 2.3.2 under emulation, version byte patched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "CT003",
    "mini-config-encoded",
    over="note:mini_config_encoded",
    category="version",
    severity="warning",
    rank=Rank.CONTRACT,
    sources=("measured: librknnmrt 2.3.2 under emulation, version byte patched",),
    confidence="M",
    scope="input",
)
def check(values: Mapping[str, Value]) -> Iterator[Finding]:
    yield Finding(
        "The configuration of this mini model (container version {version}) is encoded: zero point, scale, "
        "mean and std are not known.",
        "Containers of a version with a low byte below 4 keep them in a part that only the runtime decodes; "
        "names, shapes and the target come from the JSON part.",
        "Build the model with rknn-toolkit2 1.6 or newer, or state the missing values from what the board "
        "prints (`zp=…, scale=…`).",
        values,
    )
