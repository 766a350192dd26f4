"""numThread and mode: one number, read as each backend reads it."""

from __future__ import annotations

import pytest

from prepcheck.core import gpu_mode
from prepcheck.core.gpu_mode import GpuMode, Union, decode_gpu_mode, describe, schedule_union


@pytest.mark.parametrize(
    "value,tuning,memory,legal",
    [
        (1, "none", "auto", True),
        (2, "heavy", "auto", True),
        (4, "wide", "auto", True),
        (8, "normal", "auto", True),
        (16, "fast", "auto", True),
        (65, "none", "buffer", True),
        (68, "wide", "buffer", True),
        (132, "wide", "image", True),
        (4 | 64 | 128, "wide", "image", False),  # both: the image bit is looked at last
        (64, "wide", "buffer", False),
        (0, "wide", "auto", False),
        (3, "heavy", "auto", False),
        (5, "wide", "auto", False),
        (6, "wide", "auto", False),
        (7, "wide", "auto", False),
        (24, "normal", "auto", False),  # fast is looked at before normal
        (36, "wide", "auto", False),  # 32 has no meaning
        (4 | 256 | 512, "wide", "auto", False),
    ],
)
def test_opencl(value: int, tuning: str, memory: str, legal: bool) -> None:
    mode = decode_gpu_mode("opencl", value)
    assert (mode.tuning, mode.memory, mode.legal) == (tuning, memory, legal)
    suggested = decode_gpu_mode("opencl", mode.suggested)
    assert suggested.legal
    assert suggested.tuning == tuning
    assert suggested.effective == mode.effective


@pytest.mark.parametrize("value", [3, 5, 6, 7, 64])
def test_what_opencl_prints_about_threads(value: int) -> None:
    """numThread 3, 5, 6, 7 and 64 print the line (MNN OpenCLRuntime::setGpuMode)."""
    assert decode_gpu_mode("opencl", value).printed == (
        f"set multi tuning mode is not permitted, please check cl_mode:{value:x}",
    )
    assert any(str(value) in fact for fact in decode_gpu_mode("opencl", value).facts)


def test_opencl_prints_nothing_about_a_legal_value() -> None:
    assert decode_gpu_mode("opencl", 68).printed == ()
    assert len(decode_gpu_mode("opencl", 4 | 64 | 128 | 256 | 512).printed) == 2


@pytest.mark.parametrize("value", [0x001, 0x002, 0x004, 0x201, 0x202, 0x204])
def test_vulkan_legal(value: int) -> None:
    mode = decode_gpu_mode("vulkan", value)
    assert (mode.legal, mode.effective, mode.printed) == (True, value, ())
    assert mode.record == ("batch" if value & 512 else None)


@pytest.mark.parametrize("value", [0, 3, 8, 16, 65, 68, 132, 512, 516 + 64])
def test_vulkan_replaces_everything_else_by_4(value: int) -> None:
    mode = decode_gpu_mode("vulkan", value)
    assert (mode.legal, mode.effective, mode.tuning, mode.memory) == (False, 4, "wide", None)
    assert "customized gpu mode is illegal" in mode.printed[0]


def test_path_mode_written_into_mode() -> None:
    for backend in ("opencl", "vulkan"):
        assert any("Path::Mode::Tensor" in fact for fact in decode_gpu_mode(backend, 1).facts)
        assert any("Path::Mode::Op" in fact for fact in decode_gpu_mode(backend, 0).facts)
        assert not any("Path::Mode" in fact for fact in decode_gpu_mode(backend, 68).facts)


def test_cpu_counts_threads() -> None:
    assert decode_gpu_mode("cpu", 4).facts == ("On the CPU the number is a count of threads: 4.",)
    odd = decode_gpu_mode("cpu", 68)
    assert "64 (buffer)" in odd.facts[1]
    assert odd.suggested == 4


def test_other_backends_are_not_judged() -> None:
    assert decode_gpu_mode("metal", 68).legal is None


def test_the_last_assignment_wins() -> None:
    """measured: numThread = 8, then mode = Path::Mode::Tensor holds 1."""
    union = schedule_union([("num_thread", 8), ("mode", 1)])
    assert (union.value, union.field, union.overwritten) == (1, "mode", (("num_thread", 8),))
    assert schedule_union([("mode", 1), ("num_thread", 65)]).value == 65
    assert schedule_union([("mode", 4), ("num_thread", 4)]).overwritten == ()
    assert (schedule_union([]).value, schedule_union([]).field) == (4, None)


def test_bits_of_the_header() -> None:
    """MNNGpuMode of MNN's MNNForwardType.h; ScheduleConfig's default and Path::Mode of Interpreter.hpp."""
    assert gpu_mode.TUNING == {1 << 0: "none", 1 << 1: "heavy", 1 << 2: "wide", 1 << 3: "normal", 1 << 4: "fast"}
    assert gpu_mode.MEMORY == {1 << 6: "buffer", 1 << 7: "image"}
    assert gpu_mode.RECORD == {1 << 8: "op", 1 << 9: "batch"}
    assert (gpu_mode.BUFFER, gpu_mode.IMAGE, gpu_mode.DEFAULT, gpu_mode.VULKAN_DEFAULT) == (64, 128, 4, 4)
    assert gpu_mode.VULKAN_LEGAL == (1, 2, 4, 512 + 1, 512 + 2, 512 + 4)
    assert gpu_mode.PATH_MODES == {0: "Op", 1: "Tensor"}
    assert frozenset({"opencl", "vulkan", "metal", "cuda"}) == gpu_mode.GPU_BACKENDS
    assert gpu_mode.BUFFER_BY_DEFAULT == ("Mali", "Intel")


TENSOR_PATH = (
    "1 is also ScheduleConfig::Path::Mode::Tensor: written to `config.mode` it does not choose the path mode "
    "(that is `config.path.mode`) and overwrites numThread."
)
NO_MEMORY = "No memory bit (64 buffer, 128 image): buffers on Mali and Intel GPUs, images on every other."


def test_everything_that_opencl_makes_of_a_number() -> None:
    both = "set both BUFFER and IMAGE mode is not permitted, please check cl_mode:3c4"
    kernels = "set multi record kernel mode is not permitted, please check cl_mode:3c4"
    tuning = "set multi tuning mode is not permitted, please check cl_mode:"
    wanted = {
        68: GpuMode("opencl", 68, True, 68, 68, "wide", "buffer", None),
        0x144: GpuMode("opencl", 324, True, 324, 324, "wide", "buffer", "op"),
        0x282: GpuMode("opencl", 642, True, 642, 642, "heavy", "image", "batch"),
        1: GpuMode("opencl", 1, True, 1, 1, "none", "auto", None, (), (NO_MEMORY, TENSOR_PATH)),
        0x3C4: GpuMode("opencl", 964, False, 644, 644, "wide", "image", "batch", (both, kernels)),
        64: GpuMode("opencl", 64, False, 68, 68, "wide", "buffer", None, (tuning + "40",),
                    ("64 sets 0 of the tuning bits 1, 2, 4, 8, 16; exactly one is wanted, 4 (wide) is taken.",)),
        0x59: GpuMode("opencl", 89, False, 72, 72, "normal", "buffer", None, (tuning + "59",),
                      ("89 sets 3 of the tuning bits 1, 2, 4, 8, 16; exactly one is wanted, 8 (normal) is taken.",)),
        0x1464: GpuMode("opencl", 5220, False, 68, 68, "wide", "buffer", None, (),
                        ("The bits 5152 of 5220 have no meaning and are ignored.",)),
        12: GpuMode("opencl", 12, False, 4, 4, "wide", "auto", None, (tuning + "c",),
                    ("12 sets 2 of the tuning bits 1, 2, 4, 8, 16; exactly one is wanted, 4 (wide) is taken.", NO_MEMORY)),
    }  # fmt: skip
    assert {value: decode_gpu_mode("opencl", value) for value in wanted} == wanted


def test_everything_that_vulkan_makes_of_a_number() -> None:
    printed = ("The customized gpu mode is illegal for Vulkan backend. Using the default mode.",)
    memory = "64 (buffer) and 128 (image) are OpenCL's bits; Vulkan's memory kind is fixed when MNN is built."

    def known(value: int) -> str:
        return f"Vulkan knows 1, 2, 4, 513, 514, 516 only; {value} is replaced by 4."

    wanted = {
        2: GpuMode("vulkan", 2, True, 2, 2, "heavy", None, None),
        1: GpuMode("vulkan", 1, True, 1, 1, "none", None, None, (), (TENSOR_PATH,)),
        513: GpuMode("vulkan", 513, True, 513, 513, "none", None, "batch"),
        8: GpuMode("vulkan", 8, False, 4, 4, "wide", None, None, printed, (known(8),)),
        65: GpuMode("vulkan", 65, False, 4, 4, "wide", None, None, printed, (known(65), memory)),
        129: GpuMode("vulkan", 129, False, 4, 4, "wide", None, None, printed, (known(129), memory)),
    }
    assert {value: decode_gpu_mode("vulkan", value) for value in wanted} == wanted


def test_everything_that_the_cpu_makes_of_a_number() -> None:
    def count(value: int) -> str:
        return f"On the CPU the number is a count of threads: {value}."

    bits = "As GPU mode bits it would be {}: was a GPU backend meant?"
    wanted = {
        1: GpuMode("cpu", 1, True, 1, 1, facts=(count(1),)),
        32: GpuMode("cpu", 32, True, 32, 32, facts=(count(32),)),
        0: GpuMode("cpu", 0, True, 0, 4, facts=(count(0),)),
        -1: GpuMode("cpu", -1, False, -1, 4, facts=(count(-1),)),
        33: GpuMode("cpu", 33, True, 33, 4, facts=(count(33), bits.format("1 (none)"))),
        0x284: GpuMode("cpu", 644, True, 644, 4, facts=(count(644), bits.format("4 (wide) + 128 (image) + 512 (batch)"))),
        0x400: GpuMode("cpu", 1024, True, 1024, 4, facts=(count(1024), "")),
    }  # fmt: skip
    assert {value: decode_gpu_mode("cpu", value) for value in wanted} == wanted
    assert decode_gpu_mode("metal", 68) == GpuMode("metal", 68, None, 68, 68, None, None, None, (), ())


def test_a_number_in_words() -> None:
    words = {
        ("cpu", 4): "4 threads", ("cpu", 1): "1 thread", ("cpu", 0): "0 threads", ("metal", 68): "mode 68",
        ("opencl", 65): "no tuning, buffer memory", ("opencl", 132): "wide tuning, image memory",
        ("opencl", 8): "normal tuning, memory as the GPU prefers", ("vulkan", 2): "heavy tuning", ("vulkan", 1): "no tuning",
    }  # fmt: skip
    assert {case: describe(decode_gpu_mode(*case)) for case in words} == words


def test_every_lost_assignment_is_kept_in_order() -> None:
    writes = [("mode", 68), ("num_thread", 4), ("mode", 1), ("num_thread", 4)]
    assert schedule_union(writes) == Union(4, "num_thread", (("mode", 68), ("mode", 1)))
    assert schedule_union([("mode", 68)]) == Union(68, "mode", ())
    assert schedule_union([]) == Union(4, None, ())
