"""A step of the toolkit that the chip or the way of loading does not allow.

What it checks
    `not support do_quantization = False`, `not support inference on the simulator`, `Connect to Device Failure`.

Why it matters
    The step fails; the input is not concerned.

How it is computed
    Read off the line.

Example
    RV1106 runs quantized models only.

Fix
    build(do_quantization=True, dataset=…); build and simulate in one program; check the cable and rknn_server.

Limits
    None known.

References
    measured: rknn-toolkit2 2.5.0; runtime:M-01, runtime:P-11
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.facts.log import LogBook
from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK318",
    "log-conversion-step",
    over="logbook",
    category="model_conversion",
    severity="error",
    rank=Rank.CONTRACT,
    sources=(
        "measured: rknn-toolkit2 2.5.0",
        "runtime:M-01",
        "runtime:P-11",
    ),
    confidence="H",
    scope="conversion",
)
def check(book: LogBook) -> Iterator[Finding]:
    for event in book.firsts("mini_quant"):
        yield Finding(
            "{platform} runs quantized models only; the build was asked for without quantization.",
            "The NPUs of RV1103, RV1106 and their b forms have no floating point.",
            "build(do_quantization=True, dataset='dataset.txt') with a few dozen pictures like the real ones.",
            {"platform": event.word("plat")},
            where=event.where,
            about="log:build",
            category="quantization",
        )
    for event in book.firsts("tk_no_sim"):
        yield Finding(
            "A model loaded with load_rknn cannot run on the PC's simulator.",
            "The simulator runs what build() made in the same program; an .rknn file holds compiled code of the NPU.",
            "Build and call init_runtime(target=None) in one program, or connect a board and name it: init_runtime(target='rk3588').",
            {},
            where=event.where,
            about="log:build",
        )
    for event in book.firsts("tk_connect"):
        yield Finding(
            "The board does not answer.",
            "The toolkit found no device, or the rknn_server on it does not run or has another version. Not the input.",
            "Check `adb devices` (or the USB cable), start rknn_server on the board, and use a server of the toolkit's release.",
            {},
            where=event.where,
            about="log:build",
            category="other",
            scope="device",
        )
