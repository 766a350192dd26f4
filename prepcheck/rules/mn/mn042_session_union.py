"""numThread and mode are one number: the one that is assigned last wins.

What it checks
    The assignments to `numThread` and `mode` in order, and what the backend makes of the number that is left.

Why it matters
    ScheduleConfig holds a union. On the CPU it is a number of threads, on a GPU a set of bits: tuning, and buffer (64) or image
    (128) memory. `mode = Path::Mode::Tensor` is 1 and wipes out numThread; `numThread = 4` after a mode wipes out the mode.

How it is computed
    The last assignment, decoded; what the overwritten one would have meant.

Example
    numThread = 65, then mode = Path::Mode::Tensor: 1 is left (no tuning, memory by the GPU), not 1 + 64 (buffers).

Fix
    Set only `mode` on a GPU, only `numThread` on the CPU. Path::Mode belongs into `path.mode`.

Limits
    Overwriting a plain number of threads by a full mode on a GPU is harmless and not reported.

References
    MNN Interpreter.hpp; measured (numThread 8, then mode 1, holds 1); Z-Xiong/OSTrack-mnn#1, alibaba/MNN#2092.
"""

from __future__ import annotations

from collections.abc import Iterator

from prepcheck.core.gpu_mode import GPU_BACKENDS, PATH_MODES, GpuMode, Union, decode_gpu_mode, describe
from prepcheck.registry import Finding, Rank, Value, rule


@rule(
    "MN042",
    "session-union",
    over="schedule",
    category="session_config",
    severity="warning",
    rank=Rank.CALL,
    runtimes=("mnn",),
    sources=("mnn:G1", "mnn:G2", "Z-Xiong/OSTrack-mnn#1", "alibaba/MNN#2092"),
)
def check(union: Union, backend: str, decoded: GpuMode) -> Iterator[Finding]:
    if not union.overwritten or union.field is None:
        return
    lost_name, lost = union.overwritten[-1]
    gpu = backend in GPU_BACKENDS
    by_mode = union.field == "mode"
    if gpu and by_mode and union.value not in PATH_MODES and lost < 64:
        return  # a number of threads, which means nothing on a GPU
    if not gpu and not by_mode:
        return  # threads on the CPU, as meant
    meant = decode_gpu_mode(backend, lost)
    values: dict[str, Value] = {
        "lost_name": lost_name, "lost": lost, "name": union.field, "value": union.value, "backend": backend,
        "is": describe(decoded), "was": describe(meant), "path": PATH_MODES.get(union.value) if by_mode else None,
        "wanted": lost if lost >= 64 or not gpu else max(lost, union.value),
    }  # fmt: skip
    path = by_mode and union.value in PATH_MODES
    yield Finding(
        "{lost_name} = {lost} is overwritten by {name} = {value}: the two are one field, and {value} is left"
        + (" (Path::Mode::{path})." if path else "."),
        "On {backend} {value} means {is}; {lost} would have meant {was}."
        + (" The mode of the path is another field: config.path.mode." if path else ""),
        (
            "Set mode = {wanted} alone, and path.mode = Tensor if that is meant."
            if path
            else "Set only `mode` on a GPU: mode = {wanted}."
        )
        if gpu
        else "Set only numThread on the CPU: numThread = {wanted}.",
        values,
        about="session:mode",
    )
