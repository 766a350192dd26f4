"""Tables and small arithmetic of `core` against numbers written down a second time, by hand or by numpy."""

from __future__ import annotations

import numpy as np
import pytest

from prepcheck.core import dtypes, geometry
from prepcheck.core.mnn_convert_args import misread
from prepcheck.core.mnn_copy import copy_story
from prepcheck.core.rga_formats import FORMATS, format_of_number, image_bytes, pitch_bytes, rk_format

# RK_FORMAT_* of librga's rga.h, divided by 256
CODES = {
    "RGBA_8888": 0x0, "RGBX_8888": 0x1, "RGB_888": 0x2, "BGRA_8888": 0x3, "RGB_565": 0x4, "RGBA_5551": 0x5, "RGBA_4444": 0x6, "BGR_888": 0x7,
    "YCbCr_422_SP": 0x8, "YCbCr_422_P": 0x9, "YCbCr_420_SP": 0xA, "YCbCr_420_P": 0xB, "YCrCb_422_SP": 0xC, "YCrCb_422_P": 0xD,
    "YCrCb_420_SP": 0xE, "YCrCb_420_P": 0xF, "Y4": 0x14, "YCbCr_400": 0x15, "BGRX_8888": 0x16, "YVYU_422": 0x18, "YVYU_420": 0x19,
    "VYUY_422": 0x1A, "VYUY_420": 0x1B, "YUYV_422": 0x1C, "YUYV_420": 0x1D, "UYVY_422": 0x1E, "UYVY_420": 0x1F,
    "YCbCr_420_SP_10B": 0x20, "YCrCb_420_SP_10B": 0x21, "YCbCr_422_SP_10B": 0x22, "YCrCb_422_SP_10B": 0x23, "BGR_565": 0x24,
    "BGRA_5551": 0x25, "BGRA_4444": 0x26, "ARGB_8888": 0x28, "XRGB_8888": 0x29, "ARGB_5551": 0x2A, "ARGB_4444": 0x2B, "ABGR_8888": 0x2C,
    "XBGR_8888": 0x2D, "ABGR_5551": 0x2E, "ABGR_4444": 0x2F, "A8": 0x31, "YCbCr_444_SP": 0x32, "YCrCb_444_SP": 0x33, "Y8": 0x34,
}  # fmt: skip


def test_codes_of_rga_formats() -> None:
    assert {name: f.code for name, f in FORMATS.items()} == CODES
    assert all(f.name == name for name, f in FORMATS.items())
    for name, code in CODES.items():
        found = format_of_number(code << 8)
        assert found is not None
        assert found.name == name
    assert format_of_number(0x99 << 8) is None
    assert rk_format("RGB_777") is None


def bits_by_name(name: str) -> float:
    """Bits of a pixel over all planes, read off the format's name; 10-bit ones count as eight (their pitch is in bytes)."""
    if name in ("Y4", "Y8", "A8", "YCbCr_400"):
        return {"Y4": 4}.get(name, 8)
    for part, bits in (("8888", 32), ("888", 24), ("565", 16), ("5551", 16), ("4444", 16)):
        if name.endswith("_" + part):
            return bits
    if name.startswith(("YUYV", "YVYU", "UYVY", "VYUY")):
        return {"422": 16, "420": 12}[name[-3:]]
    return {"444": 24, "422": 16, "420": 12}[name.split("_")[1]]


@pytest.mark.parametrize("name", sorted(CODES))
def test_bytes_of_rga_images(name: str) -> None:
    fmt = FORMATS[name]
    assert image_bytes(fmt, 64, 32) == 64 * 32 * bits_by_name(name) / 8
    first = {"rgb": bits_by_name(name), "yuyv": 16}.get(fmt.kind, 10 if name.endswith("10B") else 8)
    assert fmt.pitch_bits == first
    assert pitch_bytes(fmt, 64) == (64 if name.endswith("10B") else 64 * first / 8)


@pytest.mark.parametrize(
    ("source", "shorter", "longest", "size"),
    [((640, 480), 224, None, (298, 224)), ((480, 640), 224, None, (224, 298)), ((300, 300), 224, None, (224, 224)), ((640, 480), None, 320, (320, 240)),
     ((480, 640), None, 320, (240, 320)), ((1000, 100), 224, 512, (512, 51)), ((100, 1000), 224, 512, (51, 512)), ((640, 480), 224, 299, (298, 224)), ((640, 480), 224, 298, (298, 223)),
     ((640, 480), 224, 297, (297, 222)), ((5000, 3), None, 100, (100, 1)), ((0, 0), None, 7, (1, 7)), ((0, 10), 8, None, (8, 8))],
)  # fmt: skip
def test_sides(source: tuple[int, int], shorter: int | None, longest: int | None, size: tuple[int, int]) -> None:
    assert geometry.side_size(source, shorter=shorter, longest=longest) == size


def test_boxes() -> None:
    def numbers(box: geometry.Box) -> tuple[int, int, int, int]:
        left, top, width, height = (getattr(box, n) for n in box.__slots__)
        return left, top, width, height

    assert numbers(geometry.center_box((10, 7), (4, 4))) == (3, 1, 4, 4)
    assert numbers(geometry.center_box((4, 4), (10, 7))) == (-3, -2, 10, 7)
    assert geometry.distortion((640, 480), (640, 640)) == pytest.approx(4 / 3)
    assert geometry.distortion((480, 640), (640, 640)) == pytest.approx(4 / 3)
    assert geometry.distortion((100, 50), (200, 100)) == 1.0


def test_types() -> None:
    for name in (
        "float32",
        "float16",
        "float64",
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
    ):
        assert dtypes.BITS[name] == np.dtype(name).itemsize * 8
        assert dtypes.itemsize(name) == np.dtype(name).itemsize
        assert dtypes.nbytes(name, 7) == 7 * np.dtype(name).itemsize
    assert (dtypes.BITS["bfloat16"], dtypes.BITS["bool"], dtypes.BITS["int4"]) == (16, 8, 4)
    assert dtypes.nbytes("int4", 7) == 4
    with pytest.raises(ValueError, match="no whole number of bytes"):
        dtypes.itemsize("int4")
    assert {n for n in dtypes.BITS if dtypes.is_float(n)} == {"float32", "float16", "bfloat16", "float64"}
    assert dtypes.C_NAMES == {
        "FLOAT32": "float32", "FP32": "float32", "FLOAT16": "float16", "FP16": "float16", "BFLOAT16": "bfloat16", "INT8": "int8", "UINT8": "uint8",
        "INT16": "int16", "UINT16": "uint16", "INT32": "int32", "UINT32": "uint32", "INT64": "int64", "BOOL": "bool", "INT4": "int4",
    }  # fmt: skip


KNOWN = [
    "help",
    "version",
    "framework",
    "modelFile",
    "batch",
    "keepInputFormat",
    "optimizeLevel",
    "optimizePrefer",
    "prototxt",
    "MNNModel",
    "fp16",
    "benchmarkModel",
    "bizCode",
    "debug",
    "forTraining",
    "weightQuantBits",
    "weightQuantAsymmetric",
    "weightQuantBlock",
    "hqq",
    "weightQuantScaleBit",
    "compressionParamsFile",
    "OP",
    "saveStaticModel",
    "targetVersion",
    "customOpLibs",
    "info",
    "authCode",
    "inputConfigFile",
    "testdir",
    "testconfig",
    "thredhold",
    "JsonFile",
    "alignDenormalizedValue",
    "detectSparseSpeedUp",
    "saveExternalData",
    "useGeluApproximation",
    "convertMatmulToConv",
    "transformerFuse",
    "transformerFuseC4",
    "groupConvNative",
    "allowCustomOp",
    "useOriginRNNImpl",
    "splitBlockQuant",
    "dumpPass",
]


def test_options_of_the_converter() -> None:
    assert misread([f"--{name}" for name in KNOWN]) == []
    (found,) = misread([" --fp61 "])
    assert "--fp61" in (getattr(found, name) for name in found.__slots__)
    assert misread(["-f", "ONNX", "--", "model.onnx"]) == []
    assert [m.kind for m in misread(["--saveStaticModel=0", "--saveStaticModel=1", "--weightQuantBits=0"])] == [
        "counted"
    ]


@pytest.mark.parametrize(
    ("got", "want", "kind"),
    [((1, 3, 8, 10), (1, 3, 8, 10), "same"), ((1, 3, 10, 8), (1, 3, 8, 10), "exchanged"), ((1, 8, 10, 3), (1, 3, 8, 10), "channels_last"),
     ((1, 10, 3, 8), (1, 3, 8, 10), "channels_first"), ((2, 3, 8, 10), (1, 3, 8, 10), "batch_more"), ((1, 3, 8, 10), (2, 3, 8, 10), "batch_less"),
     ((1, 4, 8, 10), (1, 3, 8, 10), "channels_more"), ((1, 3, 8, 10), (1, 4, 8, 10), "channels_less"), ((1, 3, 9, 10), (1, 3, 8, 10), "larger"),
     ((1, 3, 7, 9), (1, 3, 8, 10), "smaller"), ((1, 10), (10,), "same_count"), ((4, 6), (6, 4), "exchanged"), ((4, 6), (2, 12), "same_count"),
     ((4, 7), (2, 12), "larger"), ((2, 11), (4, 6), "smaller"), ((5,), (5,), "same")],
)  # fmt: skip
def test_copies(got: tuple[int, ...], want: tuple[int, ...], kind: str) -> None:
    found = copy_story("NCHW", got, "NCHW", want)
    assert found is not None
    assert found.kind == kind
