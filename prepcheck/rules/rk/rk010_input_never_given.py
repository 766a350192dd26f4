"""A run before an input was given anything.

What it checks
    Whether every input of the model was set or bound before each rknn_run.

Why it matters
    rknn_run returns 0 even when no input was ever set: the NPU works on whatever its memory holds, and the answer does not
    depend on the picture. Where only some inputs are set, the runtime warns in its log and goes on.

How it is computed
    Inputs of the model, less those that rknn_inputs_set or rknn_set_io_mem named before the run.

Example
    Two inputs, one entry in rknn_inputs_set: `param input num(1) != model input num(2)`, return code 0.

Fix
    Set or bind every input before the first rknn_run.

Limits
    A run to warm up, whose answer is not read, is left out. A plan that says nothing at all about inputs is not judged; a record is.

References
    RKNN API guide 1.5.2 §4.4; measured: librknnrt 1.5.2 and librknnmrt 2.3.2 under emulation.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK010",
    "input-never-given",
    over="run",
    category="stale_buffer",
    rank=Rank.MEMORY,
    runtimes=("rknn", "rknn1"),
    sources=("runtime:G-12", "runtime:G-14", "runtime:Z-19", "RKNN API guide 1.5.2 §4.4"),
)
def check(unfed: list[tuple[int, str]], written_memory: list[str]) -> Iterator[Finding]:
    for position, label in unfed:
        yield Finding(
            "rknn_run comes before {label} (inputs[{position}]) was set or bound.",
            "{memory} is written, but no rknn_set_io_mem binds it. rknn_run returns 0 all the same and computes on what the "
            "input memory happens to hold."
            if written_memory
            else "rknn_run returns 0 all the same and computes on what the input memory happens to hold: zeros in the first "
            "run, the last picture later.",
            "Give inputs[{position}] with rknn_inputs_set, or bind memory with rknn_set_io_mem and fill it, before rknn_run.",
            {
                "label": label, "position": position, "memory": written_memory[0] if written_memory else None,
                "link": "memory -> binding",
            },
            about=f"inputs[{position}]",
        )  # fmt: skip
