"""What rknn_query reports of a tensor table: layouts, pitches and bytes by hand; whole tensors with their provenance.

The image is that of the built models: 1x3x20x36 int8 for rk3588, rows of 36 padded to 48 pixels, 20·48·3 = 2880 bytes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prepcheck.readers.rknn2_attrs import Described, Reported, Setting, describe_input, describe_output
from prepcheck.readers.rknn2_generator import Origin
from prepcheck.readers.rknn2_graph import Norm, RawTensor
from prepcheck.readers.rknn2_layout import NativeLayout, native_layout

IMAGE = RawTensor("images", "int8", 64, (1, 3, 20, 36), (1, 1, 20, 36, 3), 0.5, -128, 2880, 16, True, None)
MINI = replace(IMAGE, alignment=0)
BLOCKS = replace(IMAGE, dims=(1, 5, 20, 36), native=(1, 1, 20, 36, 16), nbytes=11520, alignment=0, strided=False)
VECTOR = RawTensor("vec", "float16", 0, (1, 6), (1, 6), None, None, 16, 0, False, None)
FULL = Setting(1, "rk3588", False)
SMALL = Setting(1, "rv1106", True)

UNSAID = Origin()
FILE, NONE, STRIDE, SIZE = "file", "rule:RK-WSTRIDE-NONE", "rule:RK-WSTRIDE", "rule:RK-NATIVE-SIZE"


def test_native_layout_of_padded_rows() -> None:
    """Rows of 36 pixels: to 48 by the stored alignment (full), or by 16 bytes on rv1106, 8 on rk3566 (mini)."""
    want = NativeLayout("NHWC", [1, 20, 36, 3], 48, FILE, 2880, FILE, 2880)
    assert native_layout(IMAGE, 1, "rk3588", False) == want
    assert native_layout(IMAGE, 1, None, True) == want, "what is stored wins"
    assert native_layout(MINI, 1, "rv1106", True) == replace(want, stride_from=STRIDE)
    short = replace(want, w_stride=40, stride_from=STRIDE, computed=2400)
    assert native_layout(MINI, 1, "rk3566", True) == short
    unknown = replace(want, w_stride=None, stride_from=STRIDE, computed=None)
    assert native_layout(MINI, 1, None, True) == unknown
    packed = replace(want, w_stride=36, stride_from=NONE, computed=2160)
    assert native_layout(MINI, 1, "rk3588", False) == packed
    assert native_layout(replace(MINI, strided=False), 1, "rv1106", True) == packed
    assert native_layout(replace(IMAGE, nbytes=0), 1, "rk3588", False) == replace(want, size_with_stride=None)
    batch = NativeLayout("NHWC", [4, 20, 36, 3], 48, FILE, 11520, FILE, 11520)
    assert native_layout(IMAGE, 4, "rk3588", False) == batch


def test_native_layout_is_blocks_or_rows() -> None:
    """Layout 64: rows where the file marks them, or where the one block holds just the tensor's channels, four at most."""
    blocks = NativeLayout("NC1HWC2", [1, 1, 20, 36, 16], 36, FILE, 11520, FILE, 11520)
    assert native_layout(BLOCKS, 1, "rk3588", False) == blocks
    assert native_layout(BLOCKS, 2, "rk3588", True) == replace(
        blocks, shape=[2, 1, 20, 36, 16], size_with_stride=23040, computed=23040
    )
    assert native_layout(replace(BLOCKS, nbytes=0), 1, "rk3588", False).size_with_stride is None

    def layout(dims: tuple[int, ...], native: tuple[int, ...], **more: Any) -> str | None:
        return native_layout(replace(BLOCKS, dims=dims, native=native, **more), 1, "rk3588", False).layout

    assert layout((1, 4, 20, 36), (1, 1, 20, 36, 4)) == "NHWC"
    assert layout((1, 5, 20, 36), (1, 1, 20, 36, 5)) == "NC1HWC2"
    assert layout((1, 3, 20, 36), (1, 1, 20, 36, 4)) == "NC1HWC2"
    assert layout((1, 3, 20, 36), (1, 2, 20, 36, 3)) == "NC1HWC2"
    assert layout((1, 3, 20, 36), (1, 2, 20, 36, 3), strided=True) == "NC1HWC2"
    assert layout((1, 3, 20, 36), (1, 1, 20, 36, 16), strided=True) == "NHWC"
    assert layout((1, 3, 20), (1, 1, 20, 36, 3)) == "NC1HWC2", "channels are those of four axes"
    assert layout((1, 3, 20, 36), (1, 20, 36, 3)) is None
    assert layout((1, 3, 20, 36), (1, 1, 1, 20, 36, 3), strided=True) is None


def test_native_layout_of_the_other_codes() -> None:
    """1 NHWC, 2 NCHW with four axes; 0 none: packed bytes, or the stored ones in a mini's answer."""
    nchw = replace(IMAGE, layout=2, native=(1, 3, 20, 36))
    want = NativeLayout("NCHW", [2, 3, 20, 36], 36, NONE, 4320, SIZE, None)
    assert native_layout(nchw, 2, "rk3588", False) == want
    assert native_layout(nchw, 2, "rk3588", True) == replace(want, size_with_stride=2880, size_from=FILE)
    assert native_layout(replace(nchw, nbytes=0), 2, "rk3588", True) == want
    nhwc = native_layout(replace(IMAGE, layout=1, native=(1, 20, 36, 3)), 1, "rk3588", False)
    assert nhwc == NativeLayout("NHWC", [1, 20, 36, 3], 48, FILE, 2880, FILE, 2880)
    none = NativeLayout("UNDEFINED", [3, 6], 0, NONE, 36, SIZE, None)
    assert native_layout(VECTOR, 3, "rk3588", False) == none
    nothing = NativeLayout(None, None, None, FILE, None, FILE, None)
    for odd in (
        replace(nchw, native=(1, 3, 20)),
        replace(nchw, layout=1, native=(1, 1, 20, 36, 3)),
        replace(VECTOR, layout=3),
        replace(VECTOR, native=()),
    ):
        assert native_layout(odd, 1, "rk3588", False) == nothing


def known(described: Described) -> dict[str, Any]:
    """What is known of the tensor."""
    return described.tensor.model_dump(exclude_none=True)


IMAGE_IN: dict[str, Any] = {
    "index": 2, "name": "images", "layout": "NHWC", "shape": [1, 20, 36, 3], "dtype": "int8", "scheme": "affine",
    "scale": 0.5, "zero_point": -128, "size": 2160, "w_stride": 48, "size_with_stride": 2880, "value_range": [0.0, 127.5],
    "source": {"layout": "NCHW", "shape": [1, 3, 20, 36]},
    "native": {"layout": "NHWC", "shape": [1, 20, 36, 3], "dtype": "int8", "w_stride": 48, "size_with_stride": 2880},
    "provenance": {
        "layout": "rule:RK-NHWC-REPORTED", "shape": "rule:RK-NHWC-REPORTED", "dtype": "file", "size": "rule:SZ-PACKED",
        "w_stride": "file", "size_with_stride": "file", "name": "file", "scheme": "file", "scale": "file",
        "zero_point": "file", "value_range": "rule:QT-RANGE", "source.layout": "rule:RK-SOURCE-NCHW",
    },
}  # fmt: skip


def test_an_image_that_goes_by_the_rules() -> None:
    got = describe_input(2, IMAGE, Reported(), None, Origin(), (), FULL)
    assert known(got) == IMAGE_IN
    assert (got.raw, got.native) == (IMAGE, native_layout(IMAGE, 1, "rk3588", False))


def test_an_image_of_which_the_file_says_everything() -> None:
    """Reported type and layout, norms cut to the channels, the origin of the generator text, batch 2, two shapes."""
    norm = Norm((1.0, 2.0, 3.0, 1.0), (4.0, 5.0, 6.0, 4.0))
    origin = Origin("NHWC", "uint8", True, (-2.0, 123.67500305175781))
    shapes = ((1, 3, 20, 36), (1, 3, 10, 18))
    got = describe_input(
        0,
        replace(IMAGE, limits=(0.0, 9.0)),
        Reported("NCHW", "uint8"),
        norm,
        origin,
        shapes,
        Setting(2, "rk3588", False),
    )
    assert known(got) == {
        "index": 0, "name": "images", "layout": "NCHW", "shape": [2, 3, 20, 36], "dtype": "uint8", "scheme": "affine",
        "scale": 0.5, "zero_point": -128, "size": 4320, "w_stride": 48, "size_with_stride": 5760,
        "mean": [1.0, 2.0, 3.0], "std": [4.0, 5.0, 6.0], "rgb2bgr": True, "value_range": [0.0, 127.5],
        "calibration_range": [-2.0, 123.675], "dynamic": [[2, 3, 20, 36], [2, 3, 10, 18]],
        "source": {"layout": "NHWC", "shape": [1, 3, 20, 36], "dtype": "uint8"},
        "native": {"layout": "NHWC", "shape": [2, 20, 36, 3], "dtype": "int8", "w_stride": 48, "size_with_stride": 5760},
        "provenance": dict.fromkeys(
            ("layout", "shape", "dtype", "w_stride", "size_with_stride", "name", "scheme", "scale", "zero_point", "mean",
             "std", "rgb2bgr", "calibration_range", "dynamic"), "file",
        ) | {"size": "rule:SZ-PACKED", "value_range": "rule:QT-RANGE"},
    }  # fmt: skip


def test_a_vector_and_its_norms() -> None:
    """Not four axes: UNDEFINED whatever is reported; means are cut to the second axis, and to none where there is none."""
    norm = Norm((1.0,) * 8, (2.0,) * 8)
    got = describe_input(
        1, VECTOR, Reported("NHWC", "no type"), norm, Origin(layout="NCHW"), (), Setting(3, None, False)
    )
    assert known(got) == {
        "index": 1, "name": "vec", "layout": "UNDEFINED", "shape": [3, 6], "dtype": "float16", "scheme": "none",
        "size": 36, "w_stride": 0, "size_with_stride": 48, "mean": [1.0] * 6, "std": [2.0] * 6,
        "source": {"layout": "UNDEFINED", "shape": [1, 6]},
        "native": {"layout": "UNDEFINED", "shape": [3, 6], "dtype": "float16", "w_stride": 0, "size_with_stride": 36},
        "provenance": {
            "layout": "file", "shape": "file", "dtype": "file", "size": "rule:SZ-PACKED", "w_stride": NONE,
            "size_with_stride": "file", "mean": "file", "std": "file", "name": "file", "scheme": "file",
        },
    }  # fmt: skip
    one = replace(VECTOR, dims=(6,), native=(6,))
    tensor = describe_input(0, one, Reported(), norm, Origin(), ((6,),), FULL).tensor
    assert (tensor.mean, tensor.std, tensor.dynamic, tensor.shape) == ([1.0] * 8, [2.0] * 8, [[6]], [6])
    assert (tensor.provenance["layout"], tensor.provenance["shape"]) == ("rule:RK-NHWC-REPORTED",) * 2
    scalar = describe_input(0, replace(VECTOR, dims=()), Reported(), Norm((), ()), Origin(), (), FULL).tensor
    assert (scalar.shape, scalar.size, scalar.mean, scalar.std) == ([], 2, None, None)
    undefined = describe_input(0, IMAGE, Reported("UNDEFINED"), None, Origin(), (), FULL).tensor
    assert (undefined.layout, undefined.shape) == ("UNDEFINED", [1, 3, 20, 36])
    odd = describe_input(0, IMAGE, Reported("NC1HWC2"), None, Origin(), (), FULL).tensor
    assert (odd.layout, odd.provenance["layout"]) == ("NHWC", "rule:RK-NHWC-REPORTED")


def test_a_mini_reports_plain_bytes_unless_rows_are_padded() -> None:
    got = describe_input(0, BLOCKS, Reported(), None, Origin(), (), SMALL).tensor
    assert (got.size, got.size_with_stride, got.provenance["size_with_stride"]) == (3600, 3600, "rule:RK-MINI-SIZE")
    got = describe_input(0, MINI, Reported(), None, Origin(), (), SMALL).tensor
    assert (got.size_with_stride, got.provenance["size_with_stride"], got.w_stride) == (2880, "file", 48)
    assert got.provenance["w_stride"] == STRIDE
    none = describe_input(0, replace(IMAGE, nbytes=0), Reported(), None, Origin(), (), FULL).tensor
    assert (none.size_with_stride, "size_with_stride" in none.provenance) == (None, False)


def test_outputs() -> None:
    """NCHW, w_stride 0; the runtime's bytes with stride are in no full container; native bytes are computed."""
    out = replace(BLOCKS, name="out", dims=(1, 8, 20, 36), nbytes=99)
    common: dict[str, Any] = {
        "index": 1, "name": "out", "layout": "NCHW", "shape": [2, 8, 20, 36], "dtype": "float32", "scheme": "affine",
        "scale": 0.5, "zero_point": -128, "size": 46080, "w_stride": 0, "value_range": [0.0, 127.5],
        "dynamic": [[2, 8, 20, 36], [2, 8, 10, 18]], "source": {"layout": "NCHW", "shape": [1, 8, 20, 36]},
        "native": {
            "layout": "NC1HWC2", "shape": [2, 1, 20, 36, 16], "dtype": "int8", "w_stride": 36, "size_with_stride": 23040,
        },
    }  # fmt: skip
    origins = dict.fromkeys(("dtype", "name", "scheme", "scale", "zero_point", "dynamic"), "file") | {
        "layout": "rule:RK-NCHW-OUTPUT", "shape": "rule:RK-NCHW-OUTPUT", "w_stride": "rule:RK-OUT-WSTRIDE",
        "size": "rule:SZ-PACKED", "value_range": "rule:QT-RANGE", "source.layout": "rule:RK-SOURCE-NCHW",
    }  # fmt: skip
    shapes = ((1, 8, 20, 36), (1, 8, 10, 18))
    got = describe_output(1, out, Reported("NHWC", "float32"), Origin(), shapes, Setting(2, "rk3588", False))
    assert known(got) == common | {"provenance": origins}
    assert got.native == native_layout(out, 2, "rk3588", False)
    got = describe_output(1, out, Reported(None, "float32"), Origin(), shapes, Setting(2, "rv1106", True))
    assert known(got) == common | {
        "size_with_stride": 46080, "provenance": origins | {"size_with_stride": "rule:RK-MINI-SIZE"},
    }  # fmt: skip
    got = describe_output(0, VECTOR, Reported(), Origin(None, "int64", None, (1.0, 2.0)), (), SMALL)
    assert known(got) == {
        "index": 0, "name": "vec", "layout": "UNDEFINED", "shape": [1, 6], "dtype": "float16", "scheme": "none", "size": 12,
        "w_stride": 0, "size_with_stride": 12, "calibration_range": [1.0, 2.0],
        "source": {"layout": "UNDEFINED", "shape": [1, 6], "dtype": "int64"},
        "native": {"layout": "UNDEFINED", "shape": [1, 6], "dtype": "float16", "w_stride": 0, "size_with_stride": 16},
        "provenance": {
            "layout": "rule:RK-NCHW-OUTPUT", "shape": "rule:RK-NCHW-OUTPUT", "dtype": "file", "size": "rule:SZ-PACKED",
            "w_stride": "rule:RK-OUT-WSTRIDE", "size_with_stride": "rule:RK-MINI-SIZE", "name": "file", "scheme": "file",
            "calibration_range": "file",
        },
    }  # fmt: skip
    odd = describe_output(0, replace(VECTOR, layout=9), Reported(None, "odd"), Origin(), (), FULL).tensor
    assert (odd.native, odd.dtype, odd.dynamic) == (None, "float16", None)
    rows = describe_output(0, replace(MINI, nbytes=99), Reported(), Origin(), (), Setting(1, None, True)).tensor
    assert rows.native is not None
    assert rows.native.size_with_stride == 99, "no pitch is known: the stored number"


def test_quantised_or_not() -> None:
    """A scale on a float tensor, and a BOOL input stored as int8, are no quantisation; a scale of 0 says nothing."""

    def quantisation(raw: RawTensor, dtype: str | None = None, origin: Origin = UNSAID) -> tuple[object, ...]:
        t = describe_input(0, raw, Reported(None, dtype), None, origin, (), FULL).tensor
        return t.scheme, t.scale, t.zero_point, t.value_range, t.calibration_range

    limits = replace(IMAGE, limits=(0.10000000149011612, 2.0))
    assert quantisation(limits) == ("affine", 0.5, -128, [0.0, 127.5], [0.1, 2.0])
    assert quantisation(limits, "bool") == ("none", None, None, None, None)
    assert quantisation(replace(limits, dtype="float16")) == ("none", None, None, None, None)
    assert quantisation(replace(limits, scale=None)) == ("none", None, None, None, None)
    assert quantisation(replace(limits, scale=0.0)) == ("affine", None, None, None, [0.1, 2.0])
    assert quantisation(replace(limits, zero_point=None)) == ("affine", 0.5, None, None, [0.1, 2.0])
    assert quantisation(limits, None, Origin(calibration=(3.0, 4.0)))[4] == [3.0, 4.0]
    third = replace(IMAGE, scale=0.003921568859368563)
    assert quantisation(third)[3] == [0.0, 1.0], "255 steps of 1/255 as a float32: one, at seven digits"
