"""Code as evidence: three idioms become events, everything else and every comment stays unknown."""

from __future__ import annotations

import pytest

from prepcheck.facts.frames_log import frames
from prepcheck.logs.code import value_of
from prepcheck.logs.reading import read_texts


def _events(text: str, kind: str) -> list[dict[str, object]]:
    return [dict(e.fields) for e in read_texts([("code", text)]).events if e.kind == kind]


def test_mnn_assignments_in_order() -> None:
    text = "ScheduleConfig c;\nc.numThread = 65;\n// c.mode = 4;\nc.mode = ScheduleConfig::Path::Mode::Tensor;\nc.backupType = pick();"
    found = _events(text, "code_mnn")
    assert [(f["field"], f["number"]) for f in found] == [("numThread", 65), ("mode", 1), ("backupType", None)]


def test_rknn_fields() -> None:
    text = "inputs[0].type = RKNN_TENSOR_UINT8;\n//inputs[0].fmt = RKNN_TENSOR_NCHW;\napp->input_attrs[0].fmt = RKNN_TENSOR_NHWC;"
    assert [(f["field"], f["value"]) for f in _events(text, "code_rknn_input")] == [("type", "UINT8")]
    assert [(f["field"], f["value"]) for f in _events(text, "code_rknn_attr")] == [("fmt", "NHWC")]


def test_toolkit_calls_are_read_not_run() -> None:
    text = "rknn.config(mean_values=[[0, 0, 0]],  # [[1]]\n    target_platform='rk3588', std_values=__import__('os').abort())\n# rknn.build(do_quantization=False)"
    found = _events(text, "code_toolkit")
    assert [(f["argument"], f["value"]) for f in found] == [
        ("mean_values", "[[0, 0, 0]]"),
        ("target_platform", '"rk3588"'),
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [("65", 65), ("0x41", 65), ("MNN_GPU_TUNING_NORMAL | MNN_GPU_MEMORY_BUFFER", 72), ("n + 1", None), ("f()", None)],
)
def test_values(text: str, number: int | None) -> None:
    assert value_of(text) == number


def test_frames_of_pasted_tools() -> None:
    camera = "Format Video Capture:\n\tWidth/Height      : 1900/1080\n\tPixel Format      : 'NV12' (Y/CbCr 4:2:0)\n\tBytes per Line    : 1920\n\tSize Image        : 3110400"
    found = frames(read_texts([("camera", camera)]))
    assert [(f.width, f.row_bytes, f.packed_row, f.expected_size) for f in found] == [(1900, 1920, 1900, 3110400)]
    decoder = frames(
        read_texts([("mpp", "decoder require buffer w:h [1920:1080] stride [1920:1088] buf_size 3133440")])
    )
    assert (decoder[0].rows, decoder[0].expected_size) == (1088, 3133440)
    caps = frames(read_texts([("gst", "video/x-raw, format=(string)BGR, width=(int)640, height=(int)480")]))
    assert (caps[0].format, caps[0].packed_row) == ("BGR", 1920)
    ros = frames(read_texts([("ros", "height: 480\nwidth: 640\nencoding: bgr8\nis_bigendian: 0\nstep: 2048")]))
    assert (ros[0].row_bytes, ros[0].packed_row) == (2048, 1920)
