"""numThread and mode of MNN's ScheduleConfig: one number, and what each backend makes of it. Standard library only.

`struct ScheduleConfig` holds `union { int numThread; int mode; }` (MNN include/MNN/Interpreter.hpp): on the CPU it is a
number of threads, on a GPU a set of bits (MNNGpuMode in include/MNN/MNNForwardType.h). Whichever field is written last
wins; measured: numThread = 8, then mode = 1 holds 1 (MNN built with OpenCL on a CPU device).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

GPU_BACKENDS: Final = frozenset({"opencl", "vulkan", "metal", "cuda"})
"""Backends whose tensors lie in the GPU's memory: host() of a session's input is null (measured on software devices:
OpenCL and Vulkan; alibaba/MNN#766; alibaba/MNN#1497 for Metal)."""

DEFAULT: Final = 4
"""Value of the union when neither field is set: 4 threads, or MNN_GPU_TUNING_WIDE. Source: Interpreter.hpp."""

TUNING: Final = {1: "none", 2: "heavy", 4: "wide", 8: "normal", 16: "fast"}
BUFFER: Final = 64
IMAGE: Final = 128
MEMORY: Final = {BUFFER: "buffer", IMAGE: "image"}
RECORD: Final = {256: "op", 512: "batch"}
"""Bits of MNNGpuMode. Source: MNN include/MNN/MNNForwardType.h."""

_KNOWN: Final = sum(TUNING) + sum(MEMORY) + sum(RECORD)
_TUNING_ORDER: Final = (1, 16, 8, 2, 4)
"""OpenCLRuntime::setGpuMode looks at the tuning bits in this order and keeps the last one that is set."""

VULKAN_LEGAL: Final = (0x001, 0x002, 0x004, 0x201, 0x202, 0x204)
VULKAN_DEFAULT: Final = 4
"""Source: MNN VulkanRuntime; anything else is replaced by 4 with a line in the log. Measured with 65 on lavapipe."""

PATH_MODES: Final = {0: "Op", 1: "Tensor"}
"""ScheduleConfig::Path::Mode, often written into `config.mode` by mistake. Source: Interpreter.hpp, and
Z-Xiong/OSTrack-mnn#1."""

BUFFER_BY_DEFAULT: Final = ("Mali", "Intel")
"""GPUs on which OpenCL takes buffers when no memory bit is set; every other takes images. Source: OpenCLRuntime.cpp."""


@dataclass(frozen=True, slots=True)
class GpuMode:
    """What a backend makes of the number.

    legal: None where the backend gives the number no such meaning. tuning: none heavy wide normal fast. memory: buffer,
    image, or auto (by the GPU, see BUFFER_BY_DEFAULT). record: op or batch. effective: the number the backend works
    with. suggested: a legal number with the same intent. printed: lines that MNN prints. facts: sentences for people.
    """

    backend: str
    value: int
    legal: bool | None
    effective: int
    suggested: int
    tuning: str | None = None
    memory: str | None = None
    record: str | None = None
    printed: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Union:
    """The final number, the field that wrote it (None: the default stands), and the writes that it overwrote."""

    value: int
    field: str | None
    overwritten: tuple[tuple[str, int], ...] = ()


def schedule_union(assignments: Sequence[tuple[str, int]]) -> Union:
    """The number that is left after the assignments to `mode` and `num_thread` (also `numThread`), in order."""
    if not assignments:
        return Union(DEFAULT, None)
    field, value = assignments[-1]
    lost = tuple((name, number) for name, number in assignments[:-1] if number != value)
    return Union(value, field, lost)


def decode_gpu_mode(backend: str, value: int) -> GpuMode:
    """The meaning of the number for a backend: cpu, opencl, vulkan, or another one (metal, cuda: not decoded)."""
    if backend == "opencl":
        return _opencl(value)
    if backend == "vulkan":
        return _vulkan(value)
    if backend == "cpu":
        fact = f"On the CPU the number is a count of threads: {value}."
        facts = (fact,) if value <= 32 else (fact, _looks_like_bits(value))
        return GpuMode("cpu", value, value >= 0, value, value if 0 < value <= 32 else DEFAULT, facts=facts)
    return GpuMode(backend, value, None, value, value)


def describe(mode: GpuMode) -> str:
    """The number in words: `no tuning, buffer memory`, `4 threads`."""
    if mode.backend == "cpu":
        return f"{mode.value} thread" + ("" if mode.value == 1 else "s")
    if mode.tuning is None:
        return f"mode {mode.value}"
    tuning = "no tuning" if mode.tuning == "none" else f"{mode.tuning} tuning"
    memory = {"auto": "memory as the GPU prefers", None: None}.get(mode.memory, f"{mode.memory} memory")
    return ", ".join(p for p in (tuning, memory) if p)


def _looks_like_bits(value: int) -> str:
    parts = [f"{bit} ({name})" for bit, name in (*TUNING.items(), *MEMORY.items(), *RECORD.items()) if value & bit]
    return f"As GPU mode bits it would be {' + '.join(parts)}: was a GPU backend meant?" if parts else ""


def _opencl(value: int) -> GpuMode:
    tunings = [bit for bit in _TUNING_ORDER if value & bit]
    memories = [bit for bit in MEMORY if value & bit]
    records = [bit for bit in RECORD if value & bit]
    tuning, memory = (tunings or [DEFAULT])[-1], (memories or [0])[-1]
    record = (records or [0])[-1]
    printed, facts = [], []
    if len(memories) > 1:
        printed.append(f"set both BUFFER and IMAGE mode is not permitted, please check cl_mode:{value:x}")
    if len(tunings) != 1:
        printed.append(f"set multi tuning mode is not permitted, please check cl_mode:{value:x}")
        facts.append(
            f"{value} sets {len(tunings)} of the tuning bits 1, 2, 4, 8, 16; exactly one is wanted, "
            f"{tuning} ({TUNING[tuning]}) is taken."
        )
    if len(records) > 1:
        printed.append(f"set multi record kernel mode is not permitted, please check cl_mode:{value:x}")
    if value & ~_KNOWN:
        facts.append(f"The bits {value & ~_KNOWN} of {value} have no meaning and are ignored.")
    if not memories:
        facts.append("No memory bit (64 buffer, 128 image): buffers on Mali and Intel GPUs, images on every other.")
    effective = tuning | memory | record
    legal = len(tunings) == 1 and len(memories) <= 1 and len(records) <= 1 and not value & ~_KNOWN
    return GpuMode(
        "opencl",
        value,
        legal,
        effective,
        value if legal else effective,
        TUNING[tuning],
        MEMORY.get(memory, "auto"),
        RECORD.get(record),
        tuple(printed),
        (*facts, *_path_mode(value)),
    )


def _vulkan(value: int) -> GpuMode:
    legal = value in VULKAN_LEGAL
    effective = value if legal else VULKAN_DEFAULT
    printed = () if legal else ("The customized gpu mode is illegal for Vulkan backend. Using the default mode.",)
    facts = []
    if not legal:
        wanted = ", ".join(str(v) for v in VULKAN_LEGAL)
        facts.append(f"Vulkan knows {wanted} only; {value} is replaced by {VULKAN_DEFAULT}.")
    if value & (BUFFER | IMAGE):
        facts.append("64 (buffer) and 128 (image) are OpenCL's bits; Vulkan's memory kind is fixed when MNN is built.")
    return GpuMode(
        "vulkan",
        value,
        legal,
        effective,
        effective,
        TUNING[effective & 7],
        None,
        "batch" if effective & 512 else None,
        printed,
        (*facts, *_path_mode(value)),
    )


def _path_mode(value: int) -> tuple[str, ...]:
    name = PATH_MODES.get(value)
    if name is None:
        return ()
    fact = (
        f"{value} is also ScheduleConfig::Path::Mode::{name}: written to `config.mode` it does not choose the path mode "
        f"(that is `config.path.mode`) and overwrites numThread."
    )
    return (fact,)
