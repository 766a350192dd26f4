"""Attribute lines of every demo, toolkit and runtime become one contract."""

from __future__ import annotations

import pytest

from prepcheck.logs.reading import read_texts

TAIL = "zp=-128, scale=0.003922"


@pytest.mark.parametrize(
    ("text", "shape", "dtype", "w_stride", "stride_size"),
    [
        (f"index=0, name=a, n_dims=4, dims=[1, 48, 70, 3], n_elems=10080, size=10080, fmt=NHWC, type=INT8, qnt_type=AFFINE, {TAIL}", [1, 48, 70, 3], "int8", None, None),
        (f"index=0, name=a, n_dims=4, dims=[1, 48, 70, 3], n_elems=10080, size=10080, w_stride = 80, size_with_stride=11520, fmt=NHWC, type=INT8, qnt_type=AFFINE, {TAIL}", [1, 48, 70, 3], "int8", 80, 11520),
        ("index=0, name=a, n_dims=3, dims=[1, 51, 3], n_elems=153, size=612, size_with_stride=612, fmt=UNDEFINED, type=FP32, qnt_type=AFFINE, zp=0, scale=1.000000", [1, 51, 3], "float32", None, 612),
        ("index=0 name=a n_dims=4 dims=[1 224 224 3] n_elems=150528 size=150528 fmt=0 type=3 qnt_type=2 fl=0 zp=127 scale=0.007843", [1, 224, 224, 3], "uint8", None, None),
        ("D [rknn_init:210] index=0 name=a n_dims=4 dims=[3 224 224 1] n_elems=150528 size=150528 fmt=NHWC\n  type=UINT8 qnt_type=AFFINE fl=0 zp=127 scale=0.007843", [1, 224, 224, 3], "uint8", None, None),
        ("D RKNNAPI:   index=0, name=a, n_dims=4, shape dims=[1, 3, 64, 64], n_elems=12288, size=12288, fmt=NCHW, type=INT8, qnt_type=AFFINE, " + TAIL, [1, 3, 64, 64], "int8", None, None),
        ("index=0, name=images, dims=[1, 640, 640, 3, 0],fmt=NHWC, type=INT8, qnt_type=AFFINE", [1, 640, 640, 3], "int8", None, None),
        ("index=0, name=a, n_dims=5, dims=[1, 2, 48, 64], n_elems=98304, size=98304, fmt=NC1HWC2, type=INT8, qnt_type=AFFINE, " + TAIL, [1, 2, 48, 64, 16], "int8", None, None),
        ("index=0, name=a, n_dims=2, dims=[1, 10, 0, 0], n_elems=10, size=20, fmt=UNDEFINED, type=FP16, qnt_type=AFFINE, zp=0, scale=1.000000", [1, 10], "float16", None, None),
    ],
)  # fmt: skip
def test_variants(text: str, shape: list[int], dtype: str, w_stride: int | None, stride_size: int | None) -> None:
    contract = read_texts([("log", text)]).contract
    assert contract is not None
    tensor = contract.inputs[0]
    assert (tensor.shape, tensor.dtype, tensor.w_stride, tensor.size_with_stride) == (
        shape,
        dtype,
        w_stride,
        stride_size,
    )


def test_float_models_are_not_quantized() -> None:
    contract = read_texts(
        [
            (
                "log",
                "index=0, name=a, n_dims=2, dims=[1, 4], n_elems=4, size=8, fmt=UNDEFINED, type=FP16, qnt_type=AFFINE, zp=0, scale=1.0",
            )
        ]
    ).contract
    assert contract is not None
    assert (contract.inputs[0].scheme, contract.inputs[0].zero_point, contract.quantized) == ("none", None, False)


def test_inputs_and_outputs_are_told_apart() -> None:
    dims = "n_dims=2, dims=[1, 4], n_elems=4, size=4, fmt=UNDEFINED, type=INT8, qnt_type=AFFINE, zp=0, scale=0.1"
    text = f"model input num: 2, output num: 1\nindex=0, name=a, {dims}\nindex=1, name=b, {dims}\nindex=0, name=out, {dims}"
    contract = read_texts([("log", text)]).contract
    assert contract is not None
    assert [t.name for t in contract.inputs] == ["a", "b"]
    assert [t.name for t in contract.outputs] == ["out"]


def test_banner_shifted_by_one_field() -> None:
    text = (
        "I RKNN: [10:00:00.000] RKNN Model Information: version: 6, toolkit version: (null), target: 2.5.0(compiler version: 2.5.0), "
        "target platform: RKNPU v2, framework name: rk3588, framework layout: ONNX, model inference type: NCHW"
    )
    book = read_texts([("log", text)])
    assert (book.toolkit, book.platform) == ("2.5.0", "rk3588")
