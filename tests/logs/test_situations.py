"""Pasted situations of many kinds: what has to be said of each, and what must not be."""

from __future__ import annotations

from pathlib import Path

import pytest

from prepcheck.app.explain import Question, explain

SIZE = "E RKNN: [16:02:11.218] rknn_inputs_set, param input size({got}) < model input size({want})\nrknn_inputs_set fail! ret=-5\n"
CASES: list[tuple[str, str, set[str], set[str]]] = [
    ("a camera frame that nobody resized", "各位，rk3566 上报错\n" + SIZE.format(got=921600, want=1228800) + "我传的是 640x480 的图", {"SZ301"}, {"RK316"}),
    ("YUYV under a ROS node", "[ERROR] [1690000000.22] [rknn_node]: " + SIZE.format(got=1843200, want=2764800), {"SZ301"}, set()),
    ("an NPU that hangs is no RGA", "E RKNN: [01:02:03.004] failed to submit!, op id: 12, op name: Conv:c, flags: 0x5, task start: 85, task number: 64\n[ 1301.330200] RKNPU fdab0000.npu: soft reset\n", {"RK314"}, {"RG315"}),
    ("an RGA that hangs", "[ 13.1] rga_job: core[4] soft reset\n[   13.200000] rga_job: rga2 soft reset\n", {"RG315"}, {"RK314"}),
    ("v4l2 rows with padding, in Chinese", "Format Video Capture Multiplanar:\n\tWidth/Height      : 1920/1080\n\tPixel Format      : 'NV12' (Y/CbCr 4:2:0)\n\tBytes per Line : 2048\n图像倾斜", {"ST303", "CN301"}, set()),
    ("mode lost in the union", "config.type = MNN_FORWARD_OPENCL;\nconfig.mode = MNN_GPU_TUNING_WIDE | MNN_GPU_MEMORY_BUFFER;\nconfig.numThread = 4;\n", {"MN321"}, set()),
    ("mean and std of 0..1 in the build", "rknn.config(mean_values=[[0.485, 0.456, 0.406]], std_values=[[0.229, 0.224, 0.225]])\n", {"NM303"}, set()),
    ("an array without batch", "E inference: ValueError: The input[0] need 4dims input, but 3dims input buffer feed.\n我用的是 toolkit2 1.4", {"SZ302"}, set()),
    ("a session resized against its graph", "Reshape error: 307200 -> 1228800\nCompute Shape Error for /model.22/Reshape_output_0\n", {"MN307"}, set()),
    ("a sentence of the user that begins with I", "I memcpy(mem->virt_addr, img.data, 96*168*3) and the picture is sheared, results are wrong", {"CN301"}, set()),
    ("all scores NaN, told in prose", "Hi, everything runs and there are no errors, but all scores are NaN with the fp16 model", {"CN301"}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said", "unsaid"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_what_is_said(text: str, said: set[str], unsaid: set[str], tmp_path: Path) -> None:
    path = tmp_path / "pasted.txt"
    path.write_text(text, encoding="utf-8")
    report = explain(Question(files=[path]))
    rules = {f.rule for f in report.findings}
    assert said <= rules
    assert not unsaid & rules
    lines = report.details["lines"]
    assert isinstance(lines, list)
    assert not [line for line in lines if line["label"] == "not_understood"]
