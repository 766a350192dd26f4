"""Known limits: each is named where it is stated and seen, and never on a look-alike (other device, version, no fault)."""

from __future__ import annotations

import re

import pytest

from prepcheck.app.explain import Question, explain
from prepcheck.evidence.known_limits import limits

SUBMIT = (
    "E RKNN: [10:00:01.123] failed to submit!, op id: 62, op name: {op}, flags: 0x5, task start: 85, task number: 64"
)
RT = "I RKNN: [10:00:00.000] RKNN Runtime Information: librknnrt version: {rt} (abcdef0@2024-01-01T00:00:00)"
MODEL = (
    "I RKNN: [10:00:00.000] RKNN Model Information: version: 6, toolkit version: {tk}(compiler version: {tk}), "
    "target: RKNPU v2, target platform: {chip}, framework name: ONNX, framework layout: NCHW, model inference type: static_shape"
)
TABLE = "E RKNN: [10:00:02.000] REGTASK: The bit width of field value exceeds the limit, target: v2, offset: 0x1014, shift = 0, limit: 0x7, value: 0x32"


def rt(version: str, chip: str, toolkit: str | None = None) -> str:
    return RT.format(rt=version) + "\n" + MODEL.format(tk=toolkit or version, chip=chip) + "\n"


SIM = "The simulator is right but the board answers wrong. "

HITS: dict[str, list[str]] = {
    "mnn-opencl-amd": [
        "MNN 2.9.0, Windows, AMD Radeon graphics: with CPU the result is right, with OpenCL the result is wrong",
        "MNN版本 2.8.1，AMD核显，cpu推理正常，opencl推理结果错误",
    ],
    "mnn-vulkan-adreno-830": ["MNN vulkan on Adreno (TM) 830: some outputs are NaN, CPU is right", "小米15 Adreno 830 MNN Vulkan 输出全是nan"],
    "mnn-gpu-mobileclip2": ["mobileClip2_s with MNN: CPU is correct, opencl output is wrong"],
    "mnn-opencl-deconv": ["MNN 1.0.1 opencl deconvolution: cpu result is right, opencl result is wrong"],
    "mnn-opencl-batch": ["MNN 2.7.0 on Windows, OpenCL, batch=4: wrong result, cpu is right"],
    "mnn-opencl-rk3399-low": ["rk3399 with MNN 1.2.2, OpenCL, Precision_Low: CPU is right, opencl is wrong"],
    "mnn-opencl-argmax": ["MNN 2.5.1: argmax 算子 CPU 正确, opencl 结果不对"],
    "mnn-imageprocess-sse": ["MNN 2.9.5 on an x86 PC: with cv2 it is fine, ImageProcess gives wrong results"],
    "rv1126b-resize-bilinear": [
        rt("2.3.2", "rv1126b") + SIM + "The network has a bilinear Resize followed by Conv.",
        rt("2.3.2", "rv1126b") + "模拟器结果正确，板子上结果不对，模型里有 Upsample 双线性 (bilinear)",
    ],
    "rk3588-softmax-submit": [rt("2.3.0", "rk3588", "2.3.2") + SUBMIT.format(op="Softmax:/heads/Softmax")],
    "rk3588-resize-submit": [rt("1.5.0", "rk3588") + SUBMIT.format(op="Resize:p2o.Resize.1")],
    "rk3588-yolov6s-1.4": [rt("1.4.0", "rk3588") + SIM + "yolov6s"],
    "rk3588-computed-kernel": [rt("1.4.0", "rk3588") + SIM + "I use F.conv2d with a computed weight"],
    "rv1106-random-convolution": [rt("1.5.2", "rv1106") + "同一张图片每次推理结果不一样"],
    "rk3568-softmax-early": [rt("1.2.0", "rk3568") + SIM + "Only the output of Softmax is wrong, it is all 1"],
    "npu-layernorm": [rt("2.1.0", "rk3588") + SIM + "The first layer that falls is LayerNorm"],
    "rk3588-mobilesam-1024": [rt("2.0.0", "rk3588") + SIM + "MobileSAM encoder with 1024 input"],
    "rk3588-regtask-field": [rt("2.3.0", "rk3588") + TABLE + "\nthe model uses nn.Conv1d"],
    "multi-core-batch": [rt("1.5.0", "rk3588") + SIM + "batch 4 with core_mask RKNN_NPU_CORE_0_1_2"],
    "rk3562-batch": [rt("1.4.0", "rk3562") + SIM + "batch of 2"],
}  # fmt: skip

ALIKE: dict[str, list[str]] = {
    "mnn-opencl-amd": [
        "MNN 2.9.0, NVIDIA GeForce with an AMD Ryzen: CPU is right, OpenCL is wrong",
        "MNN 2.9.0 on AMD Radeon with OpenCL, how fast should it be",
        "MNN 2.9.0, AMD Radeon graphics, Vulkan: CPU is right, Vulkan is wrong",
    ],
    "mnn-vulkan-adreno-830": [
        "MNN vulkan on Adreno (TM) 730: some outputs are NaN, CPU is right",
        "MNN opencl on Adreno (TM) 830: some outputs are NaN, CPU is right",
    ],
    "mnn-gpu-mobileclip2": ["mobileclip_s with MNN: CPU is correct, opencl output is wrong"],
    "mnn-opencl-deconv": [
        "MNN 2.0.0 opencl deconvolution: cpu result is right, opencl result is wrong",
        "MNN opencl deconvolution: cpu result is right, opencl result is wrong",
    ],
    "mnn-opencl-batch": [
        "MNN 2.7.0 on Windows, OpenCL, batch=1: wrong result, cpu is right",
        "MNN 3.1.0 on Windows, OpenCL, batch=4: wrong result, cpu is right",
    ],
    "mnn-opencl-rk3399-low": ["rk3399 with MNN 2.8.0, OpenCL, Precision_Low: CPU is right, opencl is wrong"],
    "mnn-opencl-argmax": ["MNN 2.8.0: argmax 算子 CPU 正确, opencl 结果不对"],
    "mnn-imageprocess-sse": [
        "MNN 3.0.1 on an x86 PC: with cv2 it is fine, ImageProcess gives wrong results",
        "MNN 2.9.5 on aarch64 ubuntu: ImageProcess gives wrong results",
    ],
    "rv1126b-resize-bilinear": [
        rt("2.3.2", "rk3588") + SIM + "The network has a bilinear Resize followed by Conv.",
        rt("2.3.2", "rv1126b") + "The network has a bilinear Resize followed by Conv.",
        rt("2.3.2", "rv1126b") + SIM + "The network has a nearest Resize.",
    ],
    "rk3588-softmax-submit": [
        rt("2.3.0", "rk3576", "2.3.2") + SUBMIT.format(op="Softmax:/heads/Softmax"),
        rt("2.3.0", "rk3588", "2.1.0") + SUBMIT.format(op="Softmax:/heads/Softmax"),
        rt("2.3.0", "rk3588", "2.3.2") + SUBMIT.format(op="Conv:conv3"),
    ],
    "rk3588-resize-submit": [
        rt("2.3.0", "rk3588") + SUBMIT.format(op="Resize:p2o.Resize.1"),
        rt("1.5.0", "rk3568") + SUBMIT.format(op="Resize:p2o.Resize.1"),
    ],
    "rk3588-yolov6s-1.4": [rt("1.5.2", "rk3588") + SIM + "yolov6s", rt("1.4.0", "rk3588") + SIM + "yolov5s"],
    "rk3588-computed-kernel": [rt("2.3.0", "rk3588") + SIM + "I use F.conv2d with a computed weight"],
    "rv1106-random-convolution": [
        rt("2.3.2", "rv1106") + "同一张图片每次推理结果不一样",
        rt("1.5.2", "rk3588") + "同一张图片每次推理结果不一样",
    ],
    "rk3568-softmax-early": [rt("1.6.0", "rk3568") + SIM + "Only the output of Softmax is wrong, it is all 1"],
    "npu-layernorm": [rt("2.3.2", "rk3588") + SIM + "The first layer that falls is LayerNorm"],
    "rk3588-mobilesam-1024": [rt("2.0.0", "rk3588") + SIM + "MobileSAM encoder with 448 input"],
    "rk3588-regtask-field": [rt("2.3.0", "rk3588") + TABLE],
    "multi-core-batch": [rt("1.6.0", "rk3588") + SIM + "batch 4 with core_mask RKNN_NPU_CORE_0_1_2"],
    "rk3562-batch": [rt("1.5.0", "rk3562") + SIM + "batch of 2"],
}  # fmt: skip


def named(text: str) -> list[str]:
    report = explain(Question(texts=[("text", text)]))
    notes = report.details.get("notes", {})
    found = notes.get("known_limits", []) if isinstance(notes, dict) else []
    return list(found)


@pytest.mark.parametrize(("id", "text"), [(i, t) for i, texts in HITS.items() for t in texts])
def test_what_is_stated_and_seen_is_named(id: str, text: str) -> None:
    limit = next(x for x in limits() if x.id == id)
    report = explain(Question(texts=[("text", text)]))
    notes = report.details["notes"]
    assert isinstance(notes, dict)
    assert id in notes["known_limits"]
    told = next(r for r in report.ruled_out if r.what == limit.what)
    assert limit.date in told.because
    assert limit.source in told.because
    assert any(t.do == limit.instead for t in report.next_tests)


@pytest.mark.parametrize(("id", "text"), [(i, t) for i, texts in ALIKE.items() for t in texts])
def test_look_alikes_are_not(id: str, text: str) -> None:
    assert id not in named(text)


def test_every_entry_has_a_hit_a_look_alike_and_a_source() -> None:
    known = {x.id for x in limits()}
    assert known == set(HITS) == set(ALIKE)
    for x in limits():
        assert re.fullmatch(r"\d{4}(-\d\d-\d\d)?", x.date)
        assert x.source.startswith("https://") or "change log" in x.source
        assert x.confidence in ("H", "M", "L")
        assert x.status
        assert x.symptoms or x.kinds or x.observed
        assert x.platforms or x.words


def test_a_fault_of_the_input_keeps_its_scope() -> None:
    error = "E RKNN: [10:00:00.000] rknn_inputs_set, param input size(10080) < model input size(40320)\n"
    text = rt("2.3.0", "rk3588", "2.3.2") + SUBMIT.format(op="Softmax:/heads/Softmax")
    assert explain(Question(texts=[("text", text)])).scope == "device"
    assert explain(Question(texts=[("text", error + text)])).scope != "device"


def test_experiments_of_a_plan_count_as_well() -> None:
    told = (
        "where=simulator result=right model=mobilesam_1024 note=rk3588",
        "where=board result=wrong model=mobilesam_1024 note=rk3588",
    )
    report = explain(Question(observations=told, platform="rk3588", texts=[("t", rt("2.0.0", "rk3588"))]))
    notes = report.details["notes"]
    assert isinstance(notes, dict)
    assert notes["known_limits"] == ["rk3588-mobilesam-1024"]
