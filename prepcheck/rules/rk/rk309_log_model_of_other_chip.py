"""The model was built for another chip.

What it checks
    `This rknn model is for X, but current platform is Y` and `rknn model target platform[0] is X, while current
    platform is Y`.

Why it matters
    rknn_init fails (-6, or -13 with the version 1 runtime); nothing runs.

How it is computed
    Read off the line.

Example
    Model for RK1806, board says RK3399 (without Pro it has no NPU).

Fix
    config(target_platform='…') with the board's chip, and build again.

Limits
    None known.

References
    rockchip-linux/rknn-toolkit#133; runtime:G-23
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogEvent
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK309",
    "log-model-of-other-chip",
    over="log:wrong_chip",
    category="version",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "rockchip-linux/rknn-toolkit#133",
        "runtime:G-23",
    ),
    confidence="H",
    scope="conversion",
)
def check(first_event: LogEvent) -> Iterator[Finding]:
    model, board = first_event.word("model") or "", first_event.word("board") or ""
    no_npu = board.lower() in ("rk3399", "rk3328", "rk3288", "px30", "rk3326")
    yield Finding(
        "The model was built for {model}, the board says that it is {board}.",
        "Model files are compiled for one kind of NPU; nothing ran, the input is not concerned."
        + (" {board} has no NPU of its own (RK3399Pro has); a USB stick or another board is needed." if no_npu else ""),
        "Build with target_platform='{target}' in config(), or use the board that the model is for."
        if not no_npu
        else "Use a board with an NPU, or name the real chip if the device tree says the wrong one.",
        {"model": model, "board": board, "target": board.lower()},
        about="log:init",
    )
