"""The path in a report is a chain: steps, then the links to the NPU, each with the ids of what goes wrong there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cli.run import prepcheck, report

ZERO_COPY = """prepcheck: plan/v1
runtime: rknn
platform: rv1106
version: "2.3.2"
model:
  inputs:
    - {{index: 0, name: data, layout: NHWC, shape: [1, 48, 168, 3], dtype: int8, scheme: affine, scale: 0.003922, zero_point: -128}}
  build: {{mean: [[0, 0, 0]], std: [[255, 255, 255]]}}
  training: {{color: {trained}, resize: stretch}}
buffers:
  mem: {{dtype: uint8, shape: [48, 168, 3], layout: HWC, color: RGB, size: {size}, memory: {{kind: dma_fd, cached: true}}}}
steps:
  - decode: {{library: opencv, color: BGR, size: [672, 192]}}
  - convert_color: {{to: RGB}}
  - resize: {{size: [168, 48], library: opencv}}
calls:
  - {{api: rknn_init, flags: [{flags}]}}
  - {{api: rknn_create_mem, buffer: mem, size: {size}}}
  - {{api: rknn_set_io_mem, index: 0, buffer: mem, type: UINT8, fmt: NHWC, size: {size}, pass_through: 0}}
  - {{api: write, buffer: mem, by: cpu, dtype: uint8, size: {written}, wstride: {pitch}}}
  - {{api: rknn_run}}
"""


def zero_copy(
    folder: Path, *, size: int = 25344, pitch: int = 176, flags: str = "", trained: str = "RGB"
) -> tuple[Path, dict[str, list[str]]]:
    """The plan's file, and step → ids of the path of its only input, in order."""
    path = folder / "plan.yaml"
    text = ZERO_COPY.format(size=size, written=48 * 3 * pitch, pitch=pitch, flags=flags, trained=trained)
    path.write_text(text, encoding="utf-8")
    lines = report("validate", "--plan", path)["path"]["data"]
    return path, {line["step"]: line["findings"] for line in lines}


def test_right_zero_copy_is_one_chain(tmp_path: Path) -> None:
    path, chain = zero_copy(tmp_path)
    assert list(chain) == ["decode", "convert_color", "resize", "write", "memory", "sync", "bind"]
    assert not any(chain.values())
    lines = report("validate", "--plan", path, code=0)["path"]["data"]
    by = {line["step"]: line for line in lines}
    assert by["convert_color"]["after"] == "672x192 RGB uint8 HWC, 0..255"
    assert by["write"]["after"] == "cpu, uint8, 25344 bytes, rows of 176 pixels"
    assert by["memory"]["after"].startswith("mem, 25344 bytes, dma_fd, cached")
    assert by["bind"]["after"] == "rknn_set_io_mem UINT8, NHWC, pass_through 0"
    assert [by[s]["note"] for s in ("write", "memory", "bind")] == ["calls[3]", "calls[1]", "calls[2]"]


def test_the_broken_link_carries_the_id(tmp_path: Path) -> None:
    assert zero_copy(tmp_path, size=24192, pitch=168)[1]["memory"] == ["MM001"]
    assert zero_copy(tmp_path, pitch=168)[1]["write"] == ["MM003"]
    assert zero_copy(tmp_path, flags="DISABLE_FLUSH_INPUT_MEM_CACHE")[1]["sync"] == ["MM007"]
    assert zero_copy(tmp_path, trained="BGR")[1]["convert_color"] == ["CL002"]


def test_two_broken_links_are_two_findings(tmp_path: Path) -> None:
    path, chain = zero_copy(tmp_path, pitch=168, flags="DISABLE_FLUSH_INPUT_MEM_CACHE")
    assert (chain["write"], chain["sync"]) == (["MM003"], ["MM007"])
    findings = report("validate", "--plan", path, code=1)["findings"]
    assert [f["rule"] for f in findings if f["severity"] == "error"] == ["MM003", "MM007"]


def test_text_is_one_line_a_step(tmp_path: Path) -> None:
    path, _ = zero_copy(tmp_path, pitch=168)
    text = prepcheck("validate", "--plan", path).stdout
    steps = re.findall(r"^  (\d)\. (\w+)", text, flags=re.MULTILINE)
    assert [name for _, name in steps] == ["decode", "convert_color", "resize", "write", "memory", "sync", "bind"]
    assert re.search(r"^  4\. write .*\n     \^ MM003$", text, flags=re.MULTILINE)


def test_hand_over_agrees_with_the_links(tmp_path: Path) -> None:
    path, _ = zero_copy(tmp_path)
    (given,) = report("validate", "--plan", path)["hand_over"]
    assert (given["w_stride"], given["bytes"], given["size_with_stride"]) == (176, 25344, 25344)


def test_a_call_that_copies_is_the_last_line(tmp_path: Path) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(
        "prepcheck: plan/v1\nruntime: rknn\nplatform: rk3588\nmodel:\n  inputs:\n"
        "    - {name: in, layout: NHWC, shape: [1, 64, 96, 3], dtype: int8, scheme: affine, scale: 1.0, zero_point: -128}\n"
        "buffers: {host: {dtype: uint8, shape: [64, 96, 3], layout: HWC, size: 18432}}\ncalls:\n"
        "  - {api: rknn_inputs_set, inputs: [{index: 0, buffer: host, type: UINT8, fmt: NHWC, size: 18400, pass_through: 0}]}\n"
        "  - {api: rknn_run}\n",
        encoding="utf-8",
    )
    told = report("validate", "--plan", path, code=1)
    (line,) = told["path"]["in"]
    assert line["step"] == "rknn_inputs_set"
    assert line["findings"] == [f["rule"] for f in told["findings"]]
    assert "18400" in line["after"]
