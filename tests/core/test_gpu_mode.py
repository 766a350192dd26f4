"""numThread and mode: one number, read as each backend reads it."""

from __future__ import annotations

import pytest

from prepcheck.core.gpu_mode import decode_gpu_mode, schedule_union


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
