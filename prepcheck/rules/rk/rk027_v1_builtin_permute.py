"""force_builtin_perm together with zero-copy on the first generation.

What it checks
    Whether a model built with force_builtin_perm=True is used with bound memory.

Why it matters
    The option puts the change from NHWC to NCHW into the graph. On rv1126 a public report has 100 seconds per frame with it
    and zero-copy; the result was right.

How it is computed
    `force_builtin_perm` among the converter's arguments, and rknn_set_io_mem in the plan.

Example
    options: ["force_builtin_perm=True"] and rknn_set_io_mem.

Fix
    Measure one frame. If it is slow, build without the option and use rknn_inputs_set (or bind NCHW data).

Limits
    A warning: the guide names the option as the way to bind NHWC data, and one report is all there is.

References
    rockchip-linux/rknn-toolkit#504; RKNN API guide 1.7.5 §3.2.3.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.registry import Finding, Rank, rule


@rule(
    "RK027",
    "v1-builtin-permute",
    over="bound",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    runtimes=("rknn1",),
    sources=("rockchip-linux/rknn-toolkit#504",),
    confidence="M",
)
def check(build_options: list[str], label: str, bind_where: str) -> Iterator[Finding]:
    said = next((o for o in build_options if "force_builtin_perm" in o.replace(" ", "")), None)
    if said is None or said.replace(" ", "").endswith("=False"):
        return
    yield Finding(
        "{label} is bound as memory and the model was built with {option}: a report has 100 seconds per frame for this pair.",
        "The option moves the change of layout into the graph, where the NPU of these chips may do it very slowly. The result "
        "is not affected.",
        "Time one rknn_run. If it is slow, build without force_builtin_perm and hand over by rknn_inputs_set.",
        {"label": label, "option": said},
        where=bind_where,
        about="force_builtin_perm",
    )
