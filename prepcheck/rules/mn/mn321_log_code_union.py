"""Code assigns numThread and mode of one configuration: the last one wins.

What it checks
    Assignments to ScheduleConfig's numThread and mode in pasted code, in order.

Why it matters
    They are one union. `mode = ScheduleConfig::Path::Mode::Tensor` (1) wipes out a numThread that held the GPU mode; `numThread`
    after a mode wipes out tuning and memory kind.

How it is computed
    The constants of MNNForwardType.h; the number that is left, decoded for the backend that `type` names.

Example
    mode = MNN_GPU_TUNING_NORMAL | MNN_GPU_MEMORY_BUFFER (8 | 64 = 72), then numThread = 1: 1 is left.

Fix
    Assign only mode on a GPU, and path.mode for the path.

Limits
    Code in another order than it runs in, or in branches, may be read wrongly.

References
    MNN Interpreter.hpp; Z-Xiong/OSTrack-mnn#1, alibaba/MNN#2852, alibaba/MNN#2092.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.gpu_mode import GPU_BACKENDS, PATH_MODES, Union, decode_gpu_mode, describe
from prepcheck.facts.mnn_code import Assigned
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN321",
    "log-code-union",
    over="mnn_code",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    sources=("mnn:G1", "mnn:G2", "Z-Xiong/OSTrack-mnn#1", "alibaba/MNN#2852"),
)
def check(assigned: list[Assigned], union: Union, backend: str | None) -> Iterator[Finding]:
    if not union.overwritten or union.field is None:
        return
    lost_name, lost = union.overwritten[-1]
    gpu = backend in GPU_BACKENDS
    by_mode = union.field == "mode"
    path = by_mode and union.value in PATH_MODES
    if (gpu and by_mode and not path and lost < 64) or (backend == "cpu" and not by_mode):
        return
    said = decode_gpu_mode(backend if backend in ("opencl", "vulkan") else "opencl", union.value)
    meant = decode_gpu_mode(said.backend, lost)
    typed = {a.value: a.typed for a in assigned}
    wanted = lost if lost >= 64 or not path else max(lost, union.value)
    values: dict[str, Value] = {
        "lost_name": lost_name, "lost": lost, "typed": typed.get(lost, str(lost)), "name": union.field, "value": union.value,
        "written": typed.get(union.value, str(union.value)), "wanted": wanted, "backend": backend or "a GPU",
        "is": describe(said), "was": describe(meant),
    }  # fmt: skip
    yield Finding(
        "{lost_name} = {typed}"
        + ("" if typed.get(lost) == str(lost) else " ({lost})")
        + " is overwritten by {name} = {written}"
        + ("" if typed.get(union.value) == str(union.value) else " ({value})")
        + ": numThread and mode are one field.",
        "On {backend} {value} means {is}; {lost} would have meant {was}, which is not in force."
        + (" Path::Mode belongs into config.path.mode." if path else ""),
        "Set mode = {wanted} alone (no numThread)"
        + (", and path.mode = ScheduleConfig::Path::Mode::Tensor." if path else "."),
        values,
        scope="device",
    )
