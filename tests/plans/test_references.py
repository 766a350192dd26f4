"""A plan that refers to what the model does not have cannot be judged: exit code 2, and the place is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.run import report

HEAD = """prepcheck: plan/v1
runtime: {runtime}
model:
  inputs:
    - {{name: left, layout: NHWC, shape: [1, 64, 96, 3], dtype: uint8}}
    - {{name: right, layout: NHWC, shape: [1, 64, 96, 3], dtype: uint8}}
  outputs: [{{name: depth, layout: UNDEFINED, shape: [1, 10], dtype: float32}}]
buffers:
  host: {{dtype: uint8, shape: [64, 96, 3], layout: HWC}}
calls:
"""

WRONG = {
    "index": ("rknn", "- {api: rknn_inputs_set, inputs: [{index: 0}, {index: 2, buffer: host}]}", "calls[0].inputs[1].index"),
    "negative": ("rknn", "- {api: rknn_set_io_mem, index: -1, buffer: mem}", "calls[0].index"),
    "for": ("rknn", '- {api: rknn_create_mem, for: "inputs[2]", buffer: mem, size: 4}', "calls[0].for"),
    "for-output": ("rknn", '- {api: rknn_set_io_mem, for: "outputs[1]", buffer: mem}', "calls[0].for"),
    "for-nothing": ("rknn", "- {api: rknn_create_mem, for: left, buffer: mem, size: 4}", "calls[0].for"),
    "tensor": ("generic", "- {api: set_input, tensor: middle, buffer: host}", "calls[0].tensor"),
    "steps-name": ("generic", "- {api: set_input, tensor: left, buffer: host}\nsteps: {middle: []}", "steps.middle"),
    "steps-list": ("generic", "- {api: set_input, tensor: left, buffer: host}\nsteps: [{cast: {dtype: uint8}}]", "steps: one list"),
}  # fmt: skip

RIGHT = {
    "index": ("rknn", "- {api: rknn_inputs_set, inputs: [{index: 1, buffer: host}]}"),
    "for": ("rknn", '- {api: rknn_set_io_mem, for: "outputs[0]", buffer: mem}'),
    "output": ("mnn", "- {api: copyToHostTensor, tensor: depth}"),
    "buffer": ("mnn", "- {api: copyFromHostTensor, tensor: host, buffer: other}"),
    "known-by-calls": ("mnn", "- {api: alloc, buffer: own, size: 4}\n- {api: copyFromHostTensor, tensor: own}"),
    "steps": ("generic", "- {api: set_input, tensor: left, buffer: host}\nsteps: {left: [], right: []}"),
}


@pytest.mark.parametrize("name", sorted(WRONG))
def test_what_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    runtime, calls, place = WRONG[name]
    path = tmp_path / "plan.yaml"
    path.write_text(HEAD.format(runtime=runtime) + calls + "\n", encoding="utf-8")
    told = report("validate", "--plan", path, code=2)
    assert told["verdict"] == "unjudged"
    assert told["error"]["code"] == "plan"
    assert f"{path}: {place}" in told["error"]["message"]


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_what_is_there_is_judged(name: str, tmp_path: Path) -> None:
    runtime, calls = RIGHT[name]
    path = tmp_path / "plan.yaml"
    path.write_text(HEAD.format(runtime=runtime) + calls + "\n", encoding="utf-8")
    assert report("validate", "--plan", path)["verdict"] != "unjudged"
