"""RGA findings in whole reports: steps as well as calls, one finding for one cause, merging with the rules on zero-copy."""

from __future__ import annotations

from tests.plans.rga_mutations import channel, plan
from tests.plans.rga_random import Body, judged


def rules(body: Body) -> list[str]:
    """Ids of errors and warnings, in order."""
    return [f.rule for f in judged(body).findings if f.severity != "info"]


def model(w: int, h: int) -> Body:
    """A model with one input of three channels."""
    return {"inputs": [{"name": "in", "layout": "NHWC", "shape": [1, h, w, 3], "dtype": "int8", "scheme": "affine", "scale": 1.0,
                        "zero_point": -128}]}  # fmt: skip


def test_a_step_is_judged_like_a_call() -> None:
    step = {"rga": {"src": {"width": 1920, "height": 1080, "format": "YCbCr_420_SP"},
                    "dst": {"width": 640, "height": 640, "wstride": 650, "format": "RGB_888"}}}  # fmt: skip
    steps = [{"decode": {"library": "mpp", "color": "NV12", "size": [1920, 1080]}}, step]
    report = judged({"runtime": "rknn", "platform": "rk3588", "model": model(640, 640), "steps": steps})
    found = [(f.rule, f.where) for f in report.findings if f.severity == "error"]
    assert ("RG005", "steps[1].dst") in found


def test_a_step_of_the_zoo_is_told_apart() -> None:
    steps = [
        {"decode": {"library": "opencv", "color": "RGB", "size": [500, 300]}},
        {"letterbox": {"size": [640, 640], "library": "zoo"}},
    ]
    report = judged({"runtime": "rknn", "platform": "rk3588", "model": model(640, 640), "steps": steps})
    assert "RG046" in [f.rule for f in report.findings]


def test_a_fault_in_every_frame_is_one_finding() -> None:
    call = {"api": "imresize", "src": channel("RGB_888", 510, 480), "dst": channel("RGB_888", 320, 320)}
    assert rules(plan("rk3588", *[call] * 12)) == ["RG005"]


def test_reading_what_rga_wrote_is_one_finding_also_for_the_npu() -> None:
    cached = {"kind": "handle", "heap": "system-dma32", "cached": True}
    call = {
        "api": "imresize", "src": channel("RGB_888", 640, 480, {"kind": "handle", "heap": "system-uncached-dma32"}),
        "dst": channel("RGB_888", 320, 320, cached, buffer="o"),
    }  # fmt: skip
    read = {"api": "read", "buffer": "o", "by": "cpu"}
    body = {"runtime": "rknn", "platform": "rk3588", "model": model(320, 320), "calls": [call, read]}
    assert len([r for r in rules(body) if r in ("RG031", "MM009")]) == 1


def test_the_pitch_of_an_input_is_one_finding() -> None:
    w, h, stride = 168, 96, 176
    tensor = {**model(w, h)["inputs"][0], "w_stride": stride, "size": w * h * 3, "size_with_stride": stride * h * 3}
    calls = [
        {"api": "rknn_create_mem", "for": "inputs[0]", "buffer": "mem", "size": stride * h * 3},
        {"api": "rknn_set_io_mem", "index": 0, "buffer": "mem", "type": "UINT8", "fmt": "NHWC", "size": stride * h * 3, "w_stride": stride},
        {"api": "imresize", "src": channel("RGB_888", 640, 480), "dst": channel("RGB_888", w, h, buffer="mem", size=stride * h * 3)},
        {"api": "rknn_run"},
    ]  # fmt: skip
    assert rules({"runtime": "rknn", "platform": "rk3576", "model": {"inputs": [tensor]}, "calls": calls}) == ["MM003"]
