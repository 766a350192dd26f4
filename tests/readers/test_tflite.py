"""TFLite files: a full contract with zero points and scales, what the metadata asks for, damage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from prepcheck.contract.contract import Contract
from prepcheck.errors import PrepcheckError, WrongKindError
from prepcheck.readers.model import read_model_source
from prepcheck.readers.tflite import read_tflite
from prepcheck.wire.source import Source
from tests.cli.run import prepcheck, report
from tests.readers.tflite_builder import CONV_2D, INT8, TRANSPOSE, Lite, Op, T, convolution, metadata


def contract(data: bytes, name: str = "m.tflite") -> Contract:
    return read_model_source(Source.from_bytes(data, name), name)


def test_float() -> None:
    found = contract(convolution().build())
    assert (found.runtime, found.quantized, found.batch) == ("tflite", False, 1)
    (tensor,) = found.inputs
    assert (tensor.name, tensor.layout, tensor.shape, tensor.dtype, tensor.size) == (
        "images",
        "NHWC",
        [1, 8, 12, 3],
        "float32",
        1152,
    )
    assert (tensor.scheme, tensor.scale, tensor.provenance["layout"]) == ("none", None, "rule:TF-AXES")
    assert found.metadata["description"] == "made for a test"


def test_quantised() -> None:
    found = contract(convolution(quantized=True, per_channel=True).build())
    (tensor,) = found.inputs
    assert (tensor.dtype, tensor.scheme, tensor.zero_point, tensor.layout) == ("uint8", "affine", 0, "NHWC")
    assert tensor.scale == pytest.approx(1 / 255)
    assert tensor.value_range == pytest.approx([0.0, 1.0])
    (out,) = found.outputs
    assert (out.dtype, out.zero_point) == ("int8", 3)
    assert out.scale == pytest.approx(0.05)


def test_what_the_metadata_asks_of_the_application() -> None:
    found = contract(convolution(meta=metadata([127.5], [127.5])).build())
    expects = found.inputs[0].expects
    assert expects is not None
    assert (expects.color, expects.mean, expects.std) == ("RGB", [127.5], [127.5])
    assert found.metadata["name"] == "a classifier"


def test_metadata_that_cannot_be_used_is_left_out() -> None:
    assert contract(convolution(meta=metadata([0.0], [0.0])).build()).inputs[0].expects.mean is None  # type: ignore[union-attr]
    broken = metadata([1.0], [2.0])[:40]
    assert "unreadable" in contract(convolution(meta=broken).build()).metadata["metadata"]
    assert contract(convolution(meta=b"XXXX1234" * 8).build()).inputs[0].expects is None


def test_open_axes_and_a_transpose_first() -> None:
    tensors = [T("x", (1, 3, 8, 8), signature=(-1, 3, 8, 8)), T("p", (4,)), T("y", (1, 8, 8, 3))]
    (tensor,) = contract(Lite(tensors, (0,), (2,), [Op(TRANSPOSE, (0, 1), (2,))]).build()).inputs
    assert (tensor.shape, tensor.layout, tensor.size) == ([-1, 3, 8, 8], None, None)


def test_scales_for_each_channel_are_no_single_scale() -> None:
    lite = Lite(
        [T("x", (1, 2, 2, 2), INT8, (0.1, 0.2), (0, 0), 3), T("y", (1,))], (0,), (1,), [Op(CONV_2D, (0, 0, 0), (1,))]
    )
    (tensor,) = contract(lite.build()).inputs
    assert (tensor.scheme, tensor.scale) == ("none", None)


@pytest.mark.parametrize(
    ("lite", "says"),
    [
        (Lite([T("x", (1,))], (5,), (0,)), "tensor 5 is referred to"),
        (Lite([T("x", (1,))], (0,), (0,), version=2), "schema version 2"),
        (Lite([T("x", (1, 0))], (0,), (0,)), "an axis of no length"),
    ],
)
def test_contradictions_are_named(lite: Lite, says: str) -> None:
    with pytest.raises(PrepcheckError) as caught:
        contract(lite.build())
    assert says in caught.value.message
    assert caught.value.code == "corrupt"


def test_any_damage_is_a_named_error() -> None:
    rng = random.Random(7)
    seed = convolution(quantized=True, meta=metadata([0.5, 0.5, 0.5], [1, 1, 1])).build()
    for _ in range(1500):
        data = bytearray(seed)
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        cut = bytes(data[: rng.choice((len(data), rng.randrange(8, len(data))))])
        try:
            read_tflite(Source.from_bytes(cut, "m"), "m")
        except PrepcheckError as error:
            if error.code not in ("corrupt", "truncated", "too_large"):
                raise


def test_under_another_runtime_s_name_it_is_refused() -> None:
    with pytest.raises(WrongKindError, match="load_tflite") as caught:
        contract(convolution().build(), "m.rknn")
    assert caught.value.kind == "tflite"


def test_validate_normalises_as_the_metadata_asks(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (12, 8), (1, 2, 3)).save(tmp_path / "a.png")
    (tmp_path / "m.tflite").write_bytes(convolution(meta=metadata([127.5], [127.5])).build())
    found = report("validate", tmp_path / "m.tflite", tmp_path / "a.png", code=0)
    assert [s["step"] for s in found["path"]["images"]][:3] == ["decode", "normalize", "cast"]
    assert not [f for f in found["findings"] if f["severity"] != "info"]
    assert "(x − [127.5]) / [127.5]" in found["hand_over"][0]["sentence"]
    plan = tmp_path / "p.yaml"
    plan.write_text(
        "prepcheck: plan/v1\nbuffers: {images: {dtype: float32, shape: [1, 8, 12, 3], layout: NHWC, color: RGB, range: [0, 255]}}\n"
        "calls: [{api: set_input, tensor: images, buffer: images}]\n", encoding="utf-8",
    )  # fmt: skip
    wrong = report("validate", tmp_path / "m.tflite", "--plan", plan, code=1)
    assert [f["rule"] for f in wrong["findings"] if f["severity"] == "error"] == ["NM005"]
    assert "0.05" not in prepcheck("inspect", tmp_path / "m.tflite").stdout


def test_quantised_pixels_are_handed_over_as_they_are(tmp_path: Path) -> None:
    from PIL import Image

    Image.new("RGB", (12, 8), (1, 2, 3)).save(tmp_path / "a.png")
    (tmp_path / "m.tflite").write_bytes(convolution(quantized=True, meta=metadata([0.0], [255.0])).build())
    found = report("validate", tmp_path / "m.tflite", tmp_path / "a.png", code=0)
    assert [s["step"] for s in found["path"]["images"]][:3] == ["decode", "normalize", "quantize"]
    assert not [f for f in found["findings"] if f["severity"] == "error"]
